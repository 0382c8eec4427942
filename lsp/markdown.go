package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/tools"
)

// A renderer turns a streamed answer, in which code stands in the snippet
// format, into the Markdown that people read: each snippet becomes a link to
// its place and a fenced block, and is cited if the place exists.
type renderer struct {
	places  *places
	scanner tools.Scanner
	midLine bool // what was written last did not end a line
	fenced  bool // what was written last is a code block, without its line's end
}

// write takes the next piece and returns the Markdown that is certain by now,
// with the places it cites.
func (r *renderer) write(ctx context.Context, delta string) (string, []ploke.Citation) {
	return r.render(ctx, r.scanner.Write(delta))
}

// flush returns what write held back.
func (r *renderer) flush(ctx context.Context) (string, []ploke.Citation) {
	return r.render(ctx, r.scanner.Close())
}

func (r *renderer) render(ctx context.Context, parts []tools.Part) (string, []ploke.Citation) {
	var out strings.Builder
	var cited []ploke.Citation
	for _, part := range parts {
		if part.Code == nil {
			r.writeText(&out, part.Text)
			continue
		}
		if r.midLine {
			out.WriteByte('\n')
		}
		citation, exists := r.places.cite(ctx, part.Code)
		if exists {
			cited = append(cited, citation)
		}
		out.WriteString(block(part.Code, r.places.label(part.Code), citation.URI, exists))
		r.midLine, r.fenced = true, true
	}
	return out.String(), cited
}

func (r *renderer) writeText(out *strings.Builder, text string) {
	if text == "" {
		return
	}
	if r.fenced && !strings.HasPrefix(text, "\n") {
		out.WriteByte('\n')
	}
	out.WriteString(text)
	r.midLine, r.fenced = !strings.HasSuffix(text, "\n"), false
}

// block is a snippet as Markdown, without a newline at its end.
func block(code *tools.Code, label string, at uri.URI, exists bool) string {
	head := fmt.Sprintf("`%s`", label)
	if exists {
		head = fmt.Sprintf("[%s](%s#L%d)", label, at, code.StartLine)
	}
	text := code.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	fence := fenceFor(text)
	return fmt.Sprintf("%s\n%s%s\n%s%s", head, fence, syntax.Detect(code.Path, nil), text, fence)
}

// fenceFor is a fence longer than any run of backquotes in the text.
func fenceFor(text string) string {
	longest, run := 2, 0
	for _, c := range text {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", longest+1)
}

// places finds what a snippet names.
type places struct {
	project  *project
	encoding ploke.Encoding
}

// label is how people read the place: relative to the workspace.
func (p *places) label(code *tools.Code) string {
	if code.StartLine == code.EndLine {
		return fmt.Sprintf("%s:%d", p.project.workspace.Rel(code.Path), code.StartLine)
	}
	return fmt.Sprintf("%s:%d-%d", p.project.workspace.Rel(code.Path), code.StartLine, code.EndLine)
}

// cite returns the place of a snippet, if the file exists in the workspace and
// has these lines.
func (p *places) cite(ctx context.Context, code *tools.Code) (ploke.Citation, bool) {
	file, err := p.file(ctx, code.Path)
	if err != nil {
		return ploke.Citation{}, false
	}
	lines, ok := ploke.NewMapper(file.Text, p.encoding).Lines(code.StartLine, code.EndLine)
	if !ok {
		return ploke.Citation{}, false
	}
	return ploke.Citation{
		URI:   uri.File(file.Path),
		Range: lines,
		Canon: p.canonAt(ctx, file.Path, code.StartLine, code.EndLine),
	}, true
}

func (p *places) file(ctx context.Context, name string) (*workspace.File, error) {
	path, err := p.project.workspace.Resolve(name)
	if err != nil {
		return nil, err
	}
	return p.project.workspace.Read(ctx, path)
}

// canonAt names the symbol that the lines show: the first one that begins in
// them, else the innermost around them.
func (p *places) canonAt(ctx context.Context, path string, start, end int) string {
	units, err := p.project.index.Outline(ctx, path)
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

// toMarkdown renders a stored message.
func (p *places) toMarkdown(ctx context.Context, text string) string {
	r := renderer{places: p}
	head, _ := r.write(ctx, text)
	tail, _ := r.flush(ctx)
	return head + tail
}
