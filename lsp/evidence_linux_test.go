package lsp_test

import (
	"context"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

func needSandbox(t *testing.T) {
	t.Helper()
	_, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
}

// TestProblemsOfAProposalAreDiagnostics shows a new problem where the proposal makes it, until a text changes.
func TestProblemsOfAProposalAreDiagnostics(t *testing.T) {
	needSandbox(t)
	f := newFixture(t)
	f.build(`{"proof":{"rounds":0}}`, "1 + 1", `\"two\"`)
	e := f.start(lsptest.Options{Capabilities: plain(nil), OnPermission: func(context.Context, string) string { return "Always allow" }})
	e.AwaitProgressEnd(indexingTitle)
	path := f.path("sum/sum.go")
	e.Open(path)
	e.Call(protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: ploke.CommandAsk, Arguments: []protocol.LSPAny{[]byte(`"go"`)}}, nil)
	var problem protocol.Diagnostic
	e.Await("the problem", func() bool {
		for _, d := range e.Published(path) {
			if source, _ := d.Source.Get(); source == "ploke: go vet" {
				problem = d
			}
		}
		return problem.Range.End.Line > 0
	})
	if problem.Range.Start.Line != 3 || problem.Severity != protocol.DiagnosticSeverityError ||
		!strings.Contains(string(problem.Message.(protocol.String)), `"two"`) {
		t.Errorf("%+v", problem)
	}
	e.Type(path, 0, 0, "// Package sum adds.\n")
	e.Await("the problem to go away", func() bool {
		for _, d := range e.Published(path) {
			if source, _ := d.Source.Get(); source == "ploke: go vet" {
				return false
			}
		}
		return true
	})
}

// TestAcceptAsksNothingWhateverIsKnown accepts a proposal that does not build with one action.
func TestAcceptAsksNothingWhateverIsKnown(t *testing.T) {
	needSandbox(t)
	f := newFixture(t)
	f.build(`{"proof":{"rounds":0}}`, "1 + 1", `\"two\"`)
	asked := 0
	e := f.start(lsptest.Options{Capabilities: plain(nil), OnPermission: func(context.Context, string) string {
		asked++
		return "Always allow"
	}})
	e.AwaitProgressEnd(indexingTitle)
	path := f.path("sum/sum.go")
	e.Open(path)
	runCommand(e, ploke.CommandAsk, `"go"`)
	e.Await("the problem", func() bool { return len(problems(e, path)) == 1 })
	awaitBeginning(t, e, path, "var Two", "ploke: accept")
	run(t, e, path, "var Two", "ploke: accept")
	e.Await("the text", func() bool { return strings.Contains(e.Text(path), `var Two int = "two"`) })
	e.Await("the problem to go away", func() bool { return len(problems(e, path)) == 0 })
	if asked != 1 {
		t.Errorf("%d questions", asked)
	}
}

// problems returns the problems that a check shows in a file.
func problems(e *lsptest.Editor, path string) (all []protocol.Diagnostic) {
	for _, d := range e.Published(path) {
		if source, _ := d.Source.Get(); source == "ploke: go vet" {
			all = append(all, d)
		}
	}
	return all
}

// TestACheckByCodeAction is about a client that shows no questions, as Helix and Eglot 28: nothing waits, and a code action
// is the permission. What is stale can be checked again, and for always.
func TestACheckByCodeAction(t *testing.T) {
	needSandbox(t)
	f := newFixture(t)
	f.build(`{"proof":{"rounds":0}}`, "1 + 1", `\"two\"`)
	e := f.start(lsptest.Options{Capabilities: plain(withoutQuestions)})
	e.AwaitProgressEnd(indexingTitle)
	path := f.path("sum/sum.go")
	e.Open(path)
	runCommand(e, ploke.CommandAsk, `"go"`)
	awaitBeginning(t, e, path, "package", "ploke: accept")
	state := func() string {
		var all ploke.ProposalListResult
		e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &all)
		if len(all.Proposals) != 1 || len(all.Proposals[0].Evidence) != 1 {
			t.Fatalf("%+v", all)
		}
		return all.Proposals[0].Evidence[0].Summary
	}
	if got := state(); !strings.HasPrefix(got, "unknown: not allowed yet: ") || !strings.Contains(got, ploke.CommandProposalCheck) {
		t.Errorf("before the check: %s", got)
	}
	for _, m := range e.Messages() {
		if strings.Contains(m.Message, "allow or reject") {
			t.Errorf("it asks: %s", m.Message)
		}
	}
	for _, title := range []string{"ploke: check ", "ploke: always check in a sandbox"} {
		awaitBeginning(t, e, path, "package", title)
		run(t, e, path, "package", title)
		e.Await("the problem", func() bool { return len(problems(e, path)) == 1 })
		awaitLine(t, e, "go vet: 1 new problem")
		e.Type(path, 0, 0, "// A line.\n")
		e.Await("the problem to go away", func() bool { return len(problems(e, path)) == 0 })
	}
	var allowed ploke.PermissionListResult
	if e.Call(ploke.MethodPermissionList, nil, &allowed); len(allowed.Permissions) != 1 || !allowed.Permissions[0].Allowed {
		t.Errorf("the answers are %+v", allowed)
	}
	awaitBeginning(t, e, path, "package", "ploke: check ")
	for _, title := range titles(t, e, path, "package") {
		if strings.Contains(title, "always check") {
			t.Errorf("%q is offered once it is allowed", title)
		}
	}
}

