package edits

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// PatchError says what is wrong with a patch that a person has edited.
type PatchError struct {
	Line   int // 0-based line of the edited text
	Reason string
}

func (e *PatchError) Error() string { return fmt.Sprintf("line %d: %s", e.Line+1, e.Reason) }

var blockHeader = lazyregexp.New(`^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@`)

// Edited returns the text that the file gets if its patch reads as lines say: the blocks of p, as a
// person has edited them, without the header and without line ends. A "@@" line counts only for
// where its block begins; the numbers of lines in it may be wrong. A block that was not touched
// keeps its exact bytes. In the others, an added line ends in CRLF if all lines of the base do. A
// block that is gone changes nothing any more. Lines of the base may end in other white space than
// they do. The error is a *PatchError.
func (p *Patch) Edited(lines []string) (string, error) {
	e := patchEdit{patch: p, base: splitLines(string(p.base)), lines: lines, end: LineEndsOf(p.base)("\n")}
	for e.next < len(lines) {
		if err := e.block(); err != nil {
			return "", err
		}
	}
	e.copyTo(len(e.base))
	return e.out.String(), nil
}

// patchEdit is the reading of an edited patch.
type patchEdit struct {
	patch *Patch
	base  []string // lines with their ends
	at    int      // up to which line of the base is copied
	lines []string
	end   string // of an added line
	next  int    // line to read
	out   strings.Builder
}

func (e *patchEdit) fail(line int, format string, args ...any) error {
	return &PatchError{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// copyTo copies the base's lines up to one.
func (e *patchEdit) copyTo(line int) {
	for ; e.at < line; e.at++ {
		e.add(e.base[e.at])
	}
}

// add adds a line. If the text so far lacks a line end, it gets one first.
func (e *patchEdit) add(line string) {
	if text := e.out.String(); text != "" && !strings.HasSuffix(text, "\n") {
		e.out.WriteString(e.end)
	}
	e.out.WriteString(line)
}

func (e *patchEdit) block() error {
	first := e.next
	start, err := blockStart(e.lines[first])
	if err != nil {
		return e.fail(first, "%v", err)
	}
	end := first + 1
	for end < len(e.lines) && !strings.HasPrefix(e.lines[end], "@@") {
		end++
	}
	e.next = end
	if start < e.at || start > len(e.base) {
		return e.fail(first, "the block begins at line %d of the file, which is outside of the file or inside the block "+
			"before", start+1)
	}
	e.copyTo(start)
	if b := e.untouched(e.lines[first:end]); b != nil {
		e.out.WriteString(b.after)
		e.at = b.end
		return nil
	}
	for i := first + 1; i < end; i++ {
		if err := e.line(i); err != nil {
			return err
		}
	}
	return nil
}

// untouched returns the block of the patch that reads like the lines, or nil.
func (e *patchEdit) untouched(lines []string) *PatchBlock {
	text := unixLineEnds(strings.Join(lines, "\n") + "\n")
	for i := range e.patch.Blocks {
		if b := &e.patch.Blocks[i]; b.start == e.at && unixLineEnds(b.Text) == text {
			return b
		}
	}
	return nil
}

// line reads one line of a block.
func (e *patchEdit) line(i int) error {
	line := e.lines[i]
	if line == "" {
		line = " " // an editor may have removed white space at the line's end
	}
	switch sign, text := line[0], line[1:]; sign {
	case '+':
		e.add(strings.TrimSuffix(text, "\r") + e.lineEnd(i))
	case ' ', '-':
		if e.at == len(e.base) {
			return e.fail(i, "the file has no more lines here; only lines that begin with + may be added")
		}
		if now := e.base[e.at]; trimEnd(toValid(now)) != trimEnd(text) {
			return e.fail(i, "line %d of the file is %q; keep the lines that begin with a space or with - as they are, and "+
				"change only those that begin with +", e.at+1, strings.TrimRight(toValid(now), "\r\n"))
		}
		if sign == ' ' {
			e.add(e.base[e.at])
		}
		e.at++
	case '\\':
	default:
		return e.fail(i, "each line must begin with a space, + or -; a new line of the file begins with +")
	}
	return nil
}

// lineEnd returns how an added line ends.
func (e *patchEdit) lineEnd(i int) string {
	if i+1 < len(e.lines) && strings.HasPrefix(e.lines[i+1], `\`) {
		return ""
	}
	return e.end
}

func unixLineEnds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func trimEnd(line string) string { return strings.TrimRightFunc(line, unicode.IsSpace) }

// HunksOf returns the ids of the hunks in the part of the file that a block shows, whatever a
// person has made of it. lines begin with the "@@" line. It returns none if that can't be read.
func (p *Patch) HunksOf(lines []string) (ids []string) {
	start, err := blockStart(lines[0])
	if err != nil {
		return nil
	}
	end := start
	for _, line := range lines[1:] {
		if line == "" || line[0] == ' ' || line[0] == '-' {
			end++
		}
	}
	for _, b := range p.Blocks {
		if b.start < end && start < b.end || b.start == start {
			ids = append(ids, b.Hunks...)
		}
	}
	return ids
}

// blockStart returns the 0-based line of the file at which a block begins, by its "@@" line.
func blockStart(header string) (int, error) {
	parts := blockHeader.FindStringSubmatch(header)
	if parts == nil {
		return 0, errors.New("a block must begin with a line such as \"@@ -1,7 +1,8 @@\"; restore it, or undo the last " +
			"change")
	}
	line, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, fmt.Errorf("%s is not a line of the file", parts[1])
	}
	if parts[2] == "0" { // it names the line before
		return line, nil
	}
	return line - 1, nil
}
