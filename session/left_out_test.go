package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// TestDecisionsOutliveTheirMessages proposes a file in each turn, decides in each way, and goes on until all of these turns are
// dropped, in several steps. What became of each proposal stays, as it is now.
func TestDecisionsOutliveTheirMessages(t *testing.T) {
	space, err := workspace.New([]string{t.TempDir()}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var manager *edits.Manager
	var staged []string // ids
	stage := tool("stage", func(ctx context.Context, env tools.Env, name string) (any, error) {
		c := env.Call()
		p, err := manager.Staging.Stage(ctx, edits.Batch{ConversationID: c.ConversationID, RequestID: c.RequestID, CallID: c.CallID,
			Title:      "add " + name,
			Operations: []edits.Operation{{Op: edits.OpCreate, Path: filepath.Join(space.Roots()[0], name), Text: "x\n"}}})
		if err == nil {
			staged = append(staged, p.ID)
		}
		return name, err
	})
	states := []edits.State{edits.Verified, edits.Rejected, edits.Failed, edits.Stale, edits.Staged}
	const more = 9
	var script []llmtest.Turn
	for i := range states {
		script = append(script, calls(call(fmt.Sprint("c", i), "stage", fmt.Sprintf("%d.txt", i))), says(strings.Repeat("it is proposed ", 40)))
	}
	for range more {
		script = append(script, says(strings.Repeat("more words ", 200)))
	}
	h := start(t, tools.NewSet(stage), func(o *Options) {
		windowOf(8000)(o)
		o.Workspace.Paths, o.Workspace.Roots = space, space.Roots
	}, script...)
	manager = edits.New(h.db, space, edits.Options{})
	id := ""
	for i, state := range states {
		text := fmt.Sprintf("propose %d", i)
		if i == 0 {
			text = "What I want above all: " + text
		}
		turn, outcome := h.ask(t, Prompt{ConversationID: id, Text: text})
		if id = turn.ConversationID; outcome.Err != nil {
			t.Fatal(outcome.Err)
		}
		h.decideOn(t, staged[i], state)
	}
	for i := range more {
		if i == 5 {
			h.decideOn(t, staged[4], edits.Undone) // once its turn was dropped
		}
		h.ask(t, Prompt{ConversationID: id, Text: "go on with " + strings.Repeat("this and that ", 40)})
	}
	requests := h.server.Requests()
	last := requests[len(requests)-1].Messages[1].Content
	want := []string{"- The user asked first: What I want above all: propose 0\n"}
	for i, fate := range []string{"accepted. Reason: because", "rejected. Reason: because", "accepted, but it could not be applied. Reason: because",
		"not applied, since its files had changed. Reason: because", "accepted, then taken back by the user. Reason: because"} {
		want = append(want, fmt.Sprintf("- Proposal %s (add %d.txt) for %d.txt: %s\n", staged[i], i, i, fate))
	}
	for _, line := range want {
		if !strings.Contains(last, line) {
			t.Errorf("%q is missing in %s", line, last)
		}
	}
	if n := strings.Count(last, "The user: ") + strings.Count(last, "(left out here, too: "); n == 0 {
		t.Errorf("nothing is said of other messages: %s", last)
	}
	for i, r := range requests {
		if n := sent(r); n > 6000 {
			t.Errorf("request %d has %d tokens", i+1, n)
		}
	}
}

// TestShortLines cuts texts to one line of 40 bytes.
func TestShortLines(t *testing.T) {
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	for text, want := range map[string]string{
		"one\n\n two":                         "one two",
		strings.Repeat("word ", 20):           "word word word word word word word word …",
		strings.Repeat("ä", 40):               strings.Repeat("ä", 20) + " …",
		"the token is here, it is " + secret:  "the token is here, it is …",
		"":                                    "",
		"the secret of a file is open sesame": "the secret of a file is open sesame",
	} {
		if got := shortLine(text, 40, nil); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := shortLine("the name of the file is "+"open-sesame-and-more-of-it and on", 40, []string{"open-sesame-and-more-of-it"}); strings.Contains(got, "open") {
		t.Errorf("a part of a secret is shown: %q", got)
	}
}
