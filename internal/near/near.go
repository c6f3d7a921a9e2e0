// Package near finds the word that a mistyped one was meant to be, for the
// "did you mean" of error messages. What it proposes is a guess for a person to
// read: nothing else may depend on it.
package near

import "strings"

// Word is the known word nearest to text, or "" when none is near or text is
// itself known. Two words are near when the mistakes between them are at most a
// third of the longer one's letters, rounded: one in two to four letters, two in
// five to seven. Of equally near words one that continues text wins, since
// letters are forgotten more often than mistaken; then the first of known.
func Word(text string, known []string) string {
	letters := []rune(text)
	best, least := "", 0
	for _, word := range known {
		if word == text {
			return ""
		}
		target := []rune(word)
		length := max(len(letters), len(target))
		most := (length + 1) / 3
		if length-min(len(letters), len(target)) > most {
			continue
		}
		n := distance(letters, target)
		if n > most {
			continue
		}
		if best == "" || n < least || n == least && continues(word, text) && !continues(best, text) {
			best, least = word, n
		}
	}
	return best
}

func continues(word, text string) bool { return strings.HasPrefix(word, text) }

// distance counts the mistakes that lead from one word to the other: a letter
// left out, added or replaced, or two neighbours swapped, which are the four of
// Damerau, "A technique for computer detection and correction of spelling
// errors", CACM 7(3), 1964. No letter is touched twice (optimal string
// alignment). It fills the table of Wagner and Fischer, "The string-to-string
// correction problem", JACM 21(1), 1974, and keeps the three rows that a swap
// looks back on.
func distance(a, b []rune) int {
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, older
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := old[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(replaced, old[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
