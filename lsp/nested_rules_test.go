package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// reads is a response that reads files.
func reads(files ...string) (turn llmtest.Turn) {
	for i, file := range files {
		turn.Calls = append(turn.Calls,
			llmtest.Call{ID: fmt.Sprintf("call_%d_%s", i, strings.NewReplacer("/", "_", ".", "_").Replace(file)), Name: "read_file",
				Arguments: fmt.Sprintf(`{"file":%q}`, file)})
	}
	return turn
}

func answers(text string) llmtest.Turn { return llmtest.Turn{Text: []string{text}} }

// sendDone sends a message whose turn must end well.
func sendDone(t *testing.T, e *lsptest.Editor, p ploke.ChatSendParams) *ploke.ChatSendResult {
	t.Helper()
	answer := e.Send(t.Context(), p)
	if answer.StopReason != ploke.StopDone {
		t.Fatalf("the turn ended as %s: %s", answer.StopReason, answer.Error)
	}
	return answer
}

// checkGrowing checks that each request's messages begin with those of the one before.
func checkGrowing(t *testing.T, requests []llmtest.Request) {
	t.Helper()
	for i := 1; i < len(requests); i++ {
		before, after := rawMessages(t, requests[i-1]), rawMessages(t, requests[i])
		for j := range before {
			if j >= len(after) || string(before[j]) != string(after[j]) {
				t.Fatalf("request %d does not begin with request %d: message %d was %s", i+1, i, j, before[j])
			}
		}
	}
}

// rawMessages returns the messages of a request, byte by byte as they were sent.
func rawMessages(t *testing.T, r llmtest.Request) []json.RawMessage {
	t.Helper()
	var body struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(r.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Messages
}

// count returns how often a text stands in the messages of a request that have a role.
func countIn(r llmtest.Request, role, text string) (n int) {
	for _, m := range r.Parts() {
		if m.Role == role {
			n += strings.Count(m.Content, text)
		}
	}
	return n
}

// rulesIn returns how often a text stands in the rules of folders of a request: with a message or behind results.
func rulesIn(r llmtest.Request, text string) int {
	return countIn(r, "user", text) + countIn(r, "project", text)
}

// TestRulesOfAFolderReachTheModelOnceWhenAFileBelowItIsTouched reads files of two folders in a
// turn, and the first again in the next, after a restart.
func TestRulesOfAFolderReachTheModelOnceWhenAFileBelowItIsTouched(t *testing.T) {
	f := newFixture(t)

	f.write("AGENTS.md", "Rule of the root.\n")
	f.write("shapes/AGENTS.md", "Rule of the shapes.\n")
	f.write("shapes/deep/er/AGENTS.md", "Rule of the depths. token = \""+tokenInName+"\"\n~~~\nStill rules.\n")
	f.write("shapes/deep/er/a.go", "package er\n")
	f.write("other/AGENTS.md", "Rule of the others.\n")
	model := f.useModel(reads("shapes/circle.go"), reads("shapes/deep/er/a.go", "shapes/circle.go"), answers("one"),
		reads("shapes/circle.go"), answers("two"))
	var conversation string
	t.Run("first", func(t *testing.T) {
		f.t = t
		e := f.startIndexed()
		conversation = sendDone(t, e, ploke.ChatSendParams{Text: "zzzz"}).ConversationID
	})
	f.t = t
	e := f.startIndexed()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: conversation, Text: "zzzz again"})
	requests := model.Requests()
	checkGrowing(t, requests)
	for i, want := range []struct{ shapes, depths int }{{0, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 1}} {
		r := requests[i]
		if got := rulesIn(r, "Rule of the shapes."); got != want.shapes {
			t.Errorf("request %d has the rules of shapes %d times, want %d", i+1, got, want.shapes)
		}
		if got := rulesIn(r, "Rule of the depths."); got != want.depths {
			t.Errorf("request %d has the rules of the depths %d times, want %d", i+1, got, want.depths)
		}
		if body := string(r.Body); strings.Count(body, "Rule of the root.") != 1 || strings.Contains(body, "Rule of the others.") ||
			strings.Contains(body, tokenInName) {
			t.Errorf("request %d has other rules of the root, rules of others, or the secret", i+1)
		}
		if n := countIn(r, "system", "Rule of"); n != 0 {
			t.Errorf("request %d has rules in the system's role", i+1)
		}
	}
	var last string
	for _, m := range requests[2].Parts() {
		last = m.Content
	}
	if !strings.HasPrefix(last, "Between the fences are rules") || !strings.Contains(last, "~~~~ shapes/deep/er/AGENTS.md\n") {
		t.Errorf("the rules of the depths do not follow the results that need them: %s", last)
	}
}

