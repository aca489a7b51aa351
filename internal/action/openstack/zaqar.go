package openstack

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"

	"github.com/hotloom/hotloom/compiler/value"
)

// clientID tells Zaqar who speaks. It hands nobody the messages that the same client posted, so each run of an action is a
// client of its own, as Mistral's are.
func clientID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it does not fail
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func zaqarPost(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("queues/{queue_name}/messages", in)
	if err != nil {
		return nil, err
	}
	messages, isList := in.get("messages").([]any)
	if !isList {
		messages = []any{in.get("messages")}
	}
	return s.json(ctx, request{method: http.MethodPost, path: path, body: value.MapOf("messages", messages)})
}

// zaqarDelete deletes messages by their ids.
func zaqarDelete(ctx context.Context, s *session, in *inputs) (any, error) {
	path, err := fill("queues/{queue_name}/messages", in)
	if err != nil {
		return nil, err
	}
	ids := ""
	list, _ := in.get("messages").([]any)
	for _, m := range list {
		id := m
		if x := member(m, "id"); x != nil {
			id = x
		}
		if ids != "" {
			ids += ","
		}
		ids += value.Str(id)
	}
	if ids == "" {
		return nil, nil
	}
	return s.nothing(ctx, request{method: http.MethodDelete, path: path, query: url.Values{"ids": {ids}}})
}
