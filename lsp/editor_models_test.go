package lsp_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// modelEditor is an editor that has models of its own. Its answers come one after the other, the last one again and again.
type modelEditor struct {
	*lsptest.Editor
	mu       sync.Mutex
	requests []ploke.ClientModelSendParams
}

// answering is how a model answers: it sends parts, and returns what the editor replies.
type answering func(ctx context.Context, send func(ploke.ModelPartParams)) (any, error)

// startModels starts an editor with a model that answers like this.
func startModels(f *fixture, list []answering) *modelEditor {
	m := &modelEditor{}
	models := ploke.ClientModelsResult{Models: []ploke.ClientModel{{ID: "maker/fast", ContextTokens: 64_000, Tools: true}}}
	m.Editor = f.start(lsptest.Options{
		Capabilities: lsptest.WithMethods(lsptest.Capabilities(), ploke.MethodClientModels, ploke.MethodClientModelSend),
		Answer: map[string]func(context.Context, *lsptest.Editor, []byte) (any, error){
			ploke.MethodClientModels: func(context.Context, *lsptest.Editor, []byte) (any, error) { return models, nil },
			ploke.MethodClientModelSend: func(ctx context.Context, e *lsptest.Editor, params []byte) (any, error) {
				var p ploke.ClientModelSendParams
				if err := protocol.Unmarshal(params, &p); err != nil {
					return nil, err
				}
				m.mu.Lock()
				answer := list[min(len(m.requests), len(list)-1)]
				m.requests = append(m.requests, p)
				m.mu.Unlock()
				return answer(ctx, func(part ploke.ModelPartParams) {
					part.Request = p.Request
					e.Notify(ploke.MethodModelPart, part)
				})
			},
		}})
	m.AwaitIndex()
	return m
}

// send sends a message to the editor's model.
func (m *modelEditor) send(t *testing.T, text string) *ploke.ChatSendResult {
	t.Helper()
	return m.Send(t.Context(), ploke.ChatSendParams{ConversationID: newConversation(m.Editor), Text: text, Model: "editor/maker/fast"})
}

func (m *modelEditor) sent() []ploke.ClientModelSendParams {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests
}

// replies answers with texts.
func replies(texts ...string) answering {
	return func(_ context.Context, send func(ploke.ModelPartParams)) (any, error) {
		for i, text := range texts {
			send(ploke.ModelPartParams{Seq: i + 1, Text: text})
		}
		return ploke.ClientModelSendResult{Parts: len(texts), InTokens: 100, OutTokens: 7}, nil
	}
}

// callsWith calls a tool with arguments as JSON.
func callsWith(tool, arguments string) answering {
	return func(_ context.Context, send func(ploke.ModelPartParams)) (any, error) {
		send(ploke.ModelPartParams{Seq: 1, Thought: "I look."})
		send(ploke.ModelPartParams{Seq: 2, Call: &ploke.ModelCall{ID: "c1", Name: tool, Arguments: arguments}})
		return ploke.ClientModelSendResult{Parts: 2}, nil
	}
}

// TestAModelOfTheEditorAnswers lists it, lets it call a tool, and finds its requests in the ledger.
func TestAModelOfTheEditorAnswers(t *testing.T) {
	f := newFixture(t)
	m := startModels(f, []answering{callsWith("read_file", `{"file":"shapes/circle.go"}`), replies("It is ", "round.")})
	var list ploke.ModelsResult
	m.Call(ploke.MethodModels, nil, &list)
	want := ploke.Model{ID: "editor/maker/fast", ContextTokens: 64_000, Tools: true}
	if len(list.Models) != 2 || !reflect.DeepEqual(list.Models[1], want) || len(list.Problems) != 0 {
		t.Errorf("the models are %+v", list)
	}
	result := m.send(t, "what is a circle?")
	if result.StopReason != ploke.StopDone || result.Text != "It is round." {
		t.Fatalf("the turn ended as %+v", result)
	}
	requests := m.sent()
	if len(requests) != 2 || requests[0].Model != "maker/fast" || len(requests[0].Tools) == 0 ||
		requests[0].Messages[0].Role != ploke.ModelSystem {
		t.Fatalf("the requests are %+v", requests)
	}
	last := requests[1].Messages[len(requests[1].Messages)-1]
	call := requests[1].Messages[len(requests[1].Messages)-2]
	if last.Role != ploke.ModelToolRole || !strings.Contains(last.Text, "type Circle struct") || len(call.Calls) != 1 ||
		last.CallID != call.Calls[0].ID || call.Calls[0].Arguments != `{"file":"shapes/circle.go"}` {
		t.Errorf("the call and its result are %+v and %+v", call, last)
	}
	var ledger ploke.LedgerResult
	m.Call(ploke.MethodLedger, ploke.LedgerParams{TurnID: result.TurnID}, &ledger)
	if len(ledger.Entries) != 2 || ledger.Entries[1].Host != "editor" || ledger.Entries[1].Provider != "editor" ||
		ledger.Entries[1].Usage.In != 100 {
		t.Errorf("the ledger is %+v", ledger.Entries)
	}
}

