package lsp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// appliedEdits collects what a server asks an editor to apply.
type appliedEdits struct {
	mu  sync.Mutex
	all []protocol.WorkspaceEdit
}

func (a *appliedEdits) take(edit *protocol.WorkspaceEdit) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, *edit)
	return true
}

func (a *appliedEdits) list() []protocol.WorkspaceEdit {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

// TestOneFileAtATime: a client that may leave out files gets one file with each edit.
func TestOneFileAtATime(t *testing.T) {
	f := newFixture(t)
	var applied appliedEdits
	e, circle := f.startReview(lsptest.Options{OnInitialize: as("Visual Studio Code", "1.100.3"), Lie: applied.take,
		OnPermission: func(ctx context.Context, _ string) string { <-ctx.Done(); return "" }})
	run(t, e, circle, "package", `ploke: accept "Clearer words"`)
	awaitMade(t, e, circle, "squared")
	e.Await("the second edit", func() bool { return len(applied.list()) == 2 })
	awaitSettled(t, e)
	for _, edit := range applied.list() {
		files := map[string]bool{}
		for _, c := range edit.DocumentChanges {
			switch c := c.(type) {
			case *protocol.TextDocumentEdit:
				files[string(c.TextDocument.URI)] = true
			case *protocol.CreateFile:
				files[string(c.URI)] = true
			}
		}
		if len(files) != 1 {
			t.Errorf("one edit changes %v", files)
		}
	}
}

// TestNoChangeIsAskedAboutTwice: a client that asks about annotated changes gets none. The person has just chosen to accept
// them, and the hunks are shown in their files.
func TestNoChangeIsAskedAboutTwice(t *testing.T) {
	f := newFixture(t)
	var applied appliedEdits
	e, circle := f.startReview(lsptest.Options{
		Capabilities: plain(func(c *protocol.ClientCapabilities) { lsptest.WithChangeAnnotations(c) }), Lie: applied.take})
	run(t, e, circle, "package", `ploke: accept "Clearer words"`)
	awaitMade(t, e, circle, "in meters")
	all := applied.list()
	if len(all) != 1 || len(all[0].ChangeAnnotations) != 0 || len(all[0].DocumentChanges) < 2 {
		t.Errorf("the edits are %+v", all)
	}
}

// TestReviewWithoutApplyEdit: a client that applies no edits on request gets them in the actions,
// and what the person chose is seen in the text.
func TestReviewWithoutApplyEdit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{Capabilities: plain(func(c *protocol.ClientCapabilities) { c.Workspace.ApplyEdit = nil })})
	e.ApplyAction(codeAction(t, e, circle, "func square(", "ploke: accept this hunk"))
	awaitHunks(t, e, circle, 1)
	e.Type(circle, 0, 0, "// typed\n")
	e.ApplyAction(codeAction(t, e, circle, "Radius float64", "ploke: accept the changes of circle.go"))
	awaitHunks(t, e, circle, 0)
	if want := "// typed\n" +
		strings.NewReplacer("Radius float64", "Radius float64 // in meters", "func square(", "func squared(").Replace(read(t,
			circle)); e.Text(circle) != want {
		t.Errorf("the text is\n%s", e.Text(circle))
	}
	run(t, e, circle, "package", `ploke: accept "Clearer words"`)
	awaitFile(t, e, f.path("shapes/side.go"))
}

// TestQuestionsThatDisturbNobody: where a question is calm, the person accepts in the message.
func TestQuestionsThatDisturbNobody(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	looked := make(chan struct{}) // the person answers after a look at what is offered
	e, circle := f.startReview(lsptest.Options{OnInitialize: as("coc.nvim", "0.0.82"),
		OnPermission: func(ctx context.Context, question string) string {
			if !strings.Contains(question, `"Clearer words" waits for you (3 places, 2 files)`) {
				t.Errorf("the question is %q", question)
			}
			select {
			case <-looked:
			case <-ctx.Done():
			}
			return "Accept"
		}})
	close(looked)
	awaitMade(t, e, circle, "squared")
}

// TestReviewLenses shows the decisions above the hunks, and above the blocks of the diff.
func TestReviewLenses(t *testing.T) {
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	document := showDiff(t, e, circle)
	if in, diff := countLenses(e, circle), countLenses(e, document); in != 6 || diff != 6 {
		t.Errorf("there are %d lenses in the file and %d in the diff, want 6 and 6", in, diff)
	}
}

func countLenses(e *lsptest.Editor, path string) int {
	var lenses []protocol.CodeLens
	e.Call(protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}},
		&lenses)
	return len(lenses)
}

