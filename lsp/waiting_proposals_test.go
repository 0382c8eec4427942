package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// proposes is a turn that proposes three edits: two of circle.go, and a new file.
var proposes = []llmtest.Turn{
	{Calls: []llmtest.Call{
		{ID: "edit_1", Name: "apply_code_edit", Arguments: `{"reason":"Clearer words","edits":[
			{"file":"shapes/circle.go","old":"Radius float64","new":"Radius float64 // in meters"},
			{"file":"shapes/circle.go","old":"func square(","new":"func squared("}]}`},
		{ID: "create_1", Name: "create_file", Arguments: `{"file":"shapes/side.go","content":"package shapes\n\n// Side is a line.\ntype Side struct{}\n"}`},
	}},
	{Text: []string{"Proposed."}},
}

// looks is a turn that reads the files in each way. The ids of its calls begin with name.
func looks(name string) []llmtest.Turn {
	return []llmtest.Turn{
		{Calls: []llmtest.Call{
			{ID: name + "read", Name: "read_file", Arguments: `{"file":"shapes/circle.go"}`},
			{ID: name + "search", Name: "search_text", Arguments: `{"pattern":"Radius.* float64|is a line"}`},
			{ID: name + "list", Name: "list_dir", Arguments: `{"dir":"shapes"}`},
			{ID: name + "lookup", Name: "code_item_lookup", Arguments: `{"name":"Circle"}`},
			{ID: name + "context", Name: "request_code_context", Arguments: `{"hint":"Circle"}`},
		}},
		{Text: []string{"Seen."}},
	}
}

// follows is a turn that edits next to what was proposed, in text that stays the same.
var follows = []llmtest.Turn{
	{Calls: []llmtest.Call{{ID: "edit_2", Name: "apply_code_edit", Arguments: `{"edits":[{"file":"shapes/circle.go","old":"Radius float64","new":"Radius, Scale float64"}]}`}}},
	{Text: []string{"Proposed more."}},
}

func proposalOf(e *lsptest.Editor, id string) (p ploke.ProposalGetResult) {
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: id}, &p)
	return p
}

func circleIn(p ploke.ProposalGetResult) ploke.ProposalView {
	return p.Files[slices.IndexFunc(p.Files, func(v ploke.ProposalView) bool { return v.Path == "shapes/circle.go" })]
}

// What a turn sees of the files.
const (
	seesProposed = "proposed" // the text is the proposal's, and marked
	seesSaved    = "saved"    // the text is the file's own
)

// checkSeen checks what the results of the calls of looks show, and how they are marked.
func checkSeen(t *testing.T, r *llmtest.Request, name, sees, circle string) {
	t.Helper()
	for _, id := range []string{"read", "search", "lookup", "context"} {
		got := toolResult(r, name+id) + "\n"
		if !strings.Contains(got, circle) {
			t.Errorf("%s does not show %q:\n%s", id, circle, got)
		}
		if marked := strings.Contains(got, "proposed, not saved"); marked != (sees == seesProposed) {
			t.Errorf("%s is marked as proposed: %v\n%s", id, marked, got)
		}
	}
}

