package lint

import (
	"strings"

	"github.com/hotloom/hotloom/compiler/source"
)

// kinds is a set of source.Kind: what a value that is not known may be.
type kinds uint16

func kindsOf(list ...source.Kind) kinds {
	var k kinds
	for _, x := range list {
		k |= 1 << x
	}
	return k
}

const anyKind kinds = 1<<(source.Set+1) - 1

func (k kinds) has(x source.Kind) bool { return k&(1<<x) != 0 }

// String lists the kinds for messages: "a string or a list".
func (k kinds) String() string {
	var names []string
	for x := source.Null; x <= source.Set; x++ {
		if k.has(x) {
			names = append(names, article(x))
		}
	}
	return strings.Join(names, " or ")
}

// article is a kind's name with its article.
func article(k source.Kind) string {
	switch k {
	case source.Null:
		return "null"
	case source.Int:
		return "an integer"
	}
	return "a " + k.String()
}

// resultKinds says what a function gives where its arguments are not known; other functions may give anything.
var resultKinds = map[string]kinds{
	"str_replace": kindsOf(source.String), "str_replace_strict": kindsOf(source.String), "str_replace_vstrict": kindsOf(source.String),
	"list_join": kindsOf(source.String), "digest": kindsOf(source.String), "make_url": kindsOf(source.String),
	"str_split": kindsOf(source.String, source.List, source.Null), "repeat": kindsOf(source.List),
	"map_merge": kindsOf(source.Map), "map_replace": kindsOf(source.Map),
	"filter": kindsOf(source.List, source.Null), "list_concat": kindsOf(source.List), "list_concat_unique": kindsOf(source.List),
	"contains": kindsOf(source.Bool), "equals": kindsOf(source.Bool), "get_file": kindsOf(source.String),
	"get_resource": kindsOf(source.String),
	"Fn::Join":     kindsOf(source.String), "Fn::Split": kindsOf(source.List), "Fn::Replace": kindsOf(source.String),
	"Fn::MemberListToMap": kindsOf(source.Map), "Fn::GetAZs": kindsOf(source.List),
}
