package plain

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
	"github.com/hotloom/hotloom/compiler/weave"
)

// ValueBytes is the most that one input or output of a script may have, in bytes of UTF-8. It bounds what a wait
// condition has to carry and leaves user_data room for more than a few values.
const ValueBytes = 8192

var (
	inputName  = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	outputName = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
)

// fixedNames are variables that some shells do not let a script set.
var fixedNames = []string{"UID", "EUID", "PPID", "BASHOPTS", "SHELLOPTS", "BASH_VERSINFO"}

// CheckScript reports what keeps a component from being run by heat-config's script contract: inputs are environment
// variables, outputs are files, the config is executed.
func (s *Stack) CheckScript(c *weave.Component) {
	for _, in := range c.Inputs {
		at := in.Value.At()
		if in.Decl != nil {
			at = in.Decl.Name.At()
		}
		switch {
		case !inputName().MatchString(in.Name):
			s.Report(BadInputName(at, in.Name, "a name has letters, digits and _, and does not begin with a digit"))
		case strings.HasPrefix(in.Name, "hotloom_"):
			s.Report(BadInputName(at, in.Name, "names that begin with hotloom_ are taken"))
		case slices.Contains(fixedNames, in.Name):
			s.Report(BadInputName(at, in.Name, "shells keep it to themselves"))
		}
		if n := s.knownBytes(in.Value); n > ValueBytes {
			s.Report(ValueTooLarge(in.Value.At(), in.Name, n, ValueBytes))
		}
	}
	for _, o := range c.Type.Outputs {
		if !outputName().MatchString(o.Name.Str()) || strings.HasPrefix(o.Name.Str(), "hotloom_") {
			s.Report(BadOutputName(o.Name.At(), o.Name.Str()))
		}
	}
	for _, step := range c.Steps {
		text, known := s.Text(step.Config.Node)
		if known && !strings.HasPrefix(text, "#!") {
			s.Report(NotExecutable(step.Config.Node.At(), c.ID()))
		}
	}
}

// CheckSecrets reports hidden inputs with literal values. An empty text or null is no secret.
func (s *Stack) CheckSecrets(c *weave.Component) {
	for _, in := range c.Inputs {
		if in.Decl != nil && in.Decl.Hidden && s.literal(in.Value) {
			s.Report(SecretLiteral(in.Value.At(), in.Name))
		}
	}
}

// literal reports whether a value is written out and not empty.
func (s *Stack) literal(n *source.Node) bool {
	if n.IsNull() || n.Is(source.String) && n.Text == "" {
		return false
	}
	calls := false
	n.Walk(func(m *source.Node) bool {
		calls = calls || s.IsCall(m)
		return !calls
	})
	return !calls
}

// Text gives a text that is known when compiling: a literal, or a file's.
func (s *Stack) Text(n *source.Node) (string, bool) {
	if n.Is(source.String) {
		return n.Text, true
	}
	return s.Content(n)
}

// IsCall reports whether n calls a function of the template's version.
func (s *Stack) IsCall(n *source.Node) bool {
	_, call := function.Find(s.Version(), n)
	return call
}

// Version is that of the template, or the newest where it is unknown.
func (s *Stack) Version() *hot.Version { return s.Program.Template.VersionOf() }

// Needs reports a function or form that came with a later version than the template's, once for each version.
func (s *Stack) Needs(version, what string) {
	if !s.Version().AtLeast(version) && !s.taken["version "+version] {
		s.taken["version "+version] = true
		s.Report(versionTooOld(s.Program.Template.VersionNode.At(), version, what))
	}
}

func (s *Stack) knownBytes(n *source.Node) int {
	text, known := s.Text(n)
	if !known {
		return 0
	}
	return len(text)
}

// Exists gives the condition under which a component exists, its host's counting too, or nil where it always does.
func Exists(c *weave.Component) *source.Node {
	host, own := c.Host.Resource.Condition, c.Decl.Condition
	switch {
	case host == nil:
		return own
	case own == nil:
		return host
	}
	return source.NewMap(own, source.P(own, "and", source.NewList(own, host, own)))
}

// Guarded gives value where the condition holds, else null, for reads of what may not exist. A nil condition holds.
func Guarded(cond, value *source.Node) *source.Node {
	if cond == nil {
		return value
	}
	return source.NewMap(value, source.P(value, "if", source.NewList(value, cond, value, source.NewNull(value))))
}

// OwnConfigs gives the actions, other than those given, for which a component has a config that differs from those of
// the given actions.
func OwnConfigs(c *weave.Component, than ...string) []string {
	var out []string
	for _, step := range c.Steps {
		if !slices.Contains(than, step.Action) && !slices.ContainsFunc(than, func(a string) bool {
			other := c.Step(a)
			return other != nil && SameConfig(other.Config, step.Config)
		}) {
			out = append(out, step.Action)
		}
	}
	return out
}

// SameConfig reports whether two configs of one component type run the same.
func SameConfig(a, b *hot.Config) bool { return a == b || source.Equal(a.Node, b.Node) }

// Hidden reports whether a declared output is a secret.
func Hidden(o *hot.IO) bool { return o != nil && o.Hidden }
