package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ploke-lsp/index/history"
	"ploke-lsp/internal/workspace"
)

// The built-in slash commands are the same in every door. A file of the user's with the same name counts instead of
// one.

// neededChanges says which changes a command sends along.
type neededChanges int

const (
	noChanges        neededChanges = iota
	changesIfNothing               // those that are not committed, unless the message says what it is about
	changesToCommit                // those that are staged, or else all
)

var builtinCommands = []Command{
	{Name: "commit", Description: "Write a commit message for what is staged, or else for all changes",
		ArgumentHint: "[what to mention]", changes: changesToCommit,
		body: "Write the message of a commit for the changes below. Its first line has at most 72 characters and says what " +
			"changes; below a blank line it says why, if the changes tell. Follow the form of the repository's messages. " +
			"Answer with the message alone, in a code block, and edit nothing."},
	{Name: "docs", Description: "Write or correct doc comments", ArgumentHint: "SYMBOL or FILE",
		body: "Write the doc comments that are missing, and correct those that are wrong, in the style of the project. " +
			"Change no code."},
	{Name: "explain", Description: "Explain code", ArgumentHint: "SYMBOL or FILE", body: "Explain $ARGUMENTS"},
	{Name: "fix", Description: "Find a cause and fix it", ArgumentHint: "what is wrong",
		body: "Fix what is wrong. Look at the diagnostics of the file, if you know it, and find the cause first. Propose " +
			"the smallest edit that removes the cause, and say what it was."},
	{Name: "review", Description: "Review code; without an argument, the changes since the last commit",
		ArgumentHint: "[FILE or what to look for]", changes: changesIfNothing,
		body: "Review the code. Name errors first, then what will be hard to maintain; for each say the file and line, what " +
			"can happen, and how to fix it. Read the code around a change before you judge it. Leave out praise and what a " +
			"formatter does, and edit nothing."},
	{Name: "tests", Description: "Write tests", ArgumentHint: "SYMBOL or FILE",
		body: "Write tests. Use the framework, the helpers and the names of the tests that are there. Cover the usual case, " +
			"the edges and each error."},
}

// Expand returns what a message that names a command stands for, "" if it names none. folder is that of the user's
// commands, as [Read] takes it. attached says that files or code come with the message.
func Expand(ctx context.Context, w *workspace.Workspace, folder, text string, attached bool) (string, error) {
	command, rest, err := commandOf(folder, text)
	if err != nil || command == nil {
		return "", err
	}
	expansion, err := command.expand(rest)
	if err != nil {
		return "", err
	}
	expansion = strings.TrimSpace(expansion)
	words, more, _ := strings.Cut(strings.TrimRight(rest, " \t\n"), "\n\n")
	about := attached || strings.TrimSpace(words) != ""
	if command.changes == noChanges || strings.TrimSpace(more) != "" || command.changes == changesIfNothing && about {
		return expansion, nil
	}
	sent, err := changesFor(ctx, w, command.changes)
	if err != nil {
		return "", fmt.Errorf("/%s: %w", command.Name, err)
	}
	return expansion + "\n\n" + sent, nil
}

// changesFor returns the changes that a command needs as a part of a message.
func changesFor(ctx context.Context, w *workspace.Workspace, needed neededChanges) (text string, err error) {
	diff, leftOut, err := "", []string(nil), ErrNoChanges
	if needed == changesToCommit {
		diff, leftOut, err = Changes(ctx, w, true)
	}
	if errors.Is(err, ErrNoChanges) {
		diff, leftOut, err = Changes(ctx, w, false)
	}
	if err != nil {
		return "", err
	}
	text = FencedChanges(diff, leftOut)
	if needed != changesToCommit {
		return text, nil
	}
	for _, root := range w.Roots() {
		if subjects := history.Subjects(ctx, root, 5); len(subjects) > 0 {
			text += "\n\nThe newest messages begin:\n\n- " + strings.Join(subjects, "\n- ")
		}
	}
	return text, nil
}

// withBuiltins returns the user's commands and those built-in ones whose names they do not have.
func withBuiltins(own []Command) []Command {
	named := map[string]bool{}
	for _, c := range own {
		named[c.Name] = true
	}
	all := own
	for _, c := range builtinCommands {
		if !named[c.Name] {
			all = append(all, c)
		}
	}
	return all
}

// byName compares commands by their names.
func byName(a, b Command) int { return cmp.Compare(a.Name, b.Name) }
