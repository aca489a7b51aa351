package lint

import (
	"errors"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

var userData = &Check{"user-data", checkUserData}

var shellSyntax = &Rule{
	ID: "shell-syntax", Severity: diag.Warning, Check: userData,
	Summary: "A shell script in the template does not parse.",
	Heat:    "Accepted: the script is text. The server's shell stops at the fault, long after the stack was created.",
}

var cloudConfigSyntax = &Rule{
	ID: "cloud-config-syntax", Severity: diag.Warning, Check: userData,
	Summary: "A cloud-config document in the template is not YAML, or not a map.",
	Heat:    "Accepted: cloud-init ignores the document when the server boots.",
}

var cloudConfigKey = &Rule{
	ID: "cloud-config-key", Severity: diag.Warning, Check: userData,
	Summary: "A cloud-config document has a key that no module of cloud-init knows.",
	Heat:    "Accepted: cloud-init ignores the key when the server boots.",
}

var userDataSize = &Rule{
	ID: "user-data-too-large", Severity: diag.Warning, Check: userData,
	Summary: "The user data of a server is larger than Nova takes.",
	Heat:    "Accepted; Nova refuses more than 65,535 bytes after base64 when the server is created.",
}

// maxUserData is Nova's limit in bytes, after base64.
const maxUserData = 65535

// scriptText is a text that runs on a server: a literal, or the template of a str_replace, whose placeholders stay.
type scriptText struct {
	node         *source.Node
	text         string
	placeholders []string
}

func checkUserData(p *Pass) {
	for _, r := range p.Template.Resources {
		if r.Properties == nil {
			continue
		}
		t := p.typeOf(r)
		if t == nil {
			continue
		}
		switch t.Name {
		case "OS::Nova::Server", "OS::Heat::InstanceGroup", "OS::Zun::Container":
			p.script(r.Properties.Get("user_data"), true)
		case "AWS::EC2::Instance", "AWS::AutoScaling::LaunchConfiguration":
			p.script(r.Properties.Get("UserData"), true)
		case "OS::Heat::SoftwareConfig":
			if g := p.text(r.Properties.Get("group")); g == "" || g == "script" || g == "Heat::Ungrouped" {
				p.script(r.Properties.Get("config"), g == "" || g == "Heat::Ungrouped")
			}
		case "OS::Heat::CloudConfig":
			p.cloudConfigKeys(r.Properties.Get("cloud_config"))
		}
	}
}

// scriptOf finds the text behind a value, through str_replace, Fn::Base64 and the joining of a list of texts.
func (p *Pass) scriptOf(n *source.Node) (scriptText, bool) {
	call, isCall := function.Find(p.Version, n)
	if !isCall {
		return scriptText{node: n, text: n.Str()}, n.Is(source.String)
	}
	switch call.Function.Name {
	case "str_replace", "str_replace_strict", "str_replace_vstrict":
		s, ok := p.scriptOf(call.Arg.Get("template"))
		if params := call.Arg.Get("params"); params.Is(source.Map) {
			for _, pair := range params.Pairs {
				s.placeholders = append(s.placeholders, hot.KeyText(pair.Key))
			}
		}
		return s, ok
	case "get_file":
		if text := p.files(call.Arg); text != nil {
			return scriptText{node: n, text: text.Text}, true
		}
	case "Fn::Base64":
		return p.scriptOf(call.Arg)
	}
	return scriptText{}, false
}

func (p *Pass) script(n *source.Node, mayBeCloudConfig bool) {
	s, ok := p.scriptOf(n)
	if !ok {
		return
	}
	if size := (len(s.text) + 2) / 3 * 4; mayBeCloudConfig && size > maxUserData {
		p.report(diag.Warnf(n.At(), "user-data-too-large", "the user data has %d bytes after base64, Nova takes %d", size, maxUserData).
			With("fetch the larger part from the server"))
	}
	switch {
	case shebang().MatchString(s.text):
		p.shell(n, s)
	case mayBeCloudConfig && strings.HasPrefix(s.text, "#cloud-config"):
		p.cloudConfig(n, s)
	}
}

var shebang = lazyregexp.New(`^#!\s*/(usr/)?bin/(env\s+)?(ba|da|k)?sh\b`)

func (p *Pass) shell(n *source.Node, s scriptText) {
	variant := syntax.LangBash
	if regexp.MustCompile(`^#!\s*/bin/(da)?sh\b`).MatchString(s.text) {
		variant = syntax.LangBash // what the system's sh takes is not known; bash takes most of all
	}
	text := s.text
	for _, name := range s.placeholders {
		text = placeheld(text, name)
	}
	_, err := syntax.NewParser(syntax.Variant(variant)).Parse(strings.NewReader(text), "")
	var fault syntax.ParseError
	if !errors.As(err, &fault) {
		return
	}
	at, line := textPlace(s.node, int(fault.Pos.Line()))
	d := diag.Warnf(at, "shell-syntax", "line %d of the script: %s", fault.Pos.Line(), fault.Text)
	if s.node != n || !line {
		d.Message = "the script does not parse: " + d.Message
	}
	p.report(d)
}

// placeheld puts a plain word of the same length in the place of a placeholder, so that positions stay.
func placeheld(text, name string) string {
	if name == "" || isWord(name) {
		return text
	}
	return strings.ReplaceAll(text, name, strings.Repeat("x", len(name)))
}

// textPlace is the place of a line of a block scalar; for other texts that of the value.
func textPlace(n *source.Node, line int) (diag.Location, bool) {
	loc := n.At()
	if n.Kind != source.String || n.Style != source.Literal {
		return loc, false
	}
	loc.Start.Line += line
	loc.Start.Column = 1
	loc.End = loc.Start
	return loc, true
}

func (p *Pass) cloudConfig(n *source.Node, s scriptText) {
	text := s.text
	for _, name := range s.placeholders {
		text = placeheld(text, name)
	}
	root, found := source.ParseFile(&source.File{Path: n.At().Path, Text: []byte(text)}, source.Options{Reader: source.YAML})
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		at, _ := textPlace(s.node, d.Start.Line)
		p.report(diag.Warnf(at, "cloud-config-syntax", "line %d of the cloud-config: %s", d.Start.Line, d.Message))
		return
	}
	if !root.Is(source.Map) {
		p.report(diag.Warnf(n.At(), "cloud-config-syntax", "the cloud-config must be a map, not %s", article(root.Kind)))
		return
	}
	for _, pair := range root.Pairs {
		p.cloudConfigName(pair.Key, func(line int) diag.Location { at, _ := textPlace(s.node, line); return at })
	}
}

func (p *Pass) cloudConfigKeys(n *source.Node) {
	if !n.Is(source.Map) || p.isCall(n) {
		return
	}
	for _, pair := range n.Pairs {
		at := pair.Key.At()
		p.cloudConfigName(pair.Key, func(int) diag.Location { return at })
	}
}

func (p *Pass) cloudConfigName(key *source.Node, at func(line int) diag.Location) {
	name := hot.KeyText(key)
	if cloudConfigModules()[name] {
		return
	}
	near := diag.Nearest(name, cloudConfigNames())
	if near == "" {
		return // a module that we do not know, rather than a mistake
	}
	p.report(diag.Warnf(at(key.Start.Line), "cloud-config-key", "cloud-init knows no key %q", name).With("did you mean %q?", near))
}
