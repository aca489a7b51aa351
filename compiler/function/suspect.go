package function

import (
	"strings"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
	"github.com/hotloom/hotloom/compiler/hot"
	"github.com/hotloom/hotloom/compiler/source"
)

// suspect warns of a map with one key that is no call in this version but looks like one: the function of another
// version or context, or a misspelling.
func (k *checker) suspect(key *source.Node, name string, arg *source.Node) (diag.Diagnostic, bool) {
	word := ordinary{name, k.place == inCondition}
	if k.ordinary[word] {
		return diag.Diagnostic{}, false
	}
	v := k.version
	if k.place != inCondition && v.HasConditionFunction(name) {
		return conditionFunctionInValue(key), plausible(name, arg)
	}
	if first := versionWith(v, name); first != nil {
		return functionNotInVersion(key, v, first), plausible(name, arg)
	}
	known := v.Functions
	if k.place == inCondition {
		known = v.ConditionFunctions
	}
	near := nearFunction(name, known)
	if near == "" {
		if k.ordinary != nil {
			k.ordinary[word] = true
		}
		return diag.Diagnostic{}, false
	}
	return misspeltFunction(key, near), true
}

// ordinary is a key that resembles no function. A template repeats the same few.
type ordinary struct {
	name        string
	inCondition bool
}

// versionWith is the first version that has the function: one of v's own format if there is one.
func versionWith(v *hot.Version, name string) *hot.Version {
	var other *hot.Version
	for _, w := range hot.Versions {
		if !w.HasFunction(name) && !w.HasConditionFunction(name) {
			continue
		}
		if w.Format == v.Format {
			return w
		}
		if other == nil {
			other = w
		}
	}
	return other
}

// plausible keeps words that are ordinary keys of data, such as filter or contains, from being taken for calls.
func plausible(name string, arg *source.Node) bool {
	return strings.ContainsAny(name, "_:") || (arg.Is(source.List) || arg.Is(source.Map)) && Fits(name, arg)
}

// Fits reports whether an argument has the form that a function of that name takes in some version.
func Fits(name string, arg *source.Node) bool {
	for _, f := range registry {
		if f.Name != name {
			continue
		}
		var found diag.List
		k := checker{version: hot.Newest, functions: functionsOf(hot.Newest).values, found: &found}
		if f.Shape != nil {
			f.Shape(&k, Call{Function: f, Name: arg, Arg: arg})
		}
		if len(found) == 0 {
			return true
		}
	}
	return false
}

// nearFunction is the function that name most probably misspells, or "". Only long names with a separator in them are
// looked for: near to short ones there are too many ordinary words.
func nearFunction(name string, known []string) string {
	if len(name) < 6 || len(name) > 2*longestFunction() {
		return ""
	}
	plain := withoutSeparators(name)
	for _, f := range known {
		if strings.ContainsAny(f, "_:") && len(f) >= len(plain) && len(f) <= len(plain)+4 && withoutSeparators(f) == plain {
			return f
		}
	}
	if !strings.ContainsAny(name, "_:") {
		return ""
	}
	near := diag.Nearest(name, known)
	if near == "" || !strings.ContainsAny(near, "_:") || diag.Distance(name, near) > 2 {
		return ""
	}
	return near
}

// longestFunction is the length of the longest name of a function.
var longestFunction = sync.OnceValue(func() int {
	longest := 0
	for _, f := range registry {
		longest = max(longest, len(f.Name))
	}
	return longest
})

var separators = strings.NewReplacer("_", "", "-", "", ":", "")

func withoutSeparators(name string) string { return separators.Replace(strings.ToLower(name)) }
