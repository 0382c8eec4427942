package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
	"ploke-lsp/tools"
)

// typedLine is what the person types at the start of a document while the editor owes an answer.
const typedLine = "// Typed.\n"

// A scene is an editor with a proposal of two files that wait, and another proposal of a new file.
type scene struct {
	t            *testing.T
	f            *fixture
	e            *lsptest.Editor
	begun        atomic.Bool // the editor is unkind from now on
	typed        atomic.Int32
	circle, rect string
	bases        map[string]string // the texts before the change, by path
	lines        map[string]int    // the lines of the hunks in these texts, by their ids
	id, other    string
	deciding     sync.WaitGroup // decisions that are sent while the editor owes an answer
}

// An unkindness is what an editor does while it owes the answer to a request.
type unkindness struct {
	twice  bool // it answers twice
	before func(s *scene, method string)
}

// onEdit is unkind while an edit is applied.
func onEdit(do func(*scene)) unkindness {
	return unkindness{before: func(s *scene, method string) {
		if method == protocol.MethodWorkspaceApplyEdit {
			do(s)
		}
	}}
}

var unkindnesses = map[string]unkindness{
	"answers twice": {twice: true},
	"answers after other requests": {before: func(s *scene, _ string) {
		at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(s.rect)}}
		s.e.Call(protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: at}, nil)
		runCommand(s.e, ploke.CommandIndexStatus)
	}},
	"answers after the person has typed":       onEdit(func(s *scene) { s.e.Type(s.circle, 0, 0, typedLine) }),
	"answers after the document was saved":     onEdit(func(s *scene) { s.e.Save(s.circle) }),
	"answers after it was saved and closed":    onEdit(func(s *scene) { s.e.Save(s.circle); s.e.CloseDocument(s.circle) }),
	"answers after it was closed without that": onEdit(func(s *scene) { s.e.CloseDocument(s.circle) }),
	"answers after the next decision": onEdit(func(s *scene) {
		if s.other != "" {
			id := s.other
			s.other = ""
			s.deciding.Go(func() { s.e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil) })
		}
	}),
}

// onceBegun returns what the editor does before an answer, from the moment at which the scene has begun.
func (u unkindness) onceBegun(s *scene) func(*lsptest.Editor, string) {
	return func(_ *lsptest.Editor, method string) {
		if u.before != nil && s.begun.Load() {
			u.before(s, method)
		}
	}
}

// play starts an unkind editor and makes the proposals.
func play(t *testing.T, u unkindness) *scene {
	t.Helper()
	f := newFixture(t)
	s := &scene{t: t, f: f, circle: f.path("shapes/circle.go"), rect: f.path("shapes/rect.go"), bases: map[string]string{},
		lines: map[string]int{}}
	s.e = f.start(lsptest.Options{
		AnswersTwice: u.twice, BeforeAnswer: u.onceBegun(s), Capabilities: lsptest.WithConfiguration(lsptest.Capabilities()),
		Settings: settings{},
	})
	s.e.AwaitIndex()
	for _, path := range []string{s.circle, s.rect} {
		s.e.Open(path)
		s.bases[path] = s.e.Text(path)
	}
	s.other = s.e.Ask(`create todo.md with "buy milk"`).Proposals[0]
	s.id = renameSquare(t, s.e)
	for _, v := range proposalOf(s.e, s.id).Files {
		for _, h := range v.Hunks {
			s.lines[h.ID] = h.StartLine - 1
		}
	}
	s.begun.Store(true)
	return s
}

// now returns the text of a file as the person sees it. A file that was closed is opened again.
func (s *scene) now(path string) string {
	if !s.e.Change(path, func(string) (int, int, string) { return 0, 0, "" }) {
		s.e.Open(path)
	}
	return s.e.Text(path)
}