// TestACheckIsRunAgain after the files have changed, and of what is not committed.
func TestACheckIsRunAgain(t *testing.T) {
	needSandbox(t)
	f := newFixture(t)
	f.build(`{}`, "1 + 1", "2")
	e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string { return "allowAlways" }})
	e.AwaitIndex()
	sent := e.Ask("go")
	if got := strings.Join(partsOfEvidence(e.Parts()), ", "); got != "go vet running, go vet passed" {
		t.Errorf("the parts of the turn say %q", got)
	}
	state := func() string {
		var got ploke.ProposalGetResult
		e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: sent.Proposals[0]}, &got)
		return string(got.Proposal.Evidence[0].State)
	}
	if got := state(); got != "passed" {
		t.Errorf("it is %s", got)
	}
	f.write("sum/other.go", "package sum\n")
	if got := state(); got != "stale" {
		t.Errorf("after a change it is %s", got)
	}
	var checked ploke.ProposalCheckResult
	e.Call(ploke.MethodProposalCheck, ploke.ProposalCheckParams{ID: sent.Proposals[0]}, &checked)
	if len(checked.Evidence) != 1 || checked.Evidence[0].State != ploke.EvidencePassed {
		t.Errorf("checked again: %+v", checked)
	}
	f.commitAll("all")
	f.write("sum/other.go", "package sum\n\nvar broken int = \"x\"\n")
	e.Call(ploke.MethodProposalCheck, ploke.ProposalCheckParams{}, &checked)
	if len(checked.Evidence) != 1 || checked.Evidence[0].State != ploke.EvidenceFailed || checked.Evidence[0].Problems[0].Line != 3 ||
		checked.Evidence[0].Problems[0].Path != "sum/other.go" {
		t.Errorf("what is not committed: %+v", checked)
	}
}

// TestAChatDocumentSaysWhatIsKnown of the proposal of an answer, below it.
func TestAChatDocumentSaysWhatIsKnown(t *testing.T) {
	needSandbox(t)
	f := newFixture(t)
	f.build(`{"proof":{"rounds":0}}`, "1 + 1", `\"two\"`)
	e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string { return "allowAlways" }})
	e.AwaitIndex()
	path := f.openChat(e)
	write(e, path, "\nMake it two.\n")
	sendChat(t, e, path, 0)
	if answer := awaitChat(e, path, 1); !strings.Contains(answer, "go vet: 1 new problem") {
		t.Errorf("the answer is\n%s", answer)
	}
	before := e.Text(path)
	f.write("sum/other.go", "package sum\n")
	var got ploke.ProposalListResult
	e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &got)
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: got.Proposals[0].ID}, nil)
	stale := "  go vet: stale: the files have changed since\n"
	e.Await("the document to say that it is stale", func() bool { return strings.Contains(e.Text(path), stale) })
	want := strings.Replace(before, problemLine(before), stale, 1)
	if got := e.Text(path); got != want {
		t.Errorf("the document is\n%s\nwant\n%s", got, want)
	}
}

// problemLine returns the line of a chat document that says what go vet has found.
func problemLine(text string) string {
	at := strings.Index(text, "  go vet: 1 new problem")
	return text[at : at+strings.IndexByte(text[at:], '\n')+1]
}
