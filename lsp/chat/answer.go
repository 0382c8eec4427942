package chat

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/display"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
)

// An answer is the answer of one turn for a client without events. Its text becomes a
// document, which the client shows by the best channel that it has.
type answer struct {
	views  *document.Views
	client *client.Client
	places *Answers
	CommandTurn

	// These are set while the answer is streamed into a document that byEdit has opened.
	view    *document.View
	written string // what the document has got
	line    string // the beginning of the next line
	failed  bool   // the client refused a piece: the rest comes at the end
}

// stream shows what has come so far, in whole lines. A client that shows documents gets the
// answer at its end, so that nothing is unsaved in a document that it opens from the disk.
func (a *answer) stream(ctx context.Context, part project.Part) {
	text := ""
	switch e := part.Event.(type) {
	case bus.MessageDelta:
		text = e.Text
	case bus.TurnSteered:
		text = "\n\n"
	case bus.MessageUpdated: // the document may show what is taken back
		text = "\n\n*The model began its answer again.*\n\n" + e.Text
		if a.written+a.line == "" {
			text = e.Text
		}
	}
	if text == "" || a.failed || a.Purpose == WantsEdit || a.client.ShowsDocuments || !a.client.OpensByEdit() {
		return
	}
	a.line += text
	end := strings.LastIndexByte(a.line, '\n') + 1
	if end == 0 {
		return
	}
	ready := a.line[:end]
	a.line = a.line[end:]
	a.append(ctx, ready)
}

// append appends a piece to the document, which the first piece opens.
func (a *answer) append(ctx context.Context, text string) {
	if a.view == nil {
		v, err := a.views.Create(document.ViewName(a.Title), "")
		if err != nil {
			a.failed = true
			return
		}
		a.view = v
		text = a.heading() + text
	}
	if err := a.view.Append(ctx, a.written, text); err != nil {
		a.failed = true
		return
	}
	a.written += text
}

// finish shows the rest of the answer, or all of it, and says in one line where it is.
func (a *answer) finish(ctx context.Context, result *project.TurnResult) {
	switch {
	case result.Text == "" && result.Error != "":
		a.client.ShowMessage(protocol.MessageTypeError, "ploke: %s: %s", a.Title, display.Name(result.Error))
		return
	case a.Purpose == WantsEdit && len(result.Proposals) > 0:
		return // the proposal is announced
	}
	ending := "\n"
	if result.Error != "" { // the turn failed, or reached a limit
		ending = "\n\nThe turn ended early: " + result.Error + "\n"
	}
	if a.view != nil && !a.failed {
		a.append(ctx, a.line+ending)
	}
	if a.view == nil || a.failed {
		a.place(ctx, strings.TrimRight(result.Text, "\n")+ending)
		return
	}
	a.view.Keep(a.written)
	a.say(a.view, document.ByEdit)
}

// place writes the whole answer to a document, and shows it there or at its subject.
func (a *answer) place(ctx context.Context, text string) {
	v, err := a.writeWhole(a.heading() + text)
	if err != nil {
		a.places.add(ctx, a.About, text)
		a.client.ShowMessage(protocol.MessageTypeError, "ploke: %s: the answer is not in a file, because %v", a.Title, err)
		return
	}
	shown := v.Show(ctx, false)
	if shown == document.InPlace {
		a.places.add(ctx, a.About, text)
	}
	a.say(v, shown)
}

// writeWhole writes a new document, or the one that was made for streaming and got nothing.
func (a *answer) writeWhole(text string) (*document.View, error) {
	if a.view != nil && a.written == "" {
		return a.views.Write(a.view.Name, text)
	}
	return a.views.Create(document.ViewName(a.Title), text)
}

// say tells the person in one line where the answer is. The title is last, for clients show what fits.
func (a *answer) say(v *document.View, shown document.Channel) {
	hover := ""
	if shown == document.InPlace && a.About != nil {
		hover = "a hover over " + a.About.Name + " shows it; "
	}
	a.client.ShowMessage(protocol.MessageTypeInfo, "ploke: %sthe answer is in %s: %s", hover, v.Where(shown),
		display.Name(a.Title))
}

func (a *answer) heading() string { return "# " + FirstUpper(a.Title) + "\n\n" }
