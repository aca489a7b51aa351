package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/hotloom/hotloom/plugins"
	"github.com/hotloom/hotloom/plugins/discover"
)

// process is one running process of a provider.
type process struct {
	plugin   *goplugin.Client
	protocol goplugin.ClientProtocol
	client   *plugins.Client
	dir      string   // its socket's
	lifeline *os.File // our end; its closing tells the provider that we are gone
	once     sync.Once
	cmd      *exec.Cmd
}

// startError is a reason for which a provider can never start.
type startError struct{ message string }

func (e *startError) Error() string { return e.message }

func finally(format string, args ...any) error { return &startError{fmt.Sprintf(format, args...)} }

// start starts a provider's process and connects to it. The error is a *startError if trying again changes nothing.
func start(s discover.Source, o Options, log *slog.Logger, hidden *secrets) (_ *process, err error) {
	if err := s.Trusted(); err != nil {
		return nil, finally("%v", err)
	}
	p := &process{}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	if p.dir, err = os.MkdirTemp("", "hotloom-"); err != nil {
		return nil, fmt.Errorf("a folder for its socket: %w", err)
	}
	p.cmd = exec.Command(s.Path, s.Args...)
	p.cmd.Env = append(os.Environ(), s.Env...)
	p.cmd.Env = append(p.cmd.Env, goplugin.EnvUnixSocketDir+"="+p.dir)
	if runtime.GOOS != "windows" { // which passes no files on
		theirs, ours, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		// The provider reads, we never write: it reads the end when our end is closed, by us or by the kernel.
		p.lifeline = ours
		defer theirs.Close()
		p.cmd.ExtraFiles = []*os.File{theirs}
		p.cmd.Env = append(p.cmd.Env, plugins.LifelineEnv+"="+strconv.Itoa(3))
	}
	config := &goplugin.ClientConfig{
		HandshakeConfig:  plugins.Handshake,
		VersionedPlugins: plugins.Versions(nil),
		Cmd:              p.cmd,
		SkipHostEnv:      true, // Cmd has it
		AutoMTLS:         true,
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		StartTimeout:     o.StartTimeout,
		Logger:           newLogger(log, hidden),
		Stderr:           newLines(log, hidden, "stderr"),
		SyncStdout:       newLines(log, hidden, "stdout"),
		SyncStderr:       newLines(log, hidden, "stderr"),
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(o.MaxMessage), grpc.MaxCallSendMsgSize(o.MaxMessage)),
		},
	}
	if s.SHA256 != "" {
		sum, err := hex.DecodeString(s.SHA256)
		if err != nil || len(sum) != sha256.Size {
			return nil, finally("its pinned checksum is no SHA-256 in hexadecimal")
		}
		config.SecureConfig = &goplugin.SecureConfig{Checksum: sum, Hash: sha256.New()}
	}
	p.plugin = goplugin.NewClient(config)
	if p.protocol, err = p.plugin.Client(); err != nil {
		return nil, explainStart(s, err)
	}
	raw, err := p.protocol.Dispense(plugins.Name)
	if err != nil {
		return nil, fmt.Errorf("it offers no provider: %w", err)
	}
	client, ok := raw.(*plugins.Client)
	if !ok {
		return nil, finally("it speaks an unknown protocol")
	}
	p.client = client
	log.Debug("the provider was started", "pid", p.pid(), "protocol", p.plugin.NegotiatedVersion())
	return p, nil
}

// explainStart turns go-plugin's words into what a user can act on.
func explainStart(s discover.Source, err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, goplugin.ErrChecksumsDoNotMatch):
		return finally("the checksum of %s is not the pinned one: pin the new one if you trust the change (hotloom plugins verify shows it)", s.Path)
	case errors.Is(err, fs.ErrNotExist):
		return finally("%s does not exist", s.Path)
	case errors.Is(err, fs.ErrPermission):
		return finally("%s cannot be executed", s.Path)
	case strings.Contains(text, "ncompatible API version"):
		return finally("it speaks another version of the protocol than this hotloom (%d): %s", plugins.Version, firstLine(text))
	case strings.Contains(text, "read any lines"):
		return errors.New("it ended before the handshake; its log may say why")
	case strings.Contains(text, "Unrecognized remote plugin message"):
		return finally("%s is no provider of hotloom: it did not answer with the handshake", s.Path)
	}
	return errors.New(firstLine(text))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func (p *process) pid() int {
	if p.cmd == nil || p.cmd.Process == nil {
		return 0
	}
	return p.cmd.Process.Pid
}

func (p *process) exited() bool { return p.plugin.Exited() }

// patience is how long a health check may take.
const patience = 2 * time.Second

// healthy asks the provider's health service. It does not wait for long.
func (p *process) healthy() bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer := make(chan error, 1)
	go func() { answer <- p.protocol.Ping() }() // ends when the process is killed, if not before
	select {
	case err := <-answer:
		return err == nil
	case <-ctx.Done():
		return false
	}
}

func (p *process) kill() {
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Kill()
	}
}

// stop ends the process: it is asked first, and killed after two seconds.
func (p *process) stop() {
	p.once.Do(func() {
		if p.plugin != nil {
			// go-plugin asks without a limit, and a process that is stopped does not answer.
			limit := time.AfterFunc(2*patience, p.kill)
			p.plugin.Kill()
			limit.Stop()
		}
		if p.lifeline != nil {
			_ = p.lifeline.Close()
		}
		if p.dir != "" {
			_ = os.RemoveAll(p.dir)
		}
	})
}
