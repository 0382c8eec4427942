package lsp_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// proposesAnother is a turn with a proposal of its own.
var proposesAnother = []llmtest.Turn{
	{Calls: []llmtest.Call{{ID: "create_2", Name: "create_file", Arguments: `{"file":"shapes/other.go","content":"package shapes\n"}`}}},
	{Text: []string{"Another."}},
}

// A heldReview is a review with two proposals. What commands do after their answers waits while edits are held, because the diff of
// the second proposal is being rewritten.
type heldReview struct {
	*lsptest.Editor
	t             *testing.T
	f             *fixture
	circle        string
	first, second ploke.Proposal

	holding atomic.Bool
	held    chan bool // gets a value for each edit and each question that waits
	goOn    chan struct{}
}

func startHeldReview(t *testing.T, more ...llmtest.Turn) *heldReview {
	h := &heldReview{t: t, f: newFixture(t), held: make(chan bool, 9), goOn: make(chan struct{})}
	wait := func() {
		if h.holding.Load() {
			h.held <- true
			<-h.goOn
		}
	}
	h.Editor, h.circle = h.f.startReviewOf(slices.Concat(proposes, proposesAnother, more), lsptest.Options{
		OnApplyEdit:  func(apply func()) { wait(); apply() },
		OnPermission: func(context.Context, string) string { wait(); return `"Clearer words"` }})
	runCommand(h.Editor, ploke.CommandAsk, `"another"`)
	testbed.Eventually(t, func() bool {
		shown := slices.DeleteFunc(titles(t, h.Editor, h.circle, "package"),
			func(title string) bool { return !strings.HasPrefix(title, "ploke: show the diff of ") })
		return len(shown) == 2
	}, func() string { return "there is one proposal" })
	all := proposals(h.Editor)
	h.second, h.first = all[0], all[1]
	return h
}

// showDiffOf opens the diff of a proposal. The answers of the turns are shown, too, and perhaps only now.
func (h *heldReview) showDiffOf(id string) (document string) {
	n := len(h.Shown())
	runCommand(h.Editor, ploke.CommandProposalShow, fmt.Sprintf(`{"id":%q}`, id))
	h.Await("the diff", func() bool {
		for _, shown := range h.Shown()[n:] {
			if path := shown.URI.FsPath(); strings.HasPrefix(filepath.Base(path), "review-") {
				document = path
			}
		}
		return document != ""
	})
	h.Open(document)
	return document
}

// holdWork makes the work of later commands wait: the second proposal is decided on, which its diff has to say.
func (h *heldReview) holdWork() {
	h.showDiffOf(h.second.ID)
	h.holding.Store(true)
	version := proposalOf(h.Editor, h.second.ID).Proposal.Version
	h.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: h.second.ID, Version: version}, nil)
	testbed.Receive(h.t, h.held, "the edit of the diff")
}

func (h *heldReview) release() {
	h.holding.Store(false)
	close(h.goOn)
}

// amend has the model amend the first proposal.
func (h *heldReview) amend() {
	h.Send(h.t.Context(), ploke.ChatSendParams{ConversationID: h.first.ConversationID, Text: "More."})
}

// acceptSquare accepts a hunk of the first proposal, of which the rest waits.
func (h *heldReview) acceptSquare() {
	run(h.t, h.Editor, h.circle, "func square(", "ploke: accept this hunk")
	awaitMessage(h.Editor, "ploke: accepted")
	awaitSettled(h.t, h.Editor)
}

func (h *heldReview) undo() {
	runCommand(h.Editor, ploke.CommandProposalUndo, fmt.Sprintf(`{"id":%q}`, h.first.ID))
	awaitMessage(h.Editor, "ploke: undone")
	awaitSettled(h.t, h.Editor)
}

// acceptSecond accepts the second proposal, so that there are two to undo.
func (h *heldReview) acceptSecond() {
	runCommand(h.Editor, ploke.CommandProposalAccept, fmt.Sprintf(`{"id":%q}`, h.second.ID))
	awaitFile(h.t, h.Editor, h.f.path("shapes/other.go"))
	awaitSettled(h.t, h.Editor)
}

func (h *heldReview) undoSecond() {
	runCommand(h.Editor, ploke.CommandProposalUndo, fmt.Sprintf(`{"id":%q}`, h.second.ID))
	h.f.awaitGone(h.t, "shapes/other.go")
	awaitSettled(h.t, h.Editor)
}

