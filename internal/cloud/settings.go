package cloud

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gophercloud/gophercloud/v2"

	"github.com/hotloom/hotloom/compiler/source"
)

// settings describe a cloud: the texts of its entry in clouds.yaml, those of its auth section under their own names, or
// the OS_* variables in their place.
type settings struct {
	name         string
	place        string // where the description comes from, for messages
	auth, cloud  map[string]string
	overrides    map[string]string // endpoints by type of service, with underscores
	region       string
	availability gophercloud.Availability
	insecure     bool
}

// authVariables lead from a setting of the auth section to the variables that can stand for it.
var authVariables = map[string][]string{
	"auth_url":                      {"OS_AUTH_URL"},
	"username":                      {"OS_USERNAME"},
	"user_id":                       {"OS_USER_ID", "OS_USERID"},
	"password":                      {"OS_PASSWORD"},
	"passcode":                      {"OS_PASSCODE"},
	"token":                         {"OS_TOKEN", "OS_AUTH_TOKEN"},
	"project_id":                    {"OS_PROJECT_ID", "OS_TENANT_ID"},
	"project_name":                  {"OS_PROJECT_NAME", "OS_TENANT_NAME"},
	"user_domain_id":                {"OS_USER_DOMAIN_ID"},
	"user_domain_name":              {"OS_USER_DOMAIN_NAME"},
	"project_domain_id":             {"OS_PROJECT_DOMAIN_ID"},
	"project_domain_name":           {"OS_PROJECT_DOMAIN_NAME"},
	"domain_id":                     {"OS_DOMAIN_ID"},
	"domain_name":                   {"OS_DOMAIN_NAME"},
	"default_domain":                {"OS_DEFAULT_DOMAIN"},
	"system_scope":                  {"OS_SYSTEM_SCOPE"},
	"trust_id":                      {"OS_TRUST_ID"},
	"application_credential_id":     {"OS_APPLICATION_CREDENTIAL_ID"},
	"application_credential_name":   {"OS_APPLICATION_CREDENTIAL_NAME"},
	"application_credential_secret": {"OS_APPLICATION_CREDENTIAL_SECRET"},
}

// secretVariables may complete a cloud of a file, which often leaves them out.
var secretVariables = []string{"password", "passcode", "token", "application_credential_secret"}

const endpointSuffix = "_endpoint_override"

// readSettings finds the cloud's description.
func readSettings(o Options) (*settings, error) {
	s := &settings{auth: map[string]string{}, cloud: map[string]string{}, overrides: map[string]string{}}
	name := firstOf(o.Cloud, o.Getenv("OS_CLOUD"))
	var err error
	if name == "" && (o.Getenv("OS_AUTH_URL") != "" || o.Getenv("OS_TOKEN") != "") {
		s.place = "the OS_* variables"
		for key, names := range authVariables {
			s.auth[key] = variable(o, names)
		}
		s.cloud["auth_type"] = o.Getenv("OS_AUTH_TYPE")
	} else if err = s.readClouds(o, name); err != nil {
		return nil, err
	}
	for key, value := range s.cloud {
		if service, ok := strings.CutSuffix(key, endpointSuffix); ok && service != "" {
			s.overrides[service] = value
		}
	}
	for service := range services {
		if url := o.Getenv("OS_" + strings.ToUpper(service) + "_ENDPOINT_OVERRIDE"); url != "" {
			s.overrides[service] = url
		}
	}
	s.region = firstOf(o.Region, o.Getenv("OS_REGION_NAME"), s.cloud["region_name"])
	which := firstOf(o.Interface, o.Getenv("OS_INTERFACE"), o.Getenv("OS_ENDPOINT_TYPE"), s.cloud["endpoint_type"], s.cloud["interface"], "public")
	s.availability = gophercloud.Availability(strings.TrimSuffix(which, "URL"))
	if !slices.Contains([]gophercloud.Availability{gophercloud.AvailabilityPublic, gophercloud.AvailabilityInternal, gophercloud.AvailabilityAdmin}, s.availability) {
		return nil, fmt.Errorf("interface %q: want public, internal or admin", which)
	}
	s.cloud["cacert"] = firstOf(o.CACert, o.Getenv("OS_CACERT"), s.cloud["cacert"])
	s.cloud["cert"] = firstOf(o.Getenv("OS_CERT"), s.cloud["cert"])
	s.cloud["key"] = firstOf(o.Getenv("OS_KEY"), s.cloud["key"])
	verify, err := strconv.ParseBool(firstOf(s.cloud["verify"], "true"))
	if err != nil {
		return nil, fmt.Errorf("%s: verify is %q: want true or false", s.place, s.cloud["verify"])
	}
	s.insecure = o.Insecure || !verify
	return s, nil
}

