package jinja

// Expressions.
type (
	expr interface{}

	constExpr struct{ val any }
	nameExpr  struct {
		name string
		pos  int
	}
	listExpr  struct{ items []expr }
	tupleExpr struct{ items []expr }
	dictExpr  struct{ keys, vals []expr }
	attrExpr  struct {
		of   expr
		name string
	}
	itemExpr  struct{ of, key expr }
	sliceExpr struct{ start, stop, step expr }
	callArgs  struct {
		args     []expr
		names    []string
		named    []expr
		all, kws expr // *args, **kwargs
	}
	callExpr struct {
		fn   expr
		args callArgs
	}
	filterExpr struct {
		of   expr // nil in a filter block
		name string
		pos  int
		args callArgs
	}
	testExpr struct {
		of   expr
		name string
		pos  int
		args callArgs
	}
	notExpr   struct{ of expr }
	logicExpr struct {
		and         bool
		left, right expr
	}
	binaryExpr struct {
		op          string
		left, right expr
	}
	unaryExpr struct {
		neg bool
		of  expr
	}
	concatExpr  struct{ parts []expr }
	compareExpr struct {
		first expr
		ops   []string
		rest  []expr
	}
	condExpr struct{ test, then, otherwise expr }
)

// Statements.
type (
	stmt interface{}

	dataStmt struct{ text string }
	outStmt  struct{ of expr }
	setStmt  struct {
		target expr
		to     expr
	}
	setBlock struct {
		target expr
		filter *filterExpr
		body   []stmt
	}
	nsRef   struct{ name, attr string }
	forStmt struct {
		target, iter, test expr
		recursive          bool
		body, otherwise    []stmt
	}
	ifStmt struct {
		tests     []expr
		bodies    [][]stmt
		otherwise []stmt
	}
	withStmt struct {
		targets, vals []expr
		body          []stmt
	}
	scopeStmt struct{ body []stmt } // block, autoescape
	macroStmt struct {
		name     string
		params   []string
		defaults []expr // of the last params
		body     []stmt
	}
	callStmt struct {
		call *callExpr
		as   *macroStmt
	}
	filterStmt struct {
		filter *filterExpr
		body   []stmt
	}
	loadStmt struct{} // include, import, extends: there is no loader
)
