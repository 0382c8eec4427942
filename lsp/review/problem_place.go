package review

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/lsp/document"
)

// placeOf returns where a problem is shown in a file as it reads now: at its place, or at the hunk that makes its
// line. A file that is not there yet has no place.
func (d *hunkDiagnostics) placeOf(w *inReview, p evidence.Problem) (place protocol.Range, ok bool) {
	if p.Path == "" {
		return place, false
	}
	for i := range w.files {
		f := &w.files[i]
		if f.Path != p.Path && f.To != p.Path {
			continue
		}
		if f.File == nil || f.Reason != "" {
			return place, false
		}
		start, end := rangeNow(f, p)
		return d.documents.Mapper(f.Path, f.File.Text, d.client.Encoding).TextRange(start, end), true
	}
	line := uint32(max(p.Line-1, 0))
	return protocol.Range{Start: protocol.Position{Line: line}, End: protocol.Position{Line: line + 1}}, true
}

// rangeNow returns the bytes of the current text at which a problem of the proposed text is shown: what it is of, or
// the whole line if its column is not known.
func rangeNow(f *edits.Placed, p evidence.Problem) (start, end int) {
	text, now, after := f.File.Text, 0, 0 // both offsets stand for the same place
	proposed := proposedText(f)
	from, to := problemRange(proposed, p)
	kept := len(text) // where the text that the proposal keeps ends
	for _, h := range f.Hunks {
		if h.Renames || h.Stale {
			continue
		}
		if kept = h.Edit.Start; from < after+kept-now {
			break
		}
		after += kept - now
		if from < after+len(h.Edit.New) {
			return shownRange(f, h)
		}
		now, after, kept = h.Edit.End, after+len(h.Edit.New), len(text)
	}
	start, end = min(now+from-after, len(text)), min(now+to-after, kept)
	if end <= start {
		return document.WholeLines(text, start, start)
	}
	return start, end
}

// problemRange returns the bytes of a text that a problem is of: what it says, or the word or the character at which it
// begins. It is empty, at the beginning of the line, if the problem has no column.
func problemRange(text []byte, p evidence.Problem) (start, end int) {
	start = offsetOf(text, p.Line, p.Column)
	if p.Column == 0 {
		return start, start
	}
	if p.EndLine > 0 && p.EndColumn > 0 {
		return start, offsetOf(text, p.EndLine, p.EndColumn)
	}
	for end = start; end < len(text); {
		r, size := utf8.DecodeRune(text[end:])
		word := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if r == '\n' || !word && end > start {
			break
		}
		if end += size; !word {
			break
		}
	}
	return start, end
}

// offsetOf returns the offset of a line and a column, which count from 1 and may be 0. What lies behind the end of its
// line, or of the text, is there.
func offsetOf(text []byte, line, column int) (offset int) {
	for ; line > 1; line-- {
		next := bytes.IndexByte(text[offset:], '\n')
		if next < 0 {
			break
		}
		offset += next + 1
	}
	_, end := document.WholeLines(text, offset, offset)
	return min(offset+max(column-1, 0), end)
}

// proposedText returns a file's text with the hunks that fit.
func proposedText(f *edits.Placed) []byte {
	var fit []edits.Edit
	for _, h := range f.Hunks {
		if !h.Renames && !h.Stale {
			fit = append(fit, h.Edit)
		}
	}
	text, err := edits.Apply(f.File.Text, fit)
	if err != nil {
		return f.File.Text // placed hunks fit
	}
	return text
}
