package local

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// maxLog bounds one log file; what is beyond is dropped, and said.
const maxLog = 16 << 20

// logMark begins the lines that hotloom itself writes to a log.
const logMark = "--- "

// isHead reports whether a line begins a run in a log.
func isHead(line string) bool {
	_, err := time.Parse(time.RFC3339, strings.TrimSpace(strings.TrimPrefix(line, logMark)))
	return err == nil && strings.HasPrefix(line, logMark)
}

// logFile is the log of one action on one node.
type logFile struct {
	mu   sync.Mutex
	file *os.File
	size int
	full bool
}

func openLog(path string) (*logFile, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("log: %w", err)
	}
	l := &logFile{file: f, size: int(info.Size())}
	l.write(fmt.Appendf(nil, "%s%s\n", logMark, time.Now().UTC().Format(time.RFC3339)))
	return l, nil
}

// write adds to the log, where there is one. That it cannot be written does not end what is logged.
func (l *logFile) write(p []byte) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full {
		return
	}
	if l.size+len(p) > maxLog {
		l.full = true
		p = fmt.Appendf(nil, logMark+"more than %d MiB: the rest is dropped\n", maxLog>>20)
	}
	n, _ := l.file.Write(p)
	l.size += n
}

func (l *logFile) close() { _ = l.file.Close() }
