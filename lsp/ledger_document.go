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
	w.b.WriteString("# ploke ledger\n\nEvery request to a model, what agents were given over MCP, and the lines of your " +
		"files in both.")
	switch {
	case l.DailyLimit > 0:
		fmt.Fprintf(&w.b, " Today: $%.4f of $%.2f.", l.Today, l.DailyLimit)
	case l.Today > 0:
		fmt.Fprintf(&w.b, " Today: $%.4f.", l.Today)
	}
	fmt.Fprintf(&w.b, " Shown: %s requests", display.Count(len(l.Entries)))
	if l.Total.In > 0 || l.Total.Out > 0 || l.Total.Cost > 0 {
		fmt.Fprintf(&w.b, ", %s tokens in (%s cached), %s out, $%.4f", display.Count(l.Total.In),
			display.Count(l.Total.Cached), display.Count(l.Total.Out), l.Total.Cost)
	}
	w.b.WriteString(".\n")
	if len(l.Entries) > 0 && !slices.ContainsFunc(l.Entries, func(e project.LedgerEntry) bool { return !e.StaysHere() }) {
		w.b.WriteString("\nNone of them left this machine: the embedded model is a part of ploke-lsp.\n")
	}
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
	used := " | | |" // nothing counts what the embedded model reads
	if u := e.Usage; !e.StaysHere() {
		used = fmt.Sprintf(" %s | %s | %s | $%.4f", display.Count(u.In), display.Count(u.Cached), display.Count(u.Out),
			u.Cost)
	}
	fmt.Fprintf(&w.b, "| %s | %s | %s |%s | %.1f | %s | %s |\n", e.At.Format(time.TimeOnly), tableCell(model),
		tableCell(cmp.Or(e.Host, "this machine")), used, e.Latency.Seconds(), bytes, strings.Join(files, "<br>"))
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
