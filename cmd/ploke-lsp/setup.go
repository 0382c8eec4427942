package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"ploke-lsp/internal/setup"
)

// setupFlags are the flags of setup.
type setupFlags struct {
	write, undo bool
	languages   string
	file        string
}

func setupCommand(fs *flag.FlagSet, _ *common) func(context.Context, environment, []string) error {
	var f setupFlags
	fs.BoolVar(&f.write, "write", false, "put the configuration into the client's file")
	fs.BoolVar(&f.undo, "undo", false, "take out of the file what --write has put there")
	fs.StringVar(&f.languages, "languages", "", "`names` of languages, as the client calls them, separated by commas")
	fs.StringVar(&f.file, "file", "", "the client's configuration `file`, if it is not in the usual place")
	return func(_ context.Context, env environment, args []string) error {
		if len(args) == 0 {
			return listSetups(env)
		}
		if err := fs.Parse(args[1:]); err != nil || fs.NArg() > 0 || f.write && f.undo {
			return errUsage
		}
		client, err := setup.Find(args[0])
		if err != nil {
			return err
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

// listSetups prints where the configuration of each client belongs, and whether it is there.
func listSetups(env environment) error {
	table := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	for _, c := range setup.Clients() {
		file, err := (&setupFlags{}).locate(env, c)
		if err != nil {
			fmt.Fprintf(table, "%s\t%v\t\n", c.Name, err)
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.Name, file.State(), file.Path)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprint(env.stderr, "ploke-lsp setup CLIENT prints the configuration of a client, and --write puts it into the file\n")
	return nil
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
			reportChange(env, file, change, "has the configuration", "has the configuration already")
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
	reportChange(env, file, change, "no longer has the configuration", "has no block of ploke-lsp")
	return nil
}

// reportChange says what was done to a file: done, or if nothing had to be done, idle.
func reportChange(env environment, file setup.File, change setup.Change, done, idle string) {
	switch {
	case change.Removed:
		fmt.Fprintf(env.stdout, "%s held nothing else, and is removed\n", file.Path)
	case change.Done:
		fmt.Fprintf(env.stdout, "%s %s\n", file.Path, done)
	default:
		fmt.Fprintf(env.stdout, "%s %s\n", file.Path, idle)
	}
	if change.Copy != "" {
		fmt.Fprintf(env.stdout, "%s is how it was before\n", change.Copy)
	}
	for _, line := range change.ByHand {
		fmt.Fprintf(env.stdout, "by hand: %s\n", line)
	}
}

// locate returns the configuration file of a client.
func (f *setupFlags) locate(env environment, c *setup.Client) (setup.File, error) {
	where := setupEnvironment(env)
	file := setup.File{Client: c}
	var err error
	if file.Home, err = where.Home(); err != nil {
		return file, err
	}
	if file.WorkDir, err = os.Getwd(); err != nil {
		return file, err
	}
	if f.file != "" {
		file.Path, err = filepath.Abs(f.file)
		return file, err
	}
	file.Path, err = c.Path(where)
	return file, err
}

func setupEnvironment(env environment) setup.Environment {
	return setup.Environment{Getenv: env.getenv, GOOS: runtime.GOOS}
}

func (f *setupFlags) languageList() []string {
	return strings.FieldsFunc(f.languages, func(r rune) bool { return r == ',' || r == ' ' })
}
