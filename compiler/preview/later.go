package preview

import (
	"fmt"

	"github.com/hotloom/hotloom/compiler/function"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// Later is a call within a value that cannot be computed yet. What can be computed of its argument is.
type Later struct {
	Function string
	Arg      any

	half *half // where it stands
}

// String is the call as YAML writes it.
func (l *Later) String() string { return "{" + l.Function + ": " + Show(l.Arg) + "}" }

// Show is a value on one line.
func Show(v any) string {
	switch v := v.(type) {
	case *Later:
		return v.String()
	case []any:
		out := "["
		for i, item := range v {
			if i > 0 {
				out += ", "
			}
			out += Show(item)
		}
		return out + "]"
	case *value.Map:
		out := "{"
		for key, item := range v.All() {
			if len(out) > 1 {
				out += ", "
			}
			out += value.Str(key) + ": " + Show(item)
		}
		return out + "}"
	case nil:
		return "nothing"
	case bool:
		return fmt.Sprint(v)
	}
	return value.Str(v)
}

func hasLater(v any) bool {
	switch v := v.(type) {
	case *Later:
		return true
	case []any:
		for _, item := range v {
			if hasLater(item) {
				return true
			}
		}
	case *value.Map:
		for _, item := range v.All() {
			if hasLater(item) {
				return true
			}
		}
	}
	return false
}

// value computes a node as far as that can be done now. omitted says that it is left out of what holds it.
func (h *half) value(n *source.Node) (v any, omitted bool) {
	if n == nil {
		return nil, true
	}
	if c, ok := function.Find(h.stack.Template.VersionOf(), n); ok {
		return h.call(c)
	}
	switch {
	case n.Is(source.List):
		list := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			if v, omitted := h.value(item); !omitted {
				list = append(list, v)
			}
		}
		return list, false
	case n.Is(source.Map):
		m := value.NewMap(len(n.Pairs))
		for _, p := range n.Pairs {
			if v, omitted := h.value(p.Value); !omitted {
				m.SetStr(hot.KeyText(p.Key), v)
			}
		}
		return m, false
	}
	return value.From(hot.ValueOf(n)), false
}

func (h *half) call(c function.Call) (v any, omitted bool) {
	if branch, decided := h.branch(c); decided {
		return h.value(branch)
	}
	if v, err := h.scope.Eval(c.Node); err == nil && !function.HasUnknown(v) {
		return v, false
	}
	if name := c.Arg.Str(); c.Function.Name == "get_param" || c.Function.Name == "Ref" {
		if v, ok := h.later[name]; ok && name != "" {
			return v, false
		}
	}
	arg, _ := h.value(c.Arg)
	return &Later{Function: c.Function.Name, Arg: arg, half: h}, false
}

// branch is what an if comes to; nil is nothing. decided is false for other calls and where the condition is not known.
func (h *half) branch(c function.Call) (n *source.Node, decided bool) {
	items := c.Arg
	if name := c.Function.Name; name != "if" && name != "Fn::If" || !items.Is(source.List) || len(items.Items) < 2 {
		return nil, false
	}
	truth, err := h.scope.Truth(items.Items[0])
	switch {
	case err != nil || truth == function.Maybe:
		return nil, false
	case truth == function.True:
		return items.Items[1], true
	case len(items.Items) > 2:
		return items.Items[2], true
	}
	return nil, true
}

// reference is the resource that a call asks for, and the attribute, "" for its id.
func (l *Later) reference() (resource, attribute string) {
	switch l.Function {
	case "get_resource", "ref":
		resource, _ = l.Arg.(string)
	case "Ref":
		if resource, _ = l.Arg.(string); l.half.stack.Template.Resource(resource) == nil {
			resource = ""
		}
	case "get_attr", "Fn::GetAtt":
		parts, _ := l.Arg.([]any)
		if len(parts) > 0 {
			resource, _ = parts[0].(string)
		}
		attribute = "*" // all of them
		if len(parts) > 1 {
			if s, ok := parts[1].(string); ok {
				attribute = s
			}
		}
	}
	return resource, attribute
}
