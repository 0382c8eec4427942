// Command retrieval measures how well the index finds the code that a change touched.
//
// It takes git repositories, each with a file of cases, JSON lines of which each names a
// commit, what the author of the next one wrote, and the files and lines that it changed.
// For each case it checks the commit out, indexes the tree as a server would, searches, and
// writes what was found, a line a case:
//
//	{"id": …, "files": [paths, best first], "spans": [{"file", "start", "end"}, …]}
//
// Lines are 1-based and inclusive. Then it prints the share of what should have been found,
// with 95 % intervals over the cases of all repositories. What else it measures:
//
//   - -shares: the same with one channel of the search left out, for each channel.
//   - -packed: what the answer of request_code_context holds under several budgets, beside
//     other ways of spending them.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

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
	flags := e.flags(log)
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if len(e.repos) == 0 || len(e.repos) != len(e.cases) || e.query != subject && e.query != full || flags.NArg() > 0 {
		fmt.Fprintf(log, "retrieval: give -repo and -cases, as many of each, and for -query %s or %s; nothing else is taken\n", subject, full)
		return 2
	}
	outcomes, err := e.run(ctx, log)
	if err != nil {
		fmt.Fprintf(log, "retrieval: %v\n", err)
		return 1
	}
	e.print(out, outcomes)
	return 0
}

func (e *evaluation) flags(log io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("retrieval", flag.ContinueOnError)
	flags.SetOutput(log)
	listed := func(list *[]string) func(string) error {
		return func(name string) error {
			*list = append(*list, name)
			return nil
		}
	}
	flags.Func("repo", "git `repository` that has the commits; may be given several times, each with its -cases", listed(&e.repos))
	flags.Func("cases", "`file` of cases of the repository at the same place", listed(&e.cases))
	flags.StringVar(&e.work, "work", "", "`folder` that keeps the checkouts and their indexes for the next run; without it they are removed")
	flags.StringVar(&e.query, "query", subject, "what is searched for: "+subject+", the first line that the author wrote, or "+full+", all of it")
	flags.StringVar(&e.predictions, "out", "", "`file` to write what was found to")
	flags.BoolVar(&e.ablation, "shares", false, "show what each channel is worth, by leaving it out")
	flags.BoolVar(&e.budgets, "packed", false, "show what answers within a budget hold")
	flags.Func("without", "leave a `channel` out; may be given several times", func(name string) error {
		if !slices.Contains(index.Channels, index.Channel(name)) {
			return fmt.Errorf("there is no such channel; the channels are %q", index.Channels)
		}
		e.disabled = append(e.disabled, index.Channel(name))
		return nil
	})
	return flags
}
