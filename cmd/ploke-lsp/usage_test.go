package main

import (
	"bytes"
	"flag"
	"strings"
	"testing"
)

// TestUsageFitsATerminal looks at the usage of each command, and at the list of the commands.
func TestUsageFitsATerminal(t *testing.T) {
	texts := map[string]string{}
	var list bytes.Buffer
	printUsage(&list)
	texts["help"] = list.String()
	for _, c := range commands() {
		fs, shared, out := flag.NewFlagSet(c.name, flag.ContinueOnError), &common{}, &bytes.Buffer{}
		shared.register(fs)
		c.setup(fs, shared)
		c.printUsage(out, fs)
		texts[c.name] = out.String()
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > defaultColumns {
				t.Errorf("%s: a line has %d columns: %s", name, n, line)
			}
		}
	}
	if !strings.Contains(texts["ask"], "never\n        (default auto)\n") {
		t.Errorf("the usage of ask does not go on in the next line:\n%s", texts["ask"])
	}
}

// TestOtherWordsAreCommands checks the commands that other words mean.
func TestOtherWordsAreCommands(t *testing.T) {
	for word, meant := range otherWords {
		name, action, _ := strings.Cut(meant, " ")
		known := false
		for _, c := range commands() {
			if c.name == word {
				t.Errorf("%s is a command itself", word)
			}
			known = known || c.name == name && strings.Contains(c.args, action)
		}
		if !known {
			t.Errorf("%s means %s, which is not a command", word, meant)
		}
	}
}
