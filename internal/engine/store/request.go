package store

import (
	"context"
	"time"
)

// Request is what another process asks of the one that owns the folder.
type Request struct {
	ID   int64
	Body string
}

// askEvery is how often an asker looks for the answer.
const askEvery = 50 * time.Millisecond

// Answer is what became of a request. The zero value is that it was done.
type Answer struct {
	Failure string
	Refused bool // the failure is about what was asked, not about the process that was asked
}

// Ask leaves a request and waits for its answer.
func (s *Store) Ask(ctx context.Context, body string) (Answer, error) {
	res, err := s.read.ExecContext(ctx, `INSERT INTO request (body, asked) VALUES (?,?)`, body, time.Now().UnixMicro())
	if err != nil {
		return Answer{}, Explain(err)
	}
	id, err := res.LastInsertId()
	if err != nil {
		return Answer{}, err
	}
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for {
		var done bool
		var a Answer
		if err := s.read.QueryRowContext(ctx, `SELECT done, failure, refused FROM request WHERE id=?`, id).Scan(&done, &a.Failure, &a.Refused); err != nil {
			return Answer{}, Explain(err)
		}
		if done {
			_, err := s.read.ExecContext(ctx, `DELETE FROM request WHERE id=?`, id)
			return a, Explain(err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return Answer{}, context.Cause(ctx)
		}
	}
}

// Requests gives those that came after one and have no answer yet, in order.
func (s *Store) Requests(after int64) ([]Request, error) {
	rows, err := s.read.Query(`SELECT id, body FROM request WHERE done=0 AND id>? ORDER BY id`, after)
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

// Answer answers a request.
func (s *Store) Answer(id int64, a Answer) error {
	_, err := s.write.Exec(`UPDATE request SET done=1, failure=?, refused=? WHERE id=?`, a.Failure, a.Refused, id)
	return Explain(err)
}

// ForgetRequests drops what was asked of a process that is no more.
func (s *Store) ForgetRequests() error {
	_, err := s.write.Exec(`DELETE FROM request`)
	return Explain(err)
}
