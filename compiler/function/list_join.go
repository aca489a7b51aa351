package function

import "github.com/hotloom/hotloom/compiler/source"

// listJoinOne joins one list of strings.
var listJoinOne = Function{
	Eval:  evalJoin(true),
	Early: earlyJoin(true),
	Name:  "list_join",
	Usage: "{list_join: [DELIMITER, [item, …]]}",
	Shape: shapeJoinOne,
}

// listJoin joins the items of several lists; maps and lists among them become JSON.
var listJoin = Function{
	Eval:  evalJoin(false),
	Early: earlyJoin(false),
	Name:  "list_join",
	Since: "2015-10-15",
	Usage: "{list_join: [DELIMITER, [item, …], …]}",
	Shape: shapeJoin,
}

// fnJoin is the CFN form.
var fnJoin = Function{
	Eval:  evalJoin(true),
	Early: earlyJoin(true),
	Name:  "Fn::Join",
	Usage: "{Fn::Join: [DELIMITER, [item, …]]}",
	Shape: shapeJoinOne,
}

func shapeJoinOne(k *checker, c Call) {
	if !k.isList(c.Arg) || len(c.Arg.Items) != 2 {
		k.add(argumentKind(c, "a list of a delimiter and a list"))
	}
}

func shapeJoin(k *checker, c Call) {
	if !k.isList(c.Arg) || len(c.Arg.Items) < 2 {
		k.add(argumentKind(c, "a list of a delimiter and one or more lists"))
	}
}

// isList reports whether n is a list, not a call.
func (k *checker) isList(n *source.Node) bool { return n.Is(source.List) }

// isMap reports whether n is a map that is no call.
func (k *checker) isMap(n *source.Node) bool {
	if !n.Is(source.Map) {
		return false
	}
	_, isCall := k.find(n)
	return !isCall
}
