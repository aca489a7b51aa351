package workflow

import (
	"github.com/hotloom/hotloom/compiler/diag"
)

// ActionInputs are the inputs of an action: true for those that must be given.
type ActionInputs map[string]bool

// LintOptions say what Lint may know besides the document.
type LintOptions struct {
	// Actions gives the inputs of actions that other documents define; ok is false for one that they do not. Those of
	// Mistral itself are known without it.
	Actions func(name string) (inputs ActionInputs, ok bool)
	// Provided are the actions of providers, by name.
	Provided map[string]*Signature
}

// warnings are the checks of what Mistral accepts and what goes wrong when the workflow runs.
var warnings = []func(*linter, *Workflow){
	(*linter).ignoredKeys,
	(*linter).unreachable,
	(*linter).joins,
	(*linter).clauses,
	(*linter).publishing,
	(*linter).calls,
	(*linter).uncheckedExpressions,
	(*linter).unclosed,
	(*linter).functions,
	(*linter).variables,
	(*linter).unusedInputs,
	(*linter).policies,
	(*linter).names,
}

type linter struct {
	doc      *Document
	opts     LintOptions
	findings diag.List
}

// Lint gives what is wrong with a document beyond its form: warnings, and errors of names that are slips. Of one with
// errors of form it says what it can.
func Lint(doc *Document, o LintOptions) diag.List {
	l := &linter{doc: doc, opts: o}
	for _, w := range doc.Workflows {
		for _, check := range warnings {
			check(l, w)
		}
	}
	l.findings.Sort()
	return l.findings
}

func (l *linter) warn(at diag.Location, rule, format string, args ...any) *diag.Diagnostic {
	l.findings.Add(diag.Warnf(at, rule, format, args...))
	return &l.findings[len(l.findings)-1]
}

// advise is warn with a suggestion.
func (l *linter) advise(at diag.Location, rule, suggestion, format string, args ...any) {
	l.warn(at, rule, format, args...).Suggestion = suggestion
}
