package yaql

import "sync"

// operator is what an operator is as a prefix, or between two operands.
type operator struct {
	level int
	name  string // the function called
	right bool   // right associative
}

var binaryOperators = map[string]operator{
	".":   {level: levelDot, name: "#operator_."},
	"?.":  {level: levelDot, name: "#operator_?."},
	"=~":  {level: levelMatch, name: "#operator_=~"},
	"!~":  {level: levelMatch, name: "#operator_!~"},
	"*":   {level: levelTimes, name: "#operator_*"},
	"/":   {level: levelTimes, name: "#operator_/"},
	"mod": {level: levelTimes, name: "#operator_mod"},
	"+":   {level: levelPlus, name: "#operator_+"},
	"-":   {level: levelPlus, name: "#operator_-"},
	">":   {level: levelCompare, name: "#operator_>"},
	"<":   {level: levelCompare, name: "#operator_<"},
	">=":  {level: levelCompare, name: "#operator_>="},
	"<=":  {level: levelCompare, name: "#operator_<="},
	"!=":  {level: levelCompare, name: "*not_equal"},
	"=":   {level: levelCompare, name: "*equal"},
	"in":  {level: levelCompare, name: "#operator_in"},
	"and": {level: levelAnd, name: "#operator_and"},
	"or":  {level: levelOr, name: "#operator_or"},
	"->":  {level: levelArrow, name: "#operator_->", right: true},
}

var prefixOperators = map[string]operator{
	"+":   {level: levelSign, name: "#unary_operator_+"},
	"-":   {level: levelSign, name: "#unary_operator_-"},
	"not": {level: levelNot, name: "#unary_operator_not"},
}

// signs are the operators and brackets that are no words, longest first.
var signs = []string{"=>", "!=", ">=", "<=", "=~", "!~", "?.", "->", ".", "+", "-", "*", "/", ">", "<", "=", "[", "{", "(", ")", "]", "}", ","}

var wordOperators = []string{"in", "and", "or", "not", "mod"}

var wordValues = map[string]any{"true": true, "false": false, "null": nil}

// symbol is a token that means something to the grammar: an operator, a bracket, a word for a value.
type symbol struct {
	text           string
	binary, prefix *operator // nil where it is none
	value          any
	isValue        bool
}

// symbolTable finds symbols: signs by their first character, longest first, and words.
type symbolTable struct {
	signs   [128][]*symbol
	words   map[string]*symbol
	longest int // word, in bytes
}

var symbols = sync.OnceValue(func() *symbolTable {
	t := &symbolTable{words: map[string]*symbol{}}
	for _, text := range signs {
		t.signs[text[0]] = append(t.signs[text[0]], newSymbol(text))
	}
	for _, text := range wordOperators {
		t.words[text] = newSymbol(text)
	}
	for text, v := range wordValues {
		t.words[text] = &symbol{text: text, value: v, isValue: true}
	}
	for text := range t.words {
		t.longest = max(t.longest, len(text))
	}
	return t
})

// startingWith are the signs that begin with a character.
func (t *symbolTable) startingWith(c rune) []*symbol {
	if c < 0 || int(c) >= len(t.signs) {
		return nil
	}
	return t.signs[c]
}

// word is what a word is to the grammar, or nil.
func (t *symbolTable) word(text string) *symbol {
	if len(text) > t.longest {
		return nil
	}
	return t.words[text]
}

func newSymbol(text string) *symbol {
	s := &symbol{text: text}
	if op, ok := binaryOperators[text]; ok {
		s.binary = &op
	}
	if op, ok := prefixOperators[text]; ok {
		s.prefix = &op
	}
	return s
}
