package lsp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

const changedSince = "the proposal has changed; look again"

// amends is a turn that makes something else of what was proposed.
var amends = []llmtest.Turn{
	{Calls: []llmtest.Call{{ID: "edit_2", Name: "apply_code_edit", Arguments: `{"edits":[{"file":"shapes/circle.go","old":"// in meters","new":"// evil"}]}`}}},
	{Text: []string{"Amended."}},
}

// amend has the model amend the proposal that waits.
func amend(t *testing.T, e *lsptest.Editor) {
	t.Helper()
	e.Send(t.Context(), ploke.ChatSendParams{ConversationID: proposals(e)[0].ConversationID, Text: "More."})
}

// A door shows a proposal, and returns how the person says yes to what was shown.
type door func(t *testing.T, e *lsptest.Editor, circle string) (yes func() error)

// action is a code action at the first place of a text.
func action(at, title string) door {
	return func(t *testing.T, e *lsptest.Editor, circle string) func() error {
		return commandOf(t, e, codeAction(t, e, circle, at, title).Command)
	}
}

// inDiff is a code action in the document of the diff.
func inDiff(at, title string) door {
	return func(t *testing.T, e *lsptest.Editor, circle string) func() error {
		return commandOf(t, e, codeAction(t, e, showDiff(t, e, circle), at, title).Command)
	}
}

func commandOf(t *testing.T, e *lsptest.Editor, c protocol.Command) func() error {
	return func() error {
		return e.Try(t.Context(), protocol.MethodWorkspaceExecuteCommand,
			&protocol.ExecuteCommandParams{Command: c.Command, Arguments: c.Arguments}, nil)
	}
}

// lensOf is the first lens with a title, in the file or in the diff of the proposal.
func lensOf(title string, diff bool) door {
	return func(t *testing.T, e *lsptest.Editor, circle string) func() error {
		if diff {
			circle = showDiff(t, e, circle)
		}
		var lenses []protocol.CodeLens
		e.Call(protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(circle)}},
			&lenses)
		i := slices.IndexFunc(lenses, func(l protocol.CodeLens) bool { return l.Command.Title == title })
		return commandOf(t, e, lenses[i].Command)
	}
}

var plainDoors = map[string]door{
	"accept a hunk":         action("Radius float64", "ploke: accept this hunk"),
	"accept another hunk":   action("func square(", "ploke: accept this hunk"),
	"accept a file":         action("package", "ploke: accept the changes of circle.go"),
	"accept all":            action("package", `ploke: accept "Clearer words"`),
	"reject a hunk":         action("Radius float64", "ploke: reject this hunk"),
	"reject all":            action("package", `ploke: reject "Clearer words"`),
	"lens":                  lensOf("ploke: accept", false),
	"lens that rejects":     lensOf("reject", false),
	"lens in the diff":      lensOf("accept", true),
	"a block of the diff":   inDiff("+\tRadius", "ploke: accept this block"),
	"a file of the diff":    inDiff("+\tRadius", "ploke: accept the changes of shapes/circle.go"),
	"all in the diff":       inDiff("# Clearer", `ploke: accept "Clearer words"`),
	"rejecting in the diff": inDiff("# Clearer", `ploke: reject "Clearer words"`),
}

// TestPlainEditorsDecideOnWhatTheyWereShown has the model amend a proposal between what a plain editor shows and the person's answer,
// and compares with an answer that comes before.
func TestPlainEditorsDecideOnWhatTheyWereShown(t *testing.T) {
	t.Parallel()
	for name, show := range plainDoors {
		for _, amended := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, amended %v", name, amended), func(t *testing.T) {
				t.Parallel()
				f := newFixture(t)
				turns := proposes
				if amended {
					turns = slices.Concat(proposes, amends)
				}
				e, circle := f.startReviewOf(turns, lsptest.Options{})
				yes, before := show(t, e, circle), e.Text(circle)
				if amended {
					amend(t, e)
				}
				if err := yes(); err != nil {
					t.Fatal(err)
				}
				if amended {
					awaitMessage(e, changedSince)
					checkNothingWritten(t, f, e, circle, before)
					return
				}
				e.Await("the decision", func() bool { return len(e.Published(circle)) < 2 })
				awaitSettled(t, e)
				if text := e.Text(circle); strings.Contains(name, "reject") != (text == before) {
					t.Errorf("the text is %s", text)
				}
			})
		}
	}
}

