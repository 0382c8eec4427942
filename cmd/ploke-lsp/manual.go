package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
)

func manualCommand(*flag.FlagSet, *common) func(context.Context, environment, []string) error {
	return func(_ context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		_, err := fmt.Fprint(env.stdout, manual(describeCommands()))
		return err
	}
}

// roff escapes a text for a line of a manual page. A period or an apostrophe would begin a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// flagEntry returns what a manual page says of a flag.
func flagEntry(f describedFlag) string {
	value := ""
	if f.value != "" {
		value = " \\fI" + roff(strings.ToUpper(f.value)) + "\\fR"
	}
	return fmt.Sprintf(".TP\n\\fB\\-\\-%s\\fR%s\n%s\n", roff(f.name), value, roff(f.usage))
}

// manual returns the manual page, for the program man.
func manual(all []described) string {
	name, _, _ := strings.Cut(version, " (")
	var b strings.Builder
	fmt.Fprintf(&b, `.TH PLOKE\-LSP 1 "" "ploke\-lsp %s"
.SH NAME
ploke\-lsp \- AI coding assistant for every editor, as a language server
.SH SYNOPSIS
.B ploke\-lsp
[\fICOMMAND\fR] [\fIflags\fR] [\fIarguments\fR]
.SH COMMANDS
`, roff(name))
	for _, d := range all {
		fmt.Fprintf(&b, ".SS %s\n%s.\n", roff(strings.TrimSpace(d.name+" [flags] "+d.args)), roff(d.summary))
		for _, f := range d.flags {
			b.WriteString(flagEntry(f))
		}
	}
	b.WriteString(`.SH EXIT STATUS
0 on success, 1 on failure or if nothing was found, 2 on wrong usage, 130 after an interrupt
`)
	return b.String()
}
