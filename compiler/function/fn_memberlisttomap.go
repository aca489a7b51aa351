package function

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
)

// fnMemberListToMap makes a map of AWS's enumerated lists.
var fnMemberListToMap = Function{
	Eval:  evalMemberList,
	Name:  "Fn::MemberListToMap",
	Usage: "{Fn::MemberListToMap: [KEY NAME, VALUE NAME, list]}",
	Shape: func(k *checker, c Call) {
		if !k.unpacks(c.Arg, 3) {
			k.add(argumentKind(c, "a list of a key's name, a value's name and a list"))
			return
		}
		if !k.isList(c.Arg) {
			return
		}
		for i, what := range []string{"the key's name", "the value's name"} {
			if n := c.Arg.Items[i]; !n.Is(source.String) {
				k.add(argumentPart(c, what, n, "a string"))
			}
		}
	},
}

// evalMemberList turns .member.N.key=value texts into a map.
func evalMemberList(_ *Scope, c Call, arg Value) (Value, error) {
	args, ok := arg.([]any)
	if !ok || len(args) != 3 {
		return nil, c.fail("takes a key's name, a value's name and a list")
	}
	key, okKey := args[0].(string)
	val, okValue := args[1].(string)
	list, okList := args[2].([]any)
	if !okKey || !okValue || !okList {
		return nil, c.fail("takes two strings and a list")
	}
	members := map[string]map[string]string{}
	var order []string
	for _, item := range list {
		text, isText := item.(string)
		name, v, found := strings.Cut(text, "=")
		parts := strings.Split(name, ".")
		if !isText || !found || len(parts) < 4 || parts[1] != "member" {
			continue
		}
		n := parts[2]
		if members[n] == nil {
			members[n] = map[string]string{}
			order = append(order, n)
		}
		members[n][strings.Join(parts[3:], ".")] = v
	}
	out := value.NewMap(len(order))
	for _, n := range order {
		if k, ok := members[n][key]; ok {
			out.SetStr(k, members[n][val])
		}
	}
	return out, nil
}
