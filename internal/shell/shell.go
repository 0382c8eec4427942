// Package shell writes commands as a person types them in the system's shell: cmd.exe on Windows,
// sh elsewhere. It runs none. Each difference is in a file of the system's name.
package shell

import "strings"

// isSpecial reports whether a shell may give a character a meaning.
func isSpecial(c rune) bool {
	return !strings.ContainsRune("-_./:=@+,", c) && (c < '0' || '9' < c && c < 'A' || 'Z' < c && c < 'a' || 'z' < c)
}

// Quote returns an argument in quotation marks, if it needs some.
func Quote(argument string) string {
	if argument != "" && !strings.ContainsFunc(argument, isSpecial) {
		return argument
	}
	return quoted(argument)
}
