package chat

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chatdoc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
)

// A documentAnswer streams the answer of a message into the chat document that it was sent from. If the document
// is closed meanwhile, the answer goes on without it: the document is only a view.
type documentAnswer struct {
	documents  *Documents
	client     *client.Client
	project    *project.Project
	message    *message
	started    *session.Turn
	transcript *project.Transcript

	number  int // of the turn in the document
	writer  *chatdoc.Writer
	layout  chatdoc.Layout
	written string // so far
	calls   callLines
	steered bool // what follows is the answer of another message
}

// stream returns at the end of the turn. In a client that asks the person before each edit, the question and
// its answer are one edit at the end.
func (a *documentAnswer) stream() {
	ctx, ds, c := a.documents.Background.Context(), a.documents, a.message.document
	progress := turnProgress{a.client.BeginProgress(ctx, client.Task{Title: "ploke: answering", Cancel: a.started.Stop})}
	if a.client.Ploke.Has(ploke.MethodEvent) {
		ds.Background.Go(func() { ds.turns.publishTurn(a.transcript) })
	}
	var writing error
	if a.client.ConfirmsEdits {
		a.client.ShowMessage(protocol.MessageTypeInfo,
			"ploke: the answer is being written; the editor will ask before it goes into %s", filepath.Base(c.path))
	} else {
		writing = a.open(ctx)
		c.end()
	}
	result := a.transcript.Follow(ctx, a.transcript.From(0), func(part project.Part) {
		progress.show(part)
		if a.writer != nil && writing == nil && part.Result == nil {
			a.take(part)
			writing = ds.flush(ctx, c, a.writer)
		}
	})
	if a.writer != nil && writing == nil && result != nil {
		writing = a.finish(ctx)
	}
	if a.writer != nil {
		c.detach(a.writer)
	}
	c.stream(a.started.AssistantMessageID, false)
	if result != nil {
		c.follow(a.started.AssistantMessageID, result.MessageID)
		if a.client.ConfirmsEdits {
			_, writing = a.show(ctx)
			c.end()
		}
		if a.client.ConfirmsEdits && errors.Is(writing, errChatRefused) {
			a.client.ShowMessage(protocol.MessageTypeInfo,
				"ploke: the answer is stored; to get it into %s, open the document again", filepath.Base(c.path))
		} else {
			ds.refresh(ctx, c.uri)
		}
	}
	if writing != nil && ctx.Err() == nil {
		ds.Log.Info("an answer is not written to its chat document", "error", writing)
	}
}

// open makes the document show the message as sent, with an empty answer, and begins to write there.
func (a *documentAnswer) open(ctx context.Context) error {
	c := a.message.document
	var err error
	if a.number, err = a.show(ctx); err != nil {
		return err
	}
	a.writer = c.attach(func(text string) *chatdoc.Writer {
		if section, ok := chatdoc.Parse(text).Section(chatdoc.Ploke, a.number); ok {
			return chatdoc.NewWriter(section.Body)
		}
		return chatdoc.NewWriter(len(text))
	})
	c.do(func() { a.writer.Frame("\n\n", 1) })
	return nil
}

// show makes the document show the message as sent, with its answer if the turn has ended. It returns the number
// of the turn in the document.
func (a *documentAnswer) show(ctx context.Context) (number int, err error) {
	ds, c := a.documents, a.message.document
	view, err := readBranch(ctx, a.project, a.started.ConversationID, a.started.AssistantMessageID)
	if err != nil {
		return 0, err
	}
	number = len(view.Turns)
	c.hideStreamed(view)
	return number, ds.edit(ctx, c, func(text string) []chatdoc.Edit {
		switch old := a.message.old; {
		case old == nil:
			return chatdoc.Update(text, view.Conversation)
		case chatdoc.Parse(text).Leaf == view.Leaf:
			return nil
		default:
			return chatdoc.Rewrite(text, old.Conversation, view.Conversation, number, a.message.text)
		}
	})
}

// take writes one part of the turn.
func (a *documentAnswer) take(part project.Part) {
	a.message.document.do(func() {
		switch e := part.Event.(type) {
		case bus.TurnSteered:
			a.steered = true
		case bus.MessageUpdated:
			if !a.steered {
				a.rewrite(e.Text)
			}
		default:
			if !a.steered {
				a.write(a.layOut(part.Event))
			}
		}
	})
}

// layOut returns what to append for an event. Calls that end out of order wait for those before them.
func (a *documentAnswer) layOut(event bus.Event) string {
	switch e := event.(type) {
	case bus.MessageDelta:
		return a.layout.Text(e.Text)
	case bus.ToolCallRequested:
		a.calls.begin(e.ID)
	case bus.ToolCallCompleted:
		return a.calls.end(e.ID, func() string {
			return layOutCall(&a.layout, e.Name, e.Summary, client.SaysFailed(e.Content))
		})
	case bus.ToolCallFailed:
		return a.calls.end(e.ID, func() string { return layOutCall(&a.layout, e.Name, e.Error, true) })
	}
	return ""
}

func (a *documentAnswer) write(text string) {
	a.written += text
	a.writer.Write(text)
}

// rewrite takes back what was written. The document's lock is held.
func (a *documentAnswer) rewrite(text string) {
	a.writer.Erase()
	a.layout, a.written = chatdoc.Layout{}, ""
	a.write(a.layout.Text(text))
}

// finish completes the answer from what is stored.
func (a *documentAnswer) finish(ctx context.Context) error {
	view, err := readBranch(ctx, a.project, a.started.ConversationID, a.started.AssistantMessageID)
	if err != nil {
		return err
	}
	turn := view.Turns[len(view.Turns)-1] // messages may have steered the turn before it since
	a.message.document.do(func() {
		rest, ok := strings.CutPrefix(turn.Answer, a.written)
		if !ok {
			a.writer.Erase()
			rest = turn.Answer
		}
		a.writer.Write(rest)
		a.writer.Edit(func(text string) []chatdoc.Edit { return chatdoc.Finish(text, a.number, turn.Model) })
	})
	return a.documents.flush(ctx, a.message.document, a.writer)
}

// edit makes edits in a chat document that change nothing when they are repeated.
func (ds *Documents) edit(ctx context.Context, c *openDocument, edits func(text string) []chatdoc.Edit) error {
	w := c.attach(func(string) *chatdoc.Writer { return chatdoc.NewWriter(0) })
	defer c.detach(w)
	c.do(func() { w.Edit(edits) })
	return ds.flush(ctx, c, w)
}

// callLines puts the lines of tool calls into the order of the calls. The zero value is ready.
type callLines struct {
	ids   []string
	lines map[string]func() string
}

func (l *callLines) begin(id string) { l.ids = append(l.ids, id) }

// end takes the line of a call, and returns those that have no open call before them.
func (l *callLines) end(id string, line func() string) (text string) {
	if l.lines == nil {
		l.lines = map[string]func() string{}
	}
	l.lines[id] = line
	for len(l.ids) > 0 && l.lines[l.ids[0]] != nil {
		text += l.lines[l.ids[0]]()
		l.ids = l.ids[1:]
	}
	return text
}
