package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// measurement is one run.
type measurement struct {
	servers map[string][]string // the command of a language's server
	count   int                 // of symbols in each project
	list    bool                // print each mistake
}

// run is the whole program. It returns the exit status.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	m := measurement{servers: map[string][]string{}}
	flags := flag.NewFlagSet("edges", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.Func("server", "`LANGUAGE=COMMAND` of a server, for go, python or typescript; may be repeated",
		func(text string) error {
			language, command, ok := strings.Cut(text, "=")
			if _, known := servedLanguages[language]; !ok || !known || strings.TrimSpace(command) == "" {
				return fmt.Errorf("write LANGUAGE=COMMAND, with go, python or typescript")
			}
			m.servers[language] = strings.Fields(command)
			return nil
		})
	flags.IntVar(&m.count, "n", 60, "how many symbols of each project to ask for")
	flags.BoolVar(&m.list, "list", false, "print each mistake")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if len(m.servers) == 0 || flags.NArg() == 0 || m.count < 1 {
		fmt.Fprintln(log, "edges: give -server, and the folders of projects; -n is at least 1")
		return 2
	}
	tallies := map[string]*tally{}
	for _, dir := range flags.Args() {
		if err := m.measure(ctx, dir, tallies, out); err != nil {
			fmt.Fprintf(log, "edges: %s: %v\n", dir, err)
			return 1
		}
	}
	for _, language := range sortedKeys(tallies) {
		fmt.Fprintf(out, "%s, all projects\n%s", language, tallies[language])
	}
	return 0
}

// measure measures a project in each language that has a server.
func (m *measurement) measure(ctx context.Context, dir string, tallies map[string]*tally, out io.Writer) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	p, err := openProject(ctx, dir)
	if err != nil {
		return err
	}
	defer p.close()
	for _, language := range sortedKeys(m.servers) {
		chosen := p.draw(language, m.count)
		if len(chosen) == 0 {
			continue
		}
		server, err := startServer(ctx, language, m.servers[language], p)
		if err != nil {
			return err
		}
		t := &tally{}
		for _, of := range chosen {
			if err := p.compare(ctx, server, of, t, m.listTo(out)); err != nil {
				server.close()
				return err
			}
		}
		server.close()
		fmt.Fprintf(out, "%s, %s\n%s", language, filepath.Base(dir), t)
		if tallies[language] == nil {
			tallies[language] = &tally{}
		}
		tallies[language].add(t)
	}
	return nil
}

// listTo returns where mistakes are listed.
func (m *measurement) listTo(out io.Writer) io.Writer {
	if m.list {
		return out
	}
	return io.Discard
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) (keys []K) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
