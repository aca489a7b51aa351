package cloud

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const hidden = "******"

// Secrets are texts that are never shown. The zero value has none; it is safe for concurrent use.
type Secrets struct {
	mu     sync.RWMutex
	values []string // longest first
}

// shortestSecret is the length from which on a text is taken out wherever it stands; shorter ones would hit by chance.
const shortestSecret = 4

// Add adds texts.
func (s *Secrets) Add(values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if len(v) >= shortestSecret && !slices.Contains(s.values, v) {
			s.values = append(s.values, v)
		}
	}
	slices.SortFunc(s.values, func(a, b string) int { return len(b) - len(a) })
}

// Redact replaces all secrets in a text, also as they stand within JSON.
func (s *Secrets) Redact(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, v := range s.values {
		text = strings.ReplaceAll(text, v, hidden)
		if quoted, err := json.Marshal(v); err == nil {
			if inner := string(quoted[1 : len(quoted)-1]); inner != v {
				text = strings.ReplaceAll(text, inner, hidden)
			}
		}
	}
	return signature().ReplaceAllString(text, "${1}"+hidden)
}

// signature finds what makes a signed URL work: EC2 and Swift signatures, and Zaqar's.
var signature = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)((?:[?&]|%26|\\u0026)(?:X-Amz-)?(?:Signature|temp_url_sig|AWSAccessKeyId|Credential|Security-Token)=)[^&"'\s\\]+`)
})

// secretParts are within the names of settings whose values are not shown.
var secretParts = []string{
	"password", "passwd", "passcode", "passphrase", "secret", "token", "signature", "credential", "private_key", "privatekey",
	"admin_pass", "adminpass", "temp_url_sig", "awsaccesskeyid", "authorization", "api_key", "apikey", "url-signature", "user_data",
}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretParts, func(p string) bool { return strings.Contains(name, p) })
}

// logger writes calls, without secrets. A nil logger writes nothing.
type logger struct {
	mu      sync.Mutex
	w       io.Writer
	secrets *Secrets
}

func (l *logger) printf(format string, args ...any) {
	text := l.secrets.Redact(fmt.Sprintf(format, args...))
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, "%s %s\n", time.Now().Format("15:04:05.000"), strings.TrimRight(text, "\n"))
}

// shownHeaders are the headers worth a line.
var shownHeaders = []string{"Content-Type", "Location", "Retry-After", "X-Openstack-Request-Id", "X-Compute-Request-Id", "Openstack-Api-Version"}

func (l *logger) request(req *http.Request) {
	if l == nil {
		return
	}
	body := ""
	if req.GetBody != nil {
		if r, err := req.GetBody(); err == nil {
			text, _ := io.ReadAll(io.LimitReader(r, longestAnswer))
			_ = r.Close()
			body = " " + describeBody(text, req.Header.Get("Content-Type"))
		}
	}
	l.printf("> %s %s%s", req.Method, redactURL(req.URL), body)
}

func (l *logger) response(req *http.Request, resp *http.Response, took time.Duration) {
	if l == nil {
		return
	}
	var headers []string
	for _, h := range shownHeaders {
		if v := resp.Header.Get(h); v != "" {
			headers = append(headers, h+": "+v)
		}
	}
	body := ""
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if text, err := io.ReadAll(resp.Body); err == nil { // read whole already
			resp.Body = io.NopCloser(bytes.NewReader(text))
			body = "\n  " + describeBody(text, "application/json")
		}
	}
	l.printf("< %d %s %s %s [%s]%s", resp.StatusCode, req.Method, req.URL.Path, took.Round(time.Millisecond), strings.Join(headers, "; "), body)
}

func (l *logger) failure(req *http.Request, err error, took time.Duration) {
	if l != nil {
		l.printf("< failed %s %s %s: %v", req.Method, req.URL.Path, took.Round(time.Millisecond), err)
	}
}

func (l *logger) repeat(req *http.Request, resp *http.Response, err error, attempt int, wait time.Duration) {
	if l == nil {
		return
	}
	why := fmt.Sprint(err)
	if resp != nil {
		why = resp.Status
	}
	l.printf("= %s %s attempt %d: %s; again in %s", req.Method, req.URL.Path, attempt, why, wait.Round(time.Millisecond))
}

// summarised are the parts of bodies that are large, may hold secrets, and say little about a call.
var summarised = []string{"template", "files", "catalog", "user_data", "personality", "config"}

// describeBody is a body as the log shows it: JSON without secrets, anything else as its size.
func describeBody(text []byte, contentType string) string {
	if len(text) == 0 {
		return ""
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil {
		return fmt.Sprintf("(%d bytes of %s)", len(text), contentType)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(conceal(v)) != nil {
		return fmt.Sprintf("(%d bytes of %s)", len(text), contentType)
	}
	return strings.TrimSpace(b.String())
}

// conceal replaces what stands under the name of a secret, and summarises large parts.
func conceal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			switch value.(type) {
			case nil, bool:
				continue
			}
			switch {
			case slices.Contains(summarised, key):
				v[key] = summary(value)
			case isSecretName(key):
				if _, isMap := value.(map[string]any); isMap {
					v[key] = conceal(value)
					continue
				}
				v[key] = hidden
			default:
				v[key] = conceal(value)
			}
		}
	case []any:
		for i := range v {
			v[i] = conceal(v[i])
		}
	}
	return v
}

func summary(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "(…)"
	}
	return fmt.Sprintf("(%d bytes)", len(text))
}