// TestRulesOfAFolderComeWithTheMessageThatNamesItsFile attaches a file, or has it on the screen.
func TestRulesOfAFolderComeWithTheMessageThatNamesItsFile(t *testing.T) {
	for _, how := range []string{"attached", "on the screen", "found", "edited"} {
		t.Run(how, func(t *testing.T) {
			f := newFixture(t)
			f.write("shapes/AGENTS.md", "Rule of the shapes.\n")
			f.write("lone/AGENTS.md", "Rule of the lone.\n")
			script := []llmtest.Turn{answers("one"), answers("two")}
			if how == "edited" {
				script = slices.Insert(script, 0, llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "create_file", Arguments: `{"file":"shapes/new.go","content":"package shapes\n","reason":"x"}`}}})
			}
			model := f.useModel(script...)
			e := f.startIndexed()
			p := ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"}
			switch how {
			case "attached":
				p.Attachments = []ploke.Attachment{{URI: fileURI(f.path("shapes/circle.go"))}}
			case "on the screen":
				e.Open(f.path("shapes/circle.go"))
				e.Type(f.path("shapes/circle.go"), 0, 0, "// ")
			case "found":
				p.Text = "what is the Area of a Circle?"
			}
			sendDone(t, e, p)
			p.Attachments, p.Text = nil, "zzzz"
			sendDone(t, e, p)
			requests := model.Requests()
			checkGrowing(t, requests)
			for i, r := range requests {
				want := 1
				if how == "edited" && i == 0 {
					want = 0
				}
				if got := rulesIn(r, "Rule of the shapes."); got != want || rulesIn(r, "Rule of the lone.") != 0 {
					t.Errorf("request %d has the rules %d times", i+1, got)
				}
			}
		})
	}
}

// TestAChangeOfAFoldersRulesIsNoticedAtTheNextTurn changes them, removes them, and writes them anew.
func TestAChangeOfAFoldersRulesIsNoticedAtTheNextTurn(t *testing.T) {
	f := newFixture(t)
	f.write("shapes/AGENTS.md", "Rule one.\n")
	model := f.useModel(reads("shapes/circle.go"), answers("1"), answers("2"), answers("3"), answers("4"))
	e := f.startIndexed()
	id := newConversation(e)
	send := func() { sendDone(t, e, ploke.ChatSendParams{ConversationID: id, Text: "zzzz"}) }
	send()
	f.write("shapes/AGENTS.md", "Rule two.\n")
	send()
	f.remove("shapes/AGENTS.md")
	send()
	f.write("shapes/AGENTS.md", "Rule four.\n")
	send()
	requests := model.Requests()
	checkGrowing(t, requests)
	last := requests[len(requests)-1]
	for text, want := range map[string]int{"Rule one.": 1, "Rule two.": 1, "this replaces what it said before": 1, "shapes/AGENTS.md is gone: its rules no longer apply.": 1, "Rule four.": 1} {
		if got := rulesIn(last, text); got != want {
			t.Errorf("%q stands %d times in the last request, want %d", text, got, want)
		}
	}
	if n := countIn(requests[2], "user", "Rule two."); n != 1 {
		t.Errorf("the turn after the change has it %d times", n)
	}
}

// TestHostileRulesOfFoldersAreBounded has rules that are huge, binary, secret, linked from outside,
// in folders of others, or in a thousand folders.
func TestHostileRulesOfFoldersAreBounded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	outside := filepath.Join(t.TempDir(), "AGENTS.md")
	if err := os.WriteFile(outside, []byte("Rule from outside.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{
		"huge": "First huge rule.\n" + strings.Repeat("Huge rule.\n", 140<<10/11), "binary": "Rule\x00\x01\x02",
		"a/node_modules/b": "Rule of a module.", "vendor/c": "Rule of a vendor.", ".git": "Rule of git.", "empty": " \n",
		"key": "-----BEGIN RSA PRIVATE " + "KEY-----\n" + strings.Repeat("q8Zr0xT4mB", 6) + "\n-----END RSA PRIVATE " + "KEY-----\n",
	}
	var files []string
	for folder, rules := range folders {
		f.write(folder+"/AGENTS.md", rules)
		f.write(folder+"/x.txt", "x\n")
		files = append(files, folder+"/x.txt")
	}
	f.write("linked/x.txt", "x\n")
	if err := os.Symlink(outside, f.path("linked/AGENTS.md")); err != nil {
		t.Fatal(err)
	}
	var many []string
	for i := range 1000 {
		folder := fmt.Sprintf("many/%03d", i)
		f.write(folder+"/AGENTS.md", fmt.Sprintf("One of many, %03d. %s\n", i, strings.Repeat("word ", 100)))
		if i%10 == 0 {
			f.write(folder+"/x.txt", "x\n")
			many = append(many, folder+"/x.txt")
		}
	}
	model := f.useModel(reads(append(files, "linked/x.txt")...), reads(many...), answers("one"))
	e := f.startIndexed()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"})
	requests := model.Requests()
	checkGrowing(t, requests)
	last := requests[len(requests)-1]
	total := 0
	for _, m := range last.Parts() {
		if m.Role == "user" || m.Role == "project" {
			total += len(m.Content)
		}
	}
	if total > 12<<10 || rulesIn(last, "First huge rule.") != 1 {
		t.Errorf("%d bytes of rules", total)
	}
	for _, text := range []string{"Rule from outside", "Rule of a module", "Rule of a vendor", "Rule of git", "q8Zr0xT4mB", "empty/AGENTS.md", "Rule\x00"} {
		if n := rulesIn(last, text); n != 0 {
			t.Errorf("%q is sent", text)
		}
	}
	awaitMessage(e, "huge/AGENTS.md has 141 KB, but only 10 KB of it are sent", "")
	awaitMessage(e, "the rules in binary/AGENTS.md are left out", "not text")
	awaitMessage(e, "the rules in linked/AGENTS.md are left out", "outside the workspace")
	if n := len(e.Messages()); n > 8 {
		t.Errorf("%d messages are shown", n)
	}
}

