package plugins

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/hotloom/hotloom/resources"
)

// grace is how long work in progress has to stop in once the provider has to end. A host kills a provider after 2 s.
const grace = 1500 * time.Millisecond

// Serve serves a provider until its host ends it or is gone. It is all that the main function of a provider calls.
// Logs made with log/slog go to the host with their level.
func Serve(p resources.Provider) {
	slog.SetDefault(slog.New(Logs(os.Stderr)))
	socketDir := os.Getenv(goplugin.EnvUnixSocketDir)
	watchLifeline(func() {
		stop(p)
		if socketDir != "" {
			clean(socketDir)
		}
		os.Exit(0)
	})
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig:  Handshake,
		VersionedPlugins: Versions(p),
		Logger:           hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: os.Stderr, JSONFormat: true}),
		GRPCServer: func(opts []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(opts, grpc.MaxRecvMsgSize(MaxMessage), grpc.MaxSendMsgSize(MaxMessage))...)
		},
	})
	stop(p)
}

// stop ends the provider's work, but does not wait for what does not end.
func stop(p resources.Provider) {
	c, ok := p.(io.Closer)
	if !ok {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := c.Close(); err != nil {
			slog.Warn("the provider did not end cleanly", "error", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(grace):
	}
}

// watchLifeline calls gone when the host's end of the lifeline is closed: also when the host was killed.
func watchLifeline(gone func()) {
	fd, err := strconv.Atoi(os.Getenv(LifelineEnv))
	if err != nil || fd < 3 {
		return // a host without one
	}
	_ = os.Unsetenv(LifelineEnv)
	closeOnExec(fd) // programs that the provider starts have no use for it
	pipe := os.NewFile(uintptr(fd), "lifeline")
	go func() {
		_, _ = io.Copy(io.Discard, pipe)
		gone()
	}()
}

// clean removes the provider's socket and its folder, which a host makes for one process alone.
func clean(dir string) {
	sockets, _ := filepath.Glob(filepath.Join(dir, "plugin*"))
	for _, s := range sockets {
		_ = os.Remove(s)
	}
	_ = os.Remove(dir) // refused where the folder has anything else
}

// Logs is a slog handler that writes what hosts understand: one JSON object a line, as hclog writes it.
func Logs(w io.Writer) slog.Handler {
	return slog.NewJSONHandler(w, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) > 0 {
				return a
			}
			switch a.Key {
			case slog.TimeKey:
				return slog.String("@timestamp", a.Value.Time().Format("2006-01-02T15:04:05.000000Z07:00"))
			case slog.LevelKey:
				return slog.String("@level", strings.ToLower(a.Value.String()))
			case slog.MessageKey:
				return slog.String("@message", a.Value.String())
			}
			return a
		},
	})
}
