package display

import "strings"

// CodeFence returns a fence longer than any run of backquotes in the text.
func CodeFence(text string) string {
	longest, run := 2, 0
	for _, c := range text {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", longest+1)
}
