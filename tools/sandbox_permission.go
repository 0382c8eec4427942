package tools

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// SandboxPermission asks whether commands may run in a sandbox on copies of a folder, for a command that is about to.
// One answer under its key holds for all commands of the folder without a network, whoever runs them; the exact
// permission holds for this command alone.
func SandboxPermission(folder string, command []string) Permission {
	line := commandLine(command)
	return Permission{
		Title: "run commands in a sandbox, on copies of " + folder,
		Detail: line + "\nin a sandbox: it reaches no network and writes none of your files; " +
			"what it changes in the copy is proposed to you",
		Key:   "sandbox: " + folder,
		Exact: ExactPermission{Title: "run in a sandbox, on a copy of " + folder + ": " + line, Key: exactKey("sandbox", folder, command)},
	}
}

// exactKey returns the key of a permission for exactly this command in this folder.
func exactKey(what, folder string, command []string) string {
	hash := sha256.New()
	for _, part := range append([]string{folder}, command...) {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return fmt.Sprintf("%s: %x", what, hash.Sum(nil))
}

// commandLine returns the command as people write it. Characters that are special in a shell
// are quoted.
func commandLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		if words[i] = word; word == "" || strings.ContainsAny(word, " \t\n\"'\\$`|&;<>()*?[]#~!{}") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
