package session

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// staging starts an engine whose tool "stage" proposes a new file, and then does
// what after says.
func staging(t *testing.T, after func(*harness), script ...llmtest.Turn) (h *harness) {
	t.Helper()
	space, err := workspace.New([]string{t.TempDir()}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var manager *edits.Manager
	stage := tool("stage", func(ctx context.Context, env tools.Env, name string) (any, error) {
		c := env.Call()
		_, err := manager.Staging.Stage(ctx, edits.Batch{ConversationID: c.ConversationID, RequestID: c.RequestID, CallID: c.CallID,
			Title:      "new file",
			Operations: []edits.Operation{{Op: edits.OpCreate, Path: filepath.Join(space.Roots()[0], name), Text: "x\n"}}})
		after(h)
		return name, err
	})
	h = start(t, tools.NewSet(stage), nil, append([]llmtest.Turn{calls(call("a", "stage", "a.txt"))}, script...)...)
	manager = edits.New(h.db, space, edits.Options{})
	return h
}

// decide sets what became of all proposals.
func (h *harness) decide(t *testing.T, state edits.State) {
	err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE proposals SET status = ?, updated_at = updated_at + 1, body = json_set(body, '$.decision_reason', 'because')`,
			state)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// told returns what a request tells of proposals, without their ids.
func told(r llmtest.Request) (lines []string) {
	for _, m := range outline(r) {
		if rest, ok := strings.CutPrefix(m, "system: Proposal "); ok {
			_, line, _ := strings.Cut(rest, " ")
			lines = append(lines, line)
		}
	}
	return lines
}

// TestEveryDecisionReachesTheModel gives a proposal each possible final state, during
// its turn and later. The model gets one notice with the next request, and later
// turns send the same messages.
func TestEveryDecisionReachesTheModel(t *testing.T) {
	for state, means := range map[edits.State]string{
		edits.Applied:  "The user accepted it; its changes are in the files.",
		edits.Verified: "The user accepted it; its changes are in the files.",
		edits.Rejected: "The user rejected it; its changes are not in the files. Don't propose the same again.",
		edits.Stale:    "It no longer fits its files, which have changed since; nothing of it was applied. Read them again before proposing again.",
		edits.Failed:   "The user accepted it, but it could not be applied. Read its files again before proposing again.",
		edits.Undone:   "The user took it back after it was applied; its changes are no longer in the files.",
		edits.Partial:  "The user decided on parts of it: of 1 edits, 1 wait. Read its files to see which are in them.",
	} {
		want := []string{"(new file) is " + string(state) + ". " + means + " Reason: because"}
		t.Run(string(state)+" in the turn", func(t *testing.T) {
			h := staging(t, func(h *harness) { h.decide(t, state) }, says("proposed"), says("I see"))
			turn, _ := h.ask(t, Prompt{Text: "go"})
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
			checkTold(t, h, nil, want, want)
		})
		t.Run(string(state)+" after it", func(t *testing.T) {
			h := staging(t, func(*harness) {}, says("proposed"), says("I see"), says("and on"))
			turn, _ := h.ask(t, Prompt{Text: "go"})
			h.decide(t, state)
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
			h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "go on"})
			checkTold(t, h, nil, nil, want, want)
		})
	}
}

// checkTold compares what each request tells, and requires that it begins with
// the one before.
func checkTold(t *testing.T, h *harness, want ...[]string) {
	t.Helper()
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	for i, r := range requests {
		if d := cmp.Diff(want[i], told(r)); d != "" {
			t.Errorf("request %d: %s", i+1, d)
		}
	}
}

// TestADecisionThatIsTakenBack checks that each change of a decision is reported, and
// that states which are not final are not reported.
func TestADecisionThatIsTakenBack(t *testing.T) {
	states := []edits.State{edits.Staged, edits.Accepted, edits.Verified, edits.Undone, edits.Verified}
	h := staging(t, func(*harness) {}, says("proposed"), says("a"), says("b"), says("c"), says("d"), says("e"))
	turn, _ := h.ask(t, Prompt{Text: "go"})
	for _, state := range states {
		h.decide(t, state)
		h.ask(t, Prompt{ConversationID: turn.ConversationID, Text: "and now?"})
	}
	requests := h.server.Requests()
	checkPrefixes(t, requests)
	var got []string
	for _, line := range told(requests[len(requests)-1]) {
		got = append(got, strings.Fields(line)[3])
	}
	if d := cmp.Diff([]string{"verified.", "undone.", "verified."}, got); d != "" {
		t.Error(d)
	}
}

// TestUndecidedProposalsAreNotRead looks at the plan of the query: with thousands of proposals that wait, each request
// would take long otherwise.
func TestUndecidedProposalsAreNotRead(t *testing.T) {
	want := []string{"SEARCH proposals USING COVERING INDEX proposals_decided (conversation_id=?)",
		"SEARCH proposals USING INDEX sqlite_autoindex_proposals_1 (id=?)"}
	got := slices.DeleteFunc(plan(t, records.StatesQuery, "conversation", "[]"),
		func(step string) bool { return !strings.Contains(step, " proposals ") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the query reads (-want +got):\n%s", diff)
	}
}

// decideOn sets what became of a proposal.
func (h *harness) decideOn(t *testing.T, id string, state edits.State) {
	err := h.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE proposals SET status = ?, updated_at = updated_at + 1, 
			body = json_set(body, '$.decision_reason', 'because') WHERE id = ?`, state, id)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
