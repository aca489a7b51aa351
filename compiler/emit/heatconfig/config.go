package heatconfig

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/emit/plain"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/weave"
)

// wrapper runs a script under heat-config's script hook.
//
//go:embed step.sh
var wrapper string

// The placeholders in the wrapper, and the outputs that it writes.
const (
	scriptPlaceholder = "@hotloom-script@"
	endPlaceholder    = "@hotloom-end@"
	failureOutput     = "hotloom_failure"
)

// StatusOutput is the output that holds a script's exit code where its failure is not to fail the step.
const StatusOutput = "hotloom_status_code"

// configKey tells definitions apart: one for each type, and one more for each other set of actions that a component
// of the type asks for.
type configKey struct {
	typ     *hot.ComponentType
	actions string // "" where one config serves all actions: then the deployment says which
}

// Config is the resource that holds the definition of a component type.
type Config struct {
	Name       string
	Structured bool     // the config is a map
	Actions    []string // for the deployment to say; nil: the config says, or its default is right
}

// IsScript reports whether a component is run by the script hook.
func IsScript(c *weave.Component) bool { return c.Type.Tool.Str() == "script" }

// Continues reports whether the stack goes on when the component fails.
func Continues(c *weave.Component) bool { return c.Decl.OnFailure == hot.Continue }

// ConfigOf finds or makes the definition of a component's type, behind the host that is the first to use it.
func (t *Agent) ConfigOf(h *weave.Host, c *weave.Component) *Config {
	single := true
	var actions []string
	var entries []string
	for _, s := range c.Steps {
		single = single && plain.SameConfig(s.Config, c.Steps[0].Config)
		actions = append(actions, s.Action)
		entries = append(entries, fmt.Sprintf("%s=%d", s.Action, slices.Index(c.Type.Configs, s.Config)))
	}
	key := configKey{typ: c.Type}
	if !single {
		key.actions = strings.Join(entries, " ")
	}
	shared := t.configs[key]
	if shared == nil {
		shared = &Config{Name: t.Name(c.Type.Name.Text, "config")}
		t.configs[key] = shared
		if single {
			shared.Structured = t.addConfig(h, c, shared.Name)
		} else {
			t.addComponent(h, c, shared.Name)
		}
	}
	if !single {
		return shared
	}
	own := *shared
	if !slices.Equal(actions, []string{"CREATE", "UPDATE"}) {
		own.Actions = actions
	}
	return &own
}

// addConfig makes a SoftwareConfig, or where the config is a map a StructuredConfig, and reports which.
func (t *Agent) addConfig(h *weave.Host, c *weave.Component, name string) (structured bool) {
	origin := c.Type.Name
	text := c.Steps[0].Config.Node
	structured = text.Is(source.Map) && !t.IsCall(text)
	typ := "OS::Heat::SoftwareConfig"
	if structured {
		typ = "OS::Heat::StructuredConfig"
	}
	properties := []source.Pair{source.P(origin, "group", c.Type.Tool)}
	properties = append(properties, t.interfaceOf(c)...)
	properties = append(properties, source.P(origin, "config", t.text(c, text)))
	t.Add(t.Resource(h.Name()), name, origin, typ, properties...)
	return structured
}

// addComponent makes a SoftwareComponent, with an entry for each config.
func (t *Agent) addComponent(h *weave.Host, c *weave.Component, name string) {
	origin := c.Type.Name
	var entries []*source.Node
	for i, first := range c.Steps {
		cfg := first.Config
		same := func(s *weave.Step) bool { return plain.SameConfig(s.Config, cfg) }
		if slices.ContainsFunc(c.Steps[:i], same) {
			continue // part of an earlier entry
		}
		var actions []string
		for _, s := range c.Steps[i:] {
			if same(s) {
				actions = append(actions, s.Action)
			}
		}
		if cfg.Node.Is(source.Map) && !t.IsCall(cfg.Node) {
			t.Report(structuredComponent(cfg.Node.At(), t.Target, c.Type.Name.Text, c.Type.Tool.Str()))
		}
		entries = append(entries, source.NewMap(cfg.At,
			source.P(cfg.At, "actions", plain.Texts(cfg.At, actions...)),
			source.P(cfg.At, "tool", c.Type.Tool),
			source.P(cfg.At, "config", t.text(c, cfg.Node))))
	}
	properties := append(t.interfaceOf(c), source.P(origin, "configs", source.NewList(origin, entries...)))
	t.Add(t.Resource(h.Name()), name, origin, "OS::Heat::SoftwareComponent", properties...)
}

