package review

import (
	"context"
	"reflect"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
)

// hunkTopic is the topic of the diagnostics that show what is proposed.
const hunkTopic document.Topic = "review"

// hunkDiagnostics shows each hunk that waits as a diagnostic at its place, so that an editor's
// keys for the next diagnostic walk a review. It is used by one goroutine.
type hunkDiagnostics struct {
	documents *document.Table
	client    *client.Client
	published *document.Published
	created   createdFiles
	shown     map[uri.URI][]protocol.Diagnostic
}

// show publishes what has changed.
func (d *hunkDiagnostics) show(ctx context.Context, waiting []*inReview) {
	all := map[uri.URI][]protocol.Diagnostic{}
	for _, w := range waiting {
		for i := range w.files {
			f := &w.files[i]
			u := d.documents.KeyOf(f.Path)
			all[u] = append(all[u], d.of(w, f)...)
		}
		if u, list := d.created.list(ctx, w); len(list) > 0 {
			all[u] = append(all[u], list...)
		}
		for u, list := range d.problemDiagnostics(w) {
			all[u] = append(all[u], list...)
		}
	}
	for u := range d.shown {
		if len(all[u]) == 0 {
			d.published.Set(u, hunkTopic, nil)
		}
	}
	for u, list := range all {
		if len(list) > 0 && !reflect.DeepEqual(list, d.shown[u]) {
			d.published.Set(u, hunkTopic, list)
		}
	}
	d.shown = all
}

// of returns the diagnostics of one file. A file that does not exist has none.
func (d *hunkDiagnostics) of(w *inReview, f *edits.Placed) (list []protocol.Diagnostic) {
	if f.File == nil {
		return nil
	}
	m := d.documents.Mapper(f.Path, f.File.Text, d.client.Encoding)
	for _, h := range f.Hunks {
		diagnostic := protocol.Diagnostic{
			Range:    m.TextRange(shownRange(f, h)),
			Severity: protocol.DiagnosticSeverityInformation,
			Message:  protocol.String("proposed (" + quotedTitle(w.Proposal) + "): " + summary(f, h)),
		}
		if d.client.DiagnosticData {
			diagnostic.Data = client.MustMarshal(map[string]string{"proposal": w.ID, "hunk": h.ID})
		}
		list = append(list, diagnostic)
	}
	return list
}

// shownRange returns the bytes at which a hunk is shown: those that it replaces, or the rest of
// the line at which it inserts. What changes the whole file is shown at its first line.
func shownRange(f *edits.Placed, h edits.PlacedHunk) (start, end int) {
	text := f.File.Text
	start, end = h.Edit.Start, h.Edit.End
	if f.Op == edits.OpDelete || h.Renames || f.Reason != "" {
		start, end = 0, 0
	}
	if end > start && text[end-1] == '\n' {
		end--
	}
	if end <= start {
		_, end = document.WholeLines(text, start, start)
	}
	if end > start && text[end-1] == '\r' {
		end--
	}
	return start, end
}
