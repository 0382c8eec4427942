package servers_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// newFolder returns a folder with one file.
func newFolder(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, "paint.go", "package paint\n\n// Color is the color of all that is painted.\nfunc Color() string { return \"red\" }\n")
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// connect starts ploke-lsp in a new folder, and an editor. The settings are JSON.
func connect(t *testing.T, settings string, options lsptest.Options) *lsptest.Editor {
	t.Helper()
	return connectTo(t, newFolder(t), settings, options)
}

func connectTo(t *testing.T, root, settings string, options lsptest.Options) *lsptest.Editor {
	t.Helper()
	server := lsp.NewServer(lsp.Options{StateDir: t.TempDir(), Version: "test", Alone: true,
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Getenv: func(name string) string { return map[string]string{keyVariable: serverKey}[name] },
		Config: []config.Layer{config.FromJSON("the test", []byte(settings))}})
	options.Roots, options.Timeout = []string{root}, starting
	e := lsptest.Start(t, server.Serve, options)
	e.AwaitIndex()
	return e
}

// The key of servers that want one, and the environment variable that has it.
const (
	keyVariable = "PLOKE_KEY_SERVERS"
	serverKey   = "sk-of-the-servers"
)

// useModel returns settings with a model of a provider.
func useModel(kind, base string) string {
	return fmt.Sprintf(`{"model": "real/model", "providers": {"real": {"type": %q, "baseUrl": %q}}}`, kind, base)
}

// conversation is what a model says in seven turns of a person, see [converse].
type conversation struct {
	steered, stopped *llmtest.Gate
}

func newConversation() conversation {
	return conversation{llmtest.NewGate(), llmtest.NewGate()}
}

func (c conversation) turns() []llmtest.Turn {
	call := func(id, name, arguments string) []llmtest.Call {
		return []llmtest.Call{{ID: id, Name: name, Arguments: arguments}}
	}
	return []llmtest.Turn{
		{Reasoning: []string{"Where is it?"}, Text: []string{"I look."}, Calls: []llmtest.Call{
			{ID: "Zk1000001", Name: "code_item_lookup", Arguments: `{"name":"Color"}`},
			{ID: "Zk1000002", Name: "read_file", Arguments: `{"file":"paint.go"}`}}},
		{Text: []string{"It is in paint.go."}},
		{Reasoning: []string{"Replace it."}, Calls: call("Zk1000003", "apply_code_edit", `{"edits":[{"file":"paint.go","old":"\"red\"","new":"\"green\""}]}`)},
		{Text: []string{"It is green."}},
		{Reasoning: []string{"It needs a file."}, Calls: call("Zk1000004", "create_file", `{"file":"blue.go","content":"package paint\n"}`)},
		{Text: []string{"There is a new file."}},
		{Reasoning: []string{"Read again."}, Calls: call("Zk1000005", "read_file", `{"file": paint.go`)}, // no JSON
		{Reasoning: []string{"No, properly."}, Calls: call("Zk1000006", "read_file", `{"file":"paint.go"}`)},
		{Text: []string{"I have read it."}},
		{Reasoning: []string{"List."}, Text: []string{"One moment."}, Hold: c.steered, Calls: call("Zk1000007", "list_dir", `{}`)},
		{Text: []string{"In German, too."}},
		{Text: []string{"This will take"}, Hold: c.stopped},
		{Text: []string{"Goodbye."}},
	}
}

// converse has a question, an edit that is accepted, one that is rejected, a malformed call, a message that steers, and one
// that is stopped, with one more behind it.
func converse(t *testing.T, e *lsptest.Editor, c conversation) {
	t.Helper()
	var created ploke.ChatCreateResult
	e.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{}, &created)
	id := created.ConversationID
	say := func(text string) *ploke.ChatSendResult {
		t.Helper()
		result := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: text})
		if result.StopReason != ploke.StopDone {
			t.Fatalf("%q ended with: %+v", text, result)
		}
		return result
	}
	say("Where is the color of paint?")
	accepted := say("Make it green")
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: accepted.Proposals[0]}, nil)
	rejected := say("Add a file for blue")
	e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: rejected.Proposals[0], Reason: "not yet"}, nil)
	say("Read it once more")

	sent := make(chan *ploke.ChatSendResult, 2)
	send := func(ctx context.Context, text string) {
		go func() {
			sent <- e.Send(ctx, ploke.ChatSendParams{ConversationID: id, Text: text, WhileBusy: ploke.WhileBusySteer})
		}()
	}
	send(t.Context(), "What else is there?")
	receive(t, c.steered.Reached())
	send(t.Context(), "Say it in German")
	awaitText(t, e, id, "Say it in German")
	c.steered.Open()
	for range 2 {
		if result := receive(t, sent); result.StopReason != ploke.StopDone {
			t.Fatalf("steering ended with: %+v", result)
		}
	}
	send(t.Context(), "Write a novel")
	receive(t, c.stopped.Reached())
	e.Call(ploke.MethodChatStop, ploke.ChatStopParams{ConversationID: id}, nil)
	if result := receive(t, sent); result.StopReason != ploke.StopCancelled {
		t.Fatalf("the stop ended with: %+v", result)
	}
	say("Goodbye")
}

// receive waits as long as a real server may take for the beginning of an answer on a busy machine.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	return testbed.ReceiveWithin(t, starting, from, "the model")
}

// awaitText waits until the conversation has a message with this text.
func awaitText(t *testing.T, e *lsptest.Editor, id, text string) {
	t.Helper()
	var history ploke.ChatHistoryResult
	testbed.Eventually(t, func() bool {
		history = ploke.ChatHistoryResult{}
		e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: id}, &history)
		return slices.ContainsFunc(history.Messages, func(m ploke.Message) bool { return m.Text == text })
	}, func() string { return fmt.Sprintf("%q is not among %+v", text, history.Messages) })
}

// converseThrough has the conversation through a relay, whose real server must accept each request of this kind of provider.
func converseThrough(t *testing.T, kind, real string) {
	t.Helper()
	c := newConversation()
	r, base := newRelay(t, real, c.turns()...)
	settings := useModel("openai", base+"/v1")
	if kind == "ollama" {
		settings = useModel(kind, base)
	}
	e := connect(t, settings, lsptest.Options{})
	defer func() {
		if err := r.errors(); err != nil || r.shown != len(c.turns()) {
			t.Errorf("%d requests of %d were shown: %v", r.shown, len(c.turns()), err)
		}
	}()
	converse(t, e, c)
}
