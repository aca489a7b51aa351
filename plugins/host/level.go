package host

import (
	"context"
	"log/slog"
)

// leveled shows of a log what has a level of its own, whatever the handler behind it would show.
type leveled struct {
	slog.Handler
	least slog.Level
}

// atLevel is a handler that shows entries of a level (debug, info, warn or error) and above.
func atLevel(level string, h slog.Handler) slog.Handler {
	var least slog.Level
	if least.UnmarshalText([]byte(level)) != nil {
		return h
	}
	return leveled{h, least}
}

func (l leveled) Enabled(_ context.Context, level slog.Level) bool { return level >= l.least }

func (l leveled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveled{l.Handler.WithAttrs(attrs), l.least}
}

func (l leveled) WithGroup(name string) slog.Handler {
	return leveled{l.Handler.WithGroup(name), l.least}
}
