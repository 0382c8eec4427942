package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// startReview starts a plain editor with circle.go open and a proposal that waits: two hunks in
// circle.go, and a new file.
func (f *fixture) startReview(options lsptest.Options) (e *lsptest.Editor, circle string) {
	f.t.Helper()
	return f.startReviewOf(proposes, options)
}

// startReviewOf is startReview with a model that answers more.
func (f *fixture) startReviewOf(turns []llmtest.Turn, options lsptest.Options) (e *lsptest.Editor, circle string) {
	f.t.Helper()
	if options.Capabilities == nil {
		options.Capabilities = plain(nil)
	}
	f.useModel(turns...)
	e = f.start(options)
	e.AwaitProgressEnd(indexingTitle)
	circle = f.path("shapes/circle.go")
	e.Open(circle)
	e.Call(protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: ploke.CommandAsk, Arguments: []protocol.LSPAny{[]byte(`"go"`)}}, nil)
	awaitHunks(f.t, e, circle, 2)
	awaitAction(f.t, e, circle, "package", `ploke: accept "Clearer words" (3 places, 2 files)`) // the new file is shown, too
	return e, circle
}

// awaitHunks waits until a file has so many proposed hunks, and returns their diagnostics.
func awaitHunks(t testing.TB, e *lsptest.Editor, path string, n int) (list []protocol.Diagnostic) {
	t.Helper()
	e.Await("the hunks in "+path, func() bool {
		list = e.Published(path)
		return len(list) == n
	})
	return list
}

// run runs the action with this title at the first place of a text, and waits for its answer.
func run(t *testing.T, e *lsptest.Editor, path, at, title string) {
	t.Helper()
	a := codeAction(t, e, path, at, title)
	e.Call(protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: a.Command.Command, Arguments: a.Command.Arguments}, nil)
}

func titles(t testing.TB, e *lsptest.Editor, path, at string) (all []string) {
	t.Helper()
	offset := strings.Index(e.Text(path), at)
	var actions []protocol.CodeAction
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Range: e.Range(path, offset, offset),
	}, &actions)
	for _, a := range actions {
		all = append(all, a.Title)
	}
	return all
}

// awaitAction waits until an action is offered at the first place of a text.
func awaitAction(t testing.TB, e *lsptest.Editor, path, at, title string) {
	t.Helper()
	testbed.Eventually(t, func() bool { return slices.Contains(titles(t, e, path, at), title) },
		func() string {
			return fmt.Sprintf("%q is not offered, but %q; the messages are %+v", title, titles(t, e, path, at), e.Messages())
		})
}

// awaitSettled waits until nothing is being applied any more.
func awaitSettled(t *testing.T, e *lsptest.Editor) {
	t.Helper()
	var all ploke.ProposalListResult
	testbed.Eventually(t, func() bool {
		all = ploke.ProposalListResult{}
		e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &all)
		return !slices.ContainsFunc(all.Proposals, func(p ploke.Proposal) bool { return isApplied(e, p.ID) })
	}, func() string { return fmt.Sprintf("it is still being applied: %+v", all) })
}

// isApplied reports whether accepted hunks of a proposal are being applied.
func isApplied(e *lsptest.Editor, id string) bool {
	return slices.ContainsFunc(proposalOf(e, id).Files, func(f ploke.ProposalView) bool {
		return slices.ContainsFunc(f.Hunks, func(h ploke.Hunk) bool { return h.State == "accepted" })
	})
}

// awaitFile waits until a file exists that the server writes after the answer of a command.
func awaitFile(t *testing.T, e *lsptest.Editor, path string) {
	t.Helper()
	testbed.Eventually(t, func() bool { return exists(path) },
		func() string { return fmt.Sprintf("there is no %s; the messages are %+v", path, e.Messages()) })
}

func awaitText(e *lsptest.Editor, path, part string) {
	e.Await(part+" in "+path, func() bool { return strings.Contains(e.Text(path), part) })
}

