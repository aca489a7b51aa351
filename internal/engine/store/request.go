package store

import (
	"context"
	"errors"
	"time"
)

// Request is what another process asks of the one that owns the folder.
type Request struct {
	ID   int64
	Body string
}

// askEvery is how often an asker looks for the answer.
const askEvery = 50 * time.Millisecond

// Ask leaves a request and waits for its answer: nil, or the refusal.
func (s *Store) Ask(ctx context.Context, body string) error {
	res, err := s.read.ExecContext(ctx, `INSERT INTO request (body, asked) VALUES (?,?)`, body, time.Now().UnixMicro())
	if err != nil {
		return Explain(err)
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		var done bool
		var failure string
		if err := s.read.QueryRowContext(ctx, `SELECT done, failure FROM request WHERE id=?`, id).Scan(&done, &failure); err != nil {
			return Explain(err)
		}
		if done {
			_, err := s.read.ExecContext(ctx, `DELETE FROM request WHERE id=?`, id)
			if failure != "" {
				return errors.New(failure)
			}
			return Explain(err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Requests gives those that have no answer yet, in order.
func (s *Store) Requests() ([]Request, error) {
	rows, err := s.read.Query(`SELECT id, body FROM request WHERE done=0 ORDER BY id`)
	if err != nil {
		return nil, Explain(err)
	}
	defer rows.Close()
	var out []Request
	for rows.Next() {
		var r Request
		if err := rows.Scan(&r.ID, &r.Body); err != nil {
			return nil, Explain(err)
		}
		out = append(out, r)
	}
	return out, Explain(rows.Err())
}

// Answer answers a request; failure is "" if it was done.
func (s *Store) Answer(id int64, failure string) error {
	_, err := s.write.Exec(`UPDATE request SET done=1, failure=? WHERE id=?`, failure, id)
	return Explain(err)
}

// ForgetRequests drops what was asked of a process that is no more.
func (s *Store) ForgetRequests() error {
	_, err := s.write.Exec(`DELETE FROM request`)
	return Explain(err)
}