// TestAWaitingProposalIsSeenInTheNextTurn proposes edits in one turn, lets the user decide, and
// reads and edits the files in the next turn.
func TestAWaitingProposalIsSeenInTheNextTurn(t *testing.T) {
	t.Parallel()
	const was, proposed = "Radius float64\n", "Radius float64 // in meters\n"
	for name, tt := range map[string]struct {
		decide func(f *fixture, e *lsptest.Editor, p ploke.ProposalGetResult)
		said   string // in the one line that the next turn begins with; "" if nothing is said
		sees   string
		circle string // in each result
		side   bool   // the new file is there
		amends bool   // the follow-up edit becomes a part of the same proposal
		after  string // circle.go, if all is accepted after the second turn
	}{
		"waiting": {
			decide: func(*fixture, *lsptest.Editor, ploke.ProposalGetResult) {},
			sees:   seesProposed, circle: proposed, side: true, amends: true, after: "Radius, Scale float64 // in meters\n",
		},
		"accepted": {
			decide: func(_ *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: p.Proposal.ID}, nil)
			},
			said: "is verified. The user accepted it; its changes are in the files.", sees: seesSaved, circle: proposed, side: true, after: "Radius, Scale float64 // in meters\n",
		},
		"rejected": {
			decide: func(_ *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: p.Proposal.ID, Reason: "too many words"}, nil)
			},
			said: "is rejected. The user rejected it; its changes are not in the files. Don't propose the same again. Reason: too many words",
			sees: seesSaved, circle: was, after: "Radius, Scale float64\n",
		},
		"accepted in part": {
			decide: func(_ *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: p.Proposal.ID, Hunks: []string{circleIn(p).Hunks[1].ID}}, nil)
			},
			said: "is partial. The user decided on parts of it: of 3 edits, 1 accepted, 2 wait.",
			sees: seesProposed, circle: proposed, side: true, amends: true, after: "Radius, Scale float64 // in meters\n",
		},
		"changed by the user": {
			decide: func(f *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				after := strings.Replace(circleIn(p).After, "meters", "miles", 1)
				e.Call(ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: p.Proposal.ID, File: fileURI(f.path("shapes/circle.go")), After: after}, nil)
			},
			said: "still waits. The user changed what it does to shapes/circle.go: read that again.",
			sees: seesProposed, circle: "Radius float64 // in miles\n", side: true, amends: true, after: "Radius, Scale float64 // in miles\n",
		},
		"changed by the user and accepted": {
			decide: func(f *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				after := strings.Replace(circleIn(p).After, "meters", "miles", 1)
				e.Call(ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: p.Proposal.ID, File: fileURI(f.path("shapes/circle.go")), After: after}, nil)
				e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: p.Proposal.ID}, nil)
			},
			said: "is verified. The user accepted it; its changes are in the files. The user changed what it does to shapes/circle.go: read that again.",
			sees: seesSaved, circle: "Radius float64 // in miles\n", side: true, after: "Radius, Scale float64 // in miles\n",
		},
		"undone": {
			decide: func(_ *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: p.Proposal.ID}, nil)
				e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: p.Proposal.ID}, nil)
			},
			said: "is undone. The user took it back after it was applied", sees: seesSaved, circle: was, after: "Radius, Scale float64\n",
		},
		"stale": {
			decide: func(f *fixture, e *lsptest.Editor, p ploke.ProposalGetResult) {
				path := f.path("shapes/circle.go")
				e.Open(path)
				at := strings.Index(e.Text(path), "64\n}")
				e.Type(path, at+2, at+2, " // in km")
				proposalOf(e, p.Proposal.ID) // compares the proposal with its files
			},
			said: "is stale. It no longer fits its files", sees: seesSaved, circle: "Radius float64 // in km\n", after: "Radius, Scale float64 // in km\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			server := f.useModel(slices.Concat(proposes, looks(""), follows)...)
			e := f.startIndexed()
			id := newConversation(e)
			first := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Use clearer words."}).Proposals
			if len(first) != 1 {
				t.Fatalf("the first turn made the proposals %v", first)
			}
			tt.decide(f, e, proposalOf(e, first[0]))
			e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "What do they say now?"})
			second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Add a scale."}).Proposals

			requests := server.Requests()
			seen := &requests[3]
			checkSeen(t, seen, "", tt.sees, tt.circle)
			if listed := strings.Contains(toolResult(seen, "list"), "side.go"); listed != tt.side {
				t.Errorf("the new file is listed: %v\n%s", listed, toolResult(seen, "list"))
			}
			if found := strings.Contains(toolResult(seen, "search"), "Side is a line"); found != tt.side {
				t.Errorf("the text of the new file is found: %v\n%s", found, toolResult(seen, "search"))
			}
			switch said := notices(requests[len(requests)-1]); {
			case tt.said == "" && len(said) > 0:
				t.Errorf("the model was told %q", said)
			case tt.said != "" && (len(said) != 1 || !strings.Contains(said[0], tt.said) || strings.Contains(said[0], "\n")):
				t.Errorf("the model was told %q, want one line with %q", said, tt.said)
			}
			if len(second) != 1 || (second[0] == first[0]) != tt.amends {
				t.Fatalf("the follow-up made the proposals %v after %v; amends: want %v\n%s", second, first, tt.amends,
					toolResult(&requests[len(requests)-1], "edit_2"))
			}
			e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: second[0], Version: proposalOf(e, second[0]).Proposal.Version}, nil)
			if text := e.Text(f.path("shapes/circle.go")); !strings.Contains(text, tt.after) {
				t.Errorf("after the second proposal was accepted, circle.go is\n%s", text)
			}
			checkPrefixOfEach(t, requests)
		})
	}
}

