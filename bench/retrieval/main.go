// Command retrieval measures how well the index finds the code that a change has touched.
//
// It takes git repositories, each with a file of cases in JSON lines. A case has a commit, the
// message of the next commit, and the files and lines that the next commit changed. For each case the
// command checks the commit out, indexes the tree as a server does, searches for the message, and
// writes the result on one line:
//
//	{"id": …, "files": [paths, best first], "spans": [{"file", "start", "end"}, …]}
//
// Lines are 1-based and inclusive. Then it prints the share of the changed files and places that it
// has found, with 95 % intervals over the cases of all repositories. It can also measure:
//
//   - -shares: the same with one channel of the search disabled, for each channel.
//   - -packed: what the answer of request_code_context contains under several budgets, compared
//     with other ways to fill them.
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

// run is the whole program. It returns the exit status.
func run(ctx context.Context, args []string, out, log io.Writer) int {
	var e evaluation
	flags := e.flags(log)
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if len(e.repos) == 0 || len(e.repos) != len(e.cases) || e.query != subject && e.query != full || flags.NArg() > 0 {
		fmt.Fprintf(log, "retrieval: give the same number of -repo and -cases, %s or %s as -query, and no other arguments\n", subject, full)
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
	flags.Func("repo", "git `repository` with the commits; may be repeated, each with its -cases", listed(&e.repos))
	flags.Func("cases", "`file` with the cases of the repository at the same position", listed(&e.cases))
	flags.StringVar(&e.work, "work", "", "`folder` that keeps the checkouts and their indexes for the next run; by default they are removed")
	flags.StringVar(&e.query, "query", subject, "the text to search for: "+subject+", the first line of the commit message, or "+full+", the whole message")
	flags.StringVar(&e.predictions, "out", "", "`file` to write the predictions to")
	flags.BoolVar(&e.ablation, "shares", false, "show the loss without each channel (ablation)")
	flags.BoolVar(&e.budgets, "packed", false, "show what answers within token budgets contain")
	flags.Func("without", "disable a `channel`; may be repeated", func(name string) error {
		if !slices.Contains(index.Channels, index.Channel(name)) {
			return fmt.Errorf("there is no such channel; the channels are %q", index.Channels)
		}
		e.disabled = append(e.disabled, index.Channel(name))
		return nil
	})
	return flags
}
