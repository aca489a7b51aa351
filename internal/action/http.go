package action

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/hotloom/hotloom/compiler/value"
)

const defaultMaxBody = 16 << 20

func (c Config) http(name, class string, async bool) Definition {
	return Definition{
		Name: name, Class: stdModule + class, Async: async, Check: checkHTTP,
		Inputs: with(append(required("url"), Input{Name: "method", Default: "GET"}),
			"params", "body", "json", "headers", "cookies", "auth", "timeout", "allow_redirects", "proxies", "verify"),
		Run: func(ctx context.Context, in *value.Map, call Call) (any, error) {
			out, err := c.request(ctx, in, call, async)
			if err != nil {
				var failure *Failure
				if errors.As(err, &failure) {
					return nil, err
				}
				return nil, fmt.Errorf("Failed to send HTTP request: %w", err) //nolint:staticcheck // Mistral's words
			}
			return out, nil
		},
	}
}

func checkHTTP(in *value.Map) error {
	body, _ := in.GetStr("body")
	data, _ := in.GetStr("json")
	if value.Truth(body) && value.Truth(data) {
		return errors.New("Only one of the parameters 'json' and 'body' can be passed") //nolint:staticcheck // Mistral's words
	}
	return nil
}

func (c Config) request(ctx context.Context, in *value.Map, call Call, async bool) (any, error) {
	get := func(name string) any { v, _ := in.GetStr(name); return v }
	if t, err := value.ToFloatValue(get("timeout")); err == nil {
		if f, ok := t.(float64); ok && f > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, seconds(f))
			defer cancel()
		}
	}
	req, err := newRequest(ctx, in)
	if err != nil {
		return nil, err
	}
	if async {
		for k, v := range map[string]string{
			"Mistral-Workflow-Name": call.Workflow, "Mistral-Workflow-Execution-Id": call.ExecutionID,
			"Mistral-Task-Id": call.TaskID, "Mistral-Action-Execution-Id": call.ActionID, "Mistral-Callback-URL": call.CallbackURL,
		} {
			req.Header.Set(k, v)
		}
	}
	client, history, err := newClient(in)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	begin := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	elapsed := time.Since(begin)
	limit := c.MaxBody
	if limit == 0 {
		limit = defaultMaxBody
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, fmt.Errorf("the answer of %s is larger than %d bytes", req.URL.Redacted(), limit)
	}
	out := response(resp, body, *history, elapsed)
	if resp.StatusCode < 200 || resp.StatusCode >= 307 {
		return nil, &Failure{Data: out}
	}
	return out, nil
}

func newRequest(ctx context.Context, in *value.Map) (*http.Request, error) {
	get := func(name string) any { v, _ := in.GetStr(name); return v }
	method := text(get("method"))
	if method == "" {
		method = http.MethodGet
	}
	body, kind, err := requestBody(get("body"), get("json"))
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, strings.ToUpper(method), text(get("url")), body)
	if err != nil {
		return nil, err
	}
	if req.URL.Scheme != "http" && req.URL.Scheme != "https" {
		return nil, fmt.Errorf("Invalid URL '%s': No scheme supplied. Perhaps you meant https://%s?", text(get("url")), text(get("url"))) //nolint:staticcheck // as Python's requests
	}
	addParams(req.URL, get("params"))
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if h, ok := get("headers").(*value.Map); ok {
		for k, v := range h.All() {
			req.Header.Set(text(k), text(v))
		}
		if host := req.Header.Get("Host"); host != "" {
			req.Host = host
		}
	}
	if cookies, ok := get("cookies").(*value.Map); ok {
		for k, v := range cookies.All() {
			req.AddCookie(&http.Cookie{Name: text(k), Value: text(v)})
		}
	}
	if auth := text(get("auth")); auth != "" {
		parts := strings.Split(auth, ":")
		if len(parts) != 2 {
			return nil, errors.New("auth must be user:password")
		}
		req.SetBasicAuth(parts[0], parts[1])
	}
	return req, nil
}

