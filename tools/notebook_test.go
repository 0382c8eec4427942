package tools_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/workspace"
)

const notebookText = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "0a",
   "metadata": {},
   "source": [
    "# Prices\n",
    "All \"net\"."
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "0b",
   "metadata": {"tags": ["rate = 0.19"]},
   "outputs": [{"output_type": "stream", "text": ["rate = 0.19\n"]}],
   "source": [
    "rate = 0.19\n",
    "def net(x):\n",
    "    return x / (1 + rate)\n",
    "print(f\"{net(2)}\\n\")"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "0c",
   "metadata": {},
   "outputs": [],
   "source": "net(1)"
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// TestMatchesInANotebook checks that a match is where the file has it, not the view.
func TestMatchesInANotebook(t *testing.T) {
	w := newWorld(t, map[string]string{"a.ipynb": notebookText})
	var found struct {
		Matches []struct {
			Hash  string `json:"file_hash"`
			Start int    `json:"start_byte"`
			End   int    `json:"end_byte"`
		}
	}
	if err := json.Unmarshal(w.call("search_text", `{"pattern":"0\\.19","include":["a.ipynb"]}`).Content, &found); err != nil ||
		len(found.Matches) != 1 {
		t.Fatal(err, found)
	}
	if m := found.Matches[0]; m.Hash != workspace.Hash([]byte(notebookText)) || notebookText[m.Start:m.End] != "0.19" ||
		!strings.HasSuffix(notebookText[:m.Start], "    \"rate = ") {
		t.Errorf("the match is at %q", notebookText[m.Start:m.End])
	}
}

// TestEditingANotebook replaces text of cells, and whole cells.
func TestEditingANotebook(t *testing.T) {
	type edit map[string]any
	for _, test := range []struct {
		name  string
		edits []edit
		old   string // of the JSON, "" if the call fails
		new   string // of the JSON, or a part of the failure
	}{
		{"a word", []edit{{"old": "0.19", "new": "0.07"}}, `    "rate = 0.19\n",`, `    "rate = 0.07\n",`},
		{"quotes and escapes", []edit{{"old": "print(f\"{net(2)}\\n\")", "new": "print(\"a\\tb\")"}}, `print(f\"{net(2)}\\n\")`, `print(\"a\\tb\")`},
		{"several lines, with other white space", []edit{{"old": "def net(x):\n  return x / (1 + rate)", "new": "def net(x):\n  return x"}}, `return x / (1 + rate)\n`, `return x\n`},
		{"lines with their numbers", []edit{{"old": "  6  def net(x):", "new": "  6  def gross(x):"}}, `def net(x)`, `def gross(x)`},
		{"a line more", []edit{{"old": "rate = 0.19\n", "new": "rate = 0.19\nlow = 0.07\n"}}, "    \"rate = 0.19\\n\",\n", "    \"rate = 0.19\\n\",\n    \"low = 0.07\\n\",\n"},
		{"the end of a cell, with its line end", []edit{{"old": "All \"net\".\n", "new": "All \"gross\".\n"}}, `All \"net\".`, `All \"gross\".`},
		{"the last line away", []edit{{"old": "All \"net\".\n", "new": ""}}, "Prices\\n\",\n    \"All \\\"net\\\".\"", "Prices\""},
		{"with the heading", []edit{{"old": "# %% cell 3 [code]\nnet(1)", "new": "# %% cell 3 [code]\nnet(2)"}}, `"net(1)"`, `"net(2)"`},
		{"a source that is a string", []edit{{"old": "net(1)", "new": "net(1)\nnet(2)"}}, `"net(1)"`, `"net(1)\nnet(2)"`},
		{"all places", []edit{{"old": "net(", "new": "n(", "replace_all": true}}, "", ""},
		{"the one near a line", []edit{{"old": "net(", "new": "n(", "line": 8}}, `{net(2)`, `{n(2)`},
		{"two edits of a cell", []edit{{"old": "0.19", "new": "0.2"}, {"old": "    return", "new": "    # x\n    return"}}, "", ""},
		{"a pattern", []edit{{"old": `rate = (\d)\.19`, "new": "rate = ${1}.07\nx = 1", "is_regexp": true}}, `    "rate = 0.19\n",`, "    \"rate = 0.07\\n\",\n    \"x = 1\\n\","},
		{"a pattern over cells", []edit{{"old": `net\(2(?s:.*)net`, "new": "x", "is_regexp": true}}, "", "in more than one cell"},
		{"a whole cell", []edit{{"canon": "cell 3", "code": "net(9)\n"}}, `"net(1)"`, `"net(9)"`},
		{"a whole cell, with its heading", []edit{{"canon": "# %% cell 3 [code]", "code": "# %% cell 3 [code]\nnet(9)"}}, `"net(1)"`, `"net(9)"`},
		{"a cell less", []edit{{"canon": "cell 3", "at": "delete"}}, strings.TrimPrefix(notebookText[strings.Index(notebookText, ",\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null"):strings.Index(notebookText, "\n ],\n \"metadata\"")], ""), ""},
		{"across cells", []edit{{"old": "All \"net\".\n# %% cell 2 [code], 54 bytes of outputs left out\nrate", "new": "x"}}, "", "in more than one cell"},
		{"a heading", []edit{{"old": "cell 3 [code]", "new": "cell 4 [code]"}}, "", "in the heading of cell 3"},
		{"what only an output has", []edit{{"old": "output_type", "new": "x"}}, "", "not_found"},
		{"no such cell", []edit{{"canon": "cell 4", "code": "x"}}, "", `there is no cell 4`},
		{"a symbol", []edit{{"canon": "net", "code": "x"}}, "", `a notebook has cells`},
		{"another name", []edit{{"canon": "net", "new_name": "gross"}}, "", `no symbols that can be renamed`},
		{"no change", []edit{{"old": "0.19", "new": "0.19"}}, "", `no_change`},
		{"ambiguous", []edit{{"old": "net(", "new": "n("}}, "", `old occurs in 3 places`},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.ipynb": notebookText})
			for _, e := range test.edits {
				e["file"] = "a.ipynb"
			}
			arguments, _ := json.Marshal(map[string]any{"edits": test.edits})
			result := w.call("apply_code_edit", string(arguments))
			got := w.read("a.ipynb")
			switch {
			case test.old == "" && test.new == "":
				if !result.OK {
					t.Errorf("it fails: %s", result.Content)
				}
			case test.old == "":
				if result.OK || !strings.Contains(string(result.Content), test.new) {
					t.Errorf("the result is %s; want %s", result.Content, test.new)
				}
			case !result.OK || strings.Count(notebookText, test.old) != 1 || got != strings.Replace(notebookText, test.old, test.new, 1):
				t.Errorf("%s\n%s", result.Content, got)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("no JSON: %s", got)
			}
		})
	}
}