// services are the types whose endpoints OS_TYPE_ENDPOINT_OVERRIDE replaces.
var services = map[string]bool{
	"orchestration": true, "workflow": true, "workflowv2": true, "baremetal": true, "baremetal_introspection": true, "message": true,
	"messaging": true, "object_store": true, "compute": true, "network": true, "image": true, "block_storage": true, "identity": true,
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func variable(o Options, names []string) string {
	for _, n := range names {
		if v := o.Getenv(n); v != "" {
			return v
		}
	}
	return ""
}

// readClouds reads the entry of clouds.yaml, with what secure.yaml has on top and the profile of clouds-public.yaml below.
func (s *settings) readClouds(o Options, name string) error {
	path, clouds, err := readCloudFile(o, "clouds.yaml", "clouds", o.Getenv("OS_CLIENT_CONFIG_FILE"))
	switch {
	case err != nil:
		return err
	case clouds == nil && name != "":
		return fmt.Errorf("cloud %q: there is no clouds.yaml in this folder, in %s or in /etc/openstack", name, filepath.Join(configFolder(o), "openstack"))
	case clouds == nil:
		return errors.New("no cloud is named: write a clouds.yaml and give --os-cloud (or OS_CLOUD), or set OS_AUTH_URL and its like")
	}
	var names []string
	for _, p := range clouds.Pairs {
		names = append(names, p.Key.Text)
	}
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	entry := clouds.Get(name)
	switch {
	case name == "":
		return fmt.Errorf("no cloud is named; %s has %s: give --os-cloud or set OS_CLOUD", path, strings.Join(names, ", "))
	case entry == nil:
		return fmt.Errorf("%s has no cloud %q; it has %s", path, name, strings.Join(names, ", "))
	}
	s.name, s.place = name, path
	s.overlay(entry)
	_, secure, err := readCloudFile(o, "secure.yaml", "clouds", firstOf(o.Getenv("OS_CLIENT_SECURE_FILE"), filepath.Join(filepath.Dir(path), "secure.yaml")))
	if err != nil {
		return err
	}
	s.overlay(secure.Get(name))
	if profile := firstOf(s.cloud["profile"], s.cloud["cloud"]); profile != "" {
		_, public, err := readCloudFile(o, "clouds-public.yaml", "public-clouds", "")
		if err != nil {
			return err
		}
		entry := public.Get(profile)
		if entry == nil {
			return fmt.Errorf("%s: cloud %s has the profile %q, which no clouds-public.yaml describes", path, name, profile)
		}
		s.underlay(entry)
	}
	for _, key := range secretVariables {
		if s.auth[key] == "" {
			s.auth[key] = variable(o, authVariables[key])
		}
	}
	return nil
}

func (s *settings) overlay(entry *source.Node) { s.merge(entry, true) }

func (s *settings) underlay(entry *source.Node) { s.merge(entry, false) }

func (s *settings) merge(entry *source.Node, over bool) {
	put := func(into map[string]string, pairs []source.Pair) {
		for _, p := range pairs {
			switch p.Value.Kind {
			case source.Map, source.List, source.Set, source.Null:
			default:
				if over || into[p.Key.Text] == "" {
					into[p.Key.Text] = source.KeyText(p.Value)
				}
			}
		}
	}
	if !entry.Is(source.Map) {
		return
	}
	put(s.cloud, entry.Pairs)
	if auth := entry.Get("auth"); auth.Is(source.Map) {
		put(s.auth, auth.Pairs)
	}
	// regions may be a list of names or of maps with a name; the first is the standard one
	if regions := entry.Get("regions"); regions.Is(source.List) && len(regions.Items) > 0 && s.cloud["region_name"] == "" {
		first := regions.Items[0]
		s.cloud["region_name"] = firstOf(first.Str(), first.Get("name").Str())
	}
}

// readCloudFile reads the first file of that name that is there, and gives its path and the section. Only is the one place
// to look, or "". A file that is not there is no error.
func readCloudFile(o Options, file, section, only string) (string, *source.Node, error) {
	paths := []string{file, filepath.Join(configFolder(o), "openstack", file), filepath.Join("/etc/openstack", file)}
	if only != "" {
		paths = []string{only}
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", file, err)
		}
		root, found := source.ParseFile(&source.File{Path: path, Text: text}, source.Options{Reader: source.YAML})
		if found.HasErrors() {
			found.Sort()
			return "", nil, fmt.Errorf("%s:%d:%d: %s", path, found[0].Start.Line, found[0].Start.Column, found[0].Message)
		}
		if clouds := root.Get(section); clouds.Is(source.Map) {
			return path, clouds, nil
		}
		return "", nil, fmt.Errorf("%s has no section %s that is a map", path, section)
	}
	return "", nil, nil
}

func configFolder(o Options) string {
	if dir := o.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(o.Getenv("HOME"), ".config")
}