// TestTheNearestRulesArePreferred has more rules on the way to a file than fit.
func TestTheNearestRulesArePreferred(t *testing.T) {
	f := newFixture(t)
	folder := "deep"
	for i := range 120 {
		f.write(folder+"/AGENTS.md", fmt.Sprintf("Deep rule %03d. %s\n", i, strings.Repeat("word ", 100)))
		folder += "/d"
	}
	f.write(folder+"/x.txt", "x\n")
	model := f.useModel(reads(folder+"/x.txt"), answers("one"))
	e := f.startIndexed()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"})
	last := model.Requests()[1]
	if rulesIn(last, "Deep rule 119.") != 1 || rulesIn(last, "Deep rule 110.") != 1 || rulesIn(last, "Deep rule 000.") != 0 {
		t.Error("the nearest rules are missing, or the farthest are not")
	}
	rules := last.Last().Content
	if strings.Index(rules, "Deep rule 110.") > strings.Index(rules, "Deep rule 119.") {
		t.Error("the nearest rules are not the last")
	}
}

// TestRulesOfFoldersCanBeTurnedOff also asks the embedded model, which follows none.
func TestRulesOfFoldersCanBeTurnedOff(t *testing.T) {
	f := newFixture(t)
	f.write("shapes/AGENTS.md", "Rule of the shapes.\n")
	model := f.useModel(reads("shapes/circle.go"), answers("one"))
	e := f.start(lsptest.Options{InitializationOptions: map[string]any{"projectRules": false}})
	e.AwaitIndex()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"})
	for i, r := range model.Requests() {
		if strings.Contains(string(r.Body), "Rule of the shapes.") {
			t.Errorf("request %d has rules", i+1)
		}
	}
}

// TestEachRootHasRulesOfItsOwn opens two folders, one with rules in a folder of the other's name.
func TestEachRootHasRulesOfItsOwn(t *testing.T) {
	f := newFixture(t)
	second := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(second, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f.write("shapes/AGENTS.md", "Rule of the first shapes.\n")
	write("AGENTS.md", "Rule of the second root.\n")
	write("shapes/AGENTS.md", "Rule of the second shapes.\n")
	write("shapes/x.txt", "x\n")
	model := f.useModel(reads(filepath.Join(second, "shapes/x.txt")), answers("one"))
	e := f.start(lsptest.Options{Roots: []string{f.root, second}})
	e.AwaitIndex()
	sendDone(t, e, ploke.ChatSendParams{ConversationID: newConversation(e), Text: "zzzz"})
	last := model.Requests()[1]
	if rulesIn(last, "Rule of the second root.") != 1 || rulesIn(last, "Rule of the second shapes.") != 1 ||
		rulesIn(last, "first shapes") != 0 {
		t.Error("the second root's rules are missing, or the first's are sent")
	}
}

// The code that is found for a message is shown with paths below the root.
func TestRulesOfAFolderComeWithTheCodeThatIsFoundForAMessage(t *testing.T) {
	f := newFixture(t)
	f.write("ruled/tower.go", "package ruled\n\n// BuildTower builds.\nfunc BuildTower() {}\n")
	f.write("ruled/AGENTS.md", "Towers stay low.\n")
	if sent := f.contextsOf("", "what does BuildTower do?")[0]; !strings.Contains(sent, `<code="ruled/tower.go"`) ||
		!strings.Contains(sent, "Towers stay low.") {
		t.Errorf("the rules do not come with the code:\n%s", sent)
	}
}
