package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/terminal"
)

// A usageError is what is wrong with the arguments of a command. It is shown above the usage.
type usageError struct{ reason string }

func (e *usageError) Error() string { return e.reason }

func wrongUsage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// errNothing makes a command end with status 1 after it has said that nothing was found, or which new problems.
var errNothing = errors.New("nothing was found")

// noArguments refuses arguments of a command that takes none.
func noArguments(args []string) error {
	if len(args) > 0 {
		return wrongUsage("%q is an argument too many", args[0])
	}
	return nil
}

// oneArgument refuses none, and more than one.
func oneArgument(what string, args []string) error {
	switch len(args) {
	case 0:
		return wrongUsage("there is no %s", what)
	case 1:
		return nil
	}
	return wrongUsage("there is more than one %s: %s", what, strings.Join(args, ", "))
}

// nearestTo ends a sentence about a word that is not known: with those that are near, or with all.
func nearestTo(word string, known []string) string {
	if near := config.Nearest(word, known); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return "; there are " + strings.Join(known, ", ")
}

// oneOf lists the values of a flag for its usage.
func oneOf(values []string) string {
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// parseFlags parses flags that stand before, between and behind words, and returns the words. All that
// follows "--" are words.
func parseFlags(fs *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, flagError(fs, err)
		}
		rest := fs.Args()
		read := args[:len(args)-len(rest)]
		if len(rest) == 0 || len(read) > 0 && read[len(read)-1] == "--" {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// flagError returns an error of package flag in the words of the documents.
func flagError(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	if name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); unknown {
		var known []string
		fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		if near := config.Nearest(name, known); near != nil {
			return wrongUsage("there is no flag --%s; did you mean --%s?", name, strings.Join(near, " or --"))
		}
		return wrongUsage("there is no flag --%s; words that begin with a dash go behind --", name)
	}
	text := strings.NewReplacer("flag needs an argument: -", "no value follows --", "for flag -", "for --", "for -",
		"for --").Replace(err.Error())
	return wrongUsage("%s", text)
}

// printUsage prints how a command is called, with its flags.
func (c *command) printUsage(out io.Writer, fs *flag.FlagSet) {
	usage := wrapped(strings.TrimSpace(fmt.Sprintf("usage: ploke-lsp %s [flags] %s", c.name, c.args)), "", "    ")
	fmt.Fprintf(out, "%s\n%s\n\n", usage, c.summary)
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(out, "  %s\n", strings.TrimSpace("--"+f.Name+" "+strings.ToUpper(value)))
		io.WriteString(out, wrapped(usage, usageIndent, usageIndent))
	})
}

const usageIndent = "        "

// wrapped returns a text in lines of up to 80 columns. The first line begins with first, the others with others.
func wrapped(text, first, others string) string {
	var lines strings.Builder
	line := first
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case terminal.Width(line)+1+terminal.Width(word) <= defaultColumns:
			line += " " + word
		default:
			lines.WriteString(line + "\n")
			line = others + word
		}
	}
	return lines.String() + line + "\n"
}

// otherWords are words that people try as commands, each with the command that they mean.
var otherWords = map[string]string{"references": "edges", "refs": "edges", "callers": "edges", "usages": "edges",
	"uses": "edges", "grep": "search", "find": "search", "definition": "symbol", "show": "symbol", "chat": "ask",
	"explain": "ask", "accept": "proposals accept", "reject": "proposals reject", "undo": "proposals undo",
	"redo": "proposals redo", "diff": "proposals show", "review": "proposals show", "init": "setup", "install": "setup",
	"config": "setup", "configure": "setup", "login": "setup", "model": "setup model", "models": "setup model",
	"status": "doctor", "cost": "ledger", "usage": "ledger", "man": "manual", "lsp": "serve"}

// noCommand says that there is no command of a name, and what may have been meant.
func noCommand(env environment, name string) int {
	if strings.Contains(name, " ") {
		fmt.Fprintf(env.stderr, "ploke-lsp: there is no command %q; to ask it: ploke-lsp ask %q\n", name, name)
		return 2
	}
	var known []string
	for _, c := range commands() {
		known = append(known, c.name)
	}
	fmt.Fprintf(env.stderr, "ploke-lsp: there is no command %q", name)
	near := config.Nearest(name, known)
	if meant := otherWords[name]; meant != "" {
		near = []string{meant}
	}
	if near != nil {
		fmt.Fprintf(env.stderr, "; did you mean %s?", strings.Join(near, " or "))
	}
	fmt.Fprintln(env.stderr)
	printUsage(env.stderr)
	return 2
}