// TestAModelOfTheEditorThatMisbehaves: each way ends the turn with words, or is mended, and the next message is answered.
func TestAModelOfTheEditorThatMisbehaves(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first answering
		stop  ploke.StopReason
		words string // in the error, or in the text of an answer that is whole
		kept  string // of the answer
	}{
		{"a part is missing", func(_ context.Context, send func(ploke.ModelPartParams)) (any, error) {
			send(ploke.ModelPartParams{Seq: 1, Text: "one "})
			send(ploke.ModelPartParams{Seq: 3, Text: "three"})
			return ploke.ClientModelSendResult{Parts: 3}, nil
		}, ploke.StopError, "part 3 of the answer came behind part 1", "one "},
		{"the last part is missing", func(_ context.Context, send func(ploke.ModelPartParams)) (any, error) {
			send(ploke.ModelPartParams{Seq: 1, Text: "one "})
			return ploke.ClientModelSendResult{Parts: 2}, nil
		}, ploke.StopError, "the answer has 2 parts, and 1 came", "one "},
		{"it throws in the middle", func(_ context.Context, send func(ploke.ModelPartParams)) (any, error) {
			send(ploke.ModelPartParams{Seq: 1, Text: "half "})
			return nil, errors.New("boom")
		}, ploke.StopError, "boom", "half "},
		{"nothing is said", replies(), ploke.StopDone, "", ""},
		{"it is not allowed", func(context.Context, func(ploke.ModelPartParams)) (any, error) {
			return ploke.ClientModelSendResult{Error: ploke.ModelNotAllowed, Message: "No consent."}, nil
		}, ploke.StopError, "No consent: choose the model again, and let ploke use it when the editor asks", ""},
		{"it is gone", func(context.Context, func(ploke.ModelPartParams)) (any, error) {
			return ploke.ClientModelSendResult{Error: ploke.ModelNotFound, Message: "no such model"}, nil
		}, ploke.StopError, "no such model: choose another model", ""},
		{"the arguments of a call are no JSON", callsWith("read_file", `{"file": `), ploke.StopDone, "later", "later"},
		{"parts of nobody's answer come", func(_ context.Context, send func(ploke.ModelPartParams)) (any, error) {
			send(ploke.ModelPartParams{Seq: 1, Text: "mine"})
			return ploke.ClientModelSendResult{Parts: 1}, nil
		}, ploke.StopDone, "mine", "mine"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			m := startModels(f, []answering{tt.first, replies("later")})
			m.Notify(ploke.MethodModelPart, ploke.ModelPartParams{Request: "1", Seq: 1, Text: "nobody's"})
			m.Notify(ploke.MethodModelPart, ploke.ModelPartParams{Request: "77", Seq: -1})
			result := m.send(t, "what is a circle?")
			if result.StopReason != tt.stop || !strings.Contains(result.Error+result.Text, tt.words) || !strings.Contains(result.Text, tt.kept) {
				t.Errorf("the turn ended as %s with %q and the error %q", result.StopReason, result.Text, result.Error)
			}
			if again := m.send(t, "and now?"); again.StopReason != ploke.StopDone || again.Text != "later" {
				t.Errorf("the next turn ended as %+v", again)
			}
		})
	}
}

// TestAModelOfTheEditorThatNeverEnds is stopped by the person, whether the editor follows the cancellation or not. What comes
// later belongs to nobody.
func TestAModelOfTheEditorThatNeverEnds(t *testing.T) {
	for _, follows := range []bool{true, false} {
		f := newFixture(t)
		begun, cancelled := make(chan struct{}), make(chan struct{})
		released, late := make(chan struct{}), make(chan struct{})
		endless := func(ctx context.Context, send func(ploke.ModelPartParams)) (any, error) {
			send(ploke.ModelPartParams{Seq: 1, Text: "on and on"})
			close(begun)
			<-ctx.Done()
			close(cancelled)
			if !follows {
				<-released
			}
			send(ploke.ModelPartParams{Seq: 2, Text: "late"})
			close(late)
			return ploke.ClientModelSendResult{Parts: 2}, nil
		}
		m := startModels(f, []answering{endless, replies("fine")})
		conversation := newConversation(m.Editor)
		ended := make(chan *ploke.ChatSendResult, 1)
		go func() {
			ended <- m.Send(t.Context(), ploke.ChatSendParams{ConversationID: conversation, Text: "go", Model: "editor/maker/fast"})
		}()
		<-begun
		m.Call(ploke.MethodChatStop, ploke.ChatStopParams{ConversationID: conversation}, nil)
		if result := <-ended; result.StopReason != ploke.StopCancelled {
			t.Errorf("the turn ended as %+v", result)
		}
		<-cancelled
		if again := m.send(t, "again"); again.Text != "fine" {
			t.Errorf("the next answer is %+v", again)
		}
		close(released)
		<-late
		if last := m.send(t, "and now?"); last.Text != "fine" {
			t.Errorf("the answer after a late part is %+v", last)
		}
	}
}

// TestWithoutModelsOfTheEditorTheirNamesAreUnknown, and the error says which are known.
func TestWithoutModelsOfTheEditorTheirNamesAreUnknown(t *testing.T) {
	e := newFixture(t).startIndexed()
	result := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: newConversation(e), Text: "hello", Model: "editor/maker/fast"})
	if result.StopReason != ploke.StopError || !strings.Contains(result.Error, `the model "editor/maker/fast" is not configured`) {
		t.Errorf("the turn ended as %+v", result)
	}
}
