package stack

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/internal/cloud"
)

// Body is a request's body as it grows. The order of its fields is kept.
type Body struct{ fields []source.Pair }

// NewBody begins with the fields of a bundle.
func NewBody(fields []source.Pair) *Body { return &Body{fields: append([]source.Pair(nil), fields...)} }

// Set sets a field.
func (b *Body) Set(name string, value *source.Node) {
	for i, p := range b.fields {
		if p.Key.Text == name {
			b.fields[i].Value = value
			return
		}
	}
	b.fields = append(b.fields, source.P(nil, name, value))
}

// Get is a field, or nil.
func (b *Body) Get(name string) *source.Node { return source.NewMap(nil, b.fields...).Get(name) }

// Encode writes the JSON that goes to Heat.
func (b *Body) Encode() []byte { return source.EncodeJSONLine(source.NewMap(nil, b.fields...)) }

// TagPrefix begins the tag by which Create knows its stack again.
const TagPrefix = "hotloom-"

// Patience of Create where the answer to its request was lost, and the request may still be on its way.
var (
	resetPatience   = 10 * time.Second
	timeoutPatience = 60 * time.Second
	findPause       = time.Second
)

// Create begins a stack. Where the answer is lost the stack is looked for by its name and by a tag that only this call
// knows, and only if it is not there the request is made again: never are two made, and never is another's taken for it.
func (c *Client) Create(ctx context.Context, name string, body *Body) (Ref, error) {
	var nonce [6]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return Ref{}, err
	}
	tag := TagPrefix + hex.EncodeToString(nonce[:])
	tags := tag
	if given := body.Get("tags").Str(); given != "" {
		tags = given + "," + tag
	}
	request := NewBody(body.fields)
	request.Set("stack_name", source.NewString(nil, name))
	request.Set("tags", source.NewString(nil, tags))
	text := request.Encode()
	const attempts = 3
	for attempt := 1; ; attempt++ {
		var answer struct{ Stack struct{ ID string } }
		_, err := c.call(ctx, http.MethodPost, "stacks", nil, text, &answer)
		if err == nil {
			return Ref{name, answer.Stack.ID}, nil
		}
		taken := cloud.IsStatus(err, http.StatusConflict)
		if !taken && !isLost(err) || ctx.Err() != nil {
			return Ref{}, fmt.Errorf("stack %s: %w", name, err)
		}
		patience := resetPatience
		switch {
		case taken:
			patience = 0
		case cloud.IsStatus(err, http.StatusGatewayTimeout) || strings.Contains(err.Error(), "no answer"):
			patience = timeoutPatience
		}
		ref, found, findErr := c.findTagged(ctx, name, tag, patience)
		switch {
		case findErr != nil:
			return Ref{}, fmt.Errorf("stack %s: the answer to its creation was lost (%w), and whether it is there cannot be told: %w", name, err, findErr)
		case found:
			return ref, nil
		case taken:
			return Ref{}, fmt.Errorf("stack %s: %w", name, err)
		case attempt == attempts:
			return Ref{}, fmt.Errorf("stack %s: was asked for %d times, and is not there: %w", name, attempts, err)
		}
	}
}

// isLost reports whether Heat may have acted on a request without our knowing.
func isLost(err error) bool {
	var refused *cloud.Error
	if errors.As(err, &refused) {
		switch refused.Status {
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		// the engine did not answer the API in time
		return refused.Status == http.StatusInternalServerError && strings.Contains(refused.Message+refused.Type, "Timeout")
	}
	return true
}

// findTagged looks for the stack of a name that has the tag, for some time.
func (c *Client) findTagged(ctx context.Context, name, tag string, patience time.Duration) (Ref, bool, error) {
	end := time.Now().Add(patience)
	for {
		ref, err := c.Find(ctx, name)
		if err == nil {
			var s *Stack
			if s, err = c.Show(ctx, ref, false); err == nil {
				for _, t := range s.Tags {
					if t == tag {
						return ref, true, nil
					}
				}
				return Ref{}, false, nil // another's: Heat will say so
			}
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			return Ref{}, false, err
		}
		if time.Now().After(end) {
			return Ref{}, false, nil
		}
		if err := pause(ctx, findPause); err != nil {
			return Ref{}, false, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// KeepTags gives the tags for an update that names none: Heat drops what an update does not repeat.
func KeepTags(s *Stack) string { return strings.Join(s.Tags, ",") }

// Size is the number of bytes of a body; Heat's own limit is 1 MiB.
func (b *Body) Size() int { return len(bytes.TrimSpace(b.Encode())) }
