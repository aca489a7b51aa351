package function

import (
	"math/big"
	"slices"
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
	"github.com/hotloom/hotloom/compiler/value"
	"github.com/hotloom/hotloom/compiler/value/lazyregexp"
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
	params := value.NewMap(len(list)) // of equal names the last one counts, at the place of the first
	for _, item := range list {
		text, isText := item.(string)
		name, v, found := strings.Cut(text, "=")
		if !isText || !found {
			return nil, c.fail("the items of the list must be strings with =, not %s", describe(item))
		}
		params.SetStr(name, v)
	}
	type member struct {
		index *big.Int
		parts map[string]any
	}
	var members []member
	for name, v := range params.All() {
		match := memberName().FindStringSubmatch(name.(string))
		if match == nil {
			continue
		}
		index, _ := new(big.Int).SetString(match[1], 10)
		at, found := slices.BinarySearchFunc(members, index, func(m member, n *big.Int) int { return m.index.Cmp(n) })
		if !found {
			members = slices.Insert(members, at, member{index, map[string]any{}})
		}
		members[at].parts[match[2]] = v
	}
	out := value.NewMap(len(members))
	for _, m := range members {
		k, hasKey := m.parts[key].(string)
		v, hasValue := m.parts[val]
		if hasKey && hasValue {
			out.SetStr(k, v)
		}
	}
	return out, nil
}

// memberName is a member's number and part: .member.1.Name.
var memberName = lazyregexp.New(`^\.member\.([0-9]+)\.(.*)`)
