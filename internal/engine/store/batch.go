package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/hotloom/hotloom/internal/engine/flow"
)

// Batch is one transition: what it changes, and what happens when it is durable. Batches are written in the order in
// which they are queued.
type Batch struct {
	rows    []row
	shrinks bool // leaves room to give back to the file system
	// Done is called in the writer's goroutine, with nil once the batch is committed.
	Done func(error)
}

// row is one statement with its values.
type row struct {
	stmt int
	args []any
}

const (
	putExecution = iota
	setExecution
	putTask
	setTask
	putAction
	setAction
	putTimer
	dropTimer
	dropTimersOf
	dropActionsOf
	dropTasksOf
	dropExecutionsOf
	statements
)

var statementTexts = [statements]string{
	putExecution: `INSERT INTO execution (id, run, seq, name, state, created, updated, fixed, data) VALUES (?,?,?,?,?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET state=excluded.state, updated=excluded.updated, fixed=excluded.fixed, data=excluded.data`,
	setExecution: `UPDATE execution SET state=?, updated=?, data=? WHERE id=?`,
	putTask: `INSERT INTO task (id, run, seq, execution, name, state, fixed, data) VALUES (?,?,?,?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET state=excluded.state, fixed=excluded.fixed, data=excluded.data`,
	setTask:   `UPDATE task SET state=?, data=? WHERE id=?`,
	putAction: `INSERT INTO action (id, run, seq, task, name, state, fixed, data) VALUES (?,?,?,?,?,?,?,?)`,
	setAction: `UPDATE action SET state=?, data=? WHERE id=?`,
	putTimer:  `INSERT INTO timer (id, run, task, at, data) VALUES (?,?,?,?,?)`,
	dropTimer: `DELETE FROM timer WHERE id=?`,

	dropTimersOf:     `DELETE FROM timer WHERE run=?`,
	dropActionsOf:    `DELETE FROM action WHERE run=?`,
	dropTasksOf:      `DELETE FROM task WHERE run=?`,
	dropExecutionsOf: `DELETE FROM execution WHERE run=?`,
}

// NewRemoval makes the batch that removes all of a run.
func NewRemoval(run string) *Batch {
	b := &Batch{shrinks: true}
	for _, stmt := range []int{dropTimersOf, dropActionsOf, dropTasksOf, dropExecutionsOf} {
		b.rows = append(b.rows, row{stmt, []any{run}})
	}
	return b
}

// NewBatch encodes the changes of one Apply.
func NewBatch(run *flow.Run, c flow.Changes) (*Batch, error) {
	b := &Batch{}
	add := func(stmt int, args ...any) { b.rows = append(b.rows, row{stmt, args}) }
	for _, e := range c.Executions {
		data, err := encode(executionData(e))
		if err != nil {
			return nil, fmt.Errorf("execution %s: %w", e.ID, err)
		}
		if !c.Fresh[e] {
			add(setExecution, string(e.State), micros(e.Updated), data, e.ID)
			continue
		}
		fixed, err := encode(executionFixed(e))
		if err != nil {
			return nil, fmt.Errorf("execution %s: %w", e.ID, err)
		}
		add(putExecution, e.ID, run.ID, e.Seq, e.Name, string(e.State), micros(e.Created), micros(e.Updated), fixed, data)
	}
	for _, t := range c.Tasks {
		data, err := encode(taskData(t))
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.ID, err)
		}
		if !c.Fresh[t] {
			add(setTask, string(t.State), data, t.ID)
			continue
		}
		fixed, err := encode(taskFixed(t))
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.ID, err)
		}
		add(putTask, t.ID, run.ID, t.Seq, t.Execution, t.Name, string(t.State), fixed, data)
	}
	for _, a := range c.Actions {
		data, err := encode(actionData(a))
		if err != nil {
			return nil, fmt.Errorf("action %s: %w", a.ID, err)
		}
		if !c.Fresh[a] {
			add(setAction, string(a.State), data, a.ID)
			continue
		}
		fixed, err := encode(actionFixed(a))
		if err != nil {
			return nil, fmt.Errorf("action %s: %w", a.ID, err)
		}
		add(putAction, a.ID, run.ID, a.Seq, a.Task, a.Name, string(a.State), fixed, data)
	}
	stopped := map[string]bool{}
	for _, id := range c.Stopped {
		stopped[id] = true
	}
	for _, t := range c.Timers {
		if stopped[t.ID] {
			continue
		}
		data, err := encode(timerData(t))
		if err != nil {
			return nil, fmt.Errorf("timer %s: %w", t.ID, err)
		}
		add(putTimer, t.ID, run.ID, t.Task, micros(t.At), data)
	}
	for _, id := range c.Stopped {
		add(dropTimer, id)
	}
	return b, nil
}

// Size is the number of statements.
func (b *Batch) Size() int { return len(b.rows) }

// maxGroup is how many rows are committed together at most.
const maxGroup = 2048

// Write queues a batch.
func (s *Store) Write(b *Batch) { s.queue <- b }

// Sync waits until all that is queued is written, or has failed.
func (s *Store) Sync() {
	done := make(chan struct{})
	s.Write(&Batch{Done: func(error) { close(done) }})
	<-done
}

// writer commits batches, all that wait at a time.
func (s *Store) writer() {
	defer close(s.ended)
	for first := range s.queue {
		group, rows := []*Batch{first}, len(first.rows)
	gather:
		for rows < maxGroup {
			select {
			case b, ok := <-s.queue:
				if !ok {
					break gather
				}
				group, rows = append(group, b), rows+len(b.rows)
			default:
				break gather
			}
		}
		err := s.persist(group, rows)
		for _, b := range group {
			if b.Done != nil {
				b.Done(err)
			}
		}
	}
}

// retryEvery is how often a commit that the disk refused is tried again.
const retryEvery = 100 * time.Millisecond

// persist commits, and tries again for as long as the store has patience while the disk is full or fails. After that
// nothing is written any more: what came later builds on what was lost.
func (s *Store) persist(group []*Batch, rows int) error {
	if s.broken != nil {
		return s.broken
	}
	err := s.commit(group, rows)
	for deadline := time.Now().Add(s.patience); err != nil && diskTrouble(err) && time.Now().Before(deadline); {
		time.Sleep(retryEvery)
		err = s.commit(group, rows)
	}
	s.broken = Explain(err)
	if err == nil {
		s.tidy(group)
	}
	return s.broken
}

// tidy gives room back after a removal. It may fail: the room is used again by what comes.
func (s *Store) tidy(group []*Batch) {
	for _, b := range group {
		if b.shrinks {
			_ = vacuum(s.write)
			return
		}
	}
}

// vacuum gives free pages back to the file system; each step of the statement frees one.
func vacuum(db *sql.DB) error {
	rows, err := db.Query(`PRAGMA incremental_vacuum`)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errorsJoin(rows.Err(), rows.Close())
}

func (s *Store) commit(group []*Batch, rows int) (err error) {
	if rows == 0 {
		return nil
	}
	tx, err := s.write.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback() // the first error says what is wrong
		}
	}()
	var prepared [statements]*sql.Stmt
	for _, b := range group {
		for _, r := range b.rows {
			if prepared[r.stmt] == nil {
				prepared[r.stmt] = tx.Stmt(s.prepared[r.stmt])
			}
			if _, err = prepared[r.stmt].Exec(r.args...); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}
