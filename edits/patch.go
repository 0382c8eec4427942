package edits

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	udiff "github.com/aymanbagabas/go-udiff"
)

// contextLines is how many unchanged lines a patch shows before and after a change, as git does.
const contextLines = 3

// Patch is what a proposal does to one file as a unified diff, cut into blocks at hunks, so that
// each block can be decided on by itself. Hunks whose lines touch share a block.
type Patch struct {
	Header string // the lines before the first block
	Blocks []PatchBlock

	base []byte
}

// PatchBlock is the part of a unified diff from one "@@" line to the next.
type PatchBlock struct {
	Hunks []string // ids
	Text  string   // complete lines; a byte that is not UTF-8 is shown as U+FFFD

	start, end int    // lines of the base that the block shows; 0-based, end-exclusive
	after      string // what becomes of these lines
}

// Patch returns the change as a unified diff.
func (v *FileView) Patch() *Patch {
	p := &Patch{Header: v.header(), base: []byte(v.Before)}
	base := splitLines(v.Before)
	runs := v.lineRuns()
	delta, shown := 0, 0 // new lines minus old lines so far; end of the previous block
	for i, run := range runs {
		next := len(base)
		if i+1 < len(runs) {
			next = runs[i+1].first
		}
		b := PatchBlock{Hunks: run.hunks, start: max(shown, run.first-contextLines), end: min(next, run.last+contextLines)}
		before, after := strings.Join(base[b.start:run.first], ""), strings.Join(base[run.last:b.end], "")
		b.after = before + run.text + after
		body, olds, news := diffLines(base[b.start:b.end], b.after)
		b.Text = toValid(fmt.Sprintf("@@ -%s +%s @@\n", lineSpan(b.start, olds), lineSpan(b.start+delta, news)) + body)
		delta, shown = delta+news-olds, b.end
		p.Blocks = append(p.Blocks, b)
	}
	return p
}

// String returns the complete diff.
func (p *Patch) String() string {
	text := p.Header
	for _, b := range p.Blocks {
		text += b.Text
	}
	return text
}

func (v *FileView) header() string {
	from, to, rename := "a/"+v.Rel, "b/"+v.Rel, ""
	switch v.Op {
	case OpCreate:
		from = "/dev/null"
	case OpDelete:
		to = "/dev/null"
	case OpRename:
		rename = fmt.Sprintf("diff --git a/%s b/%s\nrename from %s\nrename to %s\n", v.Rel, v.RelTo, v.Rel, v.RelTo)
		to = "b/" + v.RelTo
	}
	if v.Before == v.After {
		return rename // a diff that changes no line has no names of its own
	}
	return rename + fmt.Sprintf("--- %s\n+++ %s\n", from, to)
}

// lineRun is a run of lines of the base that hunks replace.
type lineRun struct {
	first, last int // 0-based, end-exclusive
	hunks       []string
	text        string // the new lines
}

// lineRuns returns the runs that the hunks change. Hunks whose lines touch are one run.
func (v *FileView) lineRuns() (runs []lineRun) {
	base := []byte(v.Before)
	end := 0 // of the last run, in bytes
	at := 0  // up to where the last run has the new text
	for _, h := range textual(v.Hunks) {
		from, to := wholeLines(base, h.Edit)
		if n := len(runs) - 1; n >= 0 && from <= end {
			end = max(end, to)
			runs[n].text += v.Before[at:h.Edit.Start] + h.Edit.New
			runs[n].hunks = append(runs[n].hunks, h.ID)
		} else {
			runs, end = closeRun(runs, base, at, end), to
			runs = append(runs, lineRun{first: countLineEnds(base[:from]), hunks: []string{h.ID},
				text: v.Before[from:h.Edit.Start] + h.Edit.New})
		}
		at = h.Edit.End
	}
	return closeRun(runs, base, at, end)
}

// closeRun completes the last run, which ends at a byte offset in base.
func closeRun(runs []lineRun, base []byte, at, end int) []lineRun {
	if n := len(runs) - 1; n >= 0 {
		end = max(at, end)
		runs[n].text += string(base[at:end])
		runs[n].last = countLineEnds(base[:end])
		if end == len(base) && end > 0 && base[end-1] != '\n' {
			runs[n].last++
		}
	}
	return runs
}

func countLineEnds(text []byte) int { return bytes.Count(text, []byte("\n")) }

// splitLines cuts text into its lines, with their ends.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// lineSpan returns the numbers of lines for an "@@" line. Of no lines, the line before is named.
func lineSpan(first, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", first)
	}
	return fmt.Sprintf("%d,%d", first+1, count)
}

// diffLines returns the body of a block, and how many lines of each side it shows.
func diffLines(old []string, after string) (body string, olds, news int) {
	var out strings.Builder
	write := func(sign byte, lines []string) {
		for _, line := range lines {
			out.WriteByte(sign)
			out.WriteString(strings.TrimSuffix(line, "\n"))
			out.WriteByte('\n')
			if !strings.HasSuffix(line, "\n") {
				out.WriteString(noNewline)
			}
		}
	}
	before := strings.Join(old, "")
	at := 0
	for _, e := range udiff.Lines(before, after) {
		write(' ', splitLines(before[at:e.Start]))
		write('-', splitLines(before[e.Start:e.End]))
		write('+', splitLines(e.New))
		at = e.End
	}
	write(' ', splitLines(before[at:]))
	return out.String(), len(old), len(splitLines(after))
}

const noNewline = "\\ No newline at end of file\n"

// toValid replaces each byte that is not UTF-8 by U+FFFD.
func toValid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// Undecided reports whether the change waits for a decision.
func (v *FileView) Undecided() bool {
	return slices.ContainsFunc(v.Hunks, func(h Hunk) bool { return h.State.open() && h.State != Accepted })
}
