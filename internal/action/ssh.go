package action

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/hotloom/hotloom/compiler/value"
)

const (
	sshDialTimeout = 30 * time.Second
	maxSSHOutput   = 16 << 20
)

func (c Config) ssh() Definition {
	return Definition{
		Name: "std.ssh", Class: stdModule + "SSHAction",
		Inputs: append(append(required("cmd", "host", "username"), Input{Name: "password", Default: ""}),
			with(nil, "private_key_filename", "private_key", "return_result_on_error")...),
		Run: func(ctx context.Context, in *value.Map, _ Call) (any, error) {
			return eachHost(ctx, in, func(host string) (*ssh.Client, func(), error) {
				client, err := c.connect(ctx, in, host, text(field(in, "username")), nil)
				return client, func() {}, err
			})
		},
	}
}

func (c Config) sshProxied() Definition {
	return Definition{
		Name: "std.ssh_proxied", Class: stdModule + "SSHProxiedAction",
		Inputs: with(required("cmd", "host", "username", "private_key_filename", "gateway_host"),
			"gateway_username", "password", "proxy_command", "private_key"),
		Check: func(in *value.Map) error {
			if value.Truth(field(in, "proxy_command")) {
				return errors.New("proxy_command runs a program on this machine and is not supported: use gateway_host alone")
			}
			return nil
		},
		Run: func(ctx context.Context, in *value.Map, _ Call) (any, error) {
			return eachHost(ctx, in, func(host string) (*ssh.Client, func(), error) { return c.throughGateway(ctx, in, host) })
		},
	}
}

func field(in *value.Map, name string) any {
	v, _ := in.GetStr(name)
	return v
}

// throughGateway connects to the gateway and from there to the host's port 22. The gateway's own connection ends with
// the function that is returned.
func (c Config) throughGateway(ctx context.Context, in *value.Map, host string) (*ssh.Client, func(), error) {
	user := text(field(in, "gateway_username"))
	if user == "" {
		user = text(field(in, "username"))
	}
	gateway, err := c.connect(ctx, in, text(field(in, "gateway_host")), user, nil)
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = gateway.Close() }
	conn, err := gateway.DialContext(ctx, "tcp", withPort(host))
	if err != nil {
		end()
		return nil, nil, err
	}
	client, err := c.connect(ctx, in, host, text(field(in, "username")), conn)
	if err != nil {
		end()
		return nil, nil, err
	}
	return client, end, nil
}

// eachHost runs the command on one host, or on a list of hosts in order; the first failure ends it. As in Mistral the
// message does not say why, because output may hold secrets.
func eachHost(ctx context.Context, in *value.Map, dial func(host string) (*ssh.Client, func(), error)) (any, error) {
	cmd := text(field(in, "cmd"))
	hosts, isList := value.Seq(field(in, "host"))
	if !isList {
		hosts = []any{field(in, "host")}
	}
	var results []any
	for _, h := range hosts {
		host := text(h)
		out, err := runOn(ctx, in, cmd, func() (*ssh.Client, func(), error) { return dial(host) })
		if err != nil {
			return nil, fmt.Errorf("Failed to execute ssh cmd '%s' on %s: %w", cmd, value.Str(field(in, "host")), err) //nolint:staticcheck // Mistral's words
		}
		results = append(results, out)
	}
	if len(results) == 1 {
		return results[0], nil
	}
	return results, nil
}

func runOn(ctx context.Context, in *value.Map, cmd string, dial func() (*ssh.Client, func(), error)) (any, error) {
	client, end, err := dial()
	if err != nil {
		return nil, err
	}
	defer end()
	defer client.Close()
	stop := context.AfterFunc(ctx, func() { _ = client.Close() })
	defer stop()
	session, err := client.NewSession()
	if err != nil {
		return nil, err
	}
	defer session.Close()
	var stdout, stderr limited
	session.Stdout, session.Stderr = &stdout, &stderr
	err = session.Run(cmd)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var exit *ssh.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		if value.Truth(field(in, "return_result_on_error")) {
			return nil, &Failure{Data: value.MapOf("stdout", stdout.String(), "stderr", stderr.String(), "exit_code", int64(exit.ExitStatus()))}
		}
		return nil, fmt.Errorf("exit status %d", exit.ExitStatus())
	default:
		return nil, err
	}
	return stdout.String(), nil
}

