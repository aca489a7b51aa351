// Package cloudtest is a small Keystone with a catalog, for the tests of what talks to clouds.
package cloudtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Cloud is a Keystone at /identity/v3 and whatever a test puts beside it. Every service of the catalog is on the same
// server, under /TYPE.
type Cloud struct {
	*httptest.Server
	Mux *http.ServeMux

	mu     sync.Mutex
	tokens map[string]bool
	logins []map[string]any // the bodies of all logins
}

// Password is the one that logs in.
const Password = "open sesame"

// Secret is that of the application credential.
const Secret = "app-cred-secret"

// New starts a cloud with services of the given types. Wrap, if not nil, stands before all of it.
func New(t testing.TB, wrap func(http.Handler) http.Handler, types ...string) *Cloud {
	t.Helper()
	c := &Cloud{Mux: http.NewServeMux(), tokens: map[string]bool{}}
	c.Mux.HandleFunc("POST /identity/v3/auth/tokens", func(w http.ResponseWriter, r *http.Request) { c.login(w, r, types) })
	c.Mux.HandleFunc("GET /identity/v3/auth/tokens", func(w http.ResponseWriter, r *http.Request) {
		c.answer(w, r.Header.Get("X-Subject-Token"), http.StatusOK, types)
	})
	c.Mux.HandleFunc("GET /identity/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusMultipleChoices)
		fmt.Fprintf(w, `{"versions":{"values":[{"id":"v3.14","status":"stable","links":[{"rel":"self","href":"%s/identity/v3/"}]}]}}`, c.URL)
	})
	var h http.Handler = c.Mux
	if wrap != nil {
		h = wrap(h)
	}
	c.Server = httptest.NewServer(h)
	t.Cleanup(c.Close)
	return c
}

// Getenv gives the OS_* variables of a login with the password.
func (c *Cloud) Getenv(name string) string {
	return map[string]string{
		"OS_AUTH_URL": c.URL + "/identity/v3", "OS_USERNAME": "ada", "OS_PASSWORD": Password, "OS_PROJECT_NAME": "engines",
	}[name]
}

// Expire makes all tokens worthless.
func (c *Cloud) Expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.tokens)
}

// Valid reports whether a request has a token that counts.
func (c *Cloud) Valid(r *http.Request) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tokens[r.Header.Get("X-Auth-Token")]
}

// Handle serves a pattern of a service, and answers 401 to calls without a token.
func (c *Cloud) Handle(pattern string, serve http.HandlerFunc) {
	c.Mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if !c.Valid(r) {
			http.Error(w, `{"error":{"code":401,"title":"Unauthorized","message":"The token has expired."}}`, http.StatusUnauthorized)
			return
		}
		serve(w, r)
	})
}

// Logins are the bodies of all logins so far.
func (c *Cloud) Logins() []map[string]any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]map[string]any(nil), c.logins...)
}

func (c *Cloud) login(w http.ResponseWriter, r *http.Request, types []string) {
	var body struct{ Auth map[string]any }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	text, _ := json.Marshal(body.Auth)
	c.mu.Lock()
	c.logins = append(c.logins, body.Auth)
	token := fmt.Sprintf("token-%d-abcdef", len(c.logins))
	ok := strings.Contains(string(text), `"password":"`+Password+`"`) || strings.Contains(string(text), `"secret":"`+Secret+`"`)
	c.tokens[token] = ok
	c.mu.Unlock()
	if !ok {
		w.Header().Set("X-Openstack-Request-Id", "req-login")
		http.Error(w, `{"error":{"code":401,"title":"Unauthorized","message":"The request you have made requires authentication."}}`, http.StatusUnauthorized)
		return
	}
	c.answer(w, token, http.StatusCreated, types)
}

func (c *Cloud) answer(w http.ResponseWriter, token string, status int, types []string) {
	var catalog []any
	for _, t := range append([]string{"identity"}, types...) {
		catalog = append(catalog, map[string]any{"type": t, "endpoints": []any{
			map[string]any{"interface": "public", "region": "north", "region_id": "north", "url": c.URL + "/" + t},
			map[string]any{"interface": "internal", "region": "south", "region_id": "south", "url": c.URL + "/internal-" + t},
		}})
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Subject-Token", token)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"token": map[string]any{
		"expires_at": time.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04:05.000000Z"),
		"project":    map[string]any{"id": "p1", "name": "engines"}, "catalog": catalog,
	}})
}
