// Command retrieval measures how well the index finds the code that a text is about.
//
// It takes a folder of bare git repositories OWNER+NAME/repo, and a folder of cases with a folder
// for each set:
//
//   - changes/*.jsonl: changes of repositories, to be found by their commit messages. A case is
//     a line with its id, repo (OWNER/NAME), base_commit (the commit before the change), subject and
//     query (the first line of the message, and all of it), files and hunks (the changed source
//     files, and the changed ranges of lines {file, start, lines} as they were before).
//   - questions/*.json: questions about repositories, and the files or parts of files that
//     answer them, see readQuestions. The file also has what others have published for the same
//     questions.
//   - names/*.json: the names of symbols as people spell them, in the form of questions.
//   - traces/*.json: stack traces and messages of compilers, in the form of questions.
//   - settings/*.json: what people ask of settings and documents, in the form of questions.
//   - silence/*.jsonl: texts that nothing in the tree is about, as {id, repo, base_commit, kind, query}. What is asked
//     of one project is also asked of another one. Only whether the results are doubted is measured.
//   - issues/*.jsonl: cases like changes whose query is the title and the body of an issue.
//   - contexts/*.jsonl: issues with the lines that people have marked for them, in the form of ContextBench, see
//     contextRow. The code that request_code_context shows is compared with them.
//
// For each case the command checks the commit out, indexes the tree as a server does, and searches
// for the text. Files count in the order of their first appearance in the result. For each set it
// prints the measures (see measures.go) with 95 % intervals over the cases of all repositories. It
// can also measure:
//
//   - -shares: what is lost without each channel of the search.
//   - -vectors: what a model's vectors change. Each search is made without and with them.
//   - -packed: what the answer of request_code_context contains under several budgets, compared
//     with other ways to fill them.
//   - -lines: which changed lines are in that answer and in the automatic context, and why the others are not.
//
// With -mine it prints cases of a repository for the folder changes instead, see mine, and with -mine-names,
// -mine-traces and -mine-settings those for the folders of these names, see miners.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

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
	if err := e.check(flags.Args()); err != nil {
		fmt.Fprintf(log, "retrieval: %v\n", err)
		return 2
	}
	if err := e.do(ctx, out, log); err != nil {
		fmt.Fprintf(log, "retrieval: %v\n", err)
		return 1
	}
	return 0
}

// do mines or measures.
func (e *evaluation) do(ctx context.Context, out, log io.Writer) error {
	switch {
	case e.mined != "":
		return mine(ctx, e.repos, e.mined, e.count, out)
	case e.miner != nil:
		return mineQuestions(ctx, e, e.minedProject, e.miner, out)
	}
	all, err := e.run(ctx, log)
	if err != nil {
		return err
	}
	return e.report(out, all)
}

func (e *evaluation) flags(log io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("retrieval", flag.ContinueOnError)
	flags.SetOutput(log)
	flags.StringVar(&e.repos, "repos", "", "`folder` of the bare repositories OWNER+NAME/repo")
	flags.StringVar(&e.cases, "cases", "", "`folder` of the cases, with a folder for each set")
	flags.Func("only", "measure only this `set`; may be repeated", func(name string) error {
		if !slices.Contains(setNames(), name) {
			return fmt.Errorf("there is no such set; the sets are %s", strings.Join(setNames(), ", "))
		}
		e.only = append(e.only, name)
		return nil
	})
	flags.Func("repo", "measure only the cases of this `repository` OWNER/NAME; may be repeated", func(name string) error {
		e.repositories = append(e.repositories, name)
		return nil
	})
	flags.StringVar(&e.vectorsAt, "vectors", "",
		"search with vectors, too, from the server of OpenAI's embeddings API at this `URL`")
	flags.StringVar(&e.vectorModel, "vector-model", "", "the `model` of that server")
	flags.StringVar(&e.work, "work", "", "`folder` that keeps the checkouts, their indexes and vectors for the next "+
		"run; by default they are removed")
	flags.StringVar(&e.predictions, "predictions", "",
		"`folder` to write the rankings to, as {id, files, spans} in JSON lines")
	flags.StringVar(&e.results, "results", "", "`folder` to write the figures to, as COMMIT.json")
	flags.StringVar(&e.mined, "mine", "", "print cases of the `repository` OWNER/NAME, and measure nothing")
	for set, m := range miners {
		flags.Func("mine-"+set, "print questions for the set "+set+" about the `repository` OWNER/NAME, and measure nothing",
			func(repo string) error {
				e.minedProject, e.miner = repo, m
				return nil
			})
	}
	flags.IntVar(&e.count, "n", 60, "how many cases to mine")
	flags.StringVar(&e.commit, "commit", "", "the `commit` of ploke-lsp that is measured")
	flags.BoolVar(&e.ablation, "shares", false, "show the loss without each channel (ablation)")
	flags.BoolVar(&e.packed, "packed", false, "show what answers within token budgets contain")
	flags.BoolVar(&e.lines, "lines", false, "show which changed lines a model gets, and why others are missing")
	flags.Func("without", "disable a `channel`; may be repeated", func(name string) error {
		if !slices.Contains(index.Channels, index.Channel(name)) {
			return fmt.Errorf("there is no such channel; the channels are %q", index.Channels)
		}
		e.disabled = append(e.disabled, index.Channel(name))
		return nil
	})
	return flags
}

// check checks the flags and the arguments after them.
func (e *evaluation) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("%q is no flag, and there are no other arguments", args[0])
	case e.repos == "" || e.cases == "" && e.mined == "" && e.miner == nil:
		return errors.New("give -repos, and -cases, -mine or -mine-SET")
	case e.count < 1:
		return errors.New("-n is at least 1")
	case e.results != "" && e.commit == "":
		return errors.New("give -commit with -results")
	case (e.vectorsAt == "") != (e.vectorModel == ""):
		return errors.New("give -vectors and -vector-model together")
	}
	return nil
}

// report prints the figures of each set, and keeps them.
func (e *evaluation) report(out io.Writer, all []*outcome) error {
	kept := results{Commit: e.commit, Date: time.Now().UTC().Truncate(time.Second), Without: e.disabled,
		Vectors: e.vectorModel}
	for _, s := range e.sets {
		cases := slices.DeleteFunc(slices.Clone(all), func(o *outcome) bool { return o.set != s })
		if len(cases) == 0 {
			continue
		}
		sum := s.summarize(cases)
		sum.print(out)
		if cases[0].coverage != nil {
			printPacked(out, cases)
		}
		if cases[0].lines != nil {
			printLines(out, cases)
		}
		kept.Sets = append(kept.Sets, sum)
		if e.predictions == "" {
			continue
		}
		if err := s.writePredictions(e.predictions, cases); err != nil {
			return err
		}
	}
	printDoubt(out, e.sets, all)
	if e.results == "" {
		return nil
	}
	return kept.write(e.results)
}