// TestRandomEditsOfANotebook edits lines that read_file shows. All bytes outside of the cell's source stay.
func TestRandomEditsOfANotebook(t *testing.T) {
	lines := []string{"rate = 0.19", "def net(x):", "    return x / (1 + rate)", "print(f\"{net(2)}\\n\")", "# Prices", "All \"net\".", "net(1)"}
	pieces := []string{"x", "\n", "\"", "\\", "é", "😀", "  ", "\t"}
	w := newWorld(t, map[string]string{"a.ipynb": notebookText})
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		w.turn = fmt.Sprint("turn ", seed)
		old, text := lines[r.IntN(len(lines))], "y"
		for range r.IntN(6) {
			text += pieces[r.IntN(len(pieces))]
		}
		text += "z"
		arguments, _ := json.Marshal(map[string]any{"edits": []any{map[string]any{"file": "a.ipynb", "old": old, "new": text}}})
		if result := w.call("apply_code_edit", string(arguments)); !result.OK {
			t.Fatalf("seed %d: %s", seed, result.Content)
		}
		var before, after struct {
			Cells []map[string]json.RawMessage
		}
		got := w.read("a.ipynb")
		if err := json.Unmarshal([]byte(notebookText), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(got), &after); err != nil {
			t.Fatalf("seed %d: %v in\n%s", seed, err, got)
		}
		for i, cell := range before.Cells {
			was, is := string(cell["source"]), string(after.Cells[i]["source"])
			if source := joined(t, cell["source"]); strings.Contains(source, old) {
				if want := strings.Replace(source, old, text, 1); joined(t, after.Cells[i]["source"]) != want {
					t.Fatalf("seed %d: %s; want %q", seed, is, want)
				}
				if rest := strings.Replace(got, is, was, 1); rest != notebookText {
					t.Fatalf("seed %d: other bytes have changed:\n%s", seed, rest)
				}
			}
		}
	}
}

// joined returns a source in any of its forms.
func joined(t *testing.T, raw json.RawMessage) (text string) {
	t.Helper()
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var lines []string
	if err := json.Unmarshal(raw, &lines); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "")
}

// TestSecretsOfANotebook names a secret that only the cell shows, since its JSON is written with an escape.
func TestSecretsOfANotebook(t *testing.T) {
	const token = "ghp_R4nd0mLookingTokenOf36Characters12"
	w := newWorld(t, map[string]string{"a.ipynb": strings.Replace(notebookText, `"net(1)"`,
		`"token = '`+strings.Replace(token, "L", `\u004c`, 1)+`'\nx = 1"`, 1)})
	for _, call := range [][2]string{
		{"read_file", `{"file":"a.ipynb"}`},
		{"search_text", `{"pattern":"ghp_R4nd0mL"}`},
		{"apply_code_edit", `{"edits":[{"file":"a.ipynb","old":"(x) = 1","new":"$1 = 2","is_regexp":true}]}`},
	} {
		result := w.call(call[0], call[1])
		if !strings.Contains(string(result.Content), token) || !slices.Contains(result.Secrets, token) {
			t.Errorf("%s names the secrets %q in %s", call[0], result.Secrets, result.Content)
		}
	}
	if result := w.call("apply_code_edit", `{"edits":[{"file":"a.ipynb","old":"Looking","new":"x","is_regexp":true}]}`); result.OK {
		t.Errorf("a pattern changes a part of the secret: %s", result.Content)
	}
}

// TestLineEndsInANotebook keeps those of a source.
func TestLineEndsInANotebook(t *testing.T) {
	w := newWorld(t, map[string]string{"a.ipynb": strings.Replace(strings.ReplaceAll(strings.ReplaceAll(notebookText, `\n",`, `\r\n",`),
		`\n"]`, `\r\n"]`), `"net(1)"`, `"net(1)\r\nnet(3)"`, 1)})
	w.call("apply_code_edit", `{"edits":[{"file":"a.ipynb","old":"rate = 0.19\n","new":"rate = 1\nlow = 2\n"}]}`)
	if got := w.read("a.ipynb"); !strings.Contains(got, "\"rate = 1\\r\\n\",\n    \"low = 2\\r\\n\",\n") {
		t.Error(got)
	}
}
