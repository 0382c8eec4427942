package project

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/wording"
)

// A Citation is a place that an answer quotes: lines that exist, of a file or of what a proposal that
// waits would make of it.
type Citation struct {
	Path               string
	StartLine, EndLine int    // 1-based, inclusive
	LastLine           string // the text of EndLine, without its line break
	Canon              string // of the symbol there; empty if there is none
	Cell               int    // of a notebook, whose lines are those of its JSON; counted from 1, 0 for other files
	Proposal           string // id of the proposal that has these lines; empty if the file has them
	Changes            string // path of the file that the proposal changes, which it may rename to Path
}

// quotations finds and shows the places that answers quote.
type quotations struct {
	ws    *workspace.Workspace
	index *index.Index
	edits *edits.Manager
	link  func(Citation) string
	log   *slog.Logger
}

// Markdown renders a stored message of a conversation, in which code stands in the snippet format,
// as Markdown.
func (t *Transcripts) Markdown(ctx context.Context, conversationID, text string) string {
	r := renderer{quotations: t.quotations, conversation: conversationID}
	head, _ := r.write(ctx, text)
	tail, _ := r.flush(ctx)
	return head + tail
}

// A renderer turns a streamed answer, in which code stands in the snippet format,
// into Markdown: each snippet becomes a link to its place and a fenced block. It
// is cited if it stands in its file.
type renderer struct {
	quotations   *quotations
	conversation string // whose proposals may be quoted
	scanner      wording.Scanner
	safe         display.Markdown
	midLine      bool  // the last write did not end a line
	fenced       bool  // the last write is a code block, without a line break after it
	spent        int64 // on looking for quotations, in the terms of maxSpent
}

const (
	// maxSpent is how many bytes of files quotations are looked for in, for one answer. Further
	// quotations are shown without a place.
	maxSpent = 128 << 20
	// minSpent is what the shortest file counts.
	minSpent = 64 << 10
)

// write takes the next piece and returns the Markdown that is certain by now,
// with the places that it cites.
func (r *renderer) write(ctx context.Context, delta string) (string, []Citation) {
	return r.render(ctx, r.scanner.Write(delta))
}

// flush returns what write held back.
func (r *renderer) flush(ctx context.Context) (string, []Citation) {
	text, cited := r.render(ctx, r.scanner.Close())
	return text + r.endText(), cited
}

// endText returns what the renderer has held back of a text that ends.
func (r *renderer) endText() string {
	var out strings.Builder
	r.putText(&out, r.safe.Close())
	return out.String()
}

func (r *renderer) render(ctx context.Context, parts []wording.Part) (string, []Citation) {
	var out strings.Builder
	var cited []Citation
	for _, part := range parts {
		if part.Code == nil {
			r.writeText(&out, part.Text)
			continue
		}
		out.WriteString(r.endText())
		if r.midLine {
			out.WriteByte('\n')
		}
		code, citation, found := r.locate(ctx, part.Code)
		if found == stands {
			cited = append(cited, citation)
		}
		out.WriteString(r.quotations.block(code, citation, found))
		r.midLine, r.fenced = true, true
	}
	return out.String(), cited
}

// locate returns a quotation as it is shown, and the place where it stands, in a proposal or in its
// file. It does not search once ctx has ended, or too much was spent.
func (r *renderer) locate(ctx context.Context, said *wording.Code) (shown *wording.Code, c Citation, found standing) {
	if r.spent >= maxSpent || ctx.Err() != nil {
		return said, c, unknown
	}
	r.spent += minSpent
	if path, err := r.quotations.ws.Resolve(said.Path); err == nil {
		if info, err := os.Stat(path); err == nil {
			r.spent += info.Size()
		}
	}
	if shown, c, proposed := r.quotations.citeProposed(ctx, r.conversation, said); proposed {
		return shown, c, stands
	}
	return r.quotations.resolve(ctx, said)
}

// writeText writes text of the model, as far as it is certain how it is read.
func (r *renderer) writeText(out *strings.Builder, text string) { r.putText(out, r.safe.Write(text)) }

func (r *renderer) putText(out *strings.Builder, text string) {
	if text == "" {
		return
	}
	if r.fenced && !strings.HasPrefix(text, "\n") {
		out.WriteByte('\n')
	}
	out.WriteString(text)
	r.midLine, r.fenced = !strings.HasSuffix(text, "\n"), false
}

// block returns a snippet as Markdown, without a line break at its end. Its head
// links to the cited place, if there is one, or says that the file has other text.
func (q *quotations) block(code *wording.Code, c Citation, found standing) string {
	label := q.label(code, c.Cell)
	head := display.SafeMarkdown(label)
	switch {
	case c.Proposal != "":
		head = fmt.Sprintf("[%s](%s) (proposed)", head, q.link(c))
	case c.Path != "":
		head = fmt.Sprintf("[%s](%s)", head, q.link(c))
	case head == label && !strings.Contains(label, "`"):
		head = "`" + label + "`"
	}
	if found == differs {
		head += " (differs from the file)"
	}
	text := code.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fence := display.CodeFence(text)
	return fmt.Sprintf("%s\n%s%s\n%s%s", head, fence, syntax.Detect(code.Path, nil), text, fence)
}

// label names the place for people: relative to the workspace. A cell of a notebook counts from 1; 0 is none.
func (q *quotations) label(code *wording.Code, cell int) string {
	path := code.Path
	if resolved, err := q.ws.Resolve(path); err == nil {
		path = resolved
	}
	name := display.Name(q.ws.Rel(path))
	if cell > 0 {
		return fmt.Sprintf("%s, cell %d", name, cell)
	}
	if code.StartLine == code.EndLine {
		return fmt.Sprintf("%s:%d", name, code.StartLine)
	}
	return fmt.Sprintf("%s:%d-%d", name, code.StartLine, code.EndLine)
}

func (q *quotations) readCited(ctx context.Context, name string) (*workspace.File, error) {
	path, err := q.ws.Resolve(name)
	if err != nil {
		return nil, err
	}
	return q.ws.Read(ctx, path)
}

// lineOf returns the text of a 1-based line without its line break.
func lineOf(text []byte, n int) (content string, ok bool) {
	for range n - 1 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return "", false
		}
		text = text[end+1:]
	}
	text, _, _ = bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimSuffix(text, []byte("\r"))), true
}

// canonAt names the symbol that the lines show: the first one that begins in
// them, else the innermost around them.
func (q *quotations) canonAt(ctx context.Context, path string, start, end int) string {
	units, err := q.index.Outline(ctx, path)
	if err != nil {
		return ""
	}
	canon := ""
	for _, u := range units {
		if u.StartLine >= start && u.StartLine <= end {
			return u.Canon
		}
		if u.StartLine <= start && u.EndLine >= end {
			canon = u.Canon
		}
	}
	return canon
}
