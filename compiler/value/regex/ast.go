package regex

import "math"

// kind is what a node matches.
type kind uint8

const (
	kEmpty   kind = iota
	kLiteral      // the character r
	kAny          // .
	kSet          // [...], also \d outside one
	kAnchor       // ^ $ \A \Z \b \B: r is the letter
	kSeq          // subs one after another
	kBranch       // one of subs
	kRepeat       // subs[0] min to max times
	kGroup        // subs[0]; capture n if n > 0
	kBackref      // what group n matched
	kLook         // (?= (?! (?<= (?<!
	kCond         // (?(n)subs[0]|subs[1])
	kAtomic       // (?>...)
)

const unlimited = math.MaxInt32

type node struct {
	kind     kind
	r        rune
	flags    Flags // in force where the node stands
	set      *set
	subs     []*node
	min, max int
	mode     byte // of a repeat: 0 greedy, '?' lazy, '+' possessive
	n        int
	neg      bool
	behind   bool
}

// set is a character class: characters, ranges and categories (d D s S w W), or the complement of them.
type set struct {
	neg    bool
	ranges [][2]rune
	cats   []byte
}

// width gives how many characters a node matches at least and at most.
func (p *parser) width(n *node) (lo, hi int) {
	add := func(a, b int) int { return min(a+b, unlimited) }
	switch n.kind {
	case kLiteral, kAny, kSet:
		return 1, 1
	case kSeq:
		for _, s := range n.subs {
			l, h := p.width(s)
			lo, hi = add(lo, l), add(hi, h)
		}
	case kBranch, kCond:
		lo = unlimited
		for _, s := range n.subs {
			l, h := p.width(s)
			lo, hi = min(lo, l), max(hi, h)
		}
		if n.kind == kCond && len(n.subs) == 1 {
			lo = 0
		}
	case kRepeat:
		l, h := p.width(n.subs[0])
		lo = mulWidth(l, n.min)
		hi = mulWidth(h, n.max)
	case kGroup, kAtomic:
		return p.width(n.subs[0])
	case kBackref:
		if g := p.groups[n.n]; g != nil {
			return p.width(g)
		}
	}
	return lo, hi
}

func mulWidth(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	if a >= unlimited || b >= unlimited || a > unlimited/b {
		return unlimited
	}
	return a * b
}
