package session

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// escaped is a secret that JSON writes otherwise than it is, and that no rule finds in "dial(…)".
const escaped = `Zebra"of\the-file`

// telling returns a tool that shows the secret and says that a file has it.
func telling(name string) *tools.Tool {
	return tool(name, func(ctx context.Context, _ tools.Env, _ string) (any, error) {
		tools.NoteSecrets(ctx, []string{escaped})
		return "dial(" + escaped + ")", nil
	})
}

// showsEscaped reports whether a text has the secret, however often it is escaped.
func showsEscaped(text string) bool {
	return strings.Contains(strings.ReplaceAll(text, `\`, ""), strings.ReplaceAll(escaped, `\`, ""))
}

// TestASecretIsHiddenWhereJSONEscapesIt has a tool repeat a secret that another one has shown: to a model, in the
// record of the call, and to another program.
func TestASecretIsHiddenWhereJSONEscapesIt(t *testing.T) {
	repeating := tool("repeat", func(context.Context, tools.Env, string) (any, error) { return "redial(" + escaped + ")", nil })
	h := start(t, tools.NewSet(telling("tell"), repeating), nil, calls(call("a", "tell", "")), calls(call("b", "repeat", "")), says("done"))
	turn, _ := h.ask(t, Prompt{Text: "look"})
	for i, r := range h.server.Requests() {
		if showsEscaped(string(r.Body)) {
			t.Errorf("request %d shows it: %s", i+1, r.Body)
		}
	}
	record, err := h.Call(t.Context(), turn.ConversationID, "b")
	if err != nil || showsEscaped(string(record.Content)) {
		t.Errorf("the record is %s, %v", record.Content, err)
	}
	client := h.NewToolClient()
	for _, name := range []string{"tell", "repeat"} {
		a, err := client.Call(t.Context(), ToolRequest{Tool: name, Arguments: json.RawMessage(`{"text":""}`)}, nil)
		if err != nil || a.Failed || showsEscaped(string(a.Content)) || !placeholder.Match(a.Content) {
			t.Errorf("%s: the content is %s, %v", name, a.Content, err)
		}
	}
}

// TestWhatAModelOfThisProcessSawIsHiddenFromServers asks a server for the vector of words in which no rule finds a
// secret, after a call of a model in this process has shown it.
func TestWhatAModelOfThisProcessSawIsHiddenFromServers(t *testing.T) {
	h := start(t, tools.NewSet(telling("write")), func(o *Options) {
		o.Model = func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: local{}, ContextTokens: 100_000}, nil
		}
	})
	server := llmtest.NewEmbeddings(t, 64)
	e := h.Embedder(Embedding{Space: "a space", Model: func(context.Context) (*llm.Embeddings, error) {
		return llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "home", BaseURL: server.URL}, "vectors", 0), nil
	}})
	h.ask(t, Prompt{Text: "look"})
	if _, err := e.EmbedQuery(t.Context(), "dial("+escaped+")"); err != nil {
		t.Fatal(err)
	}
	if sent := server.Texts(); len(sent) != 1 || !placeholder.MatchString(sent[0]) || showsEscaped(sent[0]) {
		t.Errorf("sent: %q", sent)
	}
}
