package session

import (
	"context"
	"strings"
	"testing"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// openTool is named like a tool that touches files: its argument is the file.
func openTool() *tools.Tool {
	return tools.Define[asJSON]("read_file", "reads", tools.Short, func(_ context.Context, _ tools.Env, a text) (tools.Result, error) {
		return tools.OK(map[string]any{"ok": true, "file": a.Text}, "read")
	})
}

// folderRules gives each file the rules of a folder of its own.
func folderRules(o *Options) {
	o.Workspace.NestedRules = func(_ context.Context, files []string, limit int,
		known func(path, hash string) bool) (rules []records.Rules, err error) {
		for _, file := range files {
			folder := strings.TrimSuffix(file, "/AGENTS.md")
			path := folder + "/AGENTS.md"
			if r := (records.Rules{Path: path, Name: path, Text: "Rule of " + folder + strings.Repeat(".", 9000), Hash: "hash"}); !known(path,
				"hash") && r.Size() <= limit {
				rules = append(rules, r)
			}
		}
		return rules, nil
	}
}

// TestRulesOfAFolderAreStoredBeforeTheyAreSent reads the database while the model has just got them.
func TestRulesOfAFolderAreStoredBeforeTheyAreSent(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(openTool()), folderRules, calls(call("a", "read_file", "/w/a")), llmtest.Turn{Text: []string{"half"}, Hold: gate}, says("done"))
	turn, err := h.Start(t.Context(), Prompt{Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, gate)
	var stored string
	if err := h.db.Read().QueryRowContext(t.Context(), `SELECT extra FROM messages WHERE id = ?`,
		turn.AssistantMessageID).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stored, "Rule of /w/a") {
		t.Errorf("a crash now would lose the rules: %s", stored)
	}
	gate.Open()
	h.wait(t, turn)
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and?"})
	checkPrefixes(t, h.server.Requests())
}

// TestAMessageThatSteersBringsTheRulesOfItsFiles attaches a file to a message that joins a turn.
func TestAMessageThatSteersBringsTheRulesOfItsFiles(t *testing.T) {
	gate := llmtest.NewGate()
	h := start(t, tools.NewSet(openTool()), folderRules, llmtest.Turn{Text: []string{"half"}, Hold: gate}, says("done"), says("more"))
	turn, err := h.Start(t.Context(), Prompt{Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, gate)
	if _, err := h.Start(t.Context(), Prompt{ConversationID: turn.ConversationID, Text: "this", WhileBusy: Steer, Attachments: []records.Attachment{{Path: "/w/a", StartLine: 1, EndLine: 1, Text: "x\n"}}}); err != nil {
		t.Fatal(err)
	}
	gate.Open()
	h.wait(t, turn)
	h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and?"})
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	for i, want := range []int{0, 1, 1} {
		if n := strings.Count(string(requests[i].Body), "Rule of /w/a"); n != want {
			t.Errorf("request %d has the rules %d times, want %d", i+1, n, want)
		}
	}
}

// TestRulesThatACompactionDropsAreGivenAgain reads a file in each turn, while the window fills and
// older turns are dropped.
func TestRulesThatACompactionDropsAreGivenAgain(t *testing.T) {
	var script []llmtest.Turn
	const turns = 8
	for range turns {
		script = append(script, calls(call("", "read_file", "/w/a")), says(strings.Repeat("long words ", 3000)))
	}
	h := start(t, tools.NewSet(openTool()), func(o *Options) {
		folderRules(o)
		model := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			m, err := model(ctx, name)
			m.ContextTokens = 32_000
			return m, err
		}
	}, script...)
	conversation := ""
	for range turns {
		turn, _ := h.ask(t, Prompt{ConversationID: conversation, Text: "go"})
		conversation = turn.ConversationID
	}
	missing := 0
	for i, r := range h.server.Requests() {
		switch n := strings.Count(string(r.Body), "Rule of /w/a"); {
		case n == 0:
			missing++ // before the file is touched
		case n > 1:
			t.Errorf("request %d has the rules %d times", i+1, n)
		}
		if i%2 == 1 && !strings.Contains(string(r.Body), "Rule of /w/a") {
			t.Errorf("request %d lacks the rules", i+1)
		}
	}
	if missing < 2 {
		t.Error("nothing was dropped")
	}
}

// TestAFallbackThatFollowsNoRulesGetsNone answers with a model that takes the last words of the
// user for the question.
func TestAFallbackThatFollowsNoRulesGetsNone(t *testing.T) {
	second := llmtest.NewServer(t, says("I can"))
	h := start(t, tools.NewSet(openTool()), func(o *Options) {
		folderRules(o)
		o.Fallback = "other"
		model := o.Model
		o.Model = func(ctx context.Context, name string) (llm.Model, error) {
			if name == "other" {
				return llm.Model{Provider: llm.OpenAI(llm.OpenAIConfig{Name: "other", BaseURL: second.URL}), ID: "n", FindsContext: true}, nil
			}
			return model(ctx, name)
		}
		o.Limits.Retries = -1
	}, calls(call("a", "read_file", "/w/a")), llmtest.Turn{Status: 529})
	if _, outcome := h.ask(t, Prompt{Text: "go"}); outcome.StopReason != bus.StopDone {
		t.Fatalf("%+v", outcome)
	}
	if body := string(second.Requests()[0].Body); strings.Contains(body, "Rule of") || !strings.Contains(body, "/w/a") {
		t.Errorf("the fallback got %s", body)
	}
}
