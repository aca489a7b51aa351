// Package plugins carries the contract of package resources between processes: the protocol of providers, over
// hashicorp/go-plugin (gRPC on a Unix socket, mutual TLS with certificates made for one run).
//
// Package sdk has what authors of providers write against, package host runs providers for hotloom. Both stand on the
// Server and the Client here, which turn the calls of resources.Provider into messages and back.
package plugins

import (
	"context"
	"errors"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/hotloom/hotloom/plugins/proto"
	"github.com/hotloom/hotloom/resources"
)

// Version is the newest protocol that this code speaks. Host and provider use the highest that both have.
const Version = 1

// MaxMessage is the largest message in bytes, in either direction, unless a host sets another.
const MaxMessage = 16 << 20

// Name is the name of the one service in a provider's plugin set.
const Name = "provider"

// LifelineEnv names the file descriptor whose end tells a provider that its host is gone.
const LifelineEnv = "HOTLOOM_LIFELINE_FD"

// Handshake makes a provider that somebody starts by hand say what it is. It is no means of security.
var Handshake = goplugin.HandshakeConfig{
	MagicCookieKey:   "HOTLOOM_PROVIDER",
	MagicCookieValue: "f3a9c1d47c8e4b5d9c1e2f7a6b0d8e35",
}

// Versions are the plugin sets by protocol version. The provider is nil on the host's side.
func Versions(p resources.Provider) map[int]goplugin.PluginSet {
	return map[int]goplugin.PluginSet{Version: {Name: &Plugin{Provider: p}}}
}

// Plugin ties a provider to go-plugin.
type Plugin struct {
	goplugin.NetRPCUnsupportedPlugin
	Provider resources.Provider // nil on the host's side
}

var _ goplugin.GRPCPlugin = (*Plugin)(nil)

// GRPCServer registers the provider with a server.
func (p *Plugin) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	if p.Provider == nil {
		return errors.New("no provider to serve")
	}
	proto.RegisterProviderServer(s, NewServer(p.Provider))
	return nil
}

// GRPCClient gives the *Client of a connection.
func (p *Plugin) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return NewClient(c), nil
}