// checkNothingWritten checks that nothing of a proposal was decided.
func checkNothingWritten(t *testing.T, f *fixture, e *lsptest.Editor, circle, before string) {
	t.Helper()
	if status := proposals(e)[0].Status; e.Text(circle) != before || exists(f.path("shapes/side.go")) || status != ploke.ProposalStaged {
		t.Errorf("the proposal is %s, and the text is %s", status, e.Text(circle))
	}
}

// TestTheMessageDecidesOnWhatItIsAbout answers the message about a proposal after the model has amended that.
func TestTheMessageDecidesOnWhatItIsAbout(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"Accept", "Reject"} {
		f := newFixture(t)
		goOn := make(chan struct{})
		first := true
		e, circle := f.startReviewOf(slices.Concat(proposes, amends),
			lsptest.Options{OnInitialize: as("coc.nvim", "0.0.82"), OnPermission: func(ctx context.Context, _ string) string {
				if !first {
					return "" // about the amended one
				}
				first = false
				<-goOn
				return answer
			}})
		before := e.Text(circle)
		amend(t, e)
		close(goOn)
		awaitMessage(e, changedSince)
		checkNothingWritten(t, f, e, circle, before)
	}
}

// TestAnOfferedEditOfAnotherVersionIsNotRecorded has a client apply an edit that a code action had before the model amended the proposal.
func TestAnOfferedEditOfAnotherVersionIsNotRecorded(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReviewOf(slices.Concat(proposes, amends),
		lsptest.Options{Capabilities: plain(func(c *protocol.ClientCapabilities) { c.Workspace.ApplyEdit = nil })})
	offered := codeAction(t, e, circle, "Radius float64", "ploke: accept this hunk")
	amend(t, e)
	e.ApplyAction(offered)
	awaitHunks(t, e, circle, 2)
	for _, view := range proposalOf(e, proposals(e)[0].ID).Files {
		for _, h := range view.Hunks {
			if h.State == ploke.ProposalVerified || h.State == ploke.ProposalApplied {
				t.Errorf("it was recorded: %+v", view)
			}
		}
	}
}

func proposals(e *lsptest.Editor) []ploke.Proposal {
	var all ploke.ProposalListResult
	e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &all)
	return all.Proposals
}

// TestWhatWasTypedInTheDiffIsDecidedOn decides by a lens of a diff in which the person has typed since.
func TestWhatWasTypedInTheDiffIsDecidedOn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	accept := commandOf(t, e, codeAction(t, e, document, "# Clearer", `ploke: accept "Clearer words"`).Command)
	before := e.Text(circle)
	at := strings.Index(e.Text(document), "// in meters")
	e.Type(document, at, at, "// or ")
	if err := accept(); err != nil {
		t.Fatal(err)
	}
	awaitMessage(e, changedSince)
	checkNothingWritten(t, f, e, circle, before)
	accept = commandOf(t, e, codeAction(t, e, document, "# Clearer", `ploke: accept "Clearer words"`).Command)
	if err := accept(); err != nil {
		t.Fatal(err)
	}
	awaitMade(t, e, circle, "// or // in meters")
}

// TestOurOwnClientsDecideOnWhatTheyWereShown has requests with and without a version, after what each client was shown.
func TestOurOwnClientsDecideOnWhatTheyWereShown(t *testing.T) {
	t.Parallel()
	shows := map[string]func(t *testing.T, e *lsptest.Editor, id, circle string) (version string){
		"the proposal": func(_ *testing.T, e *lsptest.Editor, id, _ string) string { return proposalOf(e, id).Proposal.Version },
		"the review": func(t *testing.T, e *lsptest.Editor, _, circle string) string {
			return reviewOf(t, e, circle)[0].Version
		},
	}
	decide := map[string]func(id, version, circle string) (method string, params any){
		"accept": func(id, version, _ string) (string, any) {
			return ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Version: version}
		},
		"accept a file": func(id, version, circle string) (string, any) {
			return ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Version: version, Files: []uri.URI{fileURI(circle)}}
		},
		"reject": func(id, version, _ string) (string, any) {
			return ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: id, Version: version}
		},
		"edit": func(id, version, circle string) (string, any) {
			return ploke.MethodProposalEdit, ploke.ProposalEditParams{ID: id, Version: version, File: fileURI(circle), After: "package shapes\n"}
		},
	}
	for shown, show := range shows {
		for way, decide := range decide {
			for _, named := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, named %v", shown, way, named), func(t *testing.T) {
					t.Parallel()
					f := newFixture(t)
					f.useModel(slices.Concat(proposes, amends)...)
					e := f.startIndexed()
					circle := f.path("shapes/circle.go")
					e.Open(circle)
					id, before := e.Ask("go").Proposals[0], e.Text(circle)
					e.Await("the review", func() bool { return reviewEvents(e) > 0 })
					version := show(t, e, id, circle)
					amend(t, e)
					sent := version
					if !named {
						sent = ""
					}
					method, params := decide(id, sent, circle)
					if err := e.Try(t.Context(), method, params, nil); err == nil || !strings.Contains(err.Error(), changedSince) {
						t.Errorf("decided: %v", err)
					}
					if e.Text(circle) != before {
						t.Errorf("the text is %s", e.Text(circle))
					}
					method, params = decide(id, show(t, e, id, circle), circle)
					if err := e.Try(t.Context(), method, params, nil); err != nil {
						t.Errorf("after another look: %v", err)
					}
				})
			}
		}
	}
}