// checkPrefixOfEach requires that each request begins with the messages of the one before it.
func checkPrefixOfEach(t *testing.T, requests []llmtest.Request) {
	t.Helper()
	for i := 1; i < len(requests); i++ {
		if !strings.HasPrefix(string(messagesOf(requests[i])), string(messagesOf(requests[i-1]))) {
			t.Errorf("request %d does not begin with the one before it", i)
		}
	}
}

// TestAWaitingProposalIsSeenOnItsBranchOnly looks at the files from another conversation, from
// another branch, and from another answer to the message that amended the proposal.
func TestAWaitingProposalIsSeenOnItsBranchOnly(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(slices.Concat(proposes, looks("other "), looks("root "), follows, looks("again "), looks("next "))...)
	e := f.startIndexed()
	id := newConversation(e)
	answer := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Use clearer words."})
	e.Ask("another conversation")
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, ParentID: "root", Text: "another branch"})
	amended := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, ParentID: answer.AssistantMessageID, Text: "Add a scale."})
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, ParentID: answer.AssistantMessageID, Text: "Say something else."})
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, ParentID: amended.AssistantMessageID, Text: "And now?"})

	requests := server.Requests()
	const was = "Radius float64\n"
	checkSeen(t, &requests[3], "other ", seesSaved, was)
	checkSeen(t, &requests[5], "root ", seesSaved, was)
	checkSeen(t, &requests[9], "again ", seesSaved, was)
	checkSeen(t, &requests[11], "next ", seesProposed, "Radius, Scale float64 // in meters\n")
	for at, want := range map[int]string{3: "", 5: "", 9: "was amended on another branch", 11: ""} {
		if said := strings.Join(notices(requests[at]), "\n"); (said != "") != (want != "") || !strings.Contains(said, want) {
			t.Errorf("request %d was told %q, want %q", at, said, want)
		}
	}
	if !slices.Equal(answer.Proposals, amended.Proposals) {
		t.Errorf("the follow-up made %v of %v", amended.Proposals, answer.Proposals)
	}
	if saved, err := os.ReadFile(f.path("shapes/circle.go")); err != nil || !strings.Contains(string(saved), was) {
		t.Errorf("the saved file: %v\n%s", err, saved)
	}
}

// TestAProposalIsDecidedWhileTheNextTurnRuns accepts the proposal between two responses of the
// turn after it. Each result is right for its moment, and an edit made in between goes to a
// proposal of its own.
func TestAProposalIsDecidedWhileTheNextTurnRuns(t *testing.T) {
	for name, accept := range map[string]bool{"accepted": true, "rejected": false} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			gate := llmtest.NewGate()
			read := func(id string) llmtest.Turn {
				return llmtest.Turn{Calls: []llmtest.Call{{ID: id, Name: "read_file", Arguments: `{"file":"shapes/circle.go"}`}}}
			}
			before, after := read("before"), read("after")
			after.Hold, after.Text = gate, []string{"Let me see."}
			server := f.useModel(slices.Concat(proposes, []llmtest.Turn{before, after}, follows)...)
			e := f.startIndexed()
			id := newConversation(e)
			first := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Use clearer words."}).Proposals[0]
			sent := sendAsync(e, t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Add a scale."})
			<-gate.Reached()
			circle := "Radius float64\n"
			if accept {
				circle = "Radius float64 // in meters\n"
				e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: first}, nil)
			} else {
				e.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: first}, nil)
			}
			gate.Open()
			second := (<-sent).Proposals
			requests := server.Requests()
			last := &requests[len(requests)-1]
			if got := toolResult(last, "before"); !strings.Contains(got, "in meters") || !strings.Contains(got, "proposed, not saved") {
				t.Errorf("before the decision, the turn reads\n%s", got)
			}
			if got := toolResult(last, "after"); !strings.Contains(got, circle) || strings.Contains(got, "proposed, not saved") {
				t.Errorf("after the decision, the turn reads\n%s", got)
			}
			if len(second) != 1 || second[0] == first {
				t.Errorf("the follow-up made the proposals %v after %s", second, first)
			}
		})
	}
}

