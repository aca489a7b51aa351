package diag

import "strings"

// Nearest returns the candidate that word is most probably a misspelling of, or "" where none is close.
// Close means an edit distance (with transpositions) of at most a third of the longer word, or that one
// starts with the other and at least four characters agree.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", 1<<30
	w := strings.ToLower(word)
	for _, c := range candidates {
		lc := strings.ToLower(c)
		limit := max(len(w), len(lc)) / 3
		starts := len(w) >= 4 && len(lc) >= 4 && (strings.HasPrefix(lc, strings.TrimRight(w, "_-")) || strings.HasPrefix(w, lc))
		if !starts && max(len(w), len(lc))-min(len(w), len(lc)) > limit {
			continue // the distance is at least the difference of the lengths
		}
		d := distance(w, lc)
		if d > limit && !starts {
			continue
		}
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// Distance is how many edits (insertions, deletions, replacements, transpositions) lead from a to b, case aside.
func Distance(a, b string) int { return distance(strings.ToLower(a), strings.ToLower(b)) }

// distance is the optimal string alignment distance of a and b in bytes.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
