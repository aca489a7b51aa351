package store

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/hotloom/hotloom/internal/engine/flow"
)

// LoadRun restores a run; it is nil if there is none of that id.
func (s *Store) LoadRun(id string, defs flow.Definitions) (*flow.Run, error) {
	tx, err := s.read.Begin() // one view of all tables
	if err != nil {
		return nil, Explain(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was changed
	var executions []*flow.Execution
	err = each(tx, `SELECT id, seq, name, state, created, updated, fixed, data FROM execution WHERE run=?`, id, func(scan func(...any) error) error {
		e := &flow.Execution{}
		var created, updated int64
		var fixed, data string
		if err := scan(&e.ID, &e.Seq, &e.Name, &e.State, &created, &updated, &fixed, &data); err != nil {
			return err
		}
		e.Created, e.Updated = instant(created), instant(updated)
		executions = append(executions, e)
		return both(fixed, data, func(f, d fields) { decodeExecution(e, f, d) })
	})
	if err != nil || executions == nil {
		return nil, Explain(err)
	}
	var tasks []*flow.Task
	err = each(tx, `SELECT id, seq, execution, name, state, fixed, data FROM task WHERE run=?`, id, func(scan func(...any) error) error {
		t := &flow.Task{}
		var fixed, data string
		if err := scan(&t.ID, &t.Seq, &t.Execution, &t.Name, &t.State, &fixed, &data); err != nil {
			return err
		}
		tasks = append(tasks, t)
		return both(fixed, data, func(f, d fields) { decodeTask(t, f, d) })
	})
	if err != nil {
		return nil, Explain(err)
	}
	var actions []*flow.Action
	err = each(tx, `SELECT id, seq, task, name, state, fixed, data FROM action WHERE run=?`, id, func(scan func(...any) error) error {
		a := &flow.Action{}
		var fixed, data string
		if err := scan(&a.ID, &a.Seq, &a.Task, &a.Name, &a.State, &fixed, &data); err != nil {
			return err
		}
		actions = append(actions, a)
		return both(fixed, data, func(f, d fields) { decodeAction(a, f, d) })
	})
	if err != nil {
		return nil, Explain(err)
	}
	var timers []*flow.Timer
	err = each(tx, `SELECT id, task, at, data FROM timer WHERE run=?`, id, func(scan func(...any) error) error {
		t := &flow.Timer{}
		var at int64
		var data string
		if err := scan(&t.ID, &t.Task, &at, &data); err != nil {
			return err
		}
		t.At = instant(at)
		timers = append(timers, t)
		return both("{}", data, func(_, d fields) { decodeTimer(t, d) })
	})
	if err != nil {
		return nil, Explain(err)
	}
	run, err := flow.Restore(id, defs, executions, tasks, actions, timers)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", id, err)
	}
	return run, nil
}

func each(tx *sql.Tx, query, id string, f func(scan func(...any) error) error) error {
	rows, err := tx.Query(query, id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func both(fixed, data string, f func(fixed, data fields)) error {
	a, err := decode(fixed)
	if err != nil {
		return err
	}
	b, err := decode(data)
	if err != nil {
		return err
	}
	f(a, b)
	return nil
}

// Summary is one line of a list of runs.
type Summary struct {
	ID, Workflow string
	State        flow.State
	Info         string
	Created      time.Time
	Updated      time.Time
}

// Runs lists the root executions, the newest first; unfinished ones only if open is set.
func (s *Store) Runs(open bool) ([]Summary, error) {
	query := `SELECT id, name, state, created, updated, data FROM execution WHERE id = run`
	if open {
		query += ` AND state NOT IN ('SUCCESS', 'ERROR', 'CANCELLED')`
	}
	rows, err := s.read.Query(query + ` ORDER BY created DESC, id DESC`)
	if err != nil {
		return nil, Explain(err)
	}
	defer rows.Close()
	var out []Summary
	for rows.Next() {
		var r Summary
		var created, updated int64
		var data string
		if err := rows.Scan(&r.ID, &r.Workflow, &r.State, &created, &updated, &data); err != nil {
			return nil, Explain(err)
		}
		d, err := decode(data)
		if err != nil {
			return nil, fmt.Errorf("execution %s: %w", r.ID, err)
		}
		r.Created, r.Updated, r.Info = instant(created), instant(updated), d.text("info")
		out = append(out, r)
	}
	return out, Explain(rows.Err())
}

// RunOf gives the run that an execution, a task or an action belongs to; "" if there is none of that id.
func (s *Store) RunOf(id string) (string, error) {
	var run string
	err := s.read.QueryRow(`SELECT run FROM execution WHERE id=?1 UNION SELECT run FROM task WHERE id=?1 UNION SELECT run FROM action WHERE id=?1`, id).Scan(&run)
	if err == sql.ErrNoRows {
		return "", nil
	}
	return run, Explain(err)
}
