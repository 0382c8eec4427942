package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// twoCells is a notebook whose output models are not shown.
const twoCells = `{"metadata": {},
 "cells": [
 {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["# Title"]},
 {"cell_type": "code", "metadata": {}, "outputs": [{"text": "a long output"}], "source": [
  "import os\n",
  "print(\"one\")\n",
  "print(\"two\")"
 ]}
], "nbformat": 4}
`

var cellTexts = []string{"# Title", "import os\nprint(\"one\")\nprint(\"two\")"}

// TestACellIsAttachedAndNamed attaches lines of a cell, what is selected in one, and whole notebooks, saved and not.
func TestACellIsAttachedAndNamed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.ipynb", twoCells)
	path := f.path("a.ipynb")
	server := f.useModel(slicesOf(llmtest.Turn{Text: []string{"ok"}}, 4)...)
	second := cellLines(1, 1)
	cell := uri.URI(fmt.Sprintf("vscode-notebook-cell:%s#C2", fileURI(path).Path()))
	e := f.start(lsptest.Options{
		Capabilities: lsptest.WithEditorState(lsptest.WithNotebooks(lsptest.Capabilities())),
		State: func(context.Context) *ploke.ClientState {
			return &ploke.ClientState{Selection: &protocol.Location{URI: cell, Range: cellLines(2, 2)}}
		},
	})
	e.AwaitIndex()
	e.OpenNotebook(path, cellTexts...)
	awaitHeld(t, f, e, path, false)
	sent := func(p ploke.ChatSendParams) string {
		e.Send(t.Context(), p)
		requests := server.Requests()
		return requests[len(requests)-1].Last().Content
	}
	has := func(text, want, lacks string) {
		t.Helper()
		if !strings.Contains(text, want) || strings.Contains(text, lacks) {
			t.Errorf("sent is %s\nwant %q without %q", text, want, lacks)
		}
	}

	of := []ploke.Attachment{{URI: cell, Range: &second}}
	first := e.Send(t.Context(), ploke.ChatSendParams{Text: "what is it?", Attachments: of})
	text := server.Requests()[0].Last().Content
	has(text, "From cell 2 of a.ipynb, with the line numbers that read_file shows", "two")
	has(text, `print("one")`, "cell_type")
	text = sent(ploke.ChatSendParams{Text: "what is @selection?"})
	has(text, "From cell 2 of a.ipynb, with the line numbers that read_file shows", "one")
	has(text, `print("two")`, "cell_type")
	has(sent(ploke.ChatSendParams{Text: "all of it", Attachments: []ploke.Attachment{{URI: fileURI(path)}}}),
		"# %% cell 2 [code]", "a long output\"")

	var history ploke.ChatHistoryResult
	e.Call(ploke.MethodChatHistory, ploke.ChatHistoryParams{ConversationID: first.ConversationID}, &history)
	want := ploke.Attachment{URI: fileURI(path), Cell: 2, Range: &protocol.Range{
		Start: protocol.Position{Line: 5}, End: protocol.Position{Line: 5}}}
	if d := cmp.Diff([]ploke.Attachment{want}, history.Messages[0].Attachments); d != "" {
		t.Errorf("as what it is stored: %s", d)
	}
	e.ChangeCell(path, 2, 2, "import os\nprint(\"three\")\n")
	awaitHeld(t, f, e, path, true)
	has(sent(ploke.ChatSendParams{Text: "and now?", Attachments: of}),
		"From cell 2 of a.ipynb, as the editor has it, with its own line numbers", "one")
}

// TestLinesOfANotebookAreThoseOfItsCells has an answer that quotes a cell and names a line as read_file shows them.
func TestLinesOfANotebookAreThoseOfItsCells(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write("a.ipynb", twoCells)
	quotation := "Here:\n<code=\"a.ipynb\" #4:5>\nimport os\nprint(\"one\")\n</code>\n" +
		"Not:\n<code=\"a.ipynb\" #4:4>\nimport sys, math\n</code>\n"
	f.useModel(llmtest.Turn{Text: []string{quotation}})
	e := f.startIndexed()
	result := e.Ask("where is it?")
	if !strings.Contains(result.Text, fmt.Sprintf("[a.ipynb, cell 2](%s#L5)", fileURI(f.path("a.ipynb")))) ||
		strings.Count(result.Text, "differs from the file") != 1 {
		t.Errorf("the answer is %s", result.Text)
	}
	want := ploke.Citation{URI: fileURI(f.path("a.ipynb")), Cell: 2, Range: protocol.Range{
		Start: protocol.Position{Line: 4}, End: protocol.Position{Line: 5, Character: uint32(len(`  "print(\"one\")\n",`))}}}
	if d := cmp.Diff([]ploke.Citation{want}, result.Citations); d != "" {
		t.Error(d)
	}
	cited := slices.ContainsFunc(e.Parts(), func(p ploke.Part) bool { return p.Type == ploke.PartCitation && p.Cell == 2 })
	if !cited {
		t.Errorf("no part cites the cell: %s", inJSON(e.Parts()))
	}
	var places ploke.ChatPlacesResult
	e.Call(ploke.MethodChatPlaces, ploke.ChatPlacesParams{Names: []string{"a.ipynb:6"}}, &places)
	if len(places.Places) != 1 || places.Places[0].Range.Start.Line != 6 {
		t.Errorf("a.ipynb:6 is %s", inJSON(places))
	}
	for line, want := range map[int]ploke.NotebookCellResult{0: {}, 3: {Cell: 1}, 4: {Cell: 1}, 6: {Cell: 1, Line: 2}, 100: {Cell: 1, Line: 2}} {
		var got ploke.NotebookCellResult
		e.Call(ploke.MethodNotebookCell, ploke.NotebookCellParams{URI: fileURI(f.path("a.ipynb")), Line: line}, &got)
		if got != want {
			t.Errorf("line %d is in %+v, want %+v", line, got, want)
		}
	}
	f.write("b.ipynb", `{"cells": [`)
	for name, want := range map[string]string{"b.ipynb": "no notebook", "shapes/circle.go": "no notebook", "gone.ipynb": "no such file"} {
		err := e.Error(ploke.MethodNotebookCell, ploke.NotebookCellParams{URI: fileURI(f.path(name))})
		if !strings.Contains(err.Message, want) {
			t.Errorf("%s: %q", name, err.Message)
		}
	}
}

func cellLines(first, last uint32) protocol.Range {
	return protocol.Range{Start: protocol.Position{Line: first}, End: protocol.Position{Line: last, Character: 3}}
}

func slicesOf(t llmtest.Turn, n int) (all []llmtest.Turn) {
	for range n {
		all = append(all, t)
	}
	return all
}

func inJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
