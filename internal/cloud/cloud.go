// Package cloud connects to an OpenStack cloud: it finds the credentials (clouds.yaml, OS_* variables), logs in, keeps
// the login alive, repeats calls that are safe to repeat, and says what went wrong in words.
//
// It builds on gophercloud, whose service clients it hands out for any type of service; what a service's own calls look
// like is for the packages that use them.
package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gophercloud/gophercloud/v2"
	"github.com/gophercloud/gophercloud/v2/openstack"
	"github.com/gophercloud/gophercloud/v2/openstack/identity/v3/tokens"
)

// Options of Connect. The zero value reads OS_* variables and clouds.yaml as OpenStack's own command line does.
type Options struct {
	Cloud     string // its name in clouds.yaml; "" is OS_CLOUD, else OS_AUTH_URL and its like, else the file's only cloud
	Region    string // "" is OS_REGION_NAME, else the file's
	Interface string // public, internal or admin; "" is OS_INTERFACE, else the file's, else public
	CACert    string // a file of certificates to trust; "" is OS_CACERT, else the file's, else the system's
	Insecure  bool   // do not verify TLS, with a warning

	Getenv    func(string) string // nil is os.Getenv
	Debug     io.Writer           // every call is written here, without secrets; nil is none
	Warn      func(string)        // takes warnings; nil ignores them
	UserAgent string              // what this program calls itself, such as hotloom/1.0

	Timeout  time.Duration // of one attempt of one call, until its answer begins; 0 is two minutes
	Patience time.Duration // how long a safe call is repeated; 0 is one minute. WithPatience gives another one
}

// Client is a login to a cloud. It is safe for concurrent use.
type Client struct {
	Name    string // of the cloud in clouds.yaml, or "" where variables describe it
	AuthURL string
	Region  string

	provider  *gophercloud.ProviderClient
	endpoint  gophercloud.EndpointOpts
	overrides map[string]string
	secrets   *Secrets
}

// Connect logs in.
func Connect(ctx context.Context, o Options) (*Client, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	s, err := readSettings(o)
	if err != nil {
		return nil, err
	}
	auth, err := s.authOptions()
	if err != nil {
		return nil, err
	}
	config, err := s.tls()
	if err != nil {
		return nil, err
	}
	if config.InsecureSkipVerify {
		o.Warn("TLS certificates are not verified: whoever is on the way to the cloud can read passwords and tokens")
	}
	c := &Client{Name: s.name, AuthURL: auth.IdentityEndpoint, Region: s.region, overrides: s.overrides, secrets: &Secrets{}}
	c.secrets.Add(auth.Password, auth.Passcode, auth.TokenID, auth.ApplicationCredentialSecret)
	c.endpoint = gophercloud.EndpointOpts{Region: s.region, Availability: s.availability}
	if c.provider, err = openstack.NewClient(auth.IdentityEndpoint); err != nil {
		return nil, fmt.Errorf("auth_url %q: %w", auth.IdentityEndpoint, err)
	}
	c.provider.HTTPClient = http.Client{Transport: newTransport(o, config, c.secrets), CheckRedirect: checkRedirect}
	c.provider.MaxBackoffRetries = 1 // repeating is the transport's business
	if o.UserAgent != "" {
		c.provider.UserAgent.Prepend(o.UserAgent)
	}
	if ctx.Value(patienceKey) == nil {
		ctx = WithPatience(ctx, loginPatience)
	}
	if err := openstack.Authenticate(ctx, c.provider, auth); err != nil {
		return nil, c.loginError(auth, err)
	}
	return c, nil
}

func (c *Client) loginError(auth gophercloud.AuthOptions, err error) error {
	err = Explain(err)
	var refused *Error
	if errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
		who := auth.Username + auth.UserID
		if auth.ApplicationCredentialID != "" || auth.ApplicationCredentialName != "" {
			who = "the application credential"
		}
		return fmt.Errorf("login at %s: the cloud refuses %s; check user, password, project and their domains: %w", auth.IdentityEndpoint, firstOf(who, "the token"), err)
	}
	return fmt.Errorf("login at %s: %w", auth.IdentityEndpoint, err)
}

