package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"

	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/workflow"
)

// Document is a stored text of definitions.
type Document struct {
	Hash string
	Kind workflow.Kind
	Path string
	Text []byte
}

// Hash names a document by what is in it.
func Hash(kind workflow.Kind, text []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", kind)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// PutDocument stores a document and lets the names in it stand for it from now on. Runs that were started before keep
// the document they were started with.
func (s *Store) PutDocument(d Document, namespace string, workflows, actions []string) error {
	tx, err := s.write.Begin()
	if err != nil {
		return Explain(err)
	}
	_, err = tx.Exec(`INSERT INTO document (hash, kind, path, text) VALUES (?,?,?,?) ON CONFLICT (hash) DO UPDATE SET path=excluded.path`,
		d.Hash, d.Kind.String(), d.Path, d.Text)
	put := func(kind string, names []string) {
		for _, name := range names {
			if err == nil {
				_, err = tx.Exec(`INSERT INTO definition (kind, namespace, name, document) VALUES (?,?,?,?)
					ON CONFLICT (kind, namespace, name) DO UPDATE SET document=excluded.document`, kind, namespace, name, d.Hash)
			}
		}
	}
	put("workflow", workflows)
	put("action", actions)
	if err != nil {
		return Explain(errorsJoin(err, tx.Rollback()))
	}
	return Explain(tx.Commit())
}

var kinds = map[string]workflow.Kind{
	workflow.Workflows.String(): workflow.Workflows, workflow.Workbook.String(): workflow.Workbook, workflow.Actions.String(): workflow.Actions,
}

// Document gives a document by hash; ok is false if there is none.
func (s *Store) Document(hash string) (d Document, ok bool, err error) {
	var kind string
	err = s.read.QueryRow(`SELECT hash, kind, path, text FROM document WHERE hash=?`, hash).Scan(&d.Hash, &kind, &d.Path, &d.Text)
	if err == sql.ErrNoRows {
		return d, false, nil
	}
	d.Kind = kinds[kind]
	return d, err == nil, Explain(err)
}

// Find gives the hash of the document that a name stands for, in the namespace or else in the default one; "" if there
// is none. Kind is workflow or action.
func (s *Store) Find(kind, namespace, name string) (string, error) {
	var hash string
	err := s.read.QueryRow(`SELECT document FROM definition WHERE kind=? AND name=? AND namespace IN (?, '') ORDER BY namespace DESC LIMIT 1`,
		kind, name, namespace).Scan(&hash)
	if err == sql.ErrNoRows {
		return "", nil
	}
	return hash, Explain(err)
}

// Environment gives a stored environment's variables.
func (s *Store) Environment(name string) (*value.Map, bool, error) {
	var text string
	err := s.read.QueryRow(`SELECT vars FROM environment WHERE name=?`, name).Scan(&text)
	if err == sql.ErrNoRows {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, Explain(err)
	}
	f, err := decode(text)
	return f.m, err == nil, err
}

// PutEnvironment stores an environment.
func (s *Store) PutEnvironment(name string, vars *value.Map) error {
	text, err := encode(vars)
	if err != nil {
		return err
	}
	_, err = s.write.Exec(`INSERT INTO environment (name, vars) VALUES (?,?) ON CONFLICT (name) DO UPDATE SET vars=excluded.vars`, name, text)
	return Explain(err)
}
