// Package lint finds every mistake in templates and environments, at its line.
//
// An error is reported exactly when Heat would refuse the input: at template-validate, at the strict check of property
// values, or at create before a cloud is asked. What Heat accepts and authors regret is a warning, style is an info.
//
// A rule is an entry of the registry (registry.go), the file rule_….go with its check, and the page pages/ID.md with an
// explanation and examples that the tests run. Rules whose check is empty are reported while a document is read, by
// compiler/source, compiler/hot and compiler/function. The package knows nothing of clouds; it reads the files that
// its caller's loader can read, and changes none.
package lint

import (
	"slices"
	"sync"

	"github.com/hotloom/hotloom/compiler/diag"
)

// Rule is one kind of finding.
type Rule struct {
	ID       string        // kebab-case
	Severity diag.Severity // that of most of its findings; a finding may have another one
	Summary  string        // one sentence
	// Heat says which behaviour is mirrored: when and how Heat refuses, or that it accepts and what then happens. For the
	// rules of workflows Mistral says it, of OpenStack Mistral.
	Heat, Mistral string
	// Check looks for the rule's findings. Rules may share a check; it runs once. Nil: the readers report the rule.
	Check *Check
	// Off: the rule runs only where a setting turns it on.
	Off bool
	// Tag says how an editor may draw the place of a finding, besides marking it.
	Tag Tag
}

// Tag is what all findings of a rule say of their places.
type Tag uint8

// The tags. The zero Tag says nothing.
const (
	_           Tag = iota
	Unnecessary     // does nothing: shown faded
	Deprecated      // out of date: shown struck through
)

// HomeURL is where hotloom lives.
const HomeURL = "https://github.com/hotloom/hotloom"

// PageURL is the page of a rule on the network.
func PageURL(id string) string { return HomeURL + "/blob/main/docs/rules/" + id + ".md" }

// Check is a piece of work that reports findings of one or more rules.
type Check struct {
	name string
	run  func(*Pass)
}

// Rules lists all rules in the order of the registry.
func Rules() []*Rule { return slices.Clone(registry) }

// RuleByID finds a rule, or nil.
func RuleByID(id string) *Rule { return rulesByID()[id] }

var rulesByID = sync.OnceValue(func() map[string]*Rule {
	m := make(map[string]*Rule, len(registry))
	for _, r := range registry {
		m[r.ID] = r
	}
	return m
})

// RuleIDs lists the ids of all rules in order.
func RuleIDs() []string {
	ids := make([]string, 0, len(registry))
	for _, r := range registry {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return ids
}