// Secrets are texts that no log of this client shows. Callers add to them what they send: values of hidden parameters.
func (c *Client) Secrets() *Secrets { return c.secrets }

// Project is the id of the project that the login is for, or "".
func (c *Client) Project() string {
	type scoped interface {
		ExtractProject() (*tokens.Project, error)
	}
	if r, ok := c.provider.GetAuthResult().(scoped); ok {
		if p, err := r.ExtractProject(); err == nil && p != nil {
			return p.ID
		}
	}
	return ""
}

// versioned are the services whose calls begin with a version that catalogs may leave out of the endpoint.
var versioned = map[string]string{
	"network":       "v2.0",
	"load-balancer": "v2.0",
	"image":         "v2",
	"dns":           "v2",
	"baremetal":     "v1",
	"key-manager":   "v1",
	"identity":      "v3",
	"message":       "v2",
}

// Service gives the client of a type of service, under its official name or an alias: orchestration, workflow (or
// workflowv2), baremetal, baremetal-introspection, message (or messaging), object-store, compute, … An endpoint override
// of the cloud's settings comes before the catalog.
func (c *Client) Service(serviceType string) (*gophercloud.ServiceClient, error) {
	eo := c.endpoint
	eo.ApplyDefaults(serviceType)
	sc := &gophercloud.ServiceClient{ProviderClient: c.provider, Type: eo.Type}
	for _, t := range append([]string{serviceType}, eo.Types()...) {
		if url := c.overrides[strings.ReplaceAll(t, "-", "_")]; url != "" {
			sc.Endpoint = gophercloud.NormalizeURL(strings.NewReplacer("%(project_id)s", c.Project(), "$(project_id)s", c.Project(),
				"%(tenant_id)s", c.Project(), "$(tenant_id)s", c.Project()).Replace(url))
		}
	}
	if sc.Endpoint == "" {
		url, err := c.provider.EndpointLocator(eo)
		if err != nil {
			return nil, c.missing(serviceType, eo)
		}
		sc.Endpoint = url
	}
	if v := versioned[eo.Type]; v != "" && !strings.Contains(sc.Endpoint, "/"+v+"/") {
		sc.ResourceBase = sc.Endpoint + v + "/"
	}
	return sc, nil
}

// ErrNoService is within the error of Service for a type that the catalog lacks.
var ErrNoService = errors.New("no such service")

func (c *Client) missing(serviceType string, eo gophercloud.EndpointOpts) error {
	types := c.Services()
	where := fmt.Sprintf("%s endpoint", eo.Availability)
	if eo.Region != "" {
		where += " in region " + eo.Region
	}
	hint := "its catalog has " + strings.Join(types, ", ")
	switch {
	case slices.ContainsFunc(types, func(t string) bool { return slices.Contains(eo.Types(), t) }):
		hint = "its catalog has the service elsewhere; check region and interface"
	case len(types) == 0:
		hint = "its catalog is empty: the login is for no project"
	}
	return fmt.Errorf("the cloud offers no %s of type %s (%s): %w", where, serviceType, hint, ErrNoService)
}

// Services are the types of service in the catalog, sorted.
func (c *Client) Services() []string {
	type cataloged interface {
		ExtractServiceCatalog() (*tokens.ServiceCatalog, error)
	}
	r, ok := c.provider.GetAuthResult().(cataloged)
	if !ok {
		return nil
	}
	catalog, err := r.ExtractServiceCatalog()
	if err != nil {
		return nil
	}
	var types []string
	for _, e := range catalog.Entries {
		types = append(types, e.Type)
	}
	slices.Sort(types)
	return slices.Compact(types)
}
