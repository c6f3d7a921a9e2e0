package dist

import "fmt"

// hint proposes the nearest of the known words for one mistyped in at most two
// places, or says nothing.
func hint(word string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if n := edits(word, k); n < least && n < len(k) {
			best, least = k, n
		}
	}
	if best == "" || best == word {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// edits counts the letters to insert, delete or replace to make b of a
// (Levenshtein's distance), a row of Wagner and Fischer's table at a time.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
