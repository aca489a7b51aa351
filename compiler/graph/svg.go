package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/goccy/go-graphviz"
)

// maxLaidOut is the number of nodes that a layout is tried for; beyond it takes minutes.
const maxLaidOut = 1000

// ErrTooLarge says that a graph has too many hosts and resources to be laid out.
var ErrTooLarge = errors.New("graph is too large to lay out; text, json and mermaid have no such limit")

// layoutLock guards Graphviz: every instance shares the memory of one WebAssembly module.
var layoutLock sync.Mutex

// SVG writes the graph as a picture, laid out by Graphviz in this process. Above 200 nodes hosts stand without
// their steps; above 1000 hosts and resources the error is ErrTooLarge.
func (g *Graph) SVG(ctx context.Context, w io.Writer) (err error) {
	if g.Fold().Len() > maxLaidOut {
		return ErrTooLarge
	}
	var dot bytes.Buffer
	if err := g.DOT(&dot); err != nil {
		return err
	}
	layoutLock.Lock()
	defer layoutLock.Unlock()
	layout, err := graphviz.New(ctx)
	if err != nil {
		return fmt.Errorf("start Graphviz: %w", err)
	}
	defer func() { err = errors.Join(err, layout.Close()) }()
	parsed, err := graphviz.ParseBytes(dot.Bytes())
	if err != nil {
		return fmt.Errorf("read DOT: %w", err)
	}
	defer func() { err = errors.Join(err, parsed.Close()) }()
	if err := layout.Render(ctx, parsed, graphviz.SVG, w); err != nil {
		return fmt.Errorf("lay out: %w", err)
	}
	return nil
}
