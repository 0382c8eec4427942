package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/llm"
)

func ledgerCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` whose ledger is shown")
	asJSON := fs.Bool("json", false, "print one JSON object")
	all := fs.Bool("all", false, "also show requests to the embedded model, which leave nothing")
	since := fs.String("since", "",
		"show only requests since a `time`: a duration (36h) before now, or 2006-01-02 or 2006-01-02T15:04")
	return func(ctx context.Context, env environment, args []string) error {
		if err := noArguments(args); err != nil {
			return err
		}
		from, err := parseSince(*since, time.Now())
		if err != nil {
			return err
		}
		root, err := filepath.Abs(*workspace)
		if err != nil {
			return err
		}
		options, err := c.projectOptions(env)
		if err != nil {
			return err
		}
		ledger, err := project.OpenLedger(ctx, options, root, session.LedgerQuery{Since: from})
		if err != nil {
			return err
		}
		if !*all {
			ledger.Entries = slices.DeleteFunc(ledger.Entries, project.LedgerEntry.StaysHere)
		}
		if *asJSON {
			return printJSON(env.stdout, lsp.EncodeLedger(ledger))
		}
		printLedger(env.stdout, root, ledger)
		return nil
	}
}

// parseSince parses the value of --since. It returns the zero time for an empty value.
func parseSince(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(s); err == nil {
		return now.Add(-d.Abs()), nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("--since %q is neither a duration like 36h nor a time like 2006-01-02", s)
}

func printLedger(out io.Writer, root string, l *project.Ledger) {
	for _, e := range l.Entries {
		printEntry(out, root, e)
	}
	fmt.Fprintf(out, "%s requests: %s\n", display.Count(len(l.Entries)), describeUsage(l.Total))
	fmt.Fprintf(out, "today: $%.4f", l.Today)
	if l.DailyLimit > 0 {
		fmt.Fprintf(out, " of $%.2f", l.DailyLimit)
	}
	fmt.Fprintln(out)
}

// relativeIn returns a path relative to a folder, if it is in there.
func relativeIn(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// printEntry prints a request with the file ranges that no earlier request of its turn
// has sent.
func printEntry(out io.Writer, root string, e project.LedgerEntry) {
	name := e.Provider
	if e.Model != "" {
		name += "/" + e.Model
	}
	hidden := ""
	if e.Secrets > 0 {
		hidden = fmt.Sprintf(", secrets hidden in %d places", e.Secrets)
	}
	fmt.Fprintf(out, "%s  %s at %s: %s bytes%s; %s; %.1f s\n", e.At.Format(time.DateTime), name,
		cmp.Or(e.Host, "this machine"), display.Count(e.Bytes), hidden, describeUsage(e.Usage), e.Latency.Seconds())
	for _, f := range e.Files {
		path := relativeIn(root, f.Path)
		where := "changed since"
		if f.Range != nil {
			where = fmt.Sprintf("bytes %d-%d", f.Range.Start, f.Range.End)
		}
		fmt.Fprintf(out, "    %s#%d:%d  %s  sha256 %.12s\n", path, f.StartLine, f.EndLine, where, f.SHA256)
	}
}

func describeUsage(u llm.Usage) string {
	return fmt.Sprintf("%s tokens in (%s cached), %s out, $%.4f", display.Count(u.In), display.Count(u.Cached),
		display.Count(u.Out), u.Cost)
}
