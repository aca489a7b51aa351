package cloud_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/internal/cloud"
	"github.com/hotloom/hotloom/internal/cloud/cloudtest"
)

func connect(t *testing.T, c *cloudtest.Cloud, change func(*cloud.Options)) *cloud.Client {
	t.Helper()
	o := cloud.Options{Getenv: c.Getenv, Patience: 5 * time.Second, UserAgent: "hotloom/test"}
	if change != nil {
		change(&o)
	}
	client, err := cloud.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func service(t *testing.T, client *cloud.Client, kind string) *gophercloud.ServiceClient {
	t.Helper()
	sc, err := client.Service(kind)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// environment is a Getenv of a folder that has the given files, and of variables.
func environment(t *testing.T, files, variables map[string]string) func(string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "openstack"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "openstack", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func(name string) string {
		if name == "XDG_CONFIG_HOME" {
			return dir
		}
		return variables[name]
	}
}

func TestCredentialsComeFromFilesAndVariables(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cloud            string
		files, variables map[string]string
		want             string // the login's body
		fault            string
	}{
		"variables": {
			variables: map[string]string{"OS_AUTH_URL": "URL", "OS_USERNAME": "ada", "OS_PASSWORD": cloudtest.Password, "OS_PROJECT_NAME": "engines", "OS_PROJECT_DOMAIN_NAME": "Lovelace"},
			want:      `{"identity":{"methods":["password"],"password":{"user":{"domain":{"id":"default"},"name":"ada","password":"open sesame"}}},"scope":{"project":{"domain":{"name":"Lovelace"},"name":"engines"}}}`,
		},
		"clouds.yaml with secure.yaml": {
			cloud: "north",
			files: map[string]string{
				"clouds.yaml": "clouds:\n  north:\n    auth: {auth_url: URL, username: ada, project_id: 123e4, user_domain_name: D}\n  south: {}\n",
				"secure.yaml": "clouds:\n  north:\n    auth:\n      password: open sesame\n",
			},
			want: `{"identity":{"methods":["password"],"password":{"user":{"domain":{"name":"D"},"name":"ada","password":"open sesame"}}},"scope":{"project":{"id":"123e4"}}}`,
		},
		"the only cloud of the file, its password in a variable, its profile public": {
			files: map[string]string{
				"clouds.yaml":        "clouds:\n  north:\n    profile: loom\n    auth: {username: ada, project_id: p1}\n",
				"clouds-public.yaml": "public-clouds:\n  loom:\n    auth: {auth_url: URL, username: nobody}\n",
			},
			variables: map[string]string{"OS_PASSWORD": cloudtest.Password},
			want:      `{"identity":{"methods":["password"],"password":{"user":{"domain":{"id":"default"},"name":"ada","password":"open sesame"}}},"scope":{"project":{"id":"p1"}}}`,
		},
		"an application credential has no scope": {
			files: map[string]string{"clouds.yaml": "clouds:\n  a:\n    auth_type: v3applicationcredential\n    auth: {auth_url: URL, application_credential_id: x, application_credential_secret: app-cred-secret, project_name: left over}\n"},
			want:  `{"identity":{"application_credential":{"id":"x","secret":"app-cred-secret"},"methods":["application_credential"]}}`,
		},
		"no such cloud": {
			cloud: "east", files: map[string]string{"clouds.yaml": "clouds:\n  north: {}\n  south: {}\n"},
			fault: `has no cloud "east"; it has north, south`,
		},
		"several clouds, none named": {
			files: map[string]string{"clouds.yaml": "clouds:\n  north: {}\n  south: {}\n"}, fault: "give --os-cloud",
		},
		"nothing at all":                {fault: "no cloud is named"},
		"a broken file":                 {files: map[string]string{"clouds.yaml": "clouds:\n  a: [\n"}, fault: "clouds.yaml:"},
		"an unknown way to log in":      {files: map[string]string{"clouds.yaml": "clouds:\n  a: {auth_type: v3kerberos}\n"}, fault: `auth_type "v3kerberos" is not supported`},
		"a wrong password":              {variables: map[string]string{"OS_AUTH_URL": "URL", "OS_USERNAME": "ada", "OS_PASSWORD": "wrong"}, fault: "refuses ada; check user"},
		"no password":                   {variables: map[string]string{"OS_AUTH_URL": "URL", "OS_USERNAME": "ada"}, fault: "there is no password"},
		"a certificate without its key": {variables: map[string]string{"OS_AUTH_URL": "URL", "OS_USERNAME": "ada", "OS_PASSWORD": "x", "OS_CERT": "c.pem"}, fault: "belong together"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := cloudtest.New(t, nil, "orchestration")
			for k, v := range test.files {
				test.files[k] = strings.ReplaceAll(v, "URL", server.URL+"/identity")
			}
			for k, v := range test.variables {
				test.variables[k] = strings.ReplaceAll(v, "URL", server.URL+"/identity/v3")
			}
			_, err := cloud.Connect(t.Context(), cloud.Options{Cloud: test.cloud, Getenv: environment(t, test.files, test.variables)})
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("error %v, want one that says %q", err, test.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got, _ := json.Marshal(server.Logins()[0])
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("login (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServicesAreFoundByTypeAliasAndOverride(t *testing.T) {
	t.Parallel()
	c := cloudtest.New(t, nil, "orchestration", "workflowv2", "network", "baremetal")
	client := connect(t, c, func(o *cloud.Options) {
		o.Getenv = func(name string) string {
			if name == "OS_MESSAGE_ENDPOINT_OVERRIDE" {
				return "http://zaqar/v2/%(project_id)s"
			}
			return c.Getenv(name)
		}
	})
	for kind, want := range map[string]string{
		"orchestration": c.URL + "/orchestration/",
		"workflow":      c.URL + "/workflowv2/",
		"workflowv2":    c.URL + "/workflowv2/",
		"network":       c.URL + "/network/v2.0/",
		"baremetal":     c.URL + "/baremetal/v1/",
		"messaging":     "http://zaqar/v2/p1/",
	} {
		if got := service(t, client, kind).ResourceBaseURL(); got != want {
			t.Errorf("%s is at %s, want %s", kind, got, want)
		}
	}
	if _, err := client.Service("compute"); err == nil || !strings.Contains(err.Error(), "its catalog has baremetal, identity, network") {
		t.Errorf("error %v, want one that lists the catalog", err)
	}
	inner := connect(t, c, func(o *cloud.Options) { o.Interface, o.Region = "internalURL", "south" })
	if got, want := service(t, inner, "network").Endpoint, c.URL+"/internal-network/"; got != want {
		t.Errorf("internal endpoint %s, want %s", got, want)
	}
	lost := connect(t, c, func(o *cloud.Options) { o.Region = "east" })
	if _, err := lost.Service("network"); err == nil || !strings.Contains(err.Error(), "check region and interface") {
		t.Errorf("error %v, want one that doubts the region", err)
	}
}

// hijack breaks a connection without an answer, or in the middle of one.
func hijack(t *testing.T, w http.ResponseWriter, begin string) {
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = buffer.WriteString(begin)
	_ = buffer.Flush()
	_ = conn.Close()
}

func TestCallsAreRepeatedWhereThatIsSafe(t *testing.T) {
	t.Parallel()
	type fault func(t *testing.T, w http.ResponseWriter)
	status := func(code int, retryAfter string) fault {
		return func(_ *testing.T, w http.ResponseWriter) {
			if retryAfter != "" {
				w.Header().Set("Retry-After", retryAfter)
			}
			w.WriteHeader(code)
		}
	}
	reset := func(t *testing.T, w http.ResponseWriter) { hijack(t, w, "") }
	torn := func(t *testing.T, w http.ResponseWriter) {
		hijack(t, w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"a\":")
	}
	for name, test := range map[string]struct {
		method string
		faults []fault
		calls  int32
		fails  bool
	}{
		"GET, a burst of 503":           {"GET", []fault{status(503, ""), status(503, ""), status(502, "")}, 4, false},
		"GET, connections lost":         {"GET", []fault{reset, torn, reset}, 4, false},
		"GET, told to wait":             {"GET", []fault{status(429, "1")}, 2, false},
		"GET, 500 for good":             {"GET", []fault{status(500, ""), status(500, ""), status(500, ""), status(500, "")}, 3, true},
		"GET, 404":                      {"GET", []fault{status(404, "")}, 1, true},
		"POST, told to wait":            {"POST", []fault{status(429, "1")}, 2, false},
		"POST, the answer is lost":      {"POST", []fault{reset}, 1, true},
		"POST, 503 may have been heard": {"POST", []fault{status(503, "")}, 1, true},
		"PUT, the answer is lost":       {"PUT", []fault{reset}, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := cloudtest.New(t, nil, "orchestration")
			var calls atomic.Int32
			c.Handle("/orchestration/x", func(w http.ResponseWriter, r *http.Request) {
				n := int(calls.Add(1))
				if n <= len(test.faults) {
					test.faults[n-1](t, w)
					return
				}
				var body map[string]any
				if r.Method != http.MethodGet {
					if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body["k"] != "v" {
						t.Errorf("the repeated call's body is %v, error %v", body, err)
					}
				}
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"a":1}`)
			})
			sc := service(t, connect(t, c, nil), "orchestration")
			o := &gophercloud.RequestOpts{OkCodes: []int{200}}
			if test.method != http.MethodGet {
				o.JSONBody = map[string]string{"k": "v"}
			}
			var got map[string]any
			o.JSONResponse = &got
			_, err := sc.Request(t.Context(), test.method, sc.ServiceURL("x"), o)
			if (err != nil) != test.fails {
				t.Errorf("error %v, want one: %v", err, test.fails)
			}
			if calls.Load() != test.calls {
				t.Errorf("%d calls, want %d", calls.Load(), test.calls)
			}
		})
	}
}

func TestSlowAnswersAreGivenUpAndRepeated(t *testing.T) {
	t.Parallel()
	c := cloudtest.New(t, nil, "orchestration")
	var calls atomic.Int32
	release := make(chan struct{})
	c.Handle("GET /orchestration/x", func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		fmt.Fprint(w, "{}")
	})
	t.Cleanup(func() { close(release) })
	sc := service(t, connect(t, c, func(o *cloud.Options) { o.Timeout = 200 * time.Millisecond }), "orchestration")
	if _, err := sc.Get(t.Context(), sc.ServiceURL("x"), nil, nil); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sc.Get(ctx, sc.ServiceURL("x"), nil, nil); err == nil {
		t.Error("a call under an ended context succeeds")
	}
}

func TestExpiredLoginsAreRenewed(t *testing.T) {
	t.Parallel()
	c := cloudtest.New(t, nil, "orchestration")
	c.Handle("POST /orchestration/x", func(http.ResponseWriter, *http.Request) {})
	sc := service(t, connect(t, c, nil), "orchestration")
	for range 3 {
		c.Expire()
		if _, err := sc.Post(t.Context(), sc.ServiceURL("x"), map[string]any{}, nil, &gophercloud.RequestOpts{OkCodes: []int{200}}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.Logins()); n != 4 {
		t.Errorf("%d logins, want 4", n)
	}
}

func TestTokensStayAtTheirService(t *testing.T) {
	t.Parallel()
	c := cloudtest.New(t, nil, "orchestration")
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked with token %q", r.Header.Get("X-Auth-Token"))
	}))
	t.Cleanup(other.Close)
	c.Handle("GET /orchestration/x", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/y", http.StatusFound)
	})
	sc := service(t, connect(t, c, nil), "orchestration")
	_, err := sc.Get(t.Context(), sc.ServiceURL("x"), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "where the token must not go") {
		t.Errorf("error %v", err)
	}
	resp, err := sc.Get(cloud.Stay(t.Context()), sc.ServiceURL("x"), nil, &gophercloud.RequestOpts{OkCodes: []int{302}})
	if err != nil || resp.Header.Get("Location") != other.URL+"/y" {
		t.Errorf("with Stay: %v, error %v", resp, err)
	}
}

func TestDebugShowsCallsWithoutSecrets(t *testing.T) {
	t.Parallel()
	c := cloudtest.New(t, nil, "orchestration")
	const signed = "http://heat/v1/signal/arn?Timestamp=1&SignatureMethod=HmacSHA256&AWSAccessKeyId=abcdef&Signature=c2lnbmF0dXJl%3D"
	c.Handle("POST /orchestration/stacks", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Openstack-Request-Id", "req-7")
		fmt.Fprintf(w, `{"stack":{"outputs":[{"output_value":%q},{"output_value":"the word is swordfish"}],"admin_pass":"hunter2","stack_status":"CREATE_COMPLETE"}}`, signed)
	})
	var written bytes.Buffer
	client := connect(t, c, func(o *cloud.Options) { o.Debug = &written })
	client.Secrets().Add("swordfish", "quote\"d")
	sc := service(t, client, "orchestration")
	body := map[string]any{
		"stack_name": "s", "parameters": map[string]any{"word": "swordfish", "db_password": "x1", "odd": `quote"d`, "size": 3},
		"template": map[string]any{"default": "hunter3"}, "files": map[string]string{"a": "hunter4"},
	}
	if _, err := sc.Post(t.Context(), sc.ServiceURL("stacks?temp_url_sig=123456&marker=m"), body, nil, &gophercloud.RequestOpts{OkCodes: []int{200}}); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{cloudtest.Password, "token-1", "swordfish", "x1", "hunter", "quote", "c2lnb", "abcdef\"", "123456"} {
		if strings.Contains(written.String(), secret) {
			t.Errorf("the log shows %q", secret)
		}
	}
	for _, shown := range []string{"> POST " + c.URL + "/orchestration/stacks?", "marker=m", `"size":3`, "< 200 POST", "X-Openstack-Request-Id: req-7", "CREATE_COMPLETE"} {
		if !strings.Contains(written.String(), shown) {
			t.Errorf("the log does not show %q", shown)
		}
	}
	if t.Failed() {
		t.Log(written.String())
	}
}

func TestTLSIsVerified(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		options cloud.Options
		want    string
		warns   bool
	}{
		"unknown certificate": {cloud.Options{}, "certificate", false},
		"given certificate":   {cloud.Options{CACert: ca}, "418", false},
		"insecure":            {cloud.Options{Insecure: true}, "418", true},
		"no such file":        {cloud.Options{CACert: "absent.pem"}, "absent.pem", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, warned := test.options, false
			o.Warn = func(string) { warned = true }
			o.Getenv = func(name string) string {
				return map[string]string{"OS_AUTH_URL": server.URL + "/v3", "OS_USERNAME": "u", "OS_PASSWORD": "p"}[name]
			}
			_, err := cloud.Connect(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if warned != test.warns {
				t.Errorf("a warning: %v, want %v", warned, test.warns)
			}
		})
	}
}

func TestRefusalsSayWhatTheServiceSaid(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"code":400,"title":"Bad Request","explanation":"E","error":{"type":"StackValidationFailed","message":"Property error: x","traceback":null}}`: "StackValidationFailed|Property error: x (HTTP 400, req-1)",
		`{"code":500,"explanation":"The server has erred","error":{"type":"KeyError"}}`:                                                                "|The server has erred (HTTP 400, req-1)",
		`{"error":{"code":401,"message":"The token has expired.","title":"Unauthorized"}}`:                                                             "|The token has expired. (HTTP 400, req-1)",
		`{"itemNotFound":{"code":404,"message":"Instance x could not be found."}}`:                                                                     "itemNotFound|Instance x could not be found. (HTTP 400, req-1)",
		`{"NeutronError":{"type":"OverQuota","message":"Quota exceeded","detail":""}}`:                                                                 "OverQuota|Quota exceeded (HTTP 400, req-1)",
		`{"error_message":"{\"debuginfo\":null,\"faultstring\":\"Node is locked\"}"}`:                                                                  "|Node is locked (HTTP 400, req-1)",
		`{"faultstring":"Workflow not found","debuginfo":null}`:                                                                                        "|Workflow not found (HTTP 400, req-1)",
		"<html><head><title>503</title></head><body><h1>503 Service Unavailable</h1>\nNo server is available.</body></html>":                           "|503 Service Unavailable No server is available. (HTTP 400, req-1)",
		"": "|Bad Request (HTTP 400, req-1)",
	} {
		err := cloud.Explain(gophercloud.ErrUnexpectedResponseCode{
			URL: "http://h/p?Signature=s", Method: "GET", Actual: 400, Body: []byte(body), ResponseHeader: http.Header{"X-Openstack-Request-Id": {"req-1"}},
		})
		refused, ok := err.(*cloud.Error)
		if !ok {
			t.Fatalf("%T", err)
		}
		if got := refused.Type + "|" + err.Error(); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
}
