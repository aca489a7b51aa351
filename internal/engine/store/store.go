// Package store keeps the engine's state in one SQLite file.
//
// One goroutine writes: it gathers the batches that are waiting, commits them together, and only then releases what
// follows from them. So each transition is durable before anything of it can be seen, and durability costs one disk
// synchronisation for many transitions. Readers have connections of their own.
//
// A lock file keeps a second process from owning the same folder; it may read, and leave requests.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	fileName = "engine.db"
	lockName = "engine.lock"
)

// Options of Open.
type Options struct {
	// ProcessOnly gives up what the last commits before a loss of power wrote, for speed; a crash of the process
	// still loses nothing.
	ProcessOnly bool
	// Patience is how long a commit that the disk refuses is tried again before the store gives up.
	Patience time.Duration
}

// ErrLocked says that another process owns the folder.
var ErrLocked = errors.New("another hotloom process is working in this state folder")

// Store is an open state folder.
type Store struct {
	dir   string
	lock  *os.File // nil for readers
	write *sql.DB  // one connection; nil for readers
	read  *sql.DB
	queue chan *Batch
	ended chan struct{}

	prepared [statements]*sql.Stmt // of the writing connection
	patience time.Duration
	broken   error // why nothing is written any more; the writer's own
}

func errorsJoin(errs ...error) error { return errors.Join(errs...) }

// Open opens a folder for a process that runs workflows, making it if need be. The error is ErrLocked if another
// process has it.
func Open(dir string, o Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("state folder: %w", unwritable(err))
	}
	lock, err := acquire(filepath.Join(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("state folder %s: %w", dir, unwritable(err))
	}
	s := &Store{dir: dir, lock: lock, patience: o.Patience, queue: make(chan *Batch, 1024), ended: make(chan struct{})}
	if err := s.open(o); err != nil {
		return nil, fmt.Errorf("state folder %s: %w", dir, errorsJoin(Explain(err), s.closeFiles()))
	}
	go s.writer()
	return s, nil
}

// View opens a folder for reading, and for leaving requests. A database of an earlier version is brought forward first.
func View(dir string) (*Store, error) {
	path := filepath.Join(dir, fileName)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	read, err := sql.Open("sqlite", dsn(path, false, false))
	if err != nil {
		return nil, err
	}
	var version int
	err = read.QueryRow("PRAGMA user_version").Scan(&version)
	switch {
	case err != nil:
	case version > Version:
		err = newer(version)
	case version < Version:
		if err = forward(dir); errors.Is(err, ErrLocked) {
			err = fmt.Errorf("an earlier version of hotloom is working in it: look again when that has ended: %w", err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("state folder %s: %w", dir, errorsJoin(Explain(err), read.Close()))
	}
	return &Store{dir: dir, read: read}, nil
}

// unwritable says what to do about a folder in which no file can be made.
func unwritable(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: the folder must be writable; make it so, or use another", err)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("%w: the disk is full; free some space, or use another folder", err)
	}
	return err
}

// forward brings a folder's database to this program's schema version.
func forward(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	return s.Close()
}

// dsn names the database. A writer's transactions take the write lock at once, so that they cannot fail half way.
func dsn(path string, writer, processOnly bool, more ...string) string {
	q := url.Values{}
	if writer {
		q.Set("_txlock", "immediate")
	}
	sync := "FULL"
	if processOnly {
		sync = "NORMAL"
	}
	for _, p := range append([]string{
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(" + sync + ")", "foreign_keys(1)", "auto_vacuum(INCREMENTAL)",
	}, more...) {
		q.Add("_pragma", p)
	}
	return (&url.URL{Scheme: "file", Opaque: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

func (s *Store) open(o Options) error {
	path := filepath.Join(s.dir, fileName)
	// SQLite makes files by the umask; states hold inputs that may be secret.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if s.write, err = sql.Open("sqlite", dsn(path, true, o.ProcessOnly)); err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	if err := migrate(s.write); err != nil {
		return err
	}
	for i, text := range statementTexts {
		if s.prepared[i], err = s.write.Prepare(text); err != nil {
			return err
		}
	}
	if s.read, err = sql.Open("sqlite", dsn(path, false, o.ProcessOnly, "query_only(1)")); err != nil {
		return err
	}
	s.read.SetMaxOpenConns(4)
	return nil
}

func (s *Store) closeFiles() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.lock != nil {
		errs = append(errs, release(s.lock))
	}
	return errorsJoin(errs...)
}

// Close writes what is queued and closes the folder.
func (s *Store) Close() error {
	if s.queue != nil {
		close(s.queue)
		<-s.ended
	}
	return s.closeFiles()
}

func diskTrouble(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY:
		return true
	}
	return false
}

// Explain says in plain words what is wrong with the disk, if that is what an error is about.
func Explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk is full; free some space and start again, nothing that was reported is lost: %w", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("the state cannot be written; make the folder and its files writable and start again: %w", err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("the disk fails: %w", err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("the state file is damaged; restore %s from a copy or move it away: %w", fileName, err)
	}
	return err
}