// settled waits until the server has settled. Then each text has to be what the stored states of the hunks say, with what
// the person has typed at its start.
func (s *scene) settled(step string) {
	s.t.Helper()
	s.deciding.Wait()
	awaitSettled(s.t, s.e)
	states := map[string]ploke.ProposalStatus{}
	for _, v := range proposalOf(s.e, s.id).Files { // a file has one view for each decision
		for _, h := range v.Hunks {
			states[fmt.Sprintf("%s:%d", v.URI.FsPath(), s.lines[h.ID])] = h.State
		}
	}
	for path, base := range s.bases {
		lines := strings.SplitAfter(base, "\n")
		for at, line := range lines {
			if states[fmt.Sprintf("%s:%d", path, at)] == "verified" {
				lines[at] = strings.ReplaceAll(line, "square(", "squared(")
			}
		}
		got, want := s.now(path), strings.Join(lines, "")
		if typed := strings.TrimSuffix(got, want); strings.ReplaceAll(typed, typedLine, "") != "" {
			s.t.Errorf("%s: the hunks are %v, and %s has the text\n%s", step, states, path, got)
		}
	}
}

// decide makes a decision, whatever comes of it.
func (s *scene) decide(step, method string, params any) {
	s.t.Helper()
	if err := s.e.Try(s.t.Context(), method, params, nil); err != nil {
		s.t.Logf("%s: %v", step, err)
	}
	s.settled(step)
}

// TestDecisionsInAnUnkindEditor decides on a proposal, piece by piece and as a whole, undoes and redoes, in editors that answer in
// each unkind way. Whatever comes of a decision, nothing is lost or doubled, the stored state says what the text says, and the
// server goes on.
func TestDecisionsInAnUnkindEditor(t *testing.T) {
	for name, u := range unkindnesses {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time the server waits for a text
			for _, decide := range []func(*scene, []string){(*scene).acceptPieces, (*scene).acceptWhole} {
				s := play(t, u)
				var hunks []string
				for _, h := range circleIn(proposalOf(s.e, s.id)).Hunks {
					hunks = append(hunks, h.ID)
				}
				runCommand(s.e, ploke.CommandProposalShow, fmt.Sprintf("{%q:%q}", "id", s.id))
				decide(s, hunks)
				s.e.SetSettings(settings{"limits": settings{"turnRequests": 3}})
				for _, method := range []string{ploke.MethodProposalUndo, ploke.MethodProposalRedo, ploke.MethodProposalUndo} {
					s.decide(method, method, ploke.ProposalParams{ID: s.id})
				}
				s.checkOther()
				s.e.Call(ploke.MethodChatList, nil, nil)
			}
		})
	}
}

// acceptPieces accepts a hunk, a file and the rest.
func (s *scene) acceptPieces(hunks []string) {
	s.t.Helper()
	s.decide("accept a hunk", ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: s.id, Hunks: hunks[:1]})
	s.decide("accept a file", ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: s.id, Files: []uri.URI{uri.File(s.rect)}})
	s.decide("accept the rest", ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: s.id})
}

// acceptWhole rejects a hunk and accepts all others.
func (s *scene) acceptWhole(hunks []string) {
	s.t.Helper()
	s.decide("reject a hunk", ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: s.id, Hunks: hunks[1:]})
	s.decide("accept", ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: s.id})
}

// checkOther checks the proposal of a new file, if it was accepted meanwhile.
func (s *scene) checkOther() {
	s.t.Helper()
	if s.other != "" {
		return
	}
	if got := s.e.Text(s.f.path("todo.md")); !strings.Contains(got, "buy milk") {
		s.t.Errorf("the other proposal has made %q", got)
	}
}

// theChosen answers with a new item that has nothing but the title of the chosen action.
func theChosen(actions []protocol.MessageActionItem, chosen int) any {
	if chosen < 0 {
		return nil
	}
	return &protocol.MessageActionItem{Title: actions[chosen].Title}
}

