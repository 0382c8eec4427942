package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// maxLedgerRows bounds the document if the request names no limit.
const maxLedgerRows = 500

func (q *queries) ledgerDocument(ctx context.Context, p *ploke.LedgerParams) (*ploke.MarkdownDocument, error) {
	params := *p
	params.Limit = cmp.Or(params.Limit, maxLedgerRows)
	open := q.project
	rpc.Release(ctx)
	ledger, err := open.Ledger(ctx, ledgerQuery(&params))
	if err != nil {
		return nil, err
	}
	w := ledgerWriter{roots: open.Workspace.Roots()}
	w.write(ledger)
	return &ploke.MarkdownDocument{Markdown: w.b.String()}, nil
}

// A ledgerWriter writes a ledger as Markdown, with a table for each day.
type ledgerWriter struct {
	b     strings.Builder
	roots []string
}

func (w *ledgerWriter) write(l *project.Ledger) {
	fmt.Fprintf(&w.b, "# ploke ledger\n\nEvery request to a model, what agents were given over MCP, "+
		"and the lines of your files in both. Today: $%.4f", l.Today)
	if l.DailyLimit > 0 {
		fmt.Fprintf(&w.b, " of $%.2f", l.DailyLimit)
	}
	fmt.Fprintf(&w.b, ". Shown: %s requests, %s tokens in (%s cached), %s out, $%.4f.\n", display.Count(len(l.Entries)),
		display.Count(l.Total.In), display.Count(l.Total.Cached), display.Count(l.Total.Out), l.Total.Cost)
	day := ""
	for _, e := range slices.Backward(l.Entries) {
		if of := e.At.Format(time.DateOnly); of != day {
			day = of
			fmt.Fprintf(&w.b, "\n## %s\n\n"+
				"| time | model | host | tokens in | cached | out | cost | seconds | bytes | files |\n"+
				"|---|---|---|--:|--:|--:|--:|--:|--:|---|\n", day)
		}
		w.row(e)
	}
}

func (w *ledgerWriter) row(e project.LedgerEntry) {
	model := e.Provider
	if e.Model != "" {
		model += "/" + e.Model
	}
	bytes := display.Count(e.Bytes)
	if e.Secrets > 0 {
		bytes += fmt.Sprintf(", %d secrets hidden", e.Secrets)
	}
	files := make([]string, len(e.Files))
	for i, f := range e.Files {
		files[i] = w.file(f)
	}
	u := e.Usage
	fmt.Fprintf(&w.b, "| %s | %s | %s | %s | %s | %s | $%.4f | %.1f | %s | %s |\n", e.At.Format(time.TimeOnly),
		tableCell(model), tableCell(cmp.Or(e.Host, "this machine")),
		display.Count(u.In), display.Count(u.Cached), display.Count(u.Out), u.Cost, e.Latency.Seconds(), bytes,
		strings.Join(files, "<br>"))
}

func (w *ledgerWriter) file(f project.SentFile) string {
	path := f.Path
	for _, root := range w.roots {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			path = rel
			break
		}
	}
	place := fmt.Sprintf("%s:%d–%d", tableCell(path), f.StartLine, f.EndLine)
	if f.Range == nil {
		place += " (changed since)"
	}
	return place
}
