package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm/llmtest"
)

// eventFrontEnd is the front end of a project without an editor, which passes on what happens.
type eventFrontEnd struct {
	frontEnd
	parts chan project.Part
}

func (f *eventFrontEnd) Notify(p project.Part) { f.parts <- p }

// openTwin opens the folder in this process, as a front end does that is no editor.
func openTwin(t *testing.T, state, root string) (*project.Project, *eventFrontEnd) {
	t.Helper()
	f := &eventFrontEnd{frontEnd{stderr: os.Stderr}, make(chan project.Part, 10_000)}
	p, err := project.Open(t.Context(), project.Options{StateDir: state, Settings: project.NewSettings(), Getenv: os.Getenv},
		[]string{root}, f)
	check(t, err)
	t.Cleanup(p.Close)
	check(t, p.AwaitIndex(t.Context()))
	return p, f
}

// awaitFound searches until the symbol is found, or until it is not found any more.
func awaitFound(t *testing.T, p *project.Project, canon string, want bool) {
	t.Helper()
	testbed.Eventually(t, func() bool { return finds(t, p, canon) == want },
		func() string { return fmt.Sprintf("%s: found is %v", canon, !want) })
}

func finds(t *testing.T, p *project.Project, canon string) bool {
	t.Helper()
	found, err := p.Index.Search(t.Context(), index.Query{Text: canon, Limit: 5})
	check(t, err)
	return slices.ContainsFunc(found.Hits, func(h index.Hit) bool { return h.Canon == canon })
}

// search runs the command search and returns what it printed.
func search(t *testing.T, state, root, query string) string {
	t.Helper()
	cmd := program(t, "search", "--state-dir", state, "--workspace", root, query)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != 1 || len(out) > 0 { // else nothing was found
		check(t, err)
	}
	return string(out)
}

