package chatdoc

import (
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"
)

// A Writer streams an answer into a text that an editor holds and that a person changes
// meanwhile. It has at most one request to the editor under way:
//
//	edits := w.Next(text)       // send them for the version of text
//	w.Changed(before, changes)  // for each notification of the editor, at any time
//	w.Answered(applied)         // the editor's reply
//
// until Next returns nothing and no request is under way. The editor's answer alone is not believed: an insertion
// counts if the editor accepted it and a change shows it. Until both are known, [Writer.Waiting] is true.
// All offsets refer to the text of the moment. A Writer is not safe for concurrent use.
type Writer struct {
	text     string
	tail     tail
	pending  []operation
	sent     *operation // the request under way
	accepted bool       // by the editor's reply
	shown    *tail      // where the tail is if the insertion under way is in the text; nil while no change shows it
}

// An operation is one request: an insertion at the tail, the removal of what was written, or edits that
// depend on the text. The last two may be repeated.
type operation struct {
	text  string
	back  int
	stays bool
	erase bool
	edits func(text string) []Edit

	at int // where the insertion was sent to
}

func (o *operation) inserts() bool { return !o.erase && o.edits == nil }

// NewWriter returns a writer that begins at an offset.
func NewWriter(at int) *Writer { return &Writer{tail: tail{at: at}} }

// Frame inserts text that no [Writer.Erase] takes back. The answer continues back bytes before its end.
func (w *Writer) Frame(text string, back int) {
	w.pending = append(w.pending, operation{text: text, back: back, stays: true})
}

// Write appends text to the answer.
func (w *Writer) Write(text string) {
	if text == "" {
		return
	}
	if n := len(w.pending); n > 0 && w.pending[n-1].inserts() && !w.pending[n-1].stays {
		w.pending[n-1].text += text
		return
	}
	w.pending = append(w.pending, operation{text: text})
}

// Erase takes back what was written, apart from what a person has typed into it.
func (w *Writer) Erase() {
	w.pending = append(w.pending, operation{erase: true})
}

// Edit makes edits that depend on the text, and that change nothing if they are repeated.
func (w *Writer) Edit(edits func(text string) []Edit) {
	w.pending = append(w.pending, operation{edits: edits})
}

// Next returns the edits of the next request, and nothing if there is none or one is under way.
func (w *Writer) Next(text string) []Edit {
	w.text = text
	for w.sent == nil && len(w.pending) > 0 {
		next := w.pending[0]
		w.pending = w.pending[1:]
		var edits []Edit
		switch {
		case next.erase:
			edits = w.tail.erase()
		case next.edits != nil:
			edits = next.edits(text)
		default:
			next.at = w.tail.at
			edits = []Edit{{next.at, next.at, next.text}}
		}
		if len(edits) > 0 {
			w.sent, w.accepted, w.shown = &next, false, nil
			return edits
		}
	}
	return nil
}

// Idle reports whether there is nothing to send and nothing under way.
func (w *Writer) Idle() bool { return w.sent == nil && len(w.pending) == 0 }

// Waiting reports whether a request is under way.
func (w *Writer) Waiting() bool { return w.sent != nil }

// Changed takes changes of the text, each of which refers to the text after the one before it.
func (w *Writer) Changed(before string, changes []Edit) {
	for _, c := range changes {
		after := before[:c.Start] + c.New + before[c.End:]
		w.changed(before, after, minimal(before, c))
		before = after
	}
	w.text = before
	w.settleIfShown()
}

// minimal returns a change without what it leaves as it was at its start and its end. Some editors
// send the whole text.
func minimal(before string, c Edit) Edit {
	for c.Start < c.End && c.New != "" && before[c.Start] == c.New[0] {
		c.Start, c.New = c.Start+1, c.New[1:]
	}
	for c.Start < c.End && c.New != "" && before[c.End-1] == c.New[len(c.New)-1] {
		c.End, c.New = c.End-1, c.New[:len(c.New)-1]
	}
	return c
}

func (w *Writer) changed(before, after string, c Edit) {
	parts := byLines(before, c)
	switch {
	case w.shown != nil:
		w.shown.movedByAll(parts)
	case w.sent != nil && w.sent.inserts():
		w.shown = w.insertionIn(before, after, c)
	}
	w.tail.movedByAll(parts)
}

// byLines returns a change as the changes of those lines in it that differ, the last one first, so
// that each refers to before. An editor that sends the whole text reports changes at several places
// as one, in the midst of which the answer may grow.
func byLines(before string, c Edit) []Edit {
	if c.Start == c.End || c.New == "" {
		return []Edit{c}
	}
	var parts []Edit
	for _, e := range udiff.Lines(before[c.Start:c.End], c.New) {
		parts = append(parts, minimal(before, Edit{c.Start + e.Start, c.Start + e.End, e.New}))
	}
	slices.Reverse(parts)
	return parts
}

// insertionIn returns where the tail is after a change that may be or include the insertion under way, and nil
// after any other change. An editor may report the insertion at another place that gives the same text, or
// together with what the person typed.
func (w *Writer) insertionIn(before, after string, c Edit) *tail {
	at, text := w.sent.at, w.sent.text
	shown := w.tail.clone()
	if inserted(before, after, at, text) {
		shown.wrote(at, text, w.sent.back, w.sent.stays)
		return &shown
	}
	i := strings.Index(c.New, text)
	if i < 0 || at < c.Start || at > c.End {
		return nil
	}
	shown.moved(Edit{c.Start, c.End, c.New[:i]})
	shown.wrote(c.Start+i, text, w.sent.back, w.sent.stays)
	end := c.Start + i + len(text)
	shown.moved(Edit{end, end, c.New[i+len(text):]})
	return &shown
}

// inserted reports whether after is before with text at an offset.
func inserted(before, after string, at int, text string) bool {
	return at <= len(before) && len(after) == len(before)+len(text) &&
		after[:at] == before[:at] && after[at:at+len(text)] == text && after[at+len(text):] == before[at:]
}

// Answered takes the editor's reply to the request under way. After a refusal the same is sent again.
func (w *Writer) Answered(applied bool) {
	switch {
	case w.sent == nil:
	case applied:
		w.accepted = true
		w.settleIfShown()
	default:
		w.GiveUp()
	}
}

// GiveUp ends the wait for what the editor says it has applied, and what no change has shown. It is sent again.
func (w *Writer) GiveUp() {
	if w.sent != nil {
		w.pending = append([]operation{*w.sent}, w.pending...)
		w.sent, w.shown = nil, nil
	}
}

// settleIfShown ends the request under way if the editor has accepted it and the text shows it.
func (w *Writer) settleIfShown() {
	if w.sent == nil || !w.accepted {
		return
	}
	switch {
	case w.sent.erase:
		if len(w.tail.pieces) > 0 {
			return
		}
	case w.sent.edits != nil:
		if len(w.sent.edits(w.text)) > 0 {
			return
		}
	case w.shown == nil:
		return
	default:
		w.tail = *w.shown
	}
	w.sent, w.shown = nil, nil
}
