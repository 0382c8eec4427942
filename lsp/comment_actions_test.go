package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// commented is a file with a comment that asks for something.
const commented = "package shapes\n\nfunc square(x float64) float64 {\n\t// ploke: rename square to squared\n\treturn x * x\n}\n"

func TestACommentGoesAwayWithWhatItAsksFor(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/square.go")
	e.OpenText(path, strings.ReplaceAll(commented, "square", "quad"))
	result, _ := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, "ploke: rename", "ploke: do this")).TurnID)
	if len(result.Proposals) != 1 {
		t.Fatalf("no proposal: %+v", result)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, nil)
	if got, want := e.Text(path), "package shapes\n\nfunc quadd(x float64) float64 {\n\treturn x * x\n}\n"; got != want {
		t.Errorf("the file is\n%s", got)
	}
}

// TestACommentThatTheModelChangesGoesAwayToo renames what the comment names. The question below it stays.
func TestACommentThatTheModelChangesGoesAwayToo(t *testing.T) {
	f := newFixture(t)
	e := f.startIndexed()
	path := f.path("shapes/quad.go")
	text := "package shapes\n\n// quad is of a square. It has not quad sides.\n%s// ploke: say why\nfunc quad(x float64) float64 { return x " +
		"* x }\n"
	e.OpenText(path, fmt.Sprintf(text, "// ploke: rename quad to area\n"))
	result, _ := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, "ploke: rename", "ploke: do this")).TurnID)
	if len(result.Proposals) != 1 {
		t.Fatalf("no proposal: %+v", result)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, nil)
	if got := e.Text(path); got != strings.ReplaceAll(fmt.Sprintf(text, ""), "quad", "area") {
		t.Errorf("the file is\n%s", got)
	}
}

// TestAnotherCommentStaysWhereTheModelHasTakenAwayTheOneThatAsked has a second question in what the model writes
// in place of the first.
func TestAnotherCommentStaysWhereTheModelHasTakenAwayTheOneThatAsked(t *testing.T) {
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "call_1", Name: "apply_code_edit", Arguments: `{"reason":"x","edits":[
			{"mode":"replace","file":"shapes/note.go","old":"// ploke: call it y\nvar x int","new":"var y int"}]}`}}},
		llmtest.Turn{Text: []string{"Done."}},
	)
	e := f.startIndexed()
	path := f.path("shapes/note.go")
	e.OpenText(path, "package shapes\n\n// ploke: call it y\nvar x int // ploke: use it\n")
	result, _ := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, "call it", "ploke: do this")).TurnID)
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, nil)
	if got := e.Text(path); got != "package shapes\n\nvar y int // ploke: use it\n" {
		t.Errorf("the file is %q", got)
	}
}

// TestACommentInAFileThatTheModelLeavesGoesAwayToo has an edit in another file.
func TestACommentInAFileThatTheModelLeavesGoesAwayToo(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "call_1", Name: "apply_code_edit", Arguments: `{"reason":"x","edits":[
			{"mode":"replace","file":"shapes/rect.go","old":"// Rect is a rectangle.","new":"// Rect has four corners."}]}`}}},
		llmtest.Turn{Text: []string{"Done."}},
	)
	e := f.startIndexed()
	path := f.path("shapes/note.go")
	e.OpenText(path, "package shapes\n\n// say what a Rect is AI!\n\nvar x int\n")
	result, _ := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, "say what", "ploke: do this")).TurnID)
	if message := server.Requests()[0].Last().Content; !strings.Contains(message, "say what a Rect is") ||
		!strings.Contains(message, "var x int") {
		t.Errorf("the message is %q", message)
	}
	if len(result.Proposals) != 1 {
		t.Fatalf("no single proposal: %+v", result)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, nil)
	if got := e.Text(path); got != "package shapes\n\n\nvar x int\n" {
		t.Errorf("the file is %q", got)
	}
}

func TestACommentThatIsOnlyAnsweredStays(t *testing.T) {
	f := newFixture(t)
	f.useModel(
		llmtest.Turn{Text: []string{"It squares."}},
		llmtest.Turn{Text: []string{"I can't."}},
	)
	e := f.startIndexed()
	path := f.path("shapes/note.go")
	text := "package shapes\n\nvar x = square(2) // what does it do AI?\nvar y int // ploke: use it\n"
	e.OpenText(path, text)
	for at, title := range map[string]string{"what does": "ploke: answer", "use it": "ploke: do this"} {
		result, _ := awaitTurn(t, e, execute(t, e, codeAction(t, e, path, at, title)).TurnID)
		if len(result.Proposals) != 0 || e.Text(path) != text {
			t.Errorf("%s: %+v\n%s", title, result, e.Text(path))
		}
	}
}
