// Package yaql is YAQL 2.0.0, the query language in HOT's yaql function and in the <% %> of OpenStack Mistral's
// workflows: parser, evaluator and the whole standard library.
//
// Parse and ParseText give syntax trees with positions for tools; Functions and Known find calls of functions that do
// not exist. Eval evaluates an expression in a Dialect, Text.Eval a string with <% %> in it. Values are those of
// package value.
//
// # Evaluation
//
// A function has overloads, declared in the std_*.go files with a signature that says what each argument takes. Which
// one runs is decided by the original's rules (see call), so errors such as "No function … matches supplied
// arguments" come out where they do there, with the same text. Collections are lazy; an iterator is used up by its
// first walk.
//
// # Limits
//
// Besides YAQL's own limits (items per iterator, bytes per value), which are Heat's by default and off in Mistral, one
// evaluation has a budget of steps and of bytes and a bound on depth that nothing gets around: what makes values or
// walks them pays first. Regular expressions pay with the time they take. The budget is counted, not timed, so that the
// same expression ends in the same way on every machine; only regular expressions depend on the clock.
//
// # What differs from the original
//
//   - The order of a set with text, null or times in it is that of insertion; the original's changes from run to run.
//     Sets of numbers have the original's order. The same goes for characters().
//   - A complex number (pow(-8, 0.5)) is an error, and so is an integer of more than 2^20 bits.
//   - Text made of an iterator, a context or a compiled pattern lacks the address that Python shows.
//   - Lone surrogates in text become U+FFFD.
//   - Regular expressions: see package regex for the corners where engines differ. All of Python's syntax is taken.
//   - Dates in YAML that yaml_parse reads stay text.
//   - Names of time zones are those of this machine and UTC, as in the original; localtz() is this machine's.
//   - Objects of the service itself (executions() in Mistral gives database rows) are what the engine makes of them.
package yaql
