package acp

import (
	"context"
	"sync"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/index"
	"ploke-lsp/internal/display"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A frontEnd implements [project.FrontEnd] for the sessions of a folder.
type frontEnd struct {
	agent *Agent
	files *editorFiles

	mu       sync.Mutex
	messages []protocol.Notice            // that no session has shown
	ready    map[string]chan struct{}     // by turn: closed once its proposals can be decided on
	asked    map[string]map[*waiting]bool // by proposal
}

// waiting is a question about a proposal that is being asked.
type waiting struct{ revoke context.CancelFunc }

func newFrontEnd(a *Agent, f *folder) *frontEnd {
	return &frontEnd{agent: a, files: newEditorFiles(a, f), ready: map[string]chan struct{}{},
		asked: map[string]map[*waiting]bool{}}
}

var severities = map[project.Severity]string{project.Error: "error", project.Warning: "warning", project.Info: "info"}

// ShowMessage implements [project.FrontEnd]: a session of the folder shows it, at once if the client has
// notices, else with its next turn.
func (f *frontEnd) ShowMessage(severity project.Severity, text string) {
	f.agent.log.Warn(text)
	f.mu.Lock()
	f.messages = append(f.messages,
		protocol.Notice{Kind: "notice", Severity: severities[severity], Title: display.Prose(text)})
	f.mu.Unlock()
	if s := f.sessionFor(""); s != nil && s.client.hasNotices() {
		f.agent.background.Go(func() { f.showMessages(s) })
	}
}

// showMessages shows a session what no session has shown. A client without notices must have asked for a
// turn, since it shows no text outside of one.
func (f *frontEnd) showMessages(s *openSession) {
	f.mu.Lock()
	messages := f.messages
	f.messages = nil
	f.mu.Unlock()
	for _, m := range messages {
		s.notice(m)
	}
}

// BeginProgress implements [project.FrontEnd]: the protocol has no progress outside of a turn.
func (f *frontEnd) BeginProgress(context.Context, project.Task) project.Progress {
	return hiddenProgress{}
}

// Notify implements [project.FrontEnd]: a question about a proposal that was decided elsewhere is
// taken back, and calls that show what checks a proposal say what is known now.
func (f *frontEnd) Notify(part project.Part) {
	switch e := part.Event.(type) {
	case bus.ProposalChecked:
		if s := f.sessionFor(e.ConversationID); s != nil {
			s.checks.update(s, e.ProposalID, part.Evidence)
		}
	case bus.ProposalDecided:
		f.decided(e.ProposalID)
	case bus.ProposalApplied:
		f.decided(e.ProposalID)
	}
}

// asking notes that a person is being asked about a proposal. The returned context ends when the
// proposal is decided elsewhere.
func (f *frontEnd) asking(ctx context.Context, proposalID string) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	w := &waiting{cancel}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked[proposalID] == nil {
		f.asked[proposalID] = map[*waiting]bool{}
	}
	f.asked[proposalID][w] = true
	return ctx, func() {
		cancel()
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.asked[proposalID], w)
		if len(f.asked[proposalID]) == 0 {
			delete(f.asked, proposalID)
		}
	}
}

func (f *frontEnd) decided(proposalID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for w := range f.asked[proposalID] {
		w.revoke()
	}
}

// ReviewReady implements [project.FrontEnd].
func (f *frontEnd) ReviewReady(turnID string) { close(f.turn(turnID)) }

// awaitReview waits until the proposals of a turn that has ended can be decided on, or ctx ends.
func (f *frontEnd) awaitReview(ctx context.Context, turnID string) {
	select {
	case <-f.turn(turnID):
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.ready, turnID)
}

func (f *frontEnd) turn(id string) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ready[id] == nil {
		f.ready[id] = make(chan struct{})
	}
	return f.ready[id]
}

// Diagnostics implements [project.FrontEnd]: the protocol has none.
func (f *frontEnd) Diagnostics(context.Context, string) (tools.Diagnostics, error) {
	return tools.Diagnostics{Partial: true}, nil
}

// EditorState implements [project.FrontEnd]: the protocol does not tell where the person is.
func (f *frontEnd) EditorState(context.Context) index.Editor { return index.Editor{} }

// hiddenProgress is progress that is not shown.
type hiddenProgress struct{}

func (hiddenProgress) Report(string, int) {}
func (hiddenProgress) End(string)         {}