// TestQuestionsInAnUnkindEditor asks for a permission, with each form of an answer. Only the answer "Allow" permits.
func TestQuestionsInAnUnkindEditor(t *testing.T) {
	for name, tt := range map[string]struct {
		options lsptest.Options
		painted bool
	}{
		"by index":       {lsptest.Options{Choice: theChosen}, true},
		"by index twice": {lsptest.Options{Choice: theChosen, AnswersTwice: true}, true},
		"dismissed":      {lsptest.Options{Choice: func([]protocol.MessageActionItem, int) any { return nil }}, false},
		"not offered": {lsptest.Options{Choice: func([]protocol.MessageActionItem, int) any {
			return &protocol.MessageActionItem{Title: "allow"}
		}}, false},
		"without a title": {lsptest.Options{Choice: func([]protocol.MessageActionItem, int) any { return struct{}{} }}, false},
		"a number":        {lsptest.Options{Choice: func(_ []protocol.MessageActionItem, chosen int) any { return chosen }}, false},
		"after other requests": {lsptest.Options{BeforeAnswer: func(e *lsptest.Editor, method string) {
			if method == protocol.MethodWindowShowMessageRequest {
				e.Call(ploke.MethodChatList, nil, nil)
				runCommand(e, ploke.CommandIndexStatus)
			}
		}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			model := f.useModel(append(paintTurns(), llmtest.Turn{Text: []string{"still here"}})...)
			tt.options.Capabilities = plain(nil)
			asked := 0
			tt.options.OnPermission = func(context.Context, string) string { asked++; return "Allow" }
			e := f.start(tt.options)
			e.Ask("paint")
			messages := model.Requests()[1].Messages
			if result := messages[len(messages)-1].Content; (result == `{"ok":true}`) != tt.painted || asked != 1 {
				t.Errorf("asked %d times; the model gets %s", asked, result)
			}
			if got := e.Ask("are you here?"); got.Text != "still here" {
				t.Errorf("afterwards: %+v", got)
			}
		})
	}
}

// TestAPermissionThatComesAfterItsQuestionWasTakenBack stops a turn that asks. The answer that comes then permits nothing,
// also if it comes twice.
func TestAPermissionThatComesAfterItsQuestionWasTakenBack(t *testing.T) {
	for name, capabilities := range map[string]*protocol.ClientCapabilities{"in a message": plain(nil), "in the extension": nil} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.extraTools = []*tools.Tool{permissionTool()}
			f.useModel(paintTurns()[0], llmtest.Turn{Text: []string{"still here"}})
			answered := make(chan struct{})
			ctx, stop := context.WithCancel(t.Context())
			e := f.start(lsptest.Options{Capabilities: capabilities, AnswersTwice: true, OnPermission: func(asked context.Context, _ string) string {
				stop()
				<-asked.Done()
				defer close(answered)
				if capabilities == nil {
					return "allowAlways"
				}
				return "Always allow"
			}})
			if got := e.Send(ctx, ploke.ChatSendParams{Text: "paint"}); got.StopReason != ploke.StopCancelled {
				t.Errorf("the turn ended with %+v", got)
			}
			<-answered
			if got := e.Ask("are you here?"); got.Text != "still here" {
				t.Errorf("afterwards: %+v", got)
			}
			var standing ploke.PermissionListResult
			if e.Call(ploke.MethodPermissionList, nil, &standing); len(standing.Permissions) > 0 {
				t.Errorf("the late answer stands: %+v", standing)
			}
		})
	}
}

