package function

import "github.com/hotloom/hotloom/compiler/value"

// mapMerge merges maps, later ones win; mapReplace renames keys and replaces values. All is checked when they are
// resolved.
var mapMerge = Function{Name: "map_merge", Usage: "{map_merge: [map, …]}", Eval: evalMapMerge, Early: earlyItems[*value.Map]("a map")}

var mapReplace = Function{
	Eval:  evalMapReplace,
	Early: earlyItems[*value.Map]("a map"),
	Name:  "map_replace",
	Usage: "{map_replace: [map, {keys: {OLD: NEW, …}, values: {OLD: NEW, …}}]}",
}
