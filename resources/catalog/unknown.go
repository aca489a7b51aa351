package catalog

import (
	"fmt"
	"path"
)

// Policy says what a type means that the catalog does not know.
type Policy string

// The policies.
const (
	PolicyError  Policy = "error" // as a stock Heat would have it
	PolicyWarn   Policy = "warn"
	PolicyIgnore Policy = "ignore"
)

// UnknownTypes is the treatment of types that are not Heat's own: the first rule whose pattern matches decides, then
// Default (error where empty).
type UnknownTypes struct {
	Default Policy
	Rules   []UnknownRule
}

// UnknownRule applies a policy to the type names that match a pattern of path.Match, for example "Contrail::*".
type UnknownRule struct {
	Pattern string
	Policy  Policy
}

// For is the policy for a type's name.
func (u UnknownTypes) For(name string) Policy {
	for _, r := range u.Rules {
		if ok, _ := path.Match(r.Pattern, name); ok {
			return r.Policy
		}
	}
	if u.Default == "" {
		return PolicyError
	}
	return u.Default
}

// Check reports a pattern or policy that means nothing.
func (u UnknownTypes) Check() error {
	known := func(p Policy) bool { return p == PolicyError || p == PolicyWarn || p == PolicyIgnore }
	if u.Default != "" && !known(u.Default) {
		return fmt.Errorf("unknown_types: %q is not one of error, warn, ignore", u.Default)
	}
	for _, r := range u.Rules {
		if _, err := path.Match(r.Pattern, ""); err != nil {
			return fmt.Errorf("unknown_types: pattern %q: %w", r.Pattern, err)
		}
		if !known(r.Policy) {
			return fmt.Errorf("unknown_types: %s: %q is not one of error, warn, ignore", r.Pattern, r.Policy)
		}
	}
	return nil
}

// WithDefault gives the policies with another default; "" changes nothing.
func (u UnknownTypes) WithDefault(policy string) UnknownTypes {
	if policy != "" {
		u.Default = Policy(policy)
	}
	return u
}