// TestTwoProposalsWithOneTitle asks which of two proposals with the same title is meant. The person chooses the last one, by
// its place in the list.
func TestTwoProposalsWithOneTitle(t *testing.T) {
	f := newFixture(t)
	chosen := ""
	e := f.start(lsptest.Options{Capabilities: plain(nil), OnPermission: func(context.Context, string) string { return "" },
		Choice: func(actions []protocol.MessageActionItem, _ int) any {
			chosen = actions[len(actions)-1].Title
			return theChosen(actions, len(actions)-1)
		}})
	e.AwaitProgressEnd(indexingTitle)
	var ids []string
	for range 2 {
		ids = append(ids, e.Send(t.Context(),
			ploke.ChatSendParams{Text: `create todo.md with "buy milk"`, ConversationID: newConversation(e)}).Proposals...)
	}
	runCommand(e, ploke.CommandProposalReject)
	e.Await("the decision", func() bool {
		var all ploke.ProposalListResult
		e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &all)
		return slices.ContainsFunc(all.Proposals, func(p ploke.Proposal) bool { return p.Status == "rejected" })
	})
	first, last := proposalOf(e, ids[0]).Proposal, proposalOf(e, ids[1]).Proposal
	if first.Title != last.Title || first.Status != "rejected" || last.Status != "staged" {
		t.Errorf("of %q and %q, the person chose %q: %s, %s", last.Title, first.Title, chosen, last.Status, first.Status)
	}
}

// TestAChatInAnUnkindEditor asks in a chat document for a proposal. The person types on at its end while the editor owes
// answers. Each word is there once.
func TestAChatInAnUnkindEditor(t *testing.T) {
	const next = "Next.\n"
	for name, u := range map[string]unkindness{
		"answers twice":                unkindnesses["answers twice"],
		"answers after other requests": unkindnesses["answers after other requests"],
		"answers after the person has typed": onEdit(func(s *scene) {
			write(s.e, s.circle, next)
			s.typed.Add(1)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			s := &scene{t: t, f: f, rect: f.path("shapes/rect.go"), circle: f.path("chat.ploke.md")}
			s.e = f.start(lsptest.Options{AnswersTwice: u.twice, BeforeAnswer: u.onceBegun(s)})
			s.e.AwaitIndex()
			s.e.Open(s.rect)
			path := f.openChat(s.e)
			write(s.e, path, "\nrename square to squared\n")
			s.begun.Store(true)
			sendChat(t, s.e, path, 0)
			answer := strings.TrimSpace(strings.ReplaceAll(awaitChat(s.e, path, 1), next, ""))
			awaitSettled(t, s.e)
			var all ploke.ProposalListResult
			s.e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &all)
			var text string
			testbed.Eventually(t, func() bool { // a word may be typed this moment
				text = s.e.Text(path)
				return strings.Count(text, next) == int(s.typed.Load())
			}, func() string { return fmt.Sprintf("%d words were typed:\n%s", s.typed.Load(), text) })
			if len(all.Proposals) != 1 || answer == "" || strings.Count(text, answer) != 1 ||
				strings.Count(text, "\nrename square to squared\n") != 1 {
				t.Errorf("the proposals are %+v, and the document is\n%s", all.Proposals, text)
			}
			if s.typed.Load() == 0 && strings.HasSuffix(name, "typed") {
				t.Error("nothing was typed")
			}
		})
	}
}

// TestAnEditorEndsOnceItOwesNoAnswer ends a test while its editor asks the server before it answers.
func TestAnEditorEndsOnceItOwesNoAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		owes, ending := make(chan struct{}), make(chan struct{})
		asked := errors.New("not asked")
		e := newFixture(t).start(lsptest.Options{BeforeAnswer: func(e *lsptest.Editor, method string) {
			if method == protocol.MethodClientRegisterCapability {
				close(owes)
				<-ending
				asked = e.Try(context.Background(), ploke.MethodChatList, nil, nil)
			}
		}})
		<-owes
		time.AfterFunc(time.Second, func() { close(ending) }) // the editor is about to end then
		e.Shutdown()
		if asked != nil {
			t.Error(asked)
		}
	})
}