// text gives a config as the agent gets it. A script comes inside the wrapper, as a here-document whose end no script
// holds by chance.
func (t *Agent) text(c *weave.Component, n *source.Node) *source.Node {
	value := t.Value(n, nil)
	if !IsScript(c) {
		return value
	}
	content, known := t.Text(n)
	if !known {
		content = string(source.Encode(value))
	}
	sum := sha256.Sum256([]byte(content))
	return plain.Call(n, "str_replace", source.NewMap(n,
		source.P(n, "template", plain.Call(n, "get_file", plain.Text(n, t.AddFile("hotloom/step.sh", wrapper)))),
		source.P(n, "params", source.NewMap(n,
			source.P(n, scriptPlaceholder, value),
			source.P(n, endPlaceholder, plain.Text(n, "HOTLOOM_"+hex.EncodeToString(sum[:8])))))))
}

// interfaceOf gives the inputs, outputs and options of a component type as properties of a config.
func (t *Agent) interfaceOf(c *weave.Component) []source.Pair {
	origin := c.Type.Name
	var inputs, outputs []*source.Node
	entry := func(io *hot.IO, typ string, more ...source.Pair) *source.Node {
		pairs := []source.Pair{source.P(io.Name, "name", io.Name), source.P(io.Name, "type", plain.Text(io.Name, typ))}
		pairs = append(pairs, more...)
		if io.Description != nil {
			pairs = append(pairs, source.P(io.Description, "description", io.Description))
		}
		return plain.Flow(source.NewMap(io.Name, pairs...))
	}
	for _, in := range c.Type.Inputs {
		inputs = append(inputs, entry(in, inputType(c, in)))
	}
	flag := func(n *source.Node) source.Pair { return source.P(n, "error_output", source.NewBool(n, true)) }
	for _, out := range c.Type.Outputs {
		if out.ErrorOutput {
			outputs = append(outputs, entry(out, typeOf(out), flag(out.Name)))
		} else {
			outputs = append(outputs, entry(out, typeOf(out)))
		}
	}
	if IsScript(c) {
		outputs = append(outputs,
			plain.Flow(source.NewMap(origin, source.P(origin, "name", plain.Text(origin, failureOutput)), flag(origin))),
			plain.Flow(source.NewMap(origin, source.P(origin, "name", plain.Text(origin, StatusOutput)))))
	}
	var out []source.Pair
	if len(inputs) > 0 {
		out = append(out, source.P(origin, "inputs", source.NewList(origin, inputs...)))
	}
	if len(outputs) > 0 {
		out = append(out, source.P(origin, "outputs", source.NewList(origin, outputs...)))
	}
	switch options := c.Type.Options; {
	case !options.IsNull():
		out = append(out, source.P(options, "options", t.Value(options, nil)))
	case !IsScript(c):
		// Without it the agent gets null, on which the hooks of puppet and ansible fail.
		out = append(out, source.P(origin, "options", source.NewMap(origin)))
	}
	return out
}

func typeOf(io *hot.IO) string {
	if io.Type == "" {
		return "String"
	}
	return io.Type
}

// inputType is the type under which a config declares an input. The script hook puts values into the environment as
// they are, which fails for numbers and booleans unless the agent has made strings of them, and it does so for the
// type String only.
func inputType(c *weave.Component, in *hot.IO) string {
	typ := typeOf(in)
	if IsScript(c) && (typ == "Number" || typ == "Boolean") {
		return "String"
	}
	return typ
}
