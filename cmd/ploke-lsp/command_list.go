package main

import (
	"flag"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// described is what completions and the manual tell about a subcommand.
type described struct {
	command
	flags  []describedFlag
	words  []string // that may be its first argument, such as list and show
	second secondArgument
}

type describedFlag struct {
	name   string
	value  string // what follows the flag, "" for a switch
	usage  string
	values values
}

var firstWord = lazyregexp.New(`(?:^\[?|\| )([a-z]+)\b`)

// describeCommands reads the commands' own flag sets.
func describeCommands() []described {
	var all []described
	for _, c := range commands() {
		fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
		shared := &common{}
		shared.register(fs)
		c.setup(fs, shared)
		d := described{command: c, second: secondArguments[c.name]}
		fs.VisitAll(func(f *flag.Flag) {
			value, usage := flag.UnquoteUsage(f)
			d.flags = append(d.flags, describedFlag{f.Name, value, usage, flagValues[f.Name]})
		})
		for _, match := range firstWord.FindAllStringSubmatch(c.args, -1) {
			d.words = append(d.words, match[1])
		}
		if c.name == "setup" {
			d.words = clientWords()
		}
		all = append(all, d)
	}
	return all
}

// takesPath tells whether a folder or a file follows the flag.
func (f describedFlag) takesPath() bool {
	return slices.Contains([]string{"file", "folder"}, strings.ToLower(f.value))
}