// TestAQuotationOfAProposalLinksToIt quotes what is proposed, with lines that are off, and what is
// saved. After the proposal is accepted, both are in the file.
func TestAQuotationOfAProposalLinksToIt(t *testing.T) {
	f := newFixture(t)
	f.useModel(append(slices.Clone(proposes), llmtest.Turn{Text: []string{
		"<code=\"shapes/circle.go\" #9:9>\n\tRadius float64 // in meters\n</code>\n",
		"<code=\"shapes/side.go\" #3:4>\n// Side is a line.\ntype Side struct{}\n</code>\n",
		"<code=\"shapes/circle.go\" #7:7>\ntype Circle struct {\n</code>\n",
	}})...)
	e := f.startIndexed()
	id := newConversation(e)
	proposal := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Use clearer words."}).Proposals[0]
	answer := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Show it."})
	circle, side := fileURI(f.path("shapes/circle.go")), fileURI(f.path("shapes/side.go"))
	want := []ploke.Citation{
		{URI: ploke.ProposedURI(proposal, circle, circle), Proposal: proposal, Range: lines(8, 8, 28)},
		{URI: ploke.ProposedURI(proposal, side, side), Proposal: proposal, Range: lines(3, 4, 18)},
		{URI: circle, Range: lines(7, 7, 20), Canon: "Circle"},
	}
	if diff := cmp.Diff(want, answer.Citations); diff != "" {
		t.Error(diff)
	}
	if link := fmt.Sprintf("[shapes/circle.go:8](%s#L8) (proposed)", want[0].URI); !strings.Contains(answer.Text, link) {
		t.Errorf("the answer has no link %s:\n%s", link, answer.Text)
	}
	proposed, err := url.Parse(string(want[0].URI))
	if err != nil {
		t.Fatal(err)
	}
	var query struct{ ID, URI, Side string }
	if proposed.Path != f.path("shapes/circle.go") {
		t.Errorf("the URI is %s", proposed)
	}
	if text, err := url.QueryUnescape(proposed.RawQuery); err != nil || json.Unmarshal([]byte(text), &query) != nil || query.ID != proposal ||
		query.URI != string(circle) || query.Side != "after" {
		t.Errorf("the URI names %+v (%v)", query, err)
	}

	history := func() string {
		var h ploke.ChatHistoryResult
		e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: id}, &h)
		return h.Messages[3].Text
	}
	if got := history(); got != answer.Text {
		t.Errorf("the history has\n%s\nthe answer was\n%s", got, answer.Text)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: proposal}, nil)
	if got := history(); strings.Contains(got, "(proposed)") || !strings.Contains(got, string(side)+"#L3") {
		t.Errorf("after the proposal was accepted, the history has\n%s", got)
	}
}

// lines returns a range from the start of a 1-based line to a character of another.
func lines(first, last, end uint32) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: first - 1}, End: protocol.Position{Line: last - 1, Character: end}}
}

