package client

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm"
)

// EditorModels are the models of the client. It implements [llm.EditorModels] and is safe for concurrent use.
type EditorModels struct {
	client *Client

	mu      sync.Mutex
	last    int                     // number of the last request
	answers map[string]*modelAnswer // by request
}

// NewEditorModels returns the models of a client.
func NewEditorModels(c *Client) *EditorModels {
	return &EditorModels{client: c, answers: map[string]*modelAnswer{}}
}

// EditorModelSource implements [project.ModelSource]: it returns the models, or nil if the client does not say that it
// has any.
func (m *EditorModels) EditorModelSource() llm.EditorModels {
	if !m.client.Ploke.Has(ploke.MethodClientModels) || !m.client.Ploke.Has(ploke.MethodClientModelSend) {
		return nil
	}
	return m
}

// modelAnswer is an answer that is being received.
type modelAnswer struct {
	part  func(llm.EditorPart)
	parts int   // that have come
	wrong error // a part is missing
	stop  context.CancelCauseFunc
}

// Models implements [llm.EditorModels].
func (m *EditorModels) Models(ctx context.Context) (infos []llm.ModelInfo, err error) {
	var result ploke.ClientModelsResult
	if err := m.client.Call(ctx, ploke.MethodClientModels, nil, &result); err != nil {
		return nil, failedCall(err)
	}
	for _, model := range result.Models {
		infos = append(infos, llm.ModelInfo{ID: model.ID, ContextTokens: model.ContextTokens, Tools: model.Tools})
	}
	return infos, nil
}

// Send implements [llm.EditorModels].
func (m *EditorModels) Send(ctx context.Context, r *llm.EditorRequest,
	part func(llm.EditorPart)) (llm.EditorEnd, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	answer := &modelAnswer{part: part, stop: stop}
	params := encodeRequest(r)
	params.Request = m.begin(answer)
	defer m.end(params.Request)
	var result ploke.ClientModelSendResult
	err := m.client.Call(ctx, ploke.MethodClientModelSend, params, &result)
	if err != nil && ctx.Err() != nil {
		return llm.EditorEnd{}, context.Cause(ctx)
	}
	if err != nil {
		return llm.EditorEnd{}, failedCall(err)
	}
	return m.ending(answer, &result)
}

// begin returns the name of a new request.
func (m *EditorModels) begin(a *modelAnswer) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last++
	name := strconv.Itoa(m.last)
	m.answers[name] = a
	return name
}

func (m *EditorModels) end(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.answers, name)
}

// Part takes a part of an answer.
func (m *EditorModels) Part(_ context.Context, p *ploke.ModelPartParams) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.answers[p.Request]
	switch {
	case a == nil || a.wrong != nil:
		return nil
	case p.Seq != a.parts+1:
		a.wrong = outOfOrder("part %d of the answer came behind part %d", p.Seq, a.parts)
		a.stop(a.wrong)
		return nil
	}
	a.parts++
	sent := llm.EditorPart{Text: p.Text, Thought: p.Thought}
	if p.Call != nil {
		call := llm.EditorCall(*p.Call)
		sent.Call = &call
	}
	a.part(sent)
	return nil
}

// ending returns how an answer has ended.
func (m *EditorModels) ending(a *modelAnswer, r *ploke.ClientModelSendResult) (llm.EditorEnd, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	end := llm.EditorEnd{Finish: llm.FinishStop, In: r.InTokens, Out: r.OutTokens}
	if r.Finish == ploke.ModelLength {
		end.Finish = llm.FinishLength
	}
	switch {
	case a.wrong != nil:
		return end, a.wrong
	case r.Error != "":
		class, known := failureClasses[r.Error]
		if !known {
			class = llm.BadResponse
		}
		message := r.Message
		if message == "" {
			message = "the editor says " + string(r.Error)
		}
		return end, &llm.Error{Class: class, Message: message, BrokeOff: a.parts > 0}
	case r.Parts != a.parts:
		return end, outOfOrder("the answer has %d parts, and %d came", r.Parts, a.parts)
	}
	return end, nil
}

var failureClasses = map[ploke.ModelFailure]llm.Class{
	ploke.ModelNotAllowed: llm.Auth,
	ploke.ModelNotFound:   llm.NotFound,
	ploke.ModelBlocked:    llm.ContentFilter,
	ploke.ModelQuota:      llm.Quota,
}

func outOfOrder(format string, args ...any) error {
	return &llm.Error{Class: llm.BadResponse, Message: fmt.Sprintf(format, args...)}
}

// failedCall returns the error of a request that the client has answered with one.
func failedCall(err error) error {
	var refused *jsonrpc2.Error
	if errors.As(err, &refused) {
		return &llm.Error{Class: llm.BadResponse, Message: "the editor failed: " + refused.Message}
	}
	return &llm.Error{Class: llm.Network, Message: "the editor did not answer: " + err.Error()}
}

func encodeRequest(r *llm.EditorRequest) *ploke.ClientModelSendParams {
	p := &ploke.ClientModelSendParams{Model: r.Model, Messages: []ploke.ModelMessage{}, Tools: []ploke.ModelTool{}}
	for _, m := range r.Messages {
		message := ploke.ModelMessage{Role: ploke.ModelRole(m.Role), Text: m.Text, CallID: m.CallID}
		for _, c := range m.Calls {
			message.Calls = append(message.Calls, ploke.ModelCall(c))
		}
		p.Messages = append(p.Messages, message)
	}
	for _, t := range r.Tools {
		p.Tools = append(p.Tools, ploke.ModelTool(t))
	}
	return p
}