// await waits for a part that holds.
func (f *eventFrontEnd) await(t *testing.T, what string, holds func(project.Part) bool) {
	t.Helper()
	limit := time.After(60 * time.Second)
	for {
		select {
		case p := <-f.parts:
			if holds(p) {
				return
			}
		case <-limit:
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// TestOtherProcessesSeeWhatIsTyped types in an editor. A project that was open before, one that is
// opened later, and the command line find the text, until the editor's server is killed.
func TestOtherProcessesSeeWhatIsTyped(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 3)
	before, _ := openTwin(t, state, root)
	server, editor := startServer(t, state, root)
	editor.AwaitIndex()
	path := filepath.Join(root, "file0.go")
	editor.Open(path)
	editor.Type(path, len("package p\n"), len("package p\n"), "\nfunc TypedNow() {}\n")
	awaitFound(t, before, "TypedNow", true)
	after, _ := openTwin(t, state, root)
	awaitFound(t, after, "TypedNow", true)
	await(t, "search, which does not wait long for a busy machine", "file0.go:3  function TypedNow",
		func() string { return search(t, state, root, "TypedNow") })
	for _, p := range []*project.Project{before, after} {
		if f, err := p.Workspace.Read(t.Context(), path); err != nil || !f.Open || !strings.Contains(string(f.Text), "TypedNow") {
			t.Errorf("the file reads %+v, %v", f, err)
		}
	}
	at := strings.Index(editor.Text(path), "TypedNow")
	editor.Type(path, at, at+len("TypedNow"), "TypedLater")
	awaitFound(t, before, "TypedLater", true)
	awaitFound(t, before, "TypedNow", false)

	check(t, server.Process.Kill())
	server.Wait()
	for _, p := range []*project.Project{before, after} {
		awaitFound(t, p, "TypedLater", false)
		awaitFound(t, p, "File0", true)
	}
	if out := search(t, state, root, "TypedLater"); strings.Contains(out, "TypedLater") {
		t.Errorf("after the kill, search prints %q", out)
	}
}

// TestSecretsAndIgnoredFilesStayInTheEditorsProcess opens files whose text no process but the editor
// may read, and one that is not in the folder.
func TestSecretsAndIgnoredFilesStayInTheEditorsProcess(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 1)
	check(t, os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.log\n"), 0o600))
	outside := filepath.Join(t.TempDir(), "outside.go")
	other, _ := openTwin(t, state, root)
	server, editor := startServer(t, state, root)
	for _, path := range []string{filepath.Join(root, ".env"), filepath.Join(root, "a.log"), outside} {
		editor.OpenText(path, "package p\n\nfunc Hidden() {}\n")
	}
	editor.OpenText(filepath.Join(root, "last.go"), "package p\n\nfunc Last() {}\n")
	awaitFound(t, other, "Last", true)
	if finds(t, other, "Hidden") {
		t.Error("a text is found that only the editor may read")
	}
	for _, path := range []string{filepath.Join(root, ".env"), filepath.Join(root, "a.log"), outside} {
		if f, known := other.Workspace.Buffer(path); known {
			t.Errorf("%s: another process has the text %q", path, f.Text)
		}
	}
	stop(t, server, editor)
}

// TestAFolderInAFolder has a window of a folder and of one within it. A process that has only the
// outer folder open sees what is typed in both.
func TestAFolderInAFolder(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 1)
	inner := filepath.Join(root, "inner")
	check(t, os.Mkdir(inner, 0o700))
	other, _ := openTwin(t, state, root)
	server := serve(t, state)
	editor := lsptest.Connect(t, server, lsptest.Options{Roots: []string{root, inner}})
	editor.OpenText(filepath.Join(inner, "a.go"), "package p\n\nfunc Inner() {}\n")
	editor.OpenText(filepath.Join(root, "a.go"), "package p\n\nfunc Outer() {}\n")
	awaitFound(t, other, "Inner", true)
	awaitFound(t, other, "Outer", true)
	stop(t, server, editor)
	awaitFound(t, other, "Inner", false)
}

// stage makes a proposal in a project, in no turn.
func stage(t *testing.T, p *project.Project, path, old, text string) string {
	t.Helper()
	f, err := p.Workspace.Read(t.Context(), path)
	check(t, err)
	at := strings.Index(string(f.Text), old)
	if at < 0 {
		t.Fatalf("%q is not in %q", old, f.Text)
	}
	proposal, err := p.Edits.Staging.Stage(t.Context(), edits.Batch{RequestID: "of " + text, Title: "change it", Operations: []edits.Operation{
		{Op: edits.OpEdit, Path: path, BaseHash: f.Hash, Edits: []edits.Edit{{Start: at, End: at + len(old), New: text}}}}})
	check(t, err)
	return proposal.ID
}

// TestAFileThatIsOpenInAnEditorIsChangedOnlyThere stages a change of an open file in another
// process, which must not write it. The proposal waits in the editor. What the editor decides is
// seen by the other process.
func TestAFileThatIsOpenInAnEditorIsChangedOnlyThere(t *testing.T) {
	const want = "file0.go is open in the editor; accept it there"
	state, root := t.TempDir(), manyFiles(t, 2)
	other, seen := openTwin(t, state, root)
	server, editor := startServer(t, state, root)
	editor.AwaitIndex()
	path := filepath.Join(root, "file0.go")
	editor.Open(path)
	editor.Type(path, 0, 0, "// Typed.\n")
	awaitText(t, other, path, "// Typed.\n")
	onDisk, err := os.ReadFile(path)
	check(t, err)

	id := stage(t, other, path, "x + 0", "x + 1000")
	awaitReview(t, editor, id)
	if _, err := other.Applier.Accept(t.Context(), whole(t, other, id)); err == nil || err.Error() != want {
		t.Errorf("accepted by a project: %v", err)
	}
	out, err := program(t, "proposals", "--state-dir", state, "--workspace", root, "accept", id).CombinedOutput()
	if err == nil || !strings.Contains(string(out), want) {
		t.Errorf("accepted by the command line: %v, %s", err, out)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(onDisk) {
		t.Errorf("the file reads %q, %v", now, err)
	}
	if p, err := other.Edits.Proposals.Get(t.Context(), id); err != nil || p.Status() != edits.Staged {
		t.Errorf("the proposal is %v, %v", p.Status(), err)
	}

	editor.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
	seen.await(t, "the outcome", func(p project.Part) bool {
		e, ok := p.Event.(bus.ProposalApplied)
		return ok && e.ProposalID == id && e.Status == string(edits.Verified)
	})
	if text := editor.Text(path); !strings.HasPrefix(text, "// Typed.\n") || !strings.Contains(text, "x + 1000") {
		t.Errorf("the editor shows %q", text)
	}
	awaitText(t, other, path, editor.Text(path))
	if _, err := other.Applier.Undo(t.Context(), whole(t, other, id)); err == nil || !strings.Contains(err.Error(), "undo it there") {
		t.Errorf("undone by a project: %v", err)
	}

	id = stage(t, other, path, "x + 1000", "x + 2000")
	editor.Save(path)
	editor.CloseDocument(path)
	awaitClosed(t, other, path)
	if _, err := other.Applier.Accept(t.Context(), whole(t, other, id)); err != nil {
		t.Errorf("after the file was closed: %v", err)
	}
	stop(t, server, editor)
}

// whole returns a decision on all of a proposal as it is now.
func whole(t *testing.T, p *project.Project, id string) edits.Decision {
	t.Helper()
	proposal, err := p.Edits.Proposals.Get(t.Context(), id)
	check(t, err)
	return proposal.Whole()
}

// TestAWindowWritesNoFileThatIsOpenInAnother has two windows, one of which can't apply edits by
// itself, so that its server would write the files.
func TestAWindowWritesNoFileThatIsOpenInAnother(t *testing.T) {
	const files = 10
	state, root := t.TempDir(), manyFiles(t, files)
	first, one := startServer(t, state, root)
	for i := range files {
		one.Open(filepath.Join(root, fmt.Sprintf("file%d.go", i)))
	}
	one.AwaitIndex()
	capabilities := lsptest.Capabilities()
	capabilities.Workspace.ApplyEdit = nil
	second := serve(t, state)
	two := lsptest.Connect(t, second, lsptest.Options{Roots: []string{root}, Capabilities: capabilities})
	two.AwaitIndex()
	last := one.Ask("rename File0 to Last0").Proposals[0]
	one.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: last}, nil)
	two.Await("what the first window tells last, after what is open in it", func() bool {
		return slices.ContainsFunc(two.Events(), func(e ploke.Event) bool {
			return e.Type == ploke.PartProposal && e.ID == last && e.Status == "rejected"
		})
	})
	for i := range files {
		name := fmt.Sprintf("file%d.go", i)
		id := two.Ask(fmt.Sprintf("rename File%d to Changed%d", i, i)).Proposals[0]
		err := two.Try(t.Context(), ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
		if err == nil || !strings.Contains(err.Error(), name+" is open in the editor; accept it there") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(filepath.Join(root, name)); err != nil || strings.Contains(string(text), "Changed") {
			t.Errorf("%s was written: %q, %v", name, text, err)
		}
		awaitReview(t, one, id)
		one.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, nil)
		if text := one.Text(filepath.Join(root, name)); !strings.Contains(text, fmt.Sprintf("Changed%d", i)) {
			t.Errorf("the editor shows %q", text)
		}
	}
	stop(t, first, one)
	stop(t, second, two)
}

