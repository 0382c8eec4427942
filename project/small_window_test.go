package project_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/config"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
)

// smallModel is a project with a folder of Go files, whose model has a small window and answers from a script.
type smallModel struct {
	*project.Project
	root         string
	server       *llmtest.Server
	conversation string
}

func newSmallModel(t *testing.T, window int, files map[string]string, script ...llmtest.Turn) *smallModel {
	t.Helper()
	m := &smallModel{root: t.TempDir(), server: llmtest.NewServer(t, script...)}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(m.root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	layer := config.FromJSON("the test",
		fmt.Appendf(nil, `{"model": "own/small", "providers": {"own": {"type": "openai", "baseUrl": %q,
			"models": {"small": {"contextTokens": %d}}}}}`,
			m.server.URL, window))
	p, err := project.Open(t.Context(),
		project.Options{StateDir: t.TempDir(), Settings: project.NewSettings(layer), Getenv: func(string) string { return "" }},
		[]string{m.root}, &headless{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.AwaitIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.Project = p
	return m
}

// whole returns a decision on a proposal as it is now.
func (m *smallModel) whole(t *testing.T, id string) edits.Decision {
	t.Helper()
	proposal, err := m.Edits.Proposals.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return proposal.Whole()
}

// ask sends a message of the conversation, and returns its result and the notices with it.
func (m *smallModel) ask(t *testing.T, text string) (result *project.TurnResult, notices []string) {
	t.Helper()
	turn, transcript, err := m.Transcripts.Start(t.Context(), session.Prompt{ConversationID: m.conversation, Text: text, Origin: "test"})
	if err != nil {
		t.Fatal(err)
	}
	m.conversation = turn.ConversationID
	result = transcript.Follow(t.Context(), transcript.From(0), func(part project.Part) {
		if notice, ok := part.Event.(bus.Notice); ok {
			notices = append(notices, notice.Text)
		}
	})
	return result, notices
}

// inventory is a file of so many lines, the last of which are the function Total.
func inventory(lines int) string {
	total := strings.Split(`
// Total returns the sum of the quantities.
func (s *Store) Total() int {
	sum := 0
	for _, e := range s.entries {
		sum += e.Quantity
	}
	return sum
}`, "\n")
	text := []string{"package stock", "", "type Entry struct {", "\tName string", "\tQuantity int", "\tDeleted bool", "}", "", "type Store struct{ entries []Entry }"}
	for i := 0; len(text)+len(total) < lines; i++ {
		text = append(text, []string{"", fmt.Sprintf("// Rule%03d reports whether an entry keeps the rule %d.", i, i), fmt.Sprintf("func Rule%03d(e Entry) bool {", i),
			fmt.Sprintf("\treturn e.Quantity > %d && !e.Deleted", i), "}"}[:min(5, lines-len(text)-len(total))]...)
	}
	return strings.Join(append(text, total...), "\n") + "\n"
}

func toolCall(id, name string, arguments any) llmtest.Call {
	encoded, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return llmtest.Call{ID: id, Name: name, Arguments: string(encoded)}
}

// tokensOf counts a request as the engine does before a server has reported any tokens.
func tokensOf(r llmtest.Request) int {
	quarter := func(n int) int { return (n + 3) / 4 }
	n := 0
	for _, m := range r.Messages {
		n += 4 + quarter(len(m.Content)+3*len(regexp.MustCompile(`[0-9]`).FindAllString(m.Content, -1))+
			2*len(regexp.MustCompile(`[\n\t!-/:-@[-`+"`"+`{-~]`).FindAllString(m.Content, -1)))
		for _, c := range m.ToolCalls {
			n += quarter(len(c.Function.Name)) + quarter(len(c.Function.Arguments))
		}
	}
	for _, t := range r.Tools {
		n += quarter(len(t.Function.Name)) + quarter(len(t.Function.Description)) + quarter(len(t.Function.Parameters))
	}
	return (n*5 + 3) / 4
}

// result returns the result of a call in a request.
func result(r llmtest.Request, id string) string {
	for _, m := range r.Messages {
		if m.ToolCallID == id {
			return m.Content
		}
	}
	return ""
}

// TestAnEditTaskInASmallWindow searches, reads a file of 328 lines, edits it and accepts. The file comes whole if there is
// room; else the result says how to read on, and the model does.
func TestAnEditTaskInASmallWindow(t *testing.T) {
	const old, changed = "\t\tsum += e.Quantity\n", "\t\tif !e.Deleted {\n\t\t\tsum += e.Quantity\n\t\t}\n"
	text := inventory(328)
	for _, tt := range []struct{ window, reported, least int }{{8192, 0, 2500}, {8192, 2000, 4000}, {16_384, 0, len(text)}, {16_384, 2000, len(text)}} {
		t.Run(fmt.Sprint(tt.window, " ", tt.reported), func(t *testing.T) {
			t.Parallel()
			window := tt.window
			m := newSmallModel(t, window, map[string]string{"stock.go": text, "go.mod": "module stock\n", "AGENTS.md": strings.Repeat("Keep functions short and say why.\n", 400)},
				llmtest.Turn{Calls: []llmtest.Call{toolCall("search000", "search_text", map[string]string{"pattern": "Total"})}, Usage: llmtest.Usage{Prompt: tt.reported}},
				llmtest.Turn{Calls: []llmtest.Call{toolCall("reads0000", "read_file", map[string]string{"file": "stock.go"})}},
				llmtest.Turn{Calls: []llmtest.Call{toolCall("reads0001", "read_file", map[string]any{"file": "stock.go", "start_line": 300})}},
				llmtest.Turn{Calls: []llmtest.Call{toolCall("edits0000", "apply_code_edit", map[string]any{"reason": "tidy up", "edits": []map[string]string{{"mode": "replace", "file": "stock.go", "old": old, "new": changed}}})}},
				llmtest.Turn{Text: []string{"I propose to skip deleted entries."}})
			outcome, _ := m.ask(t, "Total in stock.go must leave out deleted entries")
			if outcome.StopReason != bus.StopDone || len(outcome.Proposals) != 1 {
				t.Fatalf("%+v", outcome)
			}
			requests := m.server.Requests()
			scale := 1.25 // of an estimate, until the server reports tokens
			if tt.reported > 0 {
				scale = max(0.75, 1.25*float64(tt.reported)/float64(tokensOf(requests[0])))
			}
			for i, r := range requests {
				if n := int(float64(tokensOf(r)) / 1.25 * scale); n > window {
					t.Errorf("request %d has %d tokens", i+1, n)
				}
			}
			read := result(requests[2], "reads0000")
			if len(read) < tt.least {
				t.Errorf("the read shows %d bytes: %.300s", len(read), read)
			}
			if whole := strings.Contains(read, "func (s *Store) Total()"); !whole && !strings.Contains(read, "with start_line ") {
				t.Errorf("the read does not say how to go on: %s", read[max(0, len(read)-300):])
			}
			if rules := requests[0].Messages[1].Content; !strings.Contains(rules, "AGENTS.md (its last ") {
				t.Errorf("nothing is said of the rules that are left out: %.300s", rules)
			} else if n := strings.Count(rules, "Keep functions short"); n < 20 || n*len("Keep functions short and say why.\n") > window*32/100 {
				t.Errorf("%d lines of rules are sent", n)
			}
			if _, err := m.Applier.Accept(t.Context(), m.whole(t, outcome.Proposals[0])); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(m.root, "stock.go"))
			if err != nil || string(got) != strings.Replace(text, old, changed, 1) {
				t.Errorf("the file was not edited: %v", err)
			}
		})
	}
}

// TestALongConversationInASmallWindow edits a file in each of twelve turns. The last request still has what was asked first
// and each decision.
func TestALongConversationInASmallWindow(t *testing.T) {
	const turns, window = 12, 16_384
	files := map[string]string{"go.mod": "module stock\n"}
	var script []llmtest.Turn
	for i := range turns {
		name := fmt.Sprintf("part%02d.go", i)
		files[name] = strings.Replace(inventory(120), "package stock", fmt.Sprintf("package stock // part %d", i), 1)
		script = append(script,
			llmtest.Turn{Calls: []llmtest.Call{toolCall(fmt.Sprintf("reads%04d", i), "read_file", map[string]string{"file": name})}},
			llmtest.Turn{Calls: []llmtest.Call{toolCall(fmt.Sprintf("edits%04d", i), "apply_code_edit", map[string]any{"reason": "tidy up", "edits": []map[string]string{
				{"mode": "replace", "file": name, "old": fmt.Sprintf("stock // part %d", i), "new": "stock"}}})}},
			llmtest.Turn{Text: []string{fmt.Sprintf("I propose to drop the comment in %s. ", name),
				strings.Repeat("More may be said of that. ", 120)}})
	}
	m := newSmallModel(t, window, files, script...)
	want := []string{"The user asked first: Tidy up: remove the comments behind the package clauses, one file after another, beginning with part00.go"}
	for i := range turns {
		text := fmt.Sprintf("Go on with part%02d.go. %s", i, strings.Repeat("Keep all else as it is. ", 20))
		if i == 0 {
			text = "Tidy up: remove the comments behind the package clauses, one file after another, beginning with part00.go"
		}
		outcome, _ := m.ask(t, text)
		if outcome.StopReason != bus.StopDone || len(outcome.Proposals) != 1 {
			t.Fatalf("turn %d: %+v", i, outcome)
		}
		var err error
		said := "accepted"
		if i%3 == 1 {
			said = "rejected"
			_, err = m.Edits.Reject(t.Context(), m.whole(t, outcome.Proposals[0]), "too early")
		} else {
			_, err = m.Applier.Accept(t.Context(), m.whole(t, outcome.Proposals[0]))
		}
		if err != nil {
			t.Fatal(err)
		}
		if i < turns-1 {
			want = append(want, fmt.Sprintf(`Proposal %s \(tidy up\) (for part%02d\.go: %s|is %s)`, outcome.Proposals[0], i, said, map[string]string{"accepted": "verified", "rejected": "rejected"}[said]))
		}
	}
	requests := m.server.Requests()
	for i, r := range requests {
		if n := tokensOf(r); n > window {
			t.Errorf("request %d has %d tokens", i+1, n)
		}
	}
	last := requests[len(requests)-1]
	var all strings.Builder
	for _, message := range last.Messages {
		all.WriteString(message.Content + "\n")
	}
	for _, text := range want {
		if !regexp.MustCompile(text).MatchString(all.String()) {
			t.Errorf("the last request lacks %s: %.6000s", text, last.Messages[1].Content)
		}
	}
}

// TestTinyWindows says in one sentence what to do, with no request if nothing can be done.
func TestTinyWindows(t *testing.T) {
	for window, answers := range map[int]bool{2048: false, 4096: true} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			var script []llmtest.Turn
			if answers {
				script = []llmtest.Turn{{Calls: []llmtest.Call{toolCall("reads0000", "read_file", map[string]string{"file": "stock.go"})}}, {Text: []string{"It sums up."}}}
			}
			m := newSmallModel(t, window, map[string]string{"stock.go": inventory(328)}, script...)
			outcome, notices := m.ask(t, "what does Total do?")
			said := outcome.Error
			if answers {
				said = strings.Join(notices, "\n")
				if outcome.StopReason != bus.StopDone {
					t.Errorf("%+v", outcome)
				}
			} else if outcome.StopReason != bus.StopLimit || outcome.ErrorKind != bus.ErrorContext {
				t.Errorf("%+v", outcome)
			}
			for _, text := range []string{"the window of own/small has " + fmt.Sprint(window) + " tokens", "start its server with a larger window, at least 8000 tokens, or choose another model"} {
				if !strings.Contains(said, text) {
					t.Errorf("%q is missing in %q", text, said)
				}
			}
			if strings.Contains(said, "\n") {
				t.Errorf("more than one sentence: %q", said)
			}
		})
	}
}
