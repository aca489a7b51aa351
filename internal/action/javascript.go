package action

import (
	"context"
	"fmt"

	"github.com/dop251/goja"

	"github.com/hotloom/hotloom/compiler/value"
)

// maxStack keeps a script's recursion within what the process can bear.
const maxStack = 2048

func javascript(name string) Definition {
	return Definition{
		Name: name, Class: stdModule + "JavaScriptAction", Repeatable: true, Inputs: with(required("script"), "context"),
		Run: func(ctx context.Context, in *value.Map, _ Call) (any, error) {
			out, err := runScript(ctx, in)
			if err != nil {
				return nil, fmt.Errorf("JavaScriptAction failed: %w", err)
			}
			return out, nil
		},
	}
}

// runScript runs the script as the body of a function; the context is its variable $. It sees nothing of this machine.
func runScript(ctx context.Context, in *value.Map) (any, error) {
	script, _ := in.GetStr("script")
	data, _ := in.GetStr("context")
	json, err := value.JSON(data, value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	vm := goja.New()
	vm.SetMaxCallStackSize(maxStack)
	stop := context.AfterFunc(ctx, func() { vm.Interrupt(context.Cause(ctx)) })
	defer stop()
	v, err := vm.RunString("var $ = " + json + "; (function f() {\n" + text(script) + "\n})()")
	if err != nil {
		return nil, err
	}
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return nil, nil
	}
	// Through JSON, so that objects keep the order of their keys and numbers that are whole become integers.
	stringify, ok := goja.AssertFunction(vm.Get("JSON").ToObject(vm).Get("stringify"))
	if !ok {
		return nil, fmt.Errorf("the script has changed JSON.stringify")
	}
	s, err := stringify(goja.Undefined(), v)
	if err != nil {
		return nil, err
	}
	if goja.IsUndefined(s) {
		return nil, nil
	}
	return value.ParseJSON(s.String())
}