// TestANewFileInAnEditorWhoseEmptyTextIsALineEnd creates a file in an editor like Neovim, takes it back and creates it again. The
// text has no line too many, also once the server has settled.
func TestANewFileInAnEditorWhoseEmptyTextIsALineEnd(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{EndsLines: true, OnInitialize: as("Neovim", "0.10.4")})
	e.AwaitIndex()
	id := e.Ask(`create todo.md with "buy milk"`).Proposals[0]
	path := f.path("todo.md")
	for _, step := range []struct{ method, status string }{
		{ploke.MethodProposalAccept, "verified"}, {ploke.MethodProposalUndo, "undone"}, {ploke.MethodProposalRedo, "verified"},
	} {
		e.Call(step.method, ploke.ProposalParams{ID: id}, nil)
		awaitSettled(t, e)
		if got := proposalOf(e, id).Proposal.Status; string(got) != step.status {
			t.Errorf("%s: it is %s", step.method, got)
		}
		if step.status == "verified" && e.Text(path) != "buy milk\n" {
			t.Errorf("%s: the text is %q", step.method, e.Text(path))
		}
	}
}

// TestTheEndOfATextInAnEditorThatEndsLines adds lines behind the last one, takes them back, and does the same with a removal, in
// an editor like Neovim. The text has no line too many.
func TestTheEndOfATextInAnEditorThatEndsLines(t *testing.T) {
	for old, replacement := range map[string]string{"func last() {}\n": "func last() {}\n\nfunc more() {}\n", "\nfunc last() {}\n": ""} {
		f := newFixture(t)
		f.write("end.go", "package p\n\nfunc first() {}\n\nfunc last() {}\n")
		arguments, err := json.Marshal(map[string]any{"edits": []any{map[string]any{"file": "end.go", "old": old, "new": replacement}}})
		if err != nil {
			t.Fatal(err)
		}
		f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "apply_code_edit", Arguments: string(arguments)}}},
			llmtest.Turn{Text: []string{"done"}})
		e := f.start(lsptest.Options{EndsLines: true, OnInitialize: as("Neovim", "0.10.4")})
		path := f.path("end.go")
		e.Open(path)
		before := e.Text(path)
		e.AwaitIndex()
		id := e.Ask("go").Proposals[0]
		for _, step := range []struct{ method, status, want string }{
			{ploke.MethodProposalAccept, "verified", strings.Replace(before, old, replacement, 1)},
			{ploke.MethodProposalUndo, "undone", before},
		} {
			e.Call(step.method, ploke.ProposalParams{ID: id}, nil)
			awaitSettled(t, e)
			if got := proposalOf(e, id).Proposal.Status; string(got) != step.status || e.Text(path) != step.want {
				t.Errorf("%s: it is %s, and the text is %q", step.method, got, e.Text(path))
			}
		}
	}
}

// TestPresentLimitNewFilesThatNeovimCannotHold creates files whose text Neovim's buffer can't have as it was proposed: without a
// line end at the end, or with those of Windows in a buffer that has others. Today such a proposal fails, although the editor
// has made the file. Nothing is lost: the text is in the editor, and the person is told.
func TestPresentLimitNewFilesThatNeovimCannotHold(t *testing.T) {
	for _, content := range []string{`x`, `x\r\n`} {
		t.Run(content, func(t *testing.T) {
			t.Parallel() // most of the time the server waits for a text
			f := newFixture(t)
			f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "create_file", Arguments: `{"file":"todo.md","content":"` + content + `"}`}}},
				llmtest.Turn{Text: []string{"done"}})
			e := f.start(lsptest.Options{EndsLines: true, OnInitialize: as("Neovim", "0.10.4")})
			e.AwaitIndex()
			id := e.Ask("go").Proposals[0]
			if err := e.Error(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}); !strings.Contains(err.Message,
				"todo.md does not read as planned") {
				t.Errorf("the error is %q", err.Message)
			}
			if got := proposalOf(e, id).Proposal.Status; got != "failed" || e.Text(f.path("todo.md")) != "x\n" {
				t.Errorf("it is %s, and the text is %q", got, e.Text(f.path("todo.md")))
			}
		})
	}
}
