package function

// mapMerge merges maps, later ones win; mapReplace renames keys and replaces values. All is checked when they are
// resolved.
var mapMerge = Function{Name: "map_merge", Usage: "{map_merge: [map, …]}", Eval: evalMapMerge}

var mapReplace = Function{
	Eval:  evalMapReplace,
	Name:  "map_replace",
	Usage: "{map_replace: [map, {keys: {OLD: NEW, …}, values: {OLD: NEW, …}}]}",
}
