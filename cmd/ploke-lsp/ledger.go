package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"

	ploke "ploke-lsp/lsp/protocol"
)

func ledgerCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	workspace := fs.String("workspace", ".", "`folder` whose ledger is shown")
	asJSON := fs.Bool("json", false, "print one JSON object")
	since := fs.String("since", "", "show what is younger: a duration (36h) or a `time` (2006-01-02 or 2006-01-02T15:04)")
	return func(ctx context.Context, env environment, args []string) error {
		if len(args) > 0 {
			return errUsage
		}
		from, err := parseSince(*since, time.Now())
		if err != nil {
			return err
		}
		options, err := c.options(env)
		if err != nil {
			return err
		}
		options.MakeNoVectors = true
		client, err := connect(ctx, options, *workspace, nil)
		if err != nil {
			return err
		}
		return errors.Join(showLedger(ctx, client, env.stdout, *workspace, from, *asJSON), client.close())
	}
}

// parseSince reads the value of --since; none is the zero time.
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

func showLedger(ctx context.Context, c *client, out io.Writer, workspace string, since time.Time, asJSON bool) error {
	root, err := filepath.Abs(workspace)
	if err != nil {
		return err
	}
	var params ploke.LedgerParams
	if !since.IsZero() {
		params.Since = since.UnixMilli()
	}
	var result ploke.LedgerResult
	if err := c.call(ctx, ploke.MethodLedger, params, &result); err != nil {
		return err
	}
	if asJSON {
		return printJSON(out, result)
	}
	for _, e := range result.Entries {
		printEntry(out, root, e)
	}
	fmt.Fprintf(out, "%s requests: %s\n", ploke.Count(len(result.Entries)), spent(result.Total))
	fmt.Fprintf(out, "today: $%.4f", result.Today)
	if result.DailyLimit > 0 {
		fmt.Fprintf(out, " of $%.2f", result.DailyLimit)
	}
	fmt.Fprintln(out)
	return nil
}

// printEntry prints a request, and what it was the first of its turn to show.
func printEntry(out io.Writer, root string, e ploke.LedgerEntry) {
	host := e.Host
	if host == "" {
		host = "this machine"
	}
	name := e.Provider
	if e.Model != "" {
		name += "/" + e.Model
	}
	hidden := ""
	if e.Secrets > 0 {
		hidden = fmt.Sprintf(", secrets hidden in %d places", e.Secrets)
	}
	fmt.Fprintf(out, "%s  %s at %s: %s bytes%s; %s; %.1f s\n", time.UnixMilli(e.At).Format(time.DateTime), name, host,
		ploke.Count(e.Bytes), hidden, spent(e.Usage), float64(e.LatencyMS)/1000)
	for _, f := range e.Files {
		path := f.Path
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		where := "since changed"
		if f.Range != nil {
			where = fmt.Sprintf("bytes %d-%d", f.Range.Start, f.Range.End)
		}
		fmt.Fprintf(out, "    %s#%d:%d  %s  sha256 %.12s\n", path, f.StartLine, f.EndLine, where, f.SHA256)
	}
}

func spent(u ploke.Usage) string {
	return fmt.Sprintf("%s tokens in (%s cached), %s out, $%.4f", ploke.Count(u.In), ploke.Count(u.Cached), ploke.Count(u.Out), u.Cost)
}
