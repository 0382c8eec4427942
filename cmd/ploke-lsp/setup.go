package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"ploke-lsp/internal/setup"
	"ploke-lsp/internal/shell"
)

// setupFlags are the flags of setup.
type setupFlags struct {
	write, undo bool
	languages   string
	file        string
}

func setupCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	var f setupFlags
	fs.BoolVar(&f.write, "write", false, "put the configuration into the client's file, or the model into your settings")
	fs.BoolVar(&f.undo, "undo", false, "take out of the file what --write has put there")
	fs.StringVar(&f.languages, "languages", "", "`names` of languages, as the client calls them, separated by commas")
	fs.StringVar(&f.file, "file", "", "the client's configuration `file`, if it is not in the usual place")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) == 0 {
			if f.write || f.undo {
				return wrongUsage("--write and --undo need a client, or a model")
			}
			return c.setupAll(ctx, env)
		}
		if args[0] == "model" {
			return c.setupModel(ctx, env, &f, args[1:])
		}
		if err := oneArgument("client", args); err != nil {
			return err
		}
		if f.write && f.undo {
			return wrongUsage("--write and --undo are both there")
		}
		client := setup.Find(args[0])
		if client == nil {
			return wrongUsage("there is no client %q%s", args[0], nearestTo(args[0], setup.Names()))
		}
		switch {
		case f.write:
			return f.writeSetup(env, client)
		case f.undo:
			return f.undoSetup(env, client)
		}
		return f.printSetup(env, client)
	}
}

// setupAll leads a person on a terminal through everything. Without one, it says what to run.
func (c *common) setupAll(ctx context.Context, env environment) error {
	if in, ok := env.stdin.(*os.File); ok && isTerminal(in) && writesToTerminal(env.stdout) {
		return newGuide(c, env).run(ctx)
	}
	if err := listSetups(env); err != nil {
		return err
	}
	fmt.Fprintln(env.stdout)
	c.listModels(ctx, env)
	return nil
}

// listSetups prints where the configuration of each client belongs, whether it is there, and for those
// that are installed, what to run.
func listSetups(env environment) error {
	var commands []string
	table := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	for _, c := range slices.Concat(setup.Clients(), setup.Agents()) {
		file, err := (&setupFlags{}).locate(env, c)
		if err != nil {
			fmt.Fprintf(table, "%s\t%v\t\n", c.Name, err)
			continue
		}
		state := file.State()
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.Name, state, file.Path)
		if trace := c.Installed(setupEnvironment(env)); trace != "" && state == setup.NotSetUp {
			commands = append(commands, fmt.Sprintf("%s (%s)\n  run: ploke-lsp setup %s --write\n", c.Title, trace, c.Name))
		} else if trace != "" && state == setup.ByHand {
			commands = append(commands, fmt.Sprintf("%s (%s), by hand\n  run: ploke-lsp setup %s\n", c.Title, trace, c.Name))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "\neditors that are here and not set up:%s\n", orNone(len(commands)))
	for _, line := range commands {
		fmt.Fprint(env.stdout, line)
	}
	return nil
}

// orNone ends the heading of a list of n things.
func orNone(n int) string {
	if n == 0 {
		return " none"
	}
	return ""
}

// printSetup prints the configuration of a client, and says on standard error where it belongs.
func (f *setupFlags) printSetup(env environment, c *setup.Client) error {
	config, err := c.Config(f.languageList())
	if err != nil {
		return err
	}
	fmt.Fprint(env.stdout, config)
	if path, err := c.Path(setupEnvironment(env)); err == nil && path != "" {
		fmt.Fprintf(env.stderr, "this goes into %s\n", path)
	}
	if _, err := f.locate(env, c); err == nil {
		command := c.Name
		if f.languages != "" {
			command += " --languages " + shell.Quote(f.languages)
		}
		fmt.Fprintf(env.stderr, "ploke-lsp setup %s --write puts it there\n", command)
	}
	reportLimits(env.stderr, c, f.languageList())
	return nil
}

// writeSetup writes the configuration of a client into its file. If that is refused, it prints
// the configuration, so that the person can do it.
func (f *setupFlags) writeSetup(env environment, c *setup.Client) error {
	config, err := c.Config(f.languageList())
	if err != nil {
		return err
	}
	file, err := f.locate(env, c)
	if err == nil {
		var change setup.Change
		if change, err = file.Write(f.languageList(), time.Now()); err == nil {
			reportChange(env, file.Path, change, "has the configuration", "has the configuration already")
			reportLimits(env.stdout, c, f.languageList())
			return nil
		}
	}
	fmt.Fprint(env.stdout, config)
	return fmt.Errorf("nothing was written, the text is above: %w", err)
}

// undoSetup takes the configuration out of a client's file.
func (f *setupFlags) undoSetup(env environment, c *setup.Client) error {
	file, err := f.locate(env, c)
	if err != nil {
		return err
	}
	change, err := file.Undo(time.Now())
	if err != nil {
		return fmt.Errorf("nothing was taken out: %w", err)
	}
	reportChange(env, file.Path, change, "no longer has the configuration", "has no block of ploke-lsp")
	return nil
}

// locate returns the configuration file of a client.
func (f *setupFlags) locate(env environment, c *setup.Client) (setup.File, error) {
	where := setupEnvironment(env)
	file := setup.File{Client: c}
	var err error
	if file.Location, err = locationOf(env, ""); err != nil {
		return file, err
	}
	if f.file != "" {
		file.Path, err = filepath.Abs(f.file)
		return file, err
	}
	file.Path, err = c.Path(where)
	return file, err
}

// locationOf returns where to find a person's file.
func locationOf(env environment, path string) (p setup.Location, err error) {
	p.Path = path
	if p.Home, err = setupEnvironment(env).Home(); err == nil {
		p.WorkDir, err = os.Getwd()
	}
	return p, err
}

func setupEnvironment(env environment) setup.Environment {
	return setup.Environment{Getenv: env.getenv, GOOS: runtime.GOOS}
}

func (f *setupFlags) languageList() []string {
	return strings.FieldsFunc(f.languages, func(r rune) bool { return r == ',' || r == ' ' })
}
