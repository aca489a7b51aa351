package diag

import "strings"

// longestWord is the longest word in bytes that is compared. Names of this field are far shorter, and the work
// grows with the product of the lengths.
const longestWord = 128

// Nearest returns the candidate that word is most probably a misspelling of, or "" where none is close.
// Close means an edit distance (with transpositions) of at most a third of the longer word, or that one
// starts with the other and at least four characters agree. Words of more than 128 bytes are near to none.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", longestWord
	w := strings.ToLower(word)
	for _, c := range candidates {
		if len(w) > longestWord || len(c) > longestWord {
			continue
		}
		lc := strings.ToLower(c)
		limit := max(len(w), len(lc)) / 3
		if len(w) >= 4 && len(lc) >= 4 && (strings.HasPrefix(lc, strings.TrimRight(w, "_-")) || strings.HasPrefix(w, lc)) {
			limit = longestWord
		}
		if d := distance(w, lc, min(limit, bestDistance-1)); d >= 0 {
			best, bestDistance = c, d
		}
	}
	return best
}

// Distance is how many edits (insertions, deletions, replacements, transpositions) lead from a to b, case aside;
// for words of more than 128 bytes it is the length of the longer one.
func Distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	longer := max(len(a), len(b))
	if longer > longestWord {
		return longer
	}
	return distance(a, b, longer)
}

// distance is the optimal string alignment distance of a and b in bytes, or -1 where it is more than limit. Neither
// may be longer than longestWord.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return -1
	}
	var rows [3][longestWord + 1]int
	prev2, prev, cur := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
			least = min(least, cur[j])
		}
		if least > limit+1 { // a transposition may still save one
			return -1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	if prev[len(b)] > limit {
		return -1
	}
	return prev[len(b)]
}