func (f *fixture) awaitGone(t *testing.T, name string) {
	testbed.Eventually(t, func() bool { return !exists(f.path(name)) }, func() string { return name + " is still there" })
}

// unnamedCommands are the commands that decide, with what has to happen before, also to the second proposal if the person is to
// choose, and the words that say that it was done.
var unnamedCommands = map[string]struct {
	before, beforeSecond []func(*heldReview)
	done                 string
}{
	ploke.CommandProposalAccept: {nil, nil, `ploke: accepted: "Clearer words"`},
	ploke.CommandProposalReject: {nil, nil, `ploke: rejected: "Clearer words"`},
	ploke.CommandProposalUndo: {[]func(*heldReview){(*heldReview).acceptSquare}, []func(*heldReview){(*heldReview).acceptSecond},
		`ploke: undone`},
	ploke.CommandProposalRedo: {[]func(*heldReview){(*heldReview).acceptSquare, (*heldReview).undo},
		[]func(*heldReview){(*heldReview).acceptSecond, (*heldReview).undoSecond}, `ploke: applied again`},
}

// TestCommandsWithoutAVersionAreOnWhatWasSeen has the model amend the proposal, and the editor show that, after the person has given a
// command without a version, and before it is carried out: while its work or the question which proposal is meant is held.
func TestCommandsWithoutAVersionAreOnWhatWasSeen(t *testing.T) {
	t.Parallel()
	for command, c := range unnamedCommands {
		for _, way := range []string{"nothing", "an id", "a question"} {
			for _, diff := range []bool{true, false} {
				for _, amended := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s, names %s, diff %v, amended %v", command, way, diff, amended), func(t *testing.T) {
						t.Parallel()
						var more []llmtest.Turn
						if amended {
							more = amends
						}
						h := startHeldReview(t, more...)
						before := c.before
						if way == "a question" {
							before = slices.Concat(c.before, c.beforeSecond)
						}
						for _, step := range before {
							step(h)
						}
						if diff {
							h.showDiffOf(h.first.ID)
						}
						if way != "a question" {
							h.holdWork()
						}
						h.holding.Store(true)
						text, status, words := h.Text(h.circle), h.status(), said(h.Editor, c.done)
						var arguments []string
						if way == "an id" {
							arguments = []string{fmt.Sprintf(`{"id":%q}`, h.first.ID)}
						}
						runCommand(h.Editor, command, arguments...)
						if way == "a question" {
							testbed.Receive(t, h.held, "the question")
						}
						if amended {
							h.amend()
							proposalOf(h.Editor, h.first.ID) // which shows it
						}
						h.release()
						if !amended {
							h.Await(c.done, func() bool { return said(h.Editor, c.done) > words })
							return
						}
						awaitMessage(h.Editor, changedSince)
						if h.Text(h.circle) != text || exists(h.f.path("shapes/side.go")) || h.status() != status {
							t.Errorf("the proposal is %s and was %s; the text is %s", h.status(), status, h.Text(h.circle))
						}
					})
				}
			}
		}
	}
}

func (h *heldReview) status() ploke.ProposalStatus {
	return proposalOf(h.Editor, h.first.ID).Proposal.Status
}

// said counts the messages that begin with some words.
func said(e *lsptest.Editor, words string) (n int) {
	for _, m := range e.Messages() {
		if strings.HasPrefix(m.Message, words) {
			n++
		}
	}
	return n
}

// TestACommandWithoutAVersionIsOnWhatWasTyped types in the diff before the command, whose work is held.
func TestACommandWithoutAVersionIsOnWhatWasTyped(t *testing.T) {
	t.Parallel()
	for _, named := range []bool{true, false} {
		h := startHeldReview(t)
		document := h.showDiffOf(h.first.ID)
		h.holdWork()
		at := strings.Index(h.Text(document), "// in meters")
		h.Type(document, at, at, "// or ")
		if named {
			runCommand(h.Editor, ploke.CommandProposalAccept, fmt.Sprintf(`{"id":%q}`, h.first.ID))
		} else {
			runCommand(h.Editor, ploke.CommandProposalAccept)
		}
		h.release()
		awaitMade(t, h.Editor, h.circle, "// or // in meters")
	}
}
