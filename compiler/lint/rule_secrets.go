package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
)

var secretNotHidden = &Rule{
	ID: "secret-not-hidden", Severity: diag.Warning, Check: &Check{"secret-not-hidden", checkSecretParameters},
	Summary: "A parameter has the name of a secret and is not hidden.",
	Heat:    "The value of a parameter without `hidden: true` is shown to everybody who may look at the stack, and stored as it is.",
}

var secretDefault = &Rule{
	ID: "secret-default", Severity: diag.Warning, Check: &Check{"secret-default", checkSecretDefaults},
	Summary: "A secret has a default value in the template.",
	Heat:    "Accepted: every stack whose user does not think of it has the same, published secret.",
}

var secretLiteral = &Rule{
	ID: "secret-literal", Severity: diag.Warning, Check: &Check{"secret-literal", checkSecretLiterals},
	Summary: "A property that takes a secret has a literal value.",
	Heat:    "Accepted: the secret is in the template, in the database and in every copy.",
}

var secretOutput = &Rule{
	ID: "secret-in-output", Severity: diag.Warning, Check: &Check{"secret-in-output", checkSecretOutputs},
	Summary: "An output shows a hidden parameter.",
	Heat:    "Hidden parameters are masked where they are shown as parameters, not where an output uses them.",
}

var hiddenValue = &Rule{
	ID: "hidden-not-boolean", Severity: diag.Warning, Check: &Check{"hidden-not-boolean", checkHidden},
	Summary: "The key hidden or immutable of a parameter is not a boolean.",
	Heat:    `Anything but empty text, 0, false and null counts as true: the text "false" hides.`,
}

var (
	secretName = lazyregexp.New(`(?i)(^|[_\-. ])(password|passwd|passphrase|pass|pwd|secret|token|private_?key|api_?key|credential)s?$`)
	camel      = lazyregexp.New(`([a-z0-9])([A-Z])`)
	notSecret  = lazyregexp.New(`(?i)(_|^)(id|name|url|uri|length|ttl|expiry|enabled?|path|file|ref|rotation)$`)
)

// isSecretName reports whether a thing of that name holds a secret. admin_password and AdminPassword do, password_length
// and secret_id do not.
func (p *Pass) isSecretName(name string) bool {
	secret, ok := p.secret[name]
	if !ok {
		secret = isSecretName(name)
		p.secret[name] = secret
	}
	return secret
}

func isSecretName(name string) bool {
	snake := camel().ReplaceAllString(name, "${1}_$2")
	return secretName().MatchString(snake) && !notSecret().MatchString(snake)
}

func checkSecretParameters(p *Pass) {
	for _, def := range p.Template.Parameters {
		if def.Hidden || def.Type == hot.Boolean || def.Type == hot.Number || !p.isSecretName(def.Name.Text) {
			continue
		}
		p.report(diag.Warnf(def.Name.At(), "secret-not-hidden", "parameter %q seems to be a secret and is not hidden", def.Name.Text).
			With("add hidden: true"))
	}
}

func checkSecretDefaults(p *Pass) {
	for _, def := range p.Template.Parameters {
		if def.Default.Is(source.String) && def.Default.Text != "" && (def.Hidden || p.isSecretName(def.Name.Text)) && def.Type == hot.String {
			p.report(diag.Warnf(def.Default.At(), "secret-default", "the secret parameter %q has a default", def.Name.Text).
				With("remove the default, so that each stack gets its own"))
		}
	}
}

func checkSecretLiterals(p *Pass) {
	for _, r := range p.Template.Resources {
		if r.Properties == nil {
			continue
		}
		t := p.typeOf(r)
		for _, pair := range r.Properties.Pairs {
			name := hot.KeyText(pair.Key)
			if !pair.Value.Is(source.String) || pair.Value.Text == "" || !p.isSecretName(name) && name != "admin_pass" {
				continue
			}
			if t != nil && t.Properties[name] == nil {
				continue
			}
			p.report(diag.Warnf(pair.Value.At(), "secret-literal", "property %q of %q is a secret written into the template", name, r.Name.Text).
				With("use a parameter with hidden: true"))
		}
	}
}

func checkSecretOutputs(p *Pass) {
	for _, def := range p.Template.Parameters {
		if !def.Hidden {
			continue
		}
		for _, u := range p.index.parameters[def.Name.Text] {
			if u.out != nil {
				p.report(diag.Warnf(u.Target.At(), "secret-in-output", "output %q shows the hidden parameter %q", u.out.Name.Text, def.Name.Text))
			}
		}
	}
}

func checkHidden(p *Pass) {
	for _, def := range p.Template.Parameters {
		for _, key := range []string{"hidden", "immutable"} {
			n := def.Node.Get(key)
			if n == nil || n.Is(source.Bool) || n.IsNull() {
				continue
			}
			means := "true"
			if !hot.Truthy(n) {
				means = "false"
			}
			p.report(diag.Warnf(n.At(), "hidden-not-boolean", "%s is %s, which counts as %s", key, strings.TrimSpace(describe(n)), means).
				With("write true or false"))
		}
	}
}