// TestAWaitingRenameAndDeletionAreSeenInTheNextTurn reads, amends and takes back what an earlier
// turn proposed for whole files.
func TestAWaitingRenameAndDeletionAreSeenInTheNextTurn(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{
			{ID: "rename", Name: "rename_file", Arguments: `{"file":"shapes/rect.go","to":"shapes/rectangle.go"}`},
			{ID: "delete", Name: "delete_file", Arguments: `{"file":"tools/report.py"}`},
		}},
		llmtest.Turn{Text: []string{"Proposed."}},
		llmtest.Turn{Calls: []llmtest.Call{
			{ID: "old", Name: "read_file", Arguments: `{"file":"shapes/rect.go"}`},
			{ID: "new", Name: "read_file", Arguments: `{"file":"shapes/rectangle.go"}`},
			{ID: "gone", Name: "read_file", Arguments: `{"file":"tools/report.py"}`},
			{ID: "search", Name: "search_text", Arguments: `{"pattern":"Rectangle|rectangle|report"}`},
			{ID: "edges", Name: "code_item_edges", Arguments: `{"canon":"square"}`},
		}},
		llmtest.Turn{Calls: []llmtest.Call{{ID: "edit", Name: "apply_code_edit", Arguments: `{"edits":[{"file":"shapes/rectangle.go","old":"is a rectangle","new":"has four sides"}]}`}}},
		llmtest.Turn{Calls: []llmtest.Call{{ID: "create", Name: "create_file", Arguments: `{"file":"tools/report.py","content":"print()\n"}`}}},
		llmtest.Turn{Text: []string{"Proposed more."}},
	)
	e := f.startIndexed()
	id := newConversation(e)
	first := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "Rename and delete."}).Proposals
	second := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: "And now?"}).Proposals
	requests := server.Requests()
	last := &requests[len(requests)-1]
	for call, want := range map[string]string{
		"old": "error: shapes/rect.go is renamed by your proposal", "gone": "error: tools/report.py is deleted by your proposal",
		"new": "proposed, not saved\n<code=\"shapes/rectangle.go\"", "search": "shapes/rectangle.go (proposed, not saved)\n", "edges": "shapes/rectangle.go (proposed, not saved)\n",
	} {
		if got := toolResult(last, call); !strings.Contains(got, want) || strings.Contains(got, "report(") {
			t.Errorf("%s: %s\nwant %s", call, got, want)
		}
	}
	if !slices.Equal(first, second) {
		t.Fatalf("the proposals are %v, then %v:\n%s\n%s", first, second, toolResult(last, "edit"), toolResult(last, "create"))
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: first[0]}, nil)
	if text := e.Text(f.path("shapes/rectangle.go")); !strings.Contains(text, "has four sides") {
		t.Errorf("rectangle.go is\n%s", text)
	}
	if text := e.Text(f.path("tools/report.py")); text != "print()\n" {
		t.Errorf("report.py is\n%s", text)
	}
	if _, err := os.Stat(f.path("shapes/rect.go")); !os.IsNotExist(err) {
		t.Errorf("rect.go: %v", err)
	}
}

// TestACheckSaysWhatItDoesNotSee runs a check before and after something is proposed.
func TestACheckSaysWhatItDoesNotSee(t *testing.T) {
	f := newFixture(t)
	run := func(id string) []llmtest.Turn {
		return []llmtest.Turn{{Calls: []llmtest.Call{{ID: id, Name: "run_check", Arguments: `{"name":"where"}`}}}, {Text: []string{"Ran."}}}
	}
	server := f.useModel(slices.Concat(run("before"), proposes, run("after"))...)
	f.Config = append(f.Config, config.FromJSON("the test", []byte(`{"checks": {"where": {"command": ["pwd"]}}}`)))
	e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string { return "allowOnce" }})
	e.AwaitIndex()
	id := newConversation(e)
	for _, text := range []string{"Check.", "Use clearer words.", "Check again."} {
		e.Send(t.Context(), ploke.ChatSendParams{ConversationID: id, Text: text})
	}
	requests := server.Requests()
	last := &requests[len(requests)-1]
	if got := toolResult(last, "before"); !strings.Contains(got, "it ran on the saved files\n") {
		t.Errorf("before: %s", got)
	}
	if got := toolResult(last, "after"); !strings.Contains(got,
		"it ran on the saved files, without what is proposed for shapes/circle.go and 1 more file\n") {
		t.Errorf("after: %s", got)
	}
}
