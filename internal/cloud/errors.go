package cloud

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/gophercloud/gophercloud/v2"
)

// Error is a service's refusal.
type Error struct {
	Status    int    // of HTTP
	Type      string // the service's own name of the fault, such as StackValidationFailed; "" where it has none
	Message   string // what the service says
	Method    string
	Path      string
	RequestID string // to look up in the service's log; "" where the service gives none
}

func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = http.StatusText(e.Status)
	}
	text = fmt.Sprintf("%s (HTTP %d", strings.TrimRight(text, " \n"), e.Status)
	if e.RequestID != "" {
		text += ", " + e.RequestID
	}
	return text + ")"
}

// IsStatus reports whether err is an answer with that HTTP status.
func IsStatus(err error, status int) bool {
	var e *Error
	if errors.As(err, &e) {
		return e.Status == status
	}
	return gophercloud.ResponseCodeIs(err, status)
}

// Explain turns an error of gophercloud's into one that says what the service said. Others come back as they are, without
// the query of their URL, which may be signed.
func Explain(err error) error {
	var refused gophercloud.ErrUnexpectedResponseCode
	var reauth *gophercloud.ErrUnableToReauthenticate
	var transport *url.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &reauth):
		return fmt.Errorf("the login has expired and cannot be renewed: %w", Explain(reauth.ErrReauth))
	case errors.As(err, &refused):
		e := &Error{Status: refused.Actual, Method: refused.Method}
		if u, err := url.Parse(refused.URL); err == nil {
			e.Path = u.Path
		}
		for _, h := range []string{"X-Openstack-Request-Id", "X-Compute-Request-Id", "X-Trans-Id"} {
			if id := refused.ResponseHeader.Get(h); id != "" && e.RequestID == "" {
				e.RequestID = id
			}
		}
		e.Type, e.Message = readFault(refused.Body)
		return e
	case errors.As(err, &transport):
		where := transport.URL
		if u, parseErr := url.Parse(transport.URL); parseErr == nil {
			where = u.Scheme + "://" + u.Host + u.Path
		}
		return fmt.Errorf("%s %s: %w", strings.ToUpper(transport.Op), where, transport.Err)
	}
	return err
}

// readFault reads the body of a refusal, in the shapes that the services use.
func readFault(body []byte) (kind, message string) {
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return "", plainText(string(body))
	}
	var s string
	if raw, ok := top["error"]; ok { // Heat, Keystone
		var fault struct{ Type, Title, Message string }
		if json.Unmarshal(raw, &fault) == nil && fault.Message != "" {
			return fault.Type, fault.Message
		}
		if json.Unmarshal(raw, &s) == nil && s != "" {
			return "", s
		}
	}
	if raw, ok := top["error_message"]; ok { // Ironic: JSON within JSON, or not
		if json.Unmarshal(raw, &s) == nil {
			var inner struct{ Faultstring string }
			if json.Unmarshal([]byte(s), &inner) == nil && inner.Faultstring != "" {
				return "", inner.Faultstring
			}
			return "", s
		}
		var inner struct{ Faultstring string }
		if json.Unmarshal(raw, &inner) == nil && inner.Faultstring != "" {
			return "", inner.Faultstring
		}
	}
	for _, key := range []string{"faultstring", "explanation", "description", "message"} { // Mistral, Heat without a message, Zaqar
		if raw, ok := top[key]; ok && json.Unmarshal(raw, &s) == nil && s != "" {
			return "", s
		}
	}
	for name, raw := range top { // Nova, Neutron, Cinder: one key with the name of the fault
		var fault struct{ Type, Message string }
		if len(top) == 1 && json.Unmarshal(raw, &fault) == nil && fault.Message != "" {
			return firstOf(fault.Type, name), fault.Message
		}
	}
	return "", plainText(string(body))
}

var markup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<(?:head|style|script)\b.*?</(?:head|style|script)>|<[^>]*>|\s+`)
})

// plainText is what a page of a proxy says, shortened.
func plainText(body string) string {
	text := strings.TrimSpace(strings.Join(strings.Fields(markup().ReplaceAllString(body, " ")), " "))
	const most = 500
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
