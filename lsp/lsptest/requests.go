package lsptest

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// call sends a request. If ctx ends first, it sends $/cancelRequest; it returns when the
// reply arrives or waiting ends.
func (e *Editor) call(ctx, waiting context.Context, method string, params, result any) error {
	cancelled := context.AfterFunc(ctx, func() {
		_ = e.conn.Notify(waiting, protocol.MethodCancelRequest, map[string]int64{"id": e.LastID()})
	})
	defer cancelled()
	e.count()
	_, err := e.conn.Call(waiting, method, params, result)
	return err
}

// count counts a request. The connection numbers its requests from 1, so the count is the
// id of the latest request.
func (e *Editor) count() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls++
}

// LastID returns the id of the latest request.
func (e *Editor) LastID() int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.calls
}

// handle handles the messages of the server.
func (e *Editor) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	result, err := e.answer(ctx, req)
	e.dawdle(ctx, req)
	return result, err
}

func (e *Editor) answer(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if asksPerson(req.Method()) {
		return e.answerPermission(ctx, req)
	}
	if req.Method() == ploke.MethodClientState {
		return e.answerState(ctx, req)
	}
	if req.Method() == protocol.MethodWorkspaceApplyEdit {
		return e.answerEdit(ctx, req)
	}
	if answer := e.options.Answer[req.Method()]; answer != nil {
		ctx, cancel := e.async(ctx, req)
		defer cancel()
		return answer(ctx, e, req.Params())
	}
	defer e.update()()
	switch method := req.Method(); method {
	case protocol.MethodProgress:
		return nil, e.recordProgress(req.Params())
	case ploke.MethodEvent:
		return nil, record(req.Params(), &e.events)
	case protocol.MethodWindowShowMessage:
		return nil, record(req.Params(), &e.messages)
	case protocol.MethodCancelRequest:
		return nil, e.cancelRequest(req.Params())
	case protocol.MethodWorkspaceCodeLensRefresh, protocol.MethodWindowLogMessage:
		return nil, nil
	case protocol.MethodWindowShowDocument:
		return &protocol.ShowDocumentResult{Success: !e.options.RefuseDocuments}, record(req.Params(), &e.shown)
	case protocol.MethodTextDocumentPublishDiagnostics:
		return nil, e.recordDiagnostics(req.Params())
	case protocol.MethodWindowWorkDoneProgressCreate:
		var p ploke.Progress
		err := protocol.Unmarshal(req.Params(), &p)
		e.tokens = append(e.tokens, string(p.Token))
		return nil, err
	case protocol.MethodClientRegisterCapability, protocol.MethodClientUnregisterCapability:
		return nil, e.recordRegistrations(req.Params())
	case ploke.MethodClientDiagnostics:
		return e.answerDiagnostics(req.Params())
	case protocol.MethodWorkspaceConfiguration:
		return e.answerConfiguration(req.Params())
	default:
		e.t.Errorf("the server sent the unknown method %s", method)
		return nil, jsonrpc2.ErrMethodNotFound
	}
}

// update acquires the lock. The returned function releases it and wakes up Await.
func (e *Editor) update() (done func()) {
	e.mu.Lock()
	return func() {
		close(e.changed)
		e.changed = make(chan struct{})
		e.mu.Unlock()
	}
}

func record[T any](params []byte, list *[]T) error {
	var v T
	if err := protocol.Unmarshal(params, &v); err != nil {
		return err
	}
	*list = append(*list, v)
	return nil
}

// Ask sends a chat message and waits until its turn has ended.
func (e *Editor) Ask(text string) *ploke.ChatSendResult {
	e.t.Helper()
	return e.Send(e.t.Context(), ploke.ChatSendParams{Text: text})
}

// Send sends a chat message and waits until its turn has ended. The end of ctx cancels
// the request. [Editor.Parts] returns the streamed parts.
func (e *Editor) Send(ctx context.Context, p ploke.ChatSendParams) *ploke.ChatSendResult {
	e.t.Helper()
	if p.PartialResultToken == nil {
		e.mu.Lock()
		e.sent++
		p.PartialResultToken = marshal(fmt.Sprintf("partial/%d", e.sent))
		e.mu.Unlock()
	}
	var result ploke.ChatSendResult
	if err := e.Try(ctx, ploke.MethodChatSend, &p, &result); err != nil {
		e.t.Fatalf("%s: %v", ploke.MethodChatSend, err)
	}
	return &result
}

// Parts returns the streamed parts of the latest [Editor.Send].
func (e *Editor) Parts() []ploke.Part {
	e.mu.Lock()
	token := string(marshal(fmt.Sprintf("partial/%d", e.sent)))
	defer e.mu.Unlock()
	var parts []ploke.Part
	for _, p := range e.progress[token] {
		parts = append(parts, p.Part)
	}
	return parts
}

// Finds reports whether a search for a symbol's canonical name returns that symbol.
func (e *Editor) Finds(canon string) bool {
	var result ploke.SearchResult
	e.Call(ploke.MethodSearch, ploke.SearchParams{Query: canon}, &result)
	return slices.ContainsFunc(result.Results, func(hit ploke.SearchHit) bool { return hit.Canon == canon })
}