func requestBody(body, data any) (io.Reader, string, error) {
	if data != nil && !value.Truth(body) {
		s, err := value.JSON(data, value.JSONOptions{})
		return strings.NewReader(s), "application/json", err
	}
	switch b := body.(type) {
	case nil:
		return http.NoBody, "", nil
	case *value.Map:
		s, err := value.JSON(b, value.JSONOptions{})
		return strings.NewReader(s), "", err
	case []byte:
		return bytes.NewReader(b), "", nil
	}
	return strings.NewReader(text(body)), "", nil
}

func addParams(u *url.URL, params any) {
	if params == nil {
		return
	}
	add := text(params)
	if m, ok := params.(*value.Map); ok {
		var parts []string
		for k, v := range m.All() {
			items, isList := value.Seq(v)
			if !isList {
				items = []any{v}
			}
			for _, item := range items {
				if item != nil {
					parts = append(parts, url.QueryEscape(text(k))+"="+url.QueryEscape(text(item)))
				}
			}
		}
		add = strings.Join(parts, "&")
	}
	if u.RawQuery != "" && add != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += add
}

// newClient makes a client of its own for one request: certificates are verified unless verify is false, and
// redirects are followed only if asked for, as Mistral's are.
func newClient(in *value.Map) (*http.Client, *[]any, error) {
	get := func(name string) any { v, _ := in.GetStr(name); return v }
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	switch v := get("verify").(type) {
	case bool:
		transport.TLSClientConfig.InsecureSkipVerify = !v
	case string:
		pem, err := os.ReadFile(v)
		if err != nil {
			return nil, nil, fmt.Errorf("verify: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, nil, fmt.Errorf("verify: %s holds no certificate", v)
		}
		transport.TLSClientConfig.RootCAs = pool
	}
	if m, ok := get("proxies").(*value.Map); ok {
		transport.Proxy = func(req *http.Request) (*url.URL, error) {
			v, ok := m.GetStr(req.URL.Scheme)
			if !ok {
				return nil, nil
			}
			return url.Parse(text(v))
		}
	}
	history := &[]any{}
	follow := value.Truth(get("allow_redirects"))
	client := &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if !follow {
			return http.ErrUseLastResponse
		}
		if len(via) > 30 {
			return errors.New("Exceeded 30 redirects.") //nolint:staticcheck // as Python's requests
		}
		*history = append(*history, fmt.Sprintf("<Response [%d]>", req.Response.StatusCode))
		return nil
	}}
	return client, history, nil
}

func response(resp *http.Response, body []byte, history []any, elapsed time.Duration) *value.Map {
	headers := value.NewMap(len(resp.Header))
	for k, v := range resp.Header {
		headers.SetStr(k, strings.Join(v, ", "))
	}
	cookies := value.NewMap(0)
	for _, c := range resp.Cookies() {
		cookies.SetStr(c.Name, c.Value)
	}
	var content any = strings.ToValidUTF8(string(body), "\uFFFD")
	if v, err := value.ParseJSON(string(body)); err == nil {
		content = v
	}
	_, reason, _ := strings.Cut(resp.Status, " ")
	return value.MapOf(
		"content", content, "status", int64(resp.StatusCode), "headers", headers, "url", resp.Request.URL.String(),
		"history", history, "encoding", encoding(resp.Header.Get("Content-Type")), "reason", reason, "cookies", cookies,
		"elapsed", elapsed.Seconds(),
	)
}

// encoding is what Python's requests makes of a content type.
func encoding(contentType string) any {
	kind, params, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return nil
	case params["charset"] != "":
		return params["charset"]
	case strings.Contains(kind, "text"):
		return "ISO-8859-1"
	case strings.Contains(kind, "application/json"):
		return "utf-8"
	}
	return nil
}
