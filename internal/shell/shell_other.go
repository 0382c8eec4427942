//go:build !windows

package shell

import "strings"

func quoted(argument string) string {
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// Edit returns the command that opens a file in the person's editor.
func Edit(path string) string { return `"${EDITOR:-vi}" ` + Quote(path) }

// Move returns the command that gives a file another name.
func Move(path, to string) string { return "mv " + Quote(path) + " " + Quote(to) }

// Set returns the command that sets an environment variable to a value, which is in the words of
// the shell.
func Set(name, value string) string { return "export " + name + "=" + value }

// AddToPath returns the command that adds a folder to those in which programs are found.
func AddToPath(folder string) string { return Set("PATH", `"$PATH":`+Quote(folder)) }

// InHome returns the path of a name in the home folder, in the words of the shell.
func InHome(name string) string { return `"$HOME/` + name + `"` }