// awaitMade waits until a part of a text was made by a decision, and then until the server has settled: a change that the editor
// has made otherwise than planned is in the text at once, and fails only later. Nothing may have failed.
func awaitMade(t *testing.T, e *lsptest.Editor, path, part string) {
	t.Helper()
	awaitText(e, path, part)
	awaitSettled(t, e)
	var all ploke.ProposalListResult
	e.Call(ploke.MethodProposalList, ploke.ProposalListParams{}, &all)
	for _, p := range all.Proposals {
		for _, v := range proposalOf(e, p.ID).Files {
			if slices.ContainsFunc(v.Hunks, func(h ploke.Hunk) bool { return h.State == "failed" }) {
				t.Errorf("%s is in %s, but it has failed: %+v", part, path, v)
			}
		}
	}
	if !strings.Contains(e.Text(path), part) {
		t.Errorf("once the server has settled, %s is no longer in %s", part, path)
	}
}

// TestReviewInPlainLSP walks a review: the message, the diagnostics at the hunks, one hunk
// accepted, one rejected, the rest accepted, and all undone.
func TestReviewInPlainLSP(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	e.Await("the message", func() bool {
		return slices.ContainsFunc(e.Messages(), func(m protocol.ShowMessageParams) bool {
			return strings.Contains(m.Message, "a proposal waits (3 places, 2 files): code actions in ") && !strings.Contains(m.Message, "\n")
		})
	})
	hunks := awaitHunks(t, e, circle, 2)
	for i, want := range []struct {
		message string
		at      string
	}{{`proposed ("Clearer words"): Radius float64 // in meters`, "Radius float64\n"}, {`proposed ("Clearer words"): /* 😀é */ func squared(`, "func square("}} {
		offset := strings.Index(e.Text(circle), want.at)
		if message := string(hunks[i].Message.(protocol.String)); !strings.HasPrefix(message, want.message) ||
			hunks[i].Range.Start.Line != e.Range(circle, offset, offset).Start.Line || hunks[i].Severity != protocol.DiagnosticSeverityInformation {
			t.Errorf("hunk %d: %+v, %s", i, hunks[i], message)
		}
	}
	e.Type(circle, 0, 0, "// one\n// two\n")
	e.Await("the hunks to follow", func() bool {
		l := e.Published(circle)
		return len(l) == 2 && l[0].Range.Start.Line == hunks[0].Range.Start.Line+2
	})
	for _, want := range []string{"ploke: accept this hunk: Radius float64 // in meters", "ploke: reject this hunk: Radius float64 // in meters",
		`ploke: accept the changes of circle.go of "Clearer words"`, `ploke: accept "Clearer words" (3 places, 2 files)`,
		`ploke: show the diff of "Clearer words"`, `ploke: reject "Clearer words"`} {
		if all := titles(t, e, circle, "Radius float64"); !slices.Contains(all, want) {
			t.Errorf("%q is not among %q", want, all)
		}
	}
	if all := titles(t, e, circle, "package shapes"); slices.ContainsFunc(all,
		func(s string) bool { return strings.Contains(s, "this hunk") }) {
		t.Errorf("a hunk is offered elsewhere: %q", all)
	}

	run(t, e, circle, "func square(", "ploke: reject this hunk")
	awaitHunks(t, e, circle, 1)
	run(t, e, circle, "Radius float64", `ploke: accept the changes of circle.go`)
	awaitMade(t, e, circle, "Radius float64 // in meters")
	awaitHunks(t, e, circle, 0)
	if strings.Contains(e.Text(circle), "squared") {
		t.Error("the rejected hunk was applied")
	}
	run(t, e, circle, "package", `ploke: accept "Clearer words" (1 place, 1 file)`)
	e.Await("the new file", func() bool { return exists(f.path("shapes/side.go")) })
	awaitAction(t, e, circle, "package", `ploke: undo "Clearer words"`)
	awaitSettled(t, e)
	run(t, e, circle, "package", "ploke: undo")
	e.Await("the text as it was", func() bool {
		return e.Text(circle) == "// one\n// two\n"+read(t, circle) && !exists(f.path("shapes/side.go"))
	})
}