// TestOwnDiagnosticsStayHere: what the server shows is not given to a model as a diagnostic.
func TestOwnDiagnosticsStayHere(t *testing.T) {
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{})
	own := e.Published(circle)
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(circle)}, Range: own[0].Range,
		Context: protocol.CodeActionContext{Diagnostics: own},
	}, nil)
	server := f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "d", Name: "get_diagnostics", Arguments: `{}`}}}, llmtest.Turn{Text: []string{"None."}})
	e.Shutdown()
	e = f.start(lsptest.Options{Capabilities: plain(nil)})
	e.Open(circle)
	e.Call(protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(circle)}, Range: own[0].Range,
		Context: protocol.CodeActionContext{Diagnostics: own},
	}, nil)
	e.Ask("any problems?")
	if got := toolResult(&server.Requests()[1], "d"); strings.Contains(got, "proposed (") {
		t.Errorf("the model sees %s", got)
	}
}

// TestPropertyReview accepts and rejects hunks, undoes, and types at random. At the end the text
// must be what the person saw: their own text with exactly the accepted hunks.
func TestPropertyReview(t *testing.T) {
	t.Parallel()
	for seed := range uint64(testbed.Count(4, 1)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { reviewAtRandom(t, rand.New(rand.NewPCG(seed, 18))) })
	}
}

// reviewAtRandom proposes to write each of the letters of a file, which has four lines for each, in
// upper case.
func reviewAtRandom(t *testing.T, r *rand.Rand) {
	const letters = "abcdef"
	var text strings.Builder
	var changes []string
	for _, c := range letters {
		fmt.Fprintf(&text, "letter %c\n1\n2\n3\n", c)
		changes = append(changes, fmt.Sprintf(`{"file":"letters.txt","old":"letter %c","new":"LETTER %c"}`, c, c-'a'+'A'))
	}
	f := newFixture(t)
	path := f.path("letters.txt")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "1", Name: "apply_code_edit", Arguments: `{"reason":"Loud letters","edits":[` + strings.Join(changes, ",") + `]}`}}},
		llmtest.Turn{Text: []string{"Done."}})
	e := f.start(lsptest.Options{Capabilities: plain(nil)})
	e.AwaitProgressEnd(indexingTitle)
	e.Open(path)
	e.Call(protocol.MethodWorkspaceExecuteCommand,
		&protocol.ExecuteCommandParams{Command: ploke.CommandAsk, Arguments: []protocol.LSPAny{[]byte(`"go"`)}}, nil)
	awaitHunks(t, e, path, len(letters))

	want, left, accepted := text.String(), []rune(letters), []rune{}
	for len(left) > 0 {
		i := r.IntN(len(left))
		c := left[i]
		small, loud := "letter "+string(c), "LETTER "+string(c-'a'+'A')
		switch r.IntN(5) {
		case 0: // type in lines that no hunk touches
			line := []string{"2\n", "2!\n"}[r.IntN(2)]
			if at := strings.Index(want, line); at >= 0 {
				e.Type(path, at, at+1, "zwei")
				want = want[:at] + "zwei" + want[at+1:]
			}
		case 1:
			title := "ploke: reject this hunk: " + loud
			if len(left) == 1 {
				title = `ploke: reject "Loud letters"`
			}
			run(t, e, path, small, title)
			left = slices.Delete(left, i, i+1)
		case 2:
			if len(accepted) > 0 {
				awaitAction(t, e, path, "3", `ploke: undo "Loud letters"`)
				run(t, e, path, "3", `ploke: undo "Loud letters"`)
				for _, c := range accepted {
					want = strings.Replace(want, "LETTER "+string(c-'a'+'A'), "letter "+string(c), 1)
				}
				accepted = nil
			}
		default:
			title := "ploke: accept this hunk: " + loud
			if len(left) == 1 {
				title = `ploke: accept "Loud letters"`
			}
			run(t, e, path, small, title)
			want = strings.Replace(want, small, loud, 1)
			left, accepted = slices.Delete(left, i, i+1), append(accepted, c)
		}
		e.Await("the text", func() bool { return e.Text(path) == want })
		awaitHunks(t, e, path, len(left))
		awaitSettled(t, e)
	}
}

// TestAcceptInAClientThatCreatesNoFiles: what the client can edit is edited there, and the new
// file is written.
func TestAcceptInAClientThatCreatesNoFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e, circle := f.startReview(lsptest.Options{Capabilities: plain(func(c *protocol.ClientCapabilities) {
		c.Workspace.WorkspaceEdit.ResourceOperations = nil
	})})
	run(t, e, circle, "package", `ploke: accept "Clearer words"`)
	awaitMade(t, e, circle, "squared")
	awaitHunks(t, e, circle, 0)
	awaitFile(t, e, f.path("shapes/side.go"))
}