// limited keeps the beginning of an output.
type limited struct{ b []byte }

func (l *limited) Write(p []byte) (int, error) {
	if room := maxSSHOutput - len(l.b); room > 0 {
		l.b = append(l.b, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (l *limited) String() string { return strings.ToValidUTF8(string(l.b), "\uFFFD") }

var _ io.Writer = (*limited)(nil)

func withPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), "22")
}

// connect opens an SSH connection, over conn if that is given. The host's key must be known.
func (c Config) connect(ctx context.Context, in *value.Map, host, user string, conn net.Conn) (*ssh.Client, error) {
	auth, err := c.auth(in)
	if err != nil {
		return nil, err
	}
	return c.login(ctx, withPort(host), user, auth, conn)
}

// login opens an SSH connection to an address with its port.
func (c Config) login(ctx context.Context, addr, user string, auth []ssh.AuthMethod, conn net.Conn) (*ssh.Client, error) {
	verify, err := c.hostKeys()
	if err != nil {
		return nil, err
	}
	if conn == nil {
		if conn, err = (&net.Dialer{Timeout: sshDialTimeout}).DialContext(ctx, "tcp", addr); err != nil {
			return nil, err
		}
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	sc, chans, reqs, err := ssh.NewClientConn(conn, addr, &ssh.ClientConfig{User: user, Auth: auth, HostKeyCallback: verify, Timeout: sshDialTimeout})
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return ssh.NewClient(sc, chans, reqs), nil
}

func (c Config) hostKeys() (ssh.HostKeyCallback, error) {
	path := c.KnownHosts
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(home, ".ssh", "known_hosts")
	}
	check, err := knownhosts.New(path)
	if err != nil {
		return nil, fmt.Errorf("known hosts: %w", err)
	}
	return func(host string, remote net.Addr, key ssh.PublicKey) error {
		err := check(host, remote, key)
		var unknown *knownhosts.KeyError
		if errors.As(err, &unknown) && len(unknown.Want) == 0 {
			return fmt.Errorf("the key of %s is not in %s: connect once with ssh, or add it with ssh-keyscan", host, path)
		}
		return err
	}, nil
}

// auth gives the ways to log in: the key if there is one, then the password.
func (c Config) auth(in *value.Map) ([]ssh.AuthMethod, error) {
	password := text(field(in, "password"))
	key := []byte(text(field(in, "private_key")))
	if name := text(field(in, "private_key_filename")); len(key) == 0 && name != "" {
		if c.NoKeyFiles {
			return nil, errors.New("private_key_filename: the keys of this machine are not for workflows: give private_key")
		}
		if strings.Contains(name, "../") || strings.Contains(name, `..\`) {
			return nil, fmt.Errorf("Private key filename must not contain '..'. Actual: %s", name) //nolint:staticcheck // Mistral's words
		}
		path := name
		if !filepath.IsAbs(path) {
			folder := c.KeyFolder
			if folder == "" {
				home, err := os.UserHomeDir()
				if err != nil {
					return nil, err
				}
				folder = filepath.Join(home, ".ssh")
			}
			path = filepath.Join(folder, name)
		}
		var err error
		if key, err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	var methods []ssh.AuthMethod
	if len(key) > 0 {
		signer, err := parseKey(key, password)
		if err != nil {
			return nil, err
		}
		methods = append(methods, ssh.PublicKeys(signer))
	}
	if password != "" {
		methods = append(methods, ssh.Password(password))
	}
	return methods, nil
}

func parseKey(key []byte, password string) (ssh.Signer, error) {
	signer, err := ssh.ParsePrivateKey(key)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) && password != "" {
		return ssh.ParsePrivateKeyWithPassphrase(key, []byte(password))
	}
	return signer, err
}
