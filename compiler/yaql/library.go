package yaql

import (
	"slices"
	"strings"
	"sync"
)

// How a function may be called, and what is special about its arguments.
const (
	fn     = 1 << iota // name(x)
	method             // x.name()
	noKW               // rules among the arguments are no keyword arguments
	scoped             // works on a context of its own
	low                // looked at only where no other function fits
	both   = fn | method
)

// def is one function of the library. Several with one name are overloads.
type def struct {
	name string
	how  int
	sig  string
	code func(c *call) (any, error)
}

// library are the functions of a dialect, by name: layers of overloads, the innermost first.
type library struct {
	functions map[string][][]*overload
	methods   map[string][][]*overload
}

func (l *library) levels(name string, method bool) [][]*overload {
	if method {
		return l.methods[name]
	}
	return l.functions[name]
}

// standard lists the parts of YAQL's own library.
func standard() [][]def {
	return [][]def{
		systemFunctions, branchFunctions, compareFunctions, mathFunctions, textFunctions, formatFunctions, collectionFunctions,
		changeFunctions, setFunctions, queryFunctions, foldFunctions, orderFunctions, generateFunctions, sliceFunctions,
		mergeFunctions, regexFunctions, timeFunctions, timeOperators,
	}
}

var libraries = [...]func() *library{
	Heat:    sync.OnceValue(func() *library { return newLibrary(standard()) }),
	Mistral: sync.OnceValue(func() *library { return newLibrary([][]def{mistralFunctions}, standard()) }),
}

func libraryOf(d Dialect) *library { return libraries[d]() }

// newLibrary puts each group of definitions in a layer of its own, the first innermost; low ones go below all.
func newLibrary(layers ...[][]def) *library {
	l := &library{functions: map[string][][]*overload{}, methods: map[string][][]*overload{}}
	put := func(m map[string][][]*overload, layer int, o *overload) {
		levels := m[o.name]
		for len(levels) <= layer {
			levels = append(levels, nil)
		}
		levels[layer] = append(levels[layer], o)
		m[o.name] = levels
	}
	for i, layer := range layers {
		for _, defs := range layer {
			for _, d := range defs {
				o := &overload{
					name: d.name, function: d.how&fn != 0, method: d.how&method != 0, noKW: d.how&noKW != 0,
					scoped: d.how&scoped != 0, code: d.code,
				}
				o.signature(d.sig)
				at := i
				if d.how&low != 0 {
					at = len(layers)
				}
				if o.function {
					put(l.functions, at, o)
				}
				if o.method {
					put(l.methods, at, o)
				}
			}
		}
	}
	for _, m := range []map[string][][]*overload{l.functions, l.methods} {
		for name, levels := range m {
			m[name] = slices.DeleteFunc(levels, func(os []*overload) bool { return os == nil })
		}
	}
	return l
}

// Known says whether a dialect has a function, or a method, of a name. Expressions can define more with def().
func Known(d Dialect, name string, method bool) bool {
	return libraryOf(d).levels(strings.TrimRight(name, "_"), method) != nil
}

// Names lists the functions, or the methods, of a dialect, sorted.
func Names(d Dialect, method bool) []string {
	l := libraryOf(d)
	m := l.functions
	if method {
		m = l.methods
	}
	var out []string
	for name := range m {
		if name[0] != '#' && name[0] != '*' {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
