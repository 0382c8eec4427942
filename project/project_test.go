package project_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/pieces"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A headless front end has no person. If editor is not nil, it carries out plans.
type headless struct {
	editor func(*edits.Plan) error

	notified chan project.Part // gets the parts of no turn; may be nil
}

func (f *headless) ShowMessage(project.Severity, string) {}

func (f *headless) Notify(p project.Part) {
	select {
	case f.notified <- p:
	default: // nobody listens, or the test has ended
	}
}

func (f *headless) ReviewReady(string) {}

func (f *headless) ShowsQuestions() bool { return true }

func (f *headless) BeginProgress(context.Context, project.Task) project.Progress { return f }
func (f *headless) Report(string, int)                                           {}
func (f *headless) End(string)                                                   {}

func (f *headless) Diagnostics(context.Context, string) (tools.Diagnostics, error) {
	return tools.Diagnostics{}, nil
}
func (f *headless) EditorState(context.Context) index.Editor { return index.Editor{} }
func (f *headless) AskPermission(context.Context, bus.PermissionAsked) session.Answer {
	return session.RejectOnce
}
func (f *headless) CanApply(*edits.Plan) bool                       { return f.editor != nil }
func (f *headless) Apply(_ context.Context, plan *edits.Plan) error { return f.editor(plan) }

// open opens a project on a folder with one Go file, and waits for its index.
func open(t *testing.T, f project.FrontEnd) (p *project.Project, file string) {
	t.Helper()
	return openIn(t, t.TempDir(), t.TempDir(), f)
}

// openIn opens a project as open does. It keeps the file if there is one.
func openIn(t *testing.T, state, root string, f project.FrontEnd) (p *project.Project, file string) {
	t.Helper()
	file = filepath.Join(root, "greet.go")
	if _, err := os.Stat(file); err != nil {
		if err := os.WriteFile(file, []byte("package greet\n\n// Hello greets.\nfunc Hello() string { return \"hello\" }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(t.Context(),
		project.Options{StateDir: state, Settings: project.NewSettings(), Getenv: func(string) string { return "" }},
		[]string{root}, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	if err := p.AwaitIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, file
}

// start starts a turn and returns its record.
func start(t *testing.T, p *project.Project, text string) *project.Transcript {
	t.Helper()
	_, transcript, err := p.Transcripts.Start(t.Context(), session.Prompt{Text: text, Origin: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return transcript
}

// TestTurnIsFollowedByAnyone follows one turn twice, and once more from its middle.
func TestTurnIsFollowedByAnyone(t *testing.T) {
	p, file := open(t, &headless{})
	transcript := start(t, p, "what does Hello do")
	follow := func(after int) (text string, last int, result *project.TurnResult) {
		result = transcript.Follow(t.Context(), transcript.From(after), func(part project.Part) {
			if part.Seq <= last || part.Seq <= after {
				t.Errorf("part %d follows part %d, after %d", part.Seq, last, after)
			}
			last = part.Seq
			if delta, ok := part.Event.(bus.MessageDelta); ok {
				text += delta.Text
			}
		})
		return text, last, result
	}
	first, last, result := follow(0)
	if result.StopReason != bus.StopDone || first != result.Text || !strings.Contains(first, "Hello") {
		t.Fatalf("the turn ended %q with %q; streamed: %q", result.StopReason, result.Text, first)
	}
	if again, _, _ := follow(0); again != first {
		t.Errorf("followed again: %q, first: %q", again, first)
	}
	if rest, _, _ := follow(last - 1); rest != "" {
		t.Errorf("the last part holds text: %q", rest)
	}
	want := []project.Citation{{Path: file, StartLine: 3, EndLine: 4, LastLine: `func Hello() string { return "hello" }`, Canon: "Hello"}}
	if diff := cmp.Diff(want, result.Citations); diff != "" {
		t.Errorf("citations (-want +got):\n%s", diff)
	}
	if p.Transcripts.Find("unknown") != nil {
		t.Error("an unknown turn has a transcript")
	}
}

// TestTextDecidesWhatWasApplied accepts a proposal with front ends of different
// honesty.
func TestTextDecidesWhatWasApplied(t *testing.T) {
	for name, tt := range map[string]struct {
		editor func(p **project.Project) func(*edits.Plan) error // nil: the front end has none
		closed bool                                              // the editor does not have the file open
		want   edits.State
	}{
		"no editor": {nil, true, edits.Verified},
		"an editor that applies": {func(p **project.Project) func(*edits.Plan) error {
			return func(plan *edits.Plan) error {
				(*p).Changed(plan.Files[0].Path, 2, pieces.New(string(plan.Files[0].After)))
				return nil
			}
		}, false, edits.Verified},
		"an editor that says it did":                                   {saysItDid, false, edits.Failed},
		"an editor that says it did, and may hold the new text unseen": {saysItDid, true, edits.Applied},
	} {
		t.Run(name, func(t *testing.T) {
			f, p := &headless{}, new(*project.Project)
			if tt.editor != nil {
				f.editor = tt.editor(p)
			}
			opened, file := open(t, f)
			*p = opened
			if !tt.closed {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				opened.Opened(file, 1, pieces.New(string(text)))
			}
			transcript := start(t, opened, "rename Hello to Greeting")
			result := transcript.Follow(t.Context(), transcript.From(0), func(project.Part) {})
			if len(result.Proposals) != 1 {
				t.Fatalf("the answer is %q, with the proposals %v", result.Text, result.Proposals)
			}
			proposal, err := opened.Edits.Proposals.Get(t.Context(), result.Proposals[0])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := opened.Applier.Accept(t.Context(), proposal.Whole()); (err != nil) != (tt.want == edits.Failed) {
				t.Errorf("accepted: %v", err)
			}
			if proposal, err = opened.Edits.Proposals.Get(t.Context(), proposal.ID); err != nil {
				t.Fatal(err)
			}
			if got := proposal.Status(); got != tt.want {
				t.Errorf("the proposal is %s, want %s", got, tt.want)
			}
		})
	}
}

// saysItDid is an editor that only reports success.
func saysItDid(**project.Project) func(*edits.Plan) error {
	return func(*edits.Plan) error { return nil }
}

// TestStaleProposalsAreFoundAfterOpening changes a file while no project is open. The
// proposal for it becomes stale without anyone asking for it.
func TestStaleProposalsAreFoundAfterOpening(t *testing.T) {
	state, root := t.TempDir(), t.TempDir()
	p, file := openIn(t, state, root, &headless{})
	transcript := start(t, p, "rename Hello to Greeting")
	id := transcript.Follow(t.Context(), transcript.From(0), func(project.Part) {}).Proposals[0]
	p.Close()
	if err := os.WriteFile(file, []byte("package greet\n\nfunc Bye() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &headless{notified: make(chan project.Part, 100)}
	openIn(t, state, root, f)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for {
		select {
		case part := <-f.notified:
			if e, ok := part.Event.(bus.ProposalDecided); ok {
				if e.ProposalID != id || e.Status != string(edits.Stale) {
					t.Errorf("the first decision is %+v, want that %s is stale", e, id)
				}
				return
			}
		case <-ctx.Done():
			t.Fatal("nobody noticed that the proposal is stale")
		}
	}
}
