package project

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
	"ploke-lsp/internal/lazyregexp"
)

// The user's slash commands are Markdown files in the folder commands next to the user's settings
// file. No workspace can add one. A command is only text: nothing is run and no file is included.
// builtin_commands.go has those that are there without a file.

const (
	slashCommandBytes = 64 << 10
	maxSlashCommands  = 500 // files of the folder that are looked at
)

// A SlashCommand is a text that a message such as "/review a.go" stands for.
type SlashCommand struct {
	Name         string // without the slash
	Description  string // one line; may be empty
	ArgumentHint string // such as "FILE"; may be empty
	Path         string // "" if it is built in

	body    string
	changes neededChanges
}

// SlashCommands are the built-in commands and those in the user's folder, by name, and what is wrong
// with its other files.
type SlashCommands struct {
	Folder   string // "" if no settings file of the user is known
	Commands []SlashCommand
	Problems []SlashCommandProblem
}

// A SlashCommandProblem says why a file, or the folder, can't be used.
type SlashCommandProblem struct {
	Path string
	Err  error
}

// commandsFolder returns the user's folder with slash commands; "" if there can't be one.
func (s *Settings) commandsFolder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, layer := range slices.Backward(s.fixed) {
		if layer.File != "" {
			return filepath.Join(filepath.Dir(layer.File), "commands")
		}
	}
	return ""
}

// SlashCommands returns the slash commands. The user's are read as they are now.
func (s *Settings) SlashCommands() SlashCommands {
	all := s.ownSlashCommands()
	all.Commands = withBuiltins(all.Commands)
	slices.SortFunc(all.Commands, byName)
	return all
}

func (s *Settings) ownSlashCommands() (all SlashCommands) {
	all.Folder = s.commandsFolder()
	if all.Folder == "" {
		return all
	}
	entries, err := os.ReadDir(all.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		all.Problems = append(all.Problems, SlashCommandProblem{all.Folder, err})
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) != ".md" })
	if len(entries) > maxSlashCommands {
		all.Problems = append(all.Problems,
			SlashCommandProblem{all.Folder,
				fmt.Errorf("the folder has %d commands: only the first %d are read", len(entries), maxSlashCommands)})
		entries = entries[:maxSlashCommands]
	}
	for _, e := range entries {
		path := filepath.Join(all.Folder, e.Name())
		c, err := readSlashCommand(path)
		if err != nil {
			all.Problems = append(all.Problems, SlashCommandProblem{path, err})
			continue
		}
		all.Commands = append(all.Commands, c)
	}
	return all
}

var slashCommandName = lazyregexp.New(`^[\pL\pN][\pL\pN_-]*$`)

func readSlashCommand(path string) (c SlashCommand, err error) {
	c.Path, c.Name = path, strings.TrimSuffix(filepath.Base(path), ".md")
	if !slashCommandName.MatchString(c.Name) {
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
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("this is not a file")
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, slashCommandBytes+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > slashCommandBytes:
		return "", fmt.Errorf("the file is larger than %d KB: shorten it", slashCommandBytes>>10)
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

// slashCommandOf returns the command that a message names, and the rest of the message; nil if it names none.
func (s *Settings) slashCommandOf(text string) (command *SlashCommand, rest string, err error) {
	m := slashMessage.FindStringSubmatch(text)
	if m == nil {
		return nil, "", nil
	}
	name, rest := m[1], m[2]
	all := s.SlashCommands()
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
func (all SlashCommands) unknown(name string) error {
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
