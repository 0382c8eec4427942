// Package commands expands slash commands: messages such as "/review a.go" that stand for a text.
//
// Its promises:
//
//   - A command is the program's own, or a Markdown file in the folder commands next to the user's
//     settings file. No workspace can add one.
//   - A command is only text: nothing is run and no file is included. What has changed since the last
//     commit goes along with the commands that are about it, less files that hold secrets or are ignored.
//   - The user's file counts instead of a built-in command of the same name.
package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/disk"
	"ploke-lsp/internal/lazyregexp"
)

const (
	maxCommandBytes = 64 << 10
	maxCommands     = 500 // files of the folder that are looked at
)

// A Command is a text that a message such as "/review a.go" stands for.
type Command struct {
	Name         string // without the slash
	Description  string // one line; may be empty
	ArgumentHint string // such as "FILE"; may be empty
	Path         string // "" if it is built in

	body    string
	changes neededChanges
}

// List are the built-in commands and those in the user's folder, by name, and what is wrong
// with its other files.
type List struct {
	Folder   string // "" if no settings file of the user is known
	Commands []Command
	Problems []Problem
}

// A Problem says why a file, or the folder, can't be used.
type Problem struct {
	Path string
	Err  error
}

// Read returns the commands. The user's, in a folder that is "" if there can't be one, are read as they are now.
func Read(folder string) List {
	all := readOwn(folder)
	all.Commands = withBuiltins(all.Commands)
	slices.SortFunc(all.Commands, byName)
	return all
}

// readOwn reads the user's commands.
func readOwn(folder string) (all List) {
	all.Folder = folder
	if folder == "" {
		return all
	}
	entries, err := os.ReadDir(all.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		all.Problems = append(all.Problems, Problem{all.Folder, err})
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) != ".md" })
	if len(entries) > maxCommands {
		all.Problems = append(all.Problems,
			Problem{all.Folder,
				fmt.Errorf("the folder has %d commands: only the first %d are read", len(entries), maxCommands)})
		entries = entries[:maxCommands]
	}
	for _, e := range entries {
		path := filepath.Join(all.Folder, e.Name())
		c, err := readCommand(path)
		if err != nil {
			all.Problems = append(all.Problems, Problem{path, err})
			continue
		}
		all.Commands = append(all.Commands, c)
	}
	return all
}

var commandName = lazyregexp.New(`^[\pL\pN][\pL\pN_-]*$`)

func readCommand(path string) (c Command, err error) {
	c.Path, c.Name = path, strings.TrimSuffix(filepath.Base(path), ".md")
	if !commandName.MatchString(c.Name) {
		return c, errors.New("the name of a command may have letters, digits, - and _ only")
	}
	text, err := readText(path)
	if err != nil {
		return c, err
	}
	fields, body := cutFrontMatter(text)
	c.Description, c.ArgumentHint, c.body = fields["description"], fields["argument-hint"], strings.TrimSpace(body)
	if c.body == "" {
		return c, errors.New("the file has no text: write what the command stands for")
	}
	return c, nil
}

// readText reads the text of a command's file.
func readText(path string) (string, error) {
	file, _, err := disk.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxCommandBytes+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxCommandBytes:
		return "", fmt.Errorf("the file is larger than %d KB: shorten it", maxCommandBytes>>10)
	case !utf8.Valid(text) || strings.ContainsRune(string(text), 0):
		return "", errors.New("the file is not text in UTF-8: save it as such")
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(text), "\uFEFF"), "\r\n", "\n"), nil
}

// cutFrontMatter splits a file into the fields between lines of three dashes at its beginning, and
// the rest. A value is the rest of its line, so that a hint in brackets stays as it is.
func cutFrontMatter(text string) (fields map[string]string, body string) {
	head, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	head, body, ok = strings.Cut("\n"+head, "\n---\n")
	if !ok {
		return nil, text
	}
	fields = map[string]string{}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		fields[strings.TrimSpace(name)] = value
	}
	return fields, body
}

// slashMessage is a message that may name a command. A path has more slashes, or an ending.
var slashMessage = lazyregexp.New(`^/([\pL\pN][\pL\pN_-]*)(\s[\s\S]*)?$`)

// commandOf returns the command that a message names, and the rest of the message; nil if it names none.
func commandOf(folder, text string) (command *Command, rest string, err error) {
	m := slashMessage.FindStringSubmatch(text)
	if m == nil {
		return nil, "", nil
	}
	name, rest := m[1], m[2]
	all := Read(folder)
	for _, problem := range all.Problems {
		if filepath.Base(problem.Path) == name+".md" {
			return nil, "", fmt.Errorf("the command /%s can't be used: %s: %w", name, problem.Path, problem.Err)
		}
	}
	for i := range all.Commands {
		if all.Commands[i].Name == name {
			return &all.Commands[i], rest, nil
		}
	}
	if _, err := os.Lstat("/" + name); err == nil {
		return nil, "", nil // a path, such as /tmp
	}
	return nil, "", all.unknown(name)
}

// unknown is the error for a command that does not exist.
func (all List) unknown(name string) error {
	var names []string
	for _, c := range all.Commands {
		names = append(names, c.Name)
	}
	what := fmt.Sprintf("there is no command /%s", name)
	if near := config.Nearest(name, names); len(near) > 0 {
		what += "; did you mean /" + strings.Join(near, " or /") + "?"
	} else if all.Folder != "" {
		what += fmt.Sprintf("; your commands are the files *.md in %s", all.Folder)
	}
	return errors.New(what + "; to send the text as it is, begin it with a space")
}
