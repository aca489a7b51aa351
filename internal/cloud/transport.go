package cloud

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	standardTimeout  = 2 * time.Minute // Heat's API waits 60 s for its engine
	standardPatience = time.Minute
	firstPause       = 300 * time.Millisecond
	longestPause     = 10 * time.Second
	loginPatience    = 10 * time.Second // a wrong address should not take a minute to be told
	mostFaults       = 3                // attempts that may end in 500, which seldom passes
	longestAnswer    = 64 << 20         // of an answer that is kept in memory
)

type contextKey int

const (
	patienceKey contextKey = iota
	repeatableKey
	stayKey
)

// WithPatience has safe calls under the context be repeated for so long.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey, d)
}

// Repeatable says that the calls under the context may be made twice, whatever their method.
func Repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey, true)
}

// Stay has redirects under the context not be followed: the answer 302 comes back.
func Stay(ctx context.Context) context.Context { return context.WithValue(ctx, stayKey, true) }

// transport repeats calls and keeps them from hanging.
type transport struct {
	base     http.RoundTripper
	log      *logger
	timeout  time.Duration
	patience time.Duration
}

func newTransport(o Options, config *tls.Config, secrets *Secrets) *transport {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.TLSClientConfig = config
	base.MaxIdleConnsPerHost = 16
	t := &transport{base: base, timeout: o.Timeout, patience: o.Patience}
	if t.timeout == 0 {
		t.timeout = standardTimeout
	}
	if t.patience == 0 {
		t.patience = standardPatience
	}
	if o.Debug != nil {
		t.log = &logger{w: o.Debug, secrets: secrets}
	}
	return t
}

// checkRedirect keeps tokens at the service that they were sent to.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch {
	case req.Context().Value(stayKey) != nil:
		return http.ErrUseLastResponse
	case len(via) >= 10:
		return errors.New("stopped after 10 redirects")
	case !strings.EqualFold(first.Host, req.URL.Host) || first.Scheme != req.URL.Scheme:
		return fmt.Errorf("the service redirects to %s://%s, where the token must not go; is its endpoint right?", req.URL.Scheme, req.URL.Host)
	}
	return nil
}

// RoundTrip makes the call, again and again if need be. Every call is repeated where the service cannot have acted on it
// (no connection came about; it said that it has too much to do); a safe one also after a lost connection and the server
// errors that pass.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	patience := t.patience
	if d, ok := ctx.Value(patienceKey).(time.Duration); ok {
		patience = d
	}
	end := time.Now().Add(patience)
	safe := isSafe(req)
	pause := firstPause
	for attempt := 1; ; attempt++ {
		resp, err := t.once(req, safe)
		wait, again := shouldRepeat(ctx, resp, err, safe)
		if resp != nil && resp.StatusCode == http.StatusInternalServerError && attempt >= mostFaults {
			again = false
		}
		if !again || req.Body != nil && req.GetBody == nil && req.Body != http.NoBody {
			return resp, err
		}
		if wait == 0 {
			wait = pause/2 + rand.N(pause/2)
			pause = min(2*pause, longestPause)
		}
		if time.Now().Add(wait).After(end) {
			return resp, err
		}
		t.log.repeat(req, resp, err, attempt, wait)
		if resp != nil {
			_ = resp.Body.Close()
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		case <-timer.C:
		}
		if req.GetBody != nil {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			req = req.Clone(ctx)
			req.Body = body
		}
	}
}

// isSafe reports whether a call can be made twice. A login can: it makes one token more.
func isSafe(req *http.Request) bool {
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	return req.Context().Value(repeatableKey) != nil || strings.HasSuffix(req.URL.Path, "/auth/tokens")
}

// shouldRepeat decides on an answer; wait is what the service asks for, or 0.
func shouldRepeat(ctx context.Context, resp *http.Response, err error, safe bool) (wait time.Duration, again bool) {
	if ctx.Err() != nil {
		return 0, false
	}
	if err != nil {
		var dial *net.OpError
		var certificate *tls.CertificateVerificationError
		var name *net.DNSError
		switch {
		case errors.As(err, &certificate), errors.As(err, &name) && name.IsNotFound:
			return 0, false
		case errors.As(err, &dial) && dial.Op == "dial":
			return 0, true
		}
		return 0, safe
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return retryAfter(resp), true
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return retryAfter(resp), safe
	}
	return 0, false
}

// retryAfter reads the header, which has seconds or a date.
func retryAfter(resp *http.Response) time.Duration {
	h := resp.Header.Get("Retry-After")
	if s, err := strconv.Atoi(h); err == nil && s > 0 {
		return time.Duration(s) * time.Second
	}
	if at, err := http.ParseTime(h); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// once makes one attempt. The answer to a safe call is read whole where it is JSON, so that a connection that breaks in
// the middle of it is noticed here.
func (t *transport) once(req *http.Request, safe bool) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	late := fmt.Errorf("no answer from %s within %v", req.URL.Host, t.timeout)
	timer := time.AfterFunc(t.timeout, func() { cancel(late) })
	began := time.Now()
	t.log.request(req)
	resp, err := t.base.RoundTrip(req.WithContext(ctx))
	if err == nil && (safe || t.log != nil) && strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		var text []byte
		text, err = io.ReadAll(io.LimitReader(resp.Body, longestAnswer+1))
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(text))
		if err == nil && len(text) > longestAnswer {
			err = fmt.Errorf("the answer of %s is longer than %d bytes", req.URL.Host, longestAnswer)
		}
	}
	timer.Stop()
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, late) {
			err = late
		}
		cancel(nil)
		t.log.failure(req, err, time.Since(began))
		return nil, err
	}
	t.log.response(req, resp, time.Since(began))
	resp.Body = &cancelOnClose{resp.Body, func() { cancel(nil) }}
	return resp, nil
}

// cancelOnClose ends a call's context with its answer.
type cancelOnClose struct {
	io.ReadCloser
	cancel func()
}

func (c *cancelOnClose) Close() error {
	err := c.ReadCloser.Close()
	c.cancel()
	return err
}

// redactURL hides the signatures of signed URLs.
func redactURL(u *url.URL) string {
	if u.RawQuery == "" && u.User == nil {
		return u.String()
	}
	c := *u
	c.User = nil
	q := c.Query()
	for key := range q {
		if isSecretName(key) {
			q.Set(key, hidden)
		}
	}
	c.RawQuery = q.Encode()
	return strings.ReplaceAll(c.String(), url.QueryEscape(hidden), hidden)
}