// TestCommandsWithoutArguments decides by commands that name nothing.
func TestCommandsWithoutArguments(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	do := func(command string) {
		e.Call(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: command}, nil)
	}
	do(ploke.CommandProposalAccept)
	awaitMade(t, e, circle, "squared")
	e.Await("the file", func() bool { return exists(f.path("shapes/side.go")) })
	awaitHunks(t, e, circle, 0)
	do(ploke.CommandProposalUndo)
	e.Await("the text as it was", func() bool { return e.Text(circle) == read(t, circle) })
	do(ploke.CommandProposalReject)
	e.Await("the failure", func() bool {
		return slices.ContainsFunc(e.Messages(), func(m protocol.ShowMessageParams) bool {
			return strings.Contains(m.Message, "there is no proposal to reject")
		})
	})
}

// TestOurOwnClientsShowNothingTwice: a client that shows proposals by itself gets no diagnostics
// and no message.
func TestOurOwnClientsShowNothingTwice(t *testing.T) {
	f := newFixture(t)
	f.useModel(proposes...)
	e := f.startIndexed()
	circle := f.path("shapes/circle.go")
	e.Open(circle)
	e.Ask("go")
	awaitAction(t, e, circle, "Radius float64", `ploke: reject "Clearer words"`)
	if len(e.Published(circle)) > 0 || len(e.Messages()) > 0 {
		t.Errorf("it got %+v and %+v", e.Published(circle), e.Messages())
	}
}

// TestReviewAfterARestart: what waits is shown when the server starts again.
func TestReviewAfterARestart(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	text := "// unsaved\n" + e.Text(circle)
	e.Shutdown()
	e = f.start(lsptest.Options{Capabilities: plain(nil)})
	e.OpenText(circle, text)
	awaitHunks(t, e, circle, 2)
	run(t, e, circle, "func square(", "ploke: accept this hunk")
	e.Await("the text", func() bool { return e.Text(circle) == strings.Replace(text, "func square(", "func squared(", 1) })
}

// TestReviewOfADocumentThatIsOpenedLater shows the hunks also where the editor has forgotten them.
func TestReviewOfADocumentThatIsOpenedLater(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{ForgetsDiagnostics: true})
	awaitHunks(t, e, circle, 2)
	e.CloseDocument(circle)
	awaitSettled(t, e)
	e.Open(circle)
	awaitHunks(t, e, circle, 2)
}

// TestWhatAHunkDoesInOneLine reads the messages of hunks that change, add and remove lines.
func TestWhatAHunkDoesInOneLine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ from, to, want string }{
		"a part of a line":        {"b two", "b deux", "b deux"},
		"a line":                  {"b two\n", "b deux\n", "b deux"},
		"lines":                   {"b two\nc three\n", "b deux\nc trois\n", "b deux … (1 more line)"},
		"a new line":              {"c three\n", "b½\nc three\n", "b½"},
		"a removed line":          {"b two\n", "", "remove b two"},
		"removed lines":           {"b two\nc three\n", "", "remove b two … (1 more line)"},
		"the last line removed":   {"\ne five\n", "\n", "remove e five"},
		"a removed end of line":   {"b two\nc", "b two c", "b two c three"},
		"a removed blank line":    {"four\n\n\n", "four\n\n", "change blank lines"},
		"one line instead of two": {"b two\nc three\n", "b and c\n", "b and c"},
	} {
		f := newFixture(t)
		arguments, _ := json.Marshal(map[string]any{"reason": "x", "edits": []map[string]string{{"file": "list.txt", "old": tt.from, "new": tt.to}}})
		f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "1", Name: "apply_code_edit", Arguments: string(arguments)}}}, llmtest.Turn{Text: []string{"."}})
		e := f.start(lsptest.Options{Capabilities: plain(nil)})
		path := f.path("list.txt")
		e.OpenText(path, "a one\nb two\nc three\nd four\n\n\ne five\n")
		e.Call(protocol.MethodWorkspaceExecuteCommand,
			&protocol.ExecuteCommandParams{Command: ploke.CommandAsk, Arguments: []protocol.LSPAny{[]byte(`"go"`)}}, nil)
		if got := awaitHunks(t, e, path, 1)[0].Message; got != protocol.String(`proposed ("x"): `+tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
