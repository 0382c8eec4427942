package session

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/session/redact"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

const password = "hunter2Zebra"

var placeholder = regexp.MustCompile(`PLOKE_SECRET_[0-9a-f]{12}`)

// keeper has a file with a password in it, and notes what its tools are given.
type keeper struct{ given []string }

func (k *keeper) tools() *tools.Set {
	read := tool("read", func(context.Context, tools.Env, string) (any, error) {
		return wording.Snippet("/w/db.go", 1, "var password = \""+password+"\"\n"), nil
	})
	write := tool("write", func(_ context.Context, _ tools.Env, text string) (any, error) {
		k.given = append(k.given, text)
		return "dial(" + password + ") is written", nil // no rule finds it there
	})
	return tools.NewSet(read, write)
}

// hides is the placeholder that a conversation has for the password.
func hides(conversationID string) string {
	hidden, _ := redact.New(conversationID).Hide("password = '" + password + "'")
	return placeholder.FindString(hidden)
}

func TestSecretsStayHere(t *testing.T) {
	var k keeper
	script := []llmtest.Turn{calls(call("a", "read", "")), says("hello"), {}, says("done"), says("bye")}
	h := start(t, k.tools(), nil, script...)
	turn, _ := h.ask(t, Prompt{Text: "read the file"})
	p := hides(turn.ConversationID)
	script[2] = calls(call("b", "write", "dial("+p+")"))
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "dial with it"})
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "thanks"})

	requests := h.server.Requests()
	if len(requests) != 5 {
		t.Fatalf("%d requests", len(requests))
	}
	for i, r := range requests {
		if body := string(r.Body); strings.Contains(body, password) || strings.Contains(body, p) != (i > 0) {
			t.Errorf("request %d: %s", i+1, body)
		}
	}
	checkPrefixes(t, requests)
	if got, want := strings.Join(k.given, "|"), "dial("+password+")"; got != want {
		t.Errorf("the tool was given %q; want %q", got, want)
	}
	entries, err := h.Ledger(t.Context(), LedgerQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	for _, e := range entries {
		counts = append(counts, e.Secrets)
	}
	if got := fmt.Sprint(counts); got != "[0 1 1 2 2]" {
		t.Errorf("the ledger counts %s secrets", got)
	}
}

// TestSecretsAreStoredAsTheModelWroteThem reads the records, which a branch or
// another program may send again.
func TestSecretsAreStoredAsTheModelWroteThem(t *testing.T) {
	var k keeper
	script := []llmtest.Turn{says("hello"), {}, says("done")}
	h := start(t, k.tools(), nil, script...)
	turn, _ := h.ask(t, Prompt{Text: "my password: " + password})
	p := hides(turn.ConversationID)
	script[1] = calls(call("b", "write", p))
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "use it"})
	messages := h.history(t, turn.ConversationID)
	call := messages[3].Calls[0]
	if got := string(call.Arguments); got != `{"text":"`+p+`"}` {
		t.Errorf("the arguments are stored as %s", got)
	}
	if !strings.Contains(messages[0].Text, password) || !strings.Contains(string(call.Content), password) {
		t.Error("what the user and the tools have said is not stored as it is")
	}
}

func TestDamagedPlaceholdersAreRefused(t *testing.T) {
	var k keeper
	script := []llmtest.Turn{says("hello"), {}, says("sorry")}
	h := start(t, k.tools(), nil, script...)
	turn, _ := h.ask(t, Prompt{Text: "my password: " + password})
	p := hides(turn.ConversationID)
	script[1] = calls(call("b", "write", p[:len(p)-1]), call("c", "write", "PLOKE_SECRET_000000000000"))
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "use it"})
	if len(k.given) != 0 {
		t.Errorf("the tool was given %q", k.given)
	}
	for _, c := range h.history(t, turn.ConversationID)[3].Calls {
		var content struct {
			OK         bool
			Code, Hint string
			Candidates []string
		}
		if err := json.Unmarshal(c.Content, &content); err != nil {
			t.Fatal(err)
		}
		if content.OK || content.Code != "unknown_placeholder" || content.Hint == "" || len(content.Candidates) != 1 ||
			content.Candidates[0] != p {
			t.Errorf("the model gets %s", c.Content)
		}
	}
}

