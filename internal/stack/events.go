package stack

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Event is one line of a stack's history. Its time has whole seconds.
type Event struct {
	ID         string `json:"id"`
	Time       Time   `json:"event_time"`
	Name       string `json:"resource_name"` // the stack's own name in events of the whole stack
	PhysicalID string `json:"physical_resource_id"`
	Status     string `json:"resource_status"` // ACTION_STATE; SIGNAL_… too
	Reason     string `json:"resource_status_reason"`
	Links      []Link `json:"links"`
}

// Stack is the stack that the event is of, which may be a nested one.
func (e *Event) Stack() Ref { return refOf(e.Links, "stack") }

// OfStack reports whether the event is of a stack as a whole.
func (e *Event) OfStack() bool { return e.PhysicalID != "" && e.PhysicalID == e.Stack().ID }

// Action is the first half of the status, State the second.
func (e *Event) Action() string { return half(e.Status, 0) }

// State is IN_PROGRESS, COMPLETE or FAILED.
func (e *Event) State() string { return half(e.Status, 1) }

// An event may show up behind later ones: Heat stamps it when it happens and stores it later, several engines have several
// clocks, and events of a nested stack are only seen once it has a resource. So a read of new events begins before the
// newest that is known. Most come late by little: only now and then, and at the end, is looked far back, as this has Heat
// send all of it again.
const (
	nearOverlap = 10 * time.Second
	farOverlap  = time.Minute
	farPause    = 20 * time.Second
)

// History reads the events of a stack and of stacks nested in it, piece by piece, each once. Not for concurrent use.
type History struct {
	c         *Client
	ref       Ref
	seen      map[string]bool // by id
	near, far string          // events at least an overlap before the newest one
	lookedFar time.Time
	read      []Event // since the far one, oldest first
	page      int
}

// Events begins a history.
func (c *Client) Events(ref Ref) *History {
	return &History{c: c, ref: ref, seen: map[string]bool{}, page: page}
}

// Next gives the events that were not given before, oldest first. An event that Heat stored late comes late.
func (h *History) Next(ctx context.Context) ([]Event, error) {
	if time.Since(h.lookedFar) > farPause {
		return h.Final(ctx)
	}
	return h.next(ctx, h.near, MaxDepth)
}

// Final is Next that looks as far back as events may come late: for the end.
func (h *History) Final(ctx context.Context) ([]Event, error) {
	began := time.Now()
	events, err := h.next(ctx, h.far, MaxDepth)
	if err == nil {
		h.lookedFar = began
		h.forget()
	}
	return events, err
}

// Rest gives what is left of a deleted stack's own events. With its resources gone Heat no longer knows what was nested in
// it, and gives no events at all to who asks for nested ones too.
func (h *History) Rest(ctx context.Context) ([]Event, error) { return h.next(ctx, h.far, 0) }

func (h *History) next(ctx context.Context, marker string, depth int) ([]Event, error) {
	query := url.Values{"sort_dir": {"asc"}, "sort_keys": {"event_time"}, "limit": {strconv.Itoa(h.page)}}
	if depth > 0 {
		query.Set("nested_depth", strconv.Itoa(depth))
	}
	var fresh []Event
	for {
		if marker != "" {
			query.Set("marker", marker)
		}
		var answer struct{ Events []Event }
		if err := h.c.Get(ctx, h.ref.path("events"), query, &answer); err != nil {
			return fresh, fmt.Errorf("events of stack %s: %w", h.ref, err)
		}
		for _, e := range answer.Events {
			if !h.seen[e.ID] {
				h.seen[e.ID] = true
				fresh = append(fresh, e)
			}
		}
		if len(answer.Events) == 0 || len(answer.Events) < h.page || answer.Events[len(answer.Events)-1].ID == marker {
			break
		}
		marker = answer.Events[len(answer.Events)-1].ID
	}
	h.advance(fresh)
	return fresh, nil
}

// Current gives the events of the action that the stack is doing, or did last: those since it began. Only for a history
// that was not read yet.
func (h *History) Current(ctx context.Context) ([]Event, error) {
	all, err := h.Next(ctx)
	if err != nil {
		return nil, err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if e := &all[i]; e.OfStack() && e.Stack().ID == h.ref.ID && e.State() == "IN_PROGRESS" {
			return all[i:], nil
		}
	}
	return all, nil
}

// advance moves the marker of the near overlap on.
func (h *History) advance(fresh []Event) {
	h.read = append(h.read, fresh...)
	if n := h.before(nearOverlap); n > 0 {
		h.near = h.read[n-1].ID
	}
}

// forget moves the far one on, which only a look from there may do: what came late meanwhile lies behind it otherwise.
func (h *History) forget() {
	if n := h.before(farOverlap); n > 0 {
		h.far = h.read[n-1].ID
		h.read = slices.Delete(h.read, 0, n)
	}
}

// before counts the events, from the oldest, that are older than the newest by more than an overlap.
func (h *History) before(overlap time.Duration) int {
	var newest time.Time
	for _, e := range h.read {
		if e.Time.After(newest) {
			newest = e.Time.Time
		}
	}
	for i, e := range h.read {
		if newest.Sub(e.Time.Time) <= overlap {
			return i
		}
	}
	return 0
}

var (
	terminalSequence = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\x1b(\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?)`)
	})
	noReasons = []string{"state changed", "Stack CREATE started", "Stack UPDATE started", "Stack DELETE started"}
)

// Reason is what Heat gives as the reason, without what says nothing, and without what would act on a terminal: the tail of
// a server's log may be part of it.
func Reason(text string) string {
	text = strings.TrimSpace(text)
	if strings.ContainsFunc(text, isControl) {
		text = terminalSequence().ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
		text = strings.Map(func(r rune) rune {
			if isControl(r) {
				return -1
			}
			return r
		}, strings.ReplaceAll(text, "\t", "    "))
	}
	for _, empty := range noReasons {
		if strings.EqualFold(text, empty) {
			return ""
		}
	}
	return text
}

func isControl(r rune) bool { return r != '\n' && unicode.IsControl(r) }
