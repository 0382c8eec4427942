package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"ploke-lsp/index"
	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
)

// automaticTokens is the default size of the automatic context.
const automaticTokens = 400

// readings are the answers of which the lines are counted.
var readings = [...]struct {
	name   string
	budget int
	read   func(ctx context.Context, f *packer, budget int) (answer, error)
}{
	{"automatic context", automaticTokens, automaticContext},
	{"request_code_context", 2000, codeContext(packing.DefaultLayout)},
	{"request_code_context", 4000, codeContext(packing.DefaultLayout)},
	{"request_code_context", 8192, codeContext(packing.DefaultLayout)},
}

// fate is what becomes of a changed line in an answer.
type fate int

// The fates of lines. All but the first say why a line is missing.
const (
	lineShown    fate = iota
	fileMissing       // no line of its file is shown or named
	symbolAbsent      // its symbol is neither shown nor named
	symbolNamed       // its symbol has a card alone
	symbolCut         // its symbol is shown, without the line
	betweenSymbols
	inImports
	fates int = iota
)

// fateNames are the headings of the table of lines.
var fateNames = [fates]string{"shown", "other file", "other symbol", "only a card", "cut", "between", "imports"}

// shares are the shares of the changed lines by their fates. Their sum is 1.
type shares [fates]float64

// measureLines returns what becomes of the changed lines of a case, by readings. As in linesAt, an insertion counts
// as the line behind which it is.
func measureLines(ctx context.Context, f *packer, c *testCase) (all []shares, err error) {
	changed := c.changedLines()
	for _, r := range readings {
		a, err := r.read(ctx, f, r.budget)
		if err != nil {
			return nil, err
		}
		if a.tokens > r.budget {
			return nil, fmt.Errorf("%s: %d tokens are more than the budget of %d", r.name, a.tokens, r.budget)
		}
		var found shares
		for _, l := range changed {
			fate, err := f.fateOf(ctx, a, l)
			if err != nil {
				return nil, err
			}
			found[fate] += 1 / float64(len(changed))
		}
		all = append(all, found)
	}
	return all, nil
}

// changedLines returns the lines of all hunks, each once.
func (c *testCase) changedLines() (all []line) {
	for _, h := range c.Hunks {
		for i := h.Start; i <= h.last(); i++ {
			if l := (line{h.File, i}); !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	return all
}

// at returns a line as a span.
func (l line) at() span { return span{l.file, l.number, l.number} }

// fateOf says what becomes of a line in an answer.
func (f *packer) fateOf(ctx context.Context, a answer, l line) (fate, error) {
	if slices.ContainsFunc(a.shown, l.at().overlaps) {
		return lineShown, nil
	}
	if !slices.ContainsFunc(slices.Concat(a.shown, a.named), func(s span) bool { return s.File == l.file }) {
		return fileMissing, nil
	}
	path := filepath.Join(f.deps.Workspace.Roots()[0], filepath.FromSlash(l.file))
	outline, err := f.deps.Index.Outline(ctx, path)
	if err != nil {
		return 0, err
	}
	if s := innermost(outline, l); s != nil {
		whole := span{l.file, s.StartLine, s.EndLine}
		switch {
		case slices.ContainsFunc(a.shown, whole.overlaps):
			return symbolCut, nil
		case slices.Contains(a.named, whole):
			return symbolNamed, nil
		}
		return symbolAbsent, nil
	}
	imports, err := f.deps.Index.Overlay(nil).Imports(ctx, []string{path})
	for _, i := range imports[path] {
		if i.Line-1 <= l.number && l.number <= i.Line+1 {
			return inImports, nil
		}
	}
	return betweenSymbols, err
}

// innermost returns the smallest symbol with a line, nil if there is none, or if the line is between the members of a
// type.
// The symbols are in the order of the text, so the last one with the line is the smallest.
func innermost(outline []index.Unit, l line) (found *index.Unit) {
	for i := range outline {
		if u := &outline[i]; u.StartLine <= l.number && l.number <= u.EndLine {
			found = u
		}
	}
	if found != nil && !packing.Runs(found.Kind) && slices.ContainsFunc(outline, func(u index.Unit) bool {
		return found.StartByte < u.StartByte && u.EndByte <= found.EndByte
	}) {
		return nil
	}
	return found
}

// automaticContext returns what comes with a message that has the text of the case.
func automaticContext(ctx context.Context, f *packer, budget int) (a answer, err error) {
	none := func() []string { return nil }
	text, _, err := f.deps.AutoContext(ctx, tools.Call{}, tools.Question{Text: f.query, Earlier: none, Sent: none}, budget)
	if err != nil {
		return a, err
	}
	a.tokens = o200k.Count(text)
	return a, a.addText(f.deps.Workspace, text)
}

// placeLine is a line of an answer that names a symbol of the file above it.
var placeLine = regexp.MustCompile(`^(\d+):(\d+) `)

// addText adds what a text that a model reads shows and names.
func (a *answer) addText(ws *workspace.Workspace, text string) error {
	var s wording.Scanner
	file := ""
	for _, part := range append(s.Write(text), s.Close()...) {
		if part.Code == nil {
			for text := range strings.Lines(part.Text) {
				if m := placeLine.FindString(text); m != "" {
					a.named = append(a.named, parseSpan(file, "#"+text))
				} else if path, err := ws.Resolve(strings.TrimSpace(text)); err == nil && exists(path) {
					file = filepath.ToSlash(ws.Rel(path))
				}
			}
			continue
		}
		path, err := ws.Resolve(part.Code.Path)
		if err != nil {
			return fmt.Errorf("%s is shown, which is no file here: %w", part.Code.Path, err)
		}
		file = filepath.ToSlash(ws.Rel(path))
		a.shown = append(a.shown, span{file, part.Code.StartLine, part.Code.EndLine})
	}
	return nil
}

// printLines writes what becomes of the changed lines, for each reading.
func printLines(out io.Writer, all []*outcome) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "\nchanged lines\ttokens")
	for _, name := range fateNames {
		fmt.Fprintf(table, "\t%s", name)
	}
	for i, r := range readings {
		fmt.Fprintf(table, "\n%s\t%d", r.name, r.budget)
		for fate := range fates {
			share := estimate("", all, func(o *outcome) float64 { return o.lines[i][fate] })
			fmt.Fprintf(table, "\t%.1f", share.Mean)
			if fate == int(lineShown) {
				fmt.Fprintf(table, " [%.1f, %.1f]", share.Low, share.High)
			}
		}
	}
	fmt.Fprintln(table)
	table.Flush()
}