// TestSecretsOfDroppedMessages has a model use a placeholder from a message that was
// dropped from its window.
func TestSecretsOfDroppedMessages(t *testing.T) {
	var k keeper
	script := []llmtest.Turn{says("hello"), says("yes"), {}, says("done")}
	h := start(t, k.tools(), func(o *Options) {
		find := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			m, err := find(ctx, name)
			m.ContextTokens = 8000
			return m, err
		}
	}, script...)
	turn, _ := h.ask(t, Prompt{Text: strings.Repeat("words and words. ", 700) + "\nmy password: " + password})
	p := hides(turn.ConversationID)
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: strings.Repeat("more and more. ", 700)})
	script[2] = calls(call("b", "write", p))
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "use it"})
	requests := h.server.Requests()
	if before := string(requests[2].Body); strings.Contains(before, p) {
		t.Fatal("the message was not left out")
	}
	if after := string(requests[3].Body); strings.Contains(after, password) {
		t.Errorf("the secret went out: %s", after)
	}
	if len(k.given) != 1 || k.given[0] != password {
		t.Errorf("the tool was given %q", k.given)
	}
}

// TestSecretsThatOnlyDroppedMessagesTellStayHidden repeats secrets in words in which no rule finds
// them: one that a call has used, and those of files that an attachment and a result have shown.
// The messages that tell of them were dropped from the window.
func TestSecretsThatOnlyDroppedMessagesTellStayHidden(t *testing.T) {
	const attached = "Wombat-of-a-file"
	many := strings.Repeat("words and words. ", 700)
	lines := keyLines(25, 70)
	for name, tt := range map[string]struct {
		first  Prompt
		secret string
		call   func(placeholder string) llmtest.Call
	}{
		"used": {Prompt{Text: many + "\nmy password: " + password}, password,
			func(hidden string) llmtest.Call {
				return llmtest.Call{ID: "b", Name: "search_text", Arguments: `{"pattern":"` + hidden + `"}`}
			}},
		"attached": {Prompt{Text: "my file", Attachments: []records.Attachment{{Path: "/w/key.txt", StartLine: 1, EndLine: 700, Text: attached + "\n" + many, Secrets: []string{attached}}}}, attached,
			func(string) llmtest.Call { return llmtest.Call{ID: "b", Name: "list_dir", Arguments: `{}`} }},
		"shown": {Prompt{Text: "my file"}, lines[9],
			func(string) llmtest.Call {
				return llmtest.Call{ID: "b", Name: "read_file", Arguments: `{"file":"deploy.txt","start_line":6}`}
			}},
	} {
		t.Run(name, func(t *testing.T) {
			script := []llmtest.Turn{says("hello"), {}, says("done"), says("and more"), says("bye")}
			h, _ := onSecrets(t, map[string]string{"deploy.txt": pem("OPENSSH ", lines)}, script...)
			windowOf(8000)(&h.opts)
			turn, _ := h.ask(t, tt.first)
			hidden, _ := redact.New(turn.ConversationID).Hide(tt.secret, tt.secret)
			script[1] = calls(tt.call(hidden))
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "use it"})
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: strings.Repeat("more and more. ", 700)})
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "dial(" + tt.secret + ") fails"})
			requests := h.server.Requests()
			last := string(requests[len(requests)-1].Body)
			if _, after, dropped := strings.Cut(last, "is left out. In short:"); !dropped || strings.Count(after, hidden) != 1 {
				t.Fatalf("the messages were not dropped: %s", last)
			}
			if strings.Contains(last, tt.secret) || !strings.Contains(last, "dial("+hidden+") fails") {
				t.Errorf("the secret went out: %s", last)
			}
		})
	}
}

// TestNoPlaceholdersForTheEmbeddedModel sends secrets unchanged to a model in this
// process.
func TestNoPlaceholdersForTheEmbeddedModel(t *testing.T) {
	var k keeper
	h := start(t, k.tools(), func(o *Options) {
		o.Model = func(context.Context, string) (llm.Model, error) {
			return llm.Model{Provider: local{}, ContextTokens: 100_000}, nil
		}
	})
	_, outcome := h.ask(t, Prompt{Text: "password: " + password + " PLOKE_SECRET_000000000000"})
	if !strings.Contains(outcome.Text, password) {
		t.Errorf("the model has heard %q", outcome.Text)
	}
	if strings.Join(k.given, "") != "PLOKE_SECRET_000000000000" {
		t.Errorf("the tool was given %q", k.given)
	}
}

// local is a model in this process. It says what it hears, and calls a tool with
// something like a placeholder.
type local struct{}

func (local) Name() string { return "local" }

func (local) Send(_ context.Context, r *llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		last := r.Messages[len(r.Messages)-1]
		if last.Role == llm.Tool {
			yield(llm.Chunk{Text: "done", Finish: llm.FinishStop}, nil)
			return
		}
		write := llm.Call{ID: "a", Name: "write", Arguments: json.RawMessage(`{"text":"PLOKE_SECRET_000000000000"}`)}
		yield(llm.Chunk{Text: last.Text, Call: &write, Finish: llm.FinishToolCalls}, nil)
	}
}
