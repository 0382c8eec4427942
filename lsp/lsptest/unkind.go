package lsptest

import (
	"context"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	ploke "ploke-lsp/lsp/protocol"
)

// chosenAction returns the answer to window/showMessageRequest for the title that the person chose.
func (e *Editor) chosenAction(actions []protocol.MessageActionItem, title string) any {
	chosen := slices.IndexFunc(actions, func(a protocol.MessageActionItem) bool { return a.Title == title })
	switch {
	case e.options.Choice != nil:
		return e.options.Choice(actions, chosen)
	case chosen < 0:
		return nil
	}
	return &actions[chosen]
}

// dawdle calls the test's BeforeAnswer for a request of the server that has been handled. Other messages
// are read meanwhile.
func (e *Editor) dawdle(pooled context.Context, req *jsonrpc2.Request) {
	if e.options.BeforeAnswer == nil || !req.IsCall() || !e.beginDawdling() {
		return
	}
	defer e.dawdling.Done()
	if !e.answersAsync(req.Method()) {
		jsonrpc2.Async(pooled)
	}
	e.options.BeforeAnswer(e, req.Method())
}

// beginDawdling reports whether the editor still runs, and counts the request if it does.
func (e *Editor) beginDawdling() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ending {
		return false
	}
	e.dawdling.Add(1)
	return true
}

// endDawdling waits until no BeforeAnswer runs any more.
func (e *Editor) endDawdling() {
	e.mu.Lock()
	e.ending = true
	e.mu.Unlock()
	e.dawdling.Wait()
}

// answersAsync reports whether other messages are read anyway while the editor handles a request.
func (e *Editor) answersAsync(method string) bool {
	return asksPerson(method) || method == ploke.MethodClientState || e.options.Answer[method] != nil ||
		method == protocol.MethodWorkspaceApplyEdit && e.options.OnApplyEdit != nil
}

func asksPerson(method string) bool {
	return method == ploke.MethodPermissionAsk || method == protocol.MethodWindowShowMessageRequest
}

// doubling returns a stream that sends each answer of the editor twice, if the options say so.
func (e *Editor) doubling(s jsonrpc2.Stream) jsonrpc2.Stream {
	if e.options.AnswersTwice {
		return testbed.AnswerTwice(s)
	}
	return s
}
