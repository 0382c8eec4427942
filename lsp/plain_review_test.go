package lsp_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
)

// awaitTold waits until the person was told something, and returns the type of the message.
func awaitTold(e *lsptest.Editor, text string) (kind protocol.MessageType) {
	e.Await("the message "+text, func() bool {
		for _, m := range e.Messages() {
			if m.Message == text {
				kind = m.Type
			}
		}
		return kind != 0
	})
	return kind
}

// TestEachDecisionIsConfirmed decides in parts, and looks at what the person is told.
func TestEachDecisionIsConfirmed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	for _, step := range []struct{ at, title, message string }{
		{"func square(", "ploke: accept this hunk", `ploke: accepted (still waiting: 2 places, 2 files): "Clearer words"`},
		{"Radius float64", "ploke: reject this hunk", `ploke: rejected (still waiting: 1 place, 1 file): "Clearer words"`},
		{"package", `ploke: accept "Clearer words"`, `ploke: accepted: "Clearer words"`},
		{"package", `ploke: undo "Clearer words"`, `ploke: undone: "Clearer words"`},
	} {
		awaitBeginning(t, e, circle, step.at, step.title)
		run(t, e, circle, step.at, step.title)
		if kind := awaitTold(e, step.message); kind != protocol.MessageTypeInfo {
			t.Errorf("%q is of type %d", step.message, kind)
		}
		awaitSettled(t, e)
	}
}

// awaitBeginning waits until an action is offered whose title begins so.
func awaitBeginning(t *testing.T, e *lsptest.Editor, path, at, begins string) {
	t.Helper()
	testbed.Eventually(t, func() bool {
		return slices.ContainsFunc(titles(t, e, path, at), func(title string) bool { return strings.HasPrefix(title, begins) })
	}, func() string { return begins + " is not offered" })
}

// TestToAcceptIsPreferredAtAHunk: Emacs runs the preferred action, and asked about the hunk before.
func TestToAcceptIsPreferredAtAHunk(t *testing.T) {
	t.Parallel()
	for _, supported := range []bool{true, false} {
		f := newFixture(t)
		e, circle := f.startReview(lsptest.Options{
			Capabilities: plain(func(c *protocol.ClientCapabilities) { c.TextDocument.CodeAction.IsPreferredSupport = &supported })})
		hunk := awaitHunks(t, e, circle, 2)[0]
		var actions []protocol.CodeAction
		e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(circle)}, Range: hunk.Range,
			Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{hunk}},
		}, &actions)
		var preferred []string
		for _, a := range actions {
			if a.IsPreferred != nil && *a.IsPreferred {
				preferred = append(preferred, a.Title)
			}
		}
		if one := len(preferred) == 1 && strings.HasPrefix(preferred[0], "ploke: accept this hunk"); one != supported {
			t.Errorf("supported: %v; preferred are %q", supported, preferred)
		}
	}
}

// TestCreatedFilesAreListed walks to a file that does not exist by its diagnostic, which is in the diff, and decides there.
func TestCreatedFilesAreListed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	want := `proposed ("Clearer words"): create shapes/side.go`
	var document string
	var at protocol.Position
	e.Await("the created file", func() bool {
		document = ""
		for path, list := range e.AllPublished() {
			for _, d := range list {
				if string(d.Message.(protocol.String)) == want {
					document, at = path, d.Range.Start
				}
			}
		}
		return document != ""
	})
	if !strings.HasPrefix(filepath.Base(document), "review-Clearer-words") {
		t.Errorf("it is listed in %s", document)
	}
	if shown := showDiff(t, e, circle); shown != document {
		t.Fatalf("the diff is shown in %s, and was in %s", shown, document)
	}
	lines := strings.Split(e.Text(document), "\n")
	if line := lines[at.Line]; !strings.Contains(line, "side.go") {
		t.Errorf("it is listed at %q", line)
	}
	awaitAction(t, e, document, lines[at.Line], "ploke: accept the changes of shapes/side.go")
	run(t, e, document, lines[at.Line], "ploke: accept the changes of shapes/side.go")
	awaitFile(t, e, f.path("shapes/side.go"))
	e.Await("it is no longer listed", func() bool { return len(e.Published(document)) == 0 })
	awaitHunks(t, e, circle, 2)
}

// TestAHunkIsAcceptedWithoutASecondQuestion: Eglot asks about each edit that a server sends, but not about that of the
// chosen action.
func TestAHunkIsAcceptedWithoutASecondQuestion(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{OnInitialize: as("Eglot", "1.17"),
		OnPermission: func(_ context.Context, question string) string {
			t.Errorf("the person is asked %q", question)
			return ""
		}})
	accept := codeAction(t, e, circle, "func square(", "ploke: accept this hunk")
	if accept.Edit == nil || accept.Command.Command != "" {
		t.Fatalf("the action has the edit %v and the command %q", accept.Edit, accept.Command.Command)
	}
	e.ApplyAction(accept)
	awaitTold(e, `ploke: accepted (still waiting: 2 places, 2 files): "Clearer words"`)
	awaitHunks(t, e, circle, 1)
	if !strings.Contains(e.Text(circle), "func squared(") {
		t.Errorf("the text is\n%s", e.Text(circle))
	}
}
