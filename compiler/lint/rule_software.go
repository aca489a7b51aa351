package lint

import (
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

var software = &Check{"software", checkSoftware}

var deploymentInput = &Rule{
	ID: "deployment-input-unknown", Severity: diag.Warning, Check: software,
	Summary: "A deployment gives an input that its config does not declare, or leaves out one that has no default.",
	Heat:    "Accepted unless input_values_validate is STRICT. An undeclared value is passed on; a missing one is empty.",
}

var deploymentOutput = &Rule{
	ID: "deployment-output-unknown", Severity: diag.Warning, Check: software,
	Summary: "An output of a deployment is read that its config does not declare.",
	Heat:    "Accepted: any attribute name passes. The value is null for ever.",
}

var deploymentFormat = &Rule{
	ID: "deployment-without-agent", Severity: diag.Error, Check: software,
	Summary: "A server with software deployments does not have user_data_format SOFTWARE_CONFIG.",
	Heat:    "Refused at create.",
}

var (
	deployments = map[string]bool{
		"OS::Heat::SoftwareDeployment": true, "OS::Heat::SoftwareDeploymentGroup": true, "OS::Heat::SoftwareDeployments": true,
		"OS::Heat::StructuredDeployment": true, "OS::Heat::StructuredDeploymentGroup": true, "OS::Heat::StructuredDeployments": true,
	}
	configs = map[string]bool{"OS::Heat::SoftwareConfig": true, "OS::Heat::StructuredConfig": true, "OS::Heat::SoftwareComponent": true}
	// deployOutputs every deployment has.
	deployOutputs = []string{"deploy_stdout", "deploy_stderr", "deploy_status_code", "deploy_stdouts", "deploy_stderrs", "deploy_status_codes", "show"}
)

func checkSoftware(p *Pass) {
	for _, r := range p.Template.Resources {
		if !p.isA(r, deployments) || r.Properties == nil {
			continue
		}
		p.deploymentServer(r)
		config := p.referred(r.Properties.Get("config"))
		if config == nil || !p.isA(config, configs) {
			continue
		}
		p.deploymentInputs(r, config)
		p.deploymentOutputs(r, config)
	}
}

func (p *Pass) deploymentServer(r *hot.Resource) {
	server := p.referred(r.Properties.Get("server"))
	t := p.typeOf(r)
	if server == nil || server.Type.Str() != "OS::Nova::Server" || t.Name != "OS::Heat::SoftwareDeployment" && t.Name != "OS::Heat::StructuredDeployment" {
		return
	}
	emit, exists := p.whereEnabled(r)
	if !exists || p.scope.Enabled(server) != function.True {
		return
	}
	format := server.Properties.Get("user_data_format")
	text := "HEAT_CFNTOOLS" // the default
	if format != nil {
		if text = p.text(format); text == "" {
			return
		}
	}
	if text == "SOFTWARE_CONFIG" {
		return
	}
	at := server.Name
	if format != nil {
		at = format
	}
	emit(diag.Errorf(at.At(), "deployment-without-agent", "server %q has software deployments, so its user_data_format must be SOFTWARE_CONFIG, not %s",
		server.Name.Text, text).With("write user_data_format: SOFTWARE_CONFIG").Via(r.Name.At(), "a deployment on the server"))
}

// declared are the names of a config's inputs or outputs; ok is false where not all are known.
func (p *Pass) declared(config *hot.Resource, key string) (names []string, required map[string]*source.Node, ok bool) {
	list := config.Properties.Get(key)
	required = map[string]*source.Node{}
	if list == nil {
		return nil, required, true
	}
	if !list.Is(source.List) {
		return nil, nil, false
	}
	for _, item := range list.Items {
		name := item.Get("name")
		if !name.Is(source.String) {
			return nil, nil, false
		}
		names = append(names, name.Text)
		if item.Pair("default") == nil {
			required[name.Text] = name
		}
	}
	return names, required, true
}

func (p *Pass) deploymentInputs(r, config *hot.Resource) {
	names, required, ok := p.declared(config, "inputs")
	values := r.Properties.Get("input_values")
	if !ok || values != nil && (!values.Is(source.Map) || p.isCall(values)) {
		return
	}
	if values != nil {
		for _, pair := range values.Pairs {
			name := hot.KeyText(pair.Key)
			delete(required, name)
			if !slices.Contains(names, name) && len(names) > 0 {
				d := diag.Warnf(pair.Key.At(), "deployment-input-unknown", "config %q has no input %q", config.Name.Text, name)
				if near := diag.Nearest(name, names); near != "" {
					d = d.With("did you mean %q?", near)
				}
				p.report(d)
			}
		}
	}
	for _, name := range names {
		if at := required[name]; at != nil {
			p.report(diag.Warnf(r.Name.At(), "deployment-input-unknown", "deployment %q gives no value for the input %q, which has no default",
				r.Name.Text, name).Via(at.At(), "the input"))
		}
	}
}

func (p *Pass) deploymentOutputs(r, config *hot.Resource) {
	names, _, ok := p.declared(config, "outputs")
	if !ok {
		return
	}
	for _, u := range p.index.resources[r.Name.Text] {
		if u.Kind != function.Attribute || len(u.Path) == 0 || !u.Path[0].Is(source.String) {
			continue
		}
		name := u.Path[0].Text
		if slices.Contains(names, name) || slices.Contains(deployOutputs, name) || strings.Contains(name, ".") {
			continue
		}
		d := diag.Warnf(u.Path[0].At(), "deployment-output-unknown", "config %q has no output %q", config.Name.Text, name)
		if near := diag.Nearest(name, append(names, deployOutputs...)); near != "" {
			d = d.With("did you mean %q?", near)
		}
		p.report(d)
	}
}