// awaitText waits until a project reads this text.
func awaitText(t *testing.T, p *project.Project, path, prefix string) {
	t.Helper()
	var f *workspace.File
	var err error
	testbed.Eventually(t, func() bool {
		f, err = p.Workspace.Read(t.Context(), path)
		return err == nil && strings.HasPrefix(string(f.Text), prefix)
	}, func() string { return fmt.Sprintf("the file reads %+v, %v", f, err) })
}

// awaitClosed waits until a file is open in no editor.
func awaitClosed(t *testing.T, p *project.Project, path string) {
	t.Helper()
	testbed.Eventually(t, func() bool { open, _ := p.Workspace.IsOpen(path); return !open }, func() string { return "the file is still open" })
}

// awaitReview waits until a proposal is in the review of an editor.
func awaitReview(t *testing.T, e *lsptest.Editor, id string) {
	t.Helper()
	e.Await("the proposal in the review", func() bool { return inReview(e, id) })
}

func inReview(e *lsptest.Editor, id string) bool {
	var review ploke.ReviewResult
	e.Call(ploke.MethodReview, nil, &review)
	return slices.ContainsFunc(review.Proposals, func(p ploke.ReviewedProposal) bool { return p.ID == id })
}

// TestTwoWindowsShowEachOthersDecisions has an answer with a proposal in one window. The other one
// gets the proposal, and the decision that is made in the first; then the other way round.
func TestTwoWindowsShowEachOthersDecisions(t *testing.T) {
	state, root := t.TempDir(), manyFiles(t, 2)
	first, one := startServer(t, state, root)
	second, two := startServer(t, state, root)
	one.AwaitIndex()
	two.AwaitIndex()
	for i, windows := range [][2]*lsptest.Editor{{one, two}, {two, one}} {
		asking, other := windows[0], windows[1]
		proposals := asking.Ask([]string{"rename File0 to Changed0", "rename File1 to Changed1"}[i]).Proposals
		if len(proposals) != 1 {
			t.Fatalf("the answer has the proposals %v", proposals)
		}
		awaitReview(t, other, proposals[0])
		asking.Call(ploke.MethodProposalReject, ploke.ProposalRejectParams{ID: proposals[0]}, nil)
		other.Await("the decision", func() bool {
			return slices.ContainsFunc(other.Events(), func(e ploke.Event) bool {
				return e.Type == ploke.PartProposal && e.ID == proposals[0] && e.Status == "rejected"
			})
		})
	}
	stop(t, first, one)
	stop(t, second, two)
}

// TestTheProposalOfAKilledWindowWaitsInTheOther kills a window in the middle of a turn. Its proposal
// is in the review of the other window only then, since the turn might still have amended it.
func TestTheProposalOfAKilledWindowWaitsInTheOther(t *testing.T) {
	gate := llmtest.NewGate()
	defer gate.Open()
	model := llmtest.NewServer(t, llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: "create_file", Arguments: `{"file":"new.go","content":"package p\n"}`}}},
		llmtest.Turn{Text: []string{"And"}, Hold: gate})
	useModel(t, model.URL)
	state, root := t.TempDir(), manyFiles(t, 1)
	first, one := startServer(t, state, root)
	second, two := startServer(t, state, root)
	inReview(two, "") // what waits at the first look is in the review
	sent := make(chan error, 1)
	go func() {
		sent <- one.Try(t.Context(), ploke.MethodChatSend, ploke.ChatSendParams{Text: "create it"}, nil)
	}()
	<-gate.Reached()
	var id string
	two.Await("the proposal", func() bool {
		for _, e := range two.Events() {
			if e.Type == ploke.PartProposal {
				id = e.ID
			}
		}
		return id != ""
	})
	if inReview(two, id) {
		t.Error("the proposal of a turn that runs is in the review")
	}
	check(t, first.Process.Kill())
	first.Wait()
	<-sent
	awaitReview(t, two, id)
	stop(t, second, two)
}
