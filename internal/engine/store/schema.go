package store

import (
	"database/sql"
	"fmt"
)

// migrations bring a database from the version that is their index to the next. They are only ever added to: a test
// opens a database of each earlier version.
var migrations = []string{
	`
CREATE TABLE document (            -- texts of workflow documents, by the hash of kind and text
	hash TEXT PRIMARY KEY,
	kind TEXT NOT NULL,
	path TEXT NOT NULL,
	text BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE definition (          -- what a name stands for now
	kind      TEXT NOT NULL,       -- workflow or action
	namespace TEXT NOT NULL,
	name      TEXT NOT NULL,
	document  TEXT NOT NULL REFERENCES document(hash),
	PRIMARY KEY (kind, namespace, name)
) WITHOUT ROWID;
CREATE TABLE environment (
	name TEXT PRIMARY KEY,
	vars TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE execution (           -- fixed is written once, data with every change
	id         TEXT PRIMARY KEY,
	run        TEXT NOT NULL,      -- the root execution; its own id for a root
	seq        INTEGER NOT NULL,
	name       TEXT NOT NULL,
	state      TEXT NOT NULL,
	created    INTEGER NOT NULL,   -- microseconds since 1970
	updated    INTEGER NOT NULL,
	fixed      TEXT NOT NULL,
	data       TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX execution_run ON execution(run);
CREATE TABLE task (
	id        TEXT PRIMARY KEY,
	run       TEXT NOT NULL,
	seq       INTEGER NOT NULL,
	execution TEXT NOT NULL,
	name      TEXT NOT NULL,
	state     TEXT NOT NULL,
	fixed     TEXT NOT NULL,
	data      TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX task_run ON task(run);
CREATE TABLE action (
	id    TEXT PRIMARY KEY,
	run   TEXT NOT NULL,
	seq   INTEGER NOT NULL,
	task  TEXT NOT NULL,
	name  TEXT NOT NULL,
	state TEXT NOT NULL,
	fixed TEXT NOT NULL,
	data  TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX action_run ON action(run);
CREATE TABLE timer (
	id   TEXT PRIMARY KEY,
	run  TEXT NOT NULL,
	task TEXT NOT NULL,
	at   INTEGER NOT NULL,
	data TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX timer_run ON timer(run);
CREATE TABLE request (             -- what other processes ask of the one that has the lock
	id      INTEGER PRIMARY KEY AUTOINCREMENT,
	body    TEXT NOT NULL,
	done    INTEGER NOT NULL DEFAULT 0,
	failure TEXT NOT NULL DEFAULT '',
	asked   INTEGER NOT NULL
);
`,
	`ALTER TABLE request ADD COLUMN refused INTEGER NOT NULL DEFAULT 0; -- whether failure is about what was asked`,
}

// Version is the schema version that this program writes.
var Version = len(migrations)

func newer(have int) error {
	return fmt.Errorf("the database has schema version %d, newer than the %d of this program: use the newer hotloom", have, Version)
}

// migrate brings the database to Version, in one transaction a step.
func migrate(db *sql.DB) error {
	var have int
	if err := db.QueryRow("PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have > Version {
		return newer(have)
	}
	for ; have < Version; have++ {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		if _, err = tx.Exec(migrations[have]); err == nil {
			_, err = tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", have+1))
		}
		if err != nil {
			return fmt.Errorf("schema version %d: %w", have+1, errorsJoin(err, tx.Rollback()))
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}