// TestUndoAndRedoNameWhatWasShown undoes and redoes what was accepted, after the rest of the proposal was amended.
func TestUndoAndRedoNameWhatWasShown(t *testing.T) {
	f := newFixture(t)
	f.useModel(slices.Concat(proposes, amends)...)
	e := f.startIndexed()
	circle := f.path("shapes/circle.go")
	e.Open(circle)
	id := e.Ask("go").Proposals[0]
	shown := proposalOf(e, id)
	square := circleIn(shown).Hunks[1].ID
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Version: shown.Proposal.Version, Hunks: []string{square}}, nil)
	amend(t, e)
	undo := ploke.ProposalParams{ID: id, Version: shown.Proposal.Version}
	if err := e.Try(t.Context(), ploke.MethodProposalUndo, undo, nil); err == nil || !strings.Contains(err.Error(), changedSince) {
		t.Errorf("undone: %v", err)
	}
	undo.Version = proposalOf(e, id).Proposal.Version
	e.Call(ploke.MethodProposalUndo, undo, nil)
	if err := e.Try(t.Context(), ploke.MethodProposalRedo, ploke.ProposalParams{ID: id, Version: shown.Proposal.Version}, nil); err == nil ||
		!strings.Contains(err.Error(), changedSince) {
		t.Errorf("made again: %v", err)
	}
	e.Call(ploke.MethodProposalRedo, ploke.ProposalParams{ID: id}, nil)
	if !strings.Contains(e.Text(circle), "squared") {
		t.Errorf("the text is %s", e.Text(circle))
	}
}

// TestADecisionWithoutALookIsRefused names a proposal of which nothing was shown.
func TestADecisionWithoutALookIsRefused(t *testing.T) {
	f := newFixture(t)
	f.useModel(proposes...)
	e := f.startIndexed()
	id := e.Ask("go").Proposals[0]
	e.Shutdown()
	e = f.startIndexed()
	for _, method := range []string{ploke.MethodProposalAccept, ploke.MethodProposalReject, ploke.MethodProposalUndo,
		ploke.MethodProposalRedo} {
		if err := e.Try(t.Context(), method, ploke.ProposalParams{ID: id}, nil); err == nil || !strings.Contains(err.Error(), changedSince) {
			t.Errorf("%s: %v", method, err)
		}
	}
	if exists(f.path("shapes/side.go")) {
		t.Error("the file was written")
	}
}

// TestThePartsOfATurnNameTheVersion decides on what a turn has announced, after another turn has amended it, with and without its version.
func TestThePartsOfATurnNameTheVersion(t *testing.T) {
	f := newFixture(t)
	f.useModel(slices.Concat(proposes, amends)...)
	e := f.startIndexed()
	announced := func() (version string) {
		for _, p := range e.Parts() {
			if p.Type == ploke.PartProposal {
				version = p.Version
			}
		}
		return version
	}
	id := e.Ask("go").Proposals[0]
	first := announced()
	amend(t, e)
	if err := e.Try(t.Context(), ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Version: first}, nil); err == nil ||
		!strings.Contains(err.Error(), changedSince) {
		t.Errorf("accepted: %v", err)
	}
	if now := proposalOf(e, id).Proposal.Version; announced() != now || first == "" || first == now {
		t.Errorf("announced are %q and %q; it is %q", first, announced(), now)
	}
}
