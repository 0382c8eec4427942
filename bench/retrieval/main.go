// Command retrieval measures how well the index finds the code that a change touched.
//
// It takes a git repository and a file of cases, JSON lines of which each names a commit,
// what the author of the next one wrote, and the files and lines that it changed. For each
// case it checks the commit out, indexes the tree as a server would, searches, and writes
// what was found, a line a case:
//
//	{"id": …, "files": [paths, best first], "spans": [{"file", "start", "end"}, …]}
//
// Lines are 1-based and inclusive. Then it prints the share of what should have been
// found, with 95 % intervals.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"ploke-lsp/index"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program; it returns the exit status.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	var e evaluation
	flags := flag.NewFlagSet("retrieval", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&e.repo, "repo", "", "git `repository` that has the commits")
	flags.StringVar(&e.cases, "cases", "", "`file` of cases")
	flags.StringVar(&e.work, "work", "", "`folder` that keeps the checkouts and their indexes for the next run; without it they are removed")
	flags.StringVar(&e.query, "query", subject, "what is searched for: "+subject+", the first line that the author wrote, or "+full+", all of it")
	flags.StringVar(&e.predictions, "out", "", "`file` to write what was found to")
	flags.Func("without", "leave a `channel` out, to see what it is worth; may be given several times", func(name string) error {
		if !slices.Contains(index.Channels, index.Channel(name)) {
			return fmt.Errorf("there is no such channel; the channels are %q", index.Channels)
		}
		e.without = append(e.without, index.Channel(name))
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if e.repo == "" || e.cases == "" || e.query != subject && e.query != full || flags.NArg() > 0 {
		fmt.Fprintf(log, "retrieval: give -repo and -cases, and for -query %s or %s; nothing else is taken\n", subject, full)
		return 2
	}
	scores, err := e.all(ctx, log)
	if err != nil {
		fmt.Fprintf(log, "retrieval: %v\n", err)
		return 1
	}
	fmt.Fprintf(out, "%d cases, %s query\n%s", len(scores), e.query, strings.Join(report(scores), ""))
	return 0
}
