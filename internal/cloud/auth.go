package cloud

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gophercloud/gophercloud/v2"
)

// authTypes are keystoneauth's names of the ways to log in that Connect knows, with what they are.
var authTypes = map[string]string{
	"":                        "",
	"password":                "password",
	"v3password":              "password",
	"v2password":              "password",
	"token":                   "token",
	"v3token":                 "token",
	"v2token":                 "token",
	"v3totp":                  "totp",
	"v3applicationcredential": "application credential",
}

// authOptions are the settings as gophercloud wants them.
func (s *settings) authOptions() (gophercloud.AuthOptions, error) {
	a := s.auth
	kind, known := authTypes[s.cloud["auth_type"]]
	if !known {
		return gophercloud.AuthOptions{}, fmt.Errorf("%s: auth_type %q is not supported; password, token, v3totp and v3applicationcredential are. "+
			"`openstack token issue` gives a token for OS_TOKEN by any other way", s.place, s.cloud["auth_type"])
	}
	if kind == "" {
		switch {
		case a["application_credential_id"] != "" || a["application_credential_name"] != "":
			kind = "application credential"
		case a["token"] != "" && a["password"] == "":
			kind = "token"
		default:
			kind = "password"
		}
	}
	o := gophercloud.AuthOptions{IdentityEndpoint: a["auth_url"], AllowReauth: true}
	if o.IdentityEndpoint == "" {
		return o, fmt.Errorf("%s: there is no auth_url (OS_AUTH_URL)", s.place)
	}
	domainID, domainName := s.domain("user")
	user := func() {
		if o.UserID = a["user_id"]; o.UserID == "" {
			o.Username, o.DomainID, o.DomainName = a["username"], domainID, domainName
		}
	}
	switch kind {
	case "application credential":
		o.ApplicationCredentialID, o.ApplicationCredentialName = a["application_credential_id"], a["application_credential_name"]
		o.ApplicationCredentialSecret = a["application_credential_secret"]
		if o.ApplicationCredentialSecret == "" {
			return o, fmt.Errorf("%s: the application credential has no application_credential_secret", s.place)
		}
		if o.ApplicationCredentialID == "" {
			user()
		}
		return o, nil // the credential is for one project: a scope is refused
	case "token":
		if o.TokenID = a["token"]; o.TokenID == "" {
			return o, fmt.Errorf("%s: there is no token (OS_TOKEN)", s.place)
		}
		o.AllowReauth = false // nothing to get another one with
	default:
		user()
		o.Password, o.Passcode = a["password"], a["passcode"]
		switch {
		case o.Username == "" && o.UserID == "":
			return o, fmt.Errorf("%s: there is no username (OS_USERNAME)", s.place)
		case o.Password == "" && o.Passcode == "":
			return o, fmt.Errorf("%s: there is no password (OS_PASSWORD)", s.place)
		}
	}
	o.Scope = s.scope()
	return o, nil
}

// domain is that of the user or project, by id or by name; Keystone's first domain where none is set.
func (s *settings) domain(of string) (id, name string) {
	a := s.auth
	if id = a[of+"_domain_id"]; id != "" {
		return id, ""
	}
	if name = a[of+"_domain_name"]; name != "" {
		return "", name
	}
	if id = a["domain_id"]; id != "" {
		return id, ""
	}
	if name = a["domain_name"]; name != "" {
		return "", name
	}
	return firstOf(a["default_domain"], s.cloud["default_domain"], "default"), ""
}

func (s *settings) scope() *gophercloud.AuthScope {
	a := s.auth
	switch {
	case a["trust_id"] != "":
		return &gophercloud.AuthScope{TrustID: a["trust_id"]}
	case a["system_scope"] != "":
		return &gophercloud.AuthScope{System: true}
	case a["project_id"] != "":
		return &gophercloud.AuthScope{ProjectID: a["project_id"]}
	case a["project_name"] != "":
		id, name := s.domain("project")
		return &gophercloud.AuthScope{ProjectName: a["project_name"], DomainID: id, DomainName: name}
	case a["domain_id"] != "":
		return &gophercloud.AuthScope{DomainID: a["domain_id"]}
	case a["domain_name"] != "":
		return &gophercloud.AuthScope{DomainName: a["domain_name"]}
	}
	return nil
}

// tls is how the cloud's certificates are verified, and which one is shown to it.
func (s *settings) tls() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: s.insecure}
	if path := s.cloud["cacert"]; path != "" {
		pem, err := os.ReadFile(home(path))
		if err != nil {
			return nil, fmt.Errorf("cacert: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("cacert: %s has no certificate in PEM form", path)
		}
	}
	switch cert, key := s.cloud["cert"], s.cloud["key"]; {
	case cert == "" && key == "":
	case cert == "" || key == "":
		return nil, errors.New("client certificate: cert (OS_CERT) and key (OS_KEY) belong together, and one is missing")
	default:
		pair, err := tls.LoadX509KeyPair(home(cert), home(key))
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// home replaces a leading ~.
func home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}
