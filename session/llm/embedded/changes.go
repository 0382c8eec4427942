package embedded

import (
	"fmt"
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/results"
)

const (
	shownDiffs   = 12 // maximum number of files of a diff that are looked at
	shownChanged = 8  // maximum number of changed symbols whose uses are listed
)

// changes says what the diff in a message changes: files, symbols, and who uses and tests these. It judges nothing.
type changes struct{}

func (x changes) next(p progress) step {
	files := conventions.DiffsIn(p.message)
	listed := files[:min(shownDiffs, len(files))]
	looks, edges := p.of("get_file_metadata"), p.of("code_item_edges")
	if len(looks) == 0 {
		var calls []llm.Call
		for _, f := range listed {
			calls = append(calls, callTool("get_file_metadata", args{"file": f.Path}))
		}
		return step{calls: calls}
	}
	text := fmt.Sprintf("The diff changes %s:\n\n", results.Count(len(files), "file"))
	var symbols []results.ChangedSymbol
	for i, f := range listed[:min(len(listed), len(looks))] {
		item, touched := p.ChangedFile(f, looks[i])
		text, symbols = text+item, append(symbols, touched...)
	}
	if more := len(files) - len(listed); more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	symbols = slices.DeleteFunc(symbols, func(s results.ChangedSymbol) bool { return s.Kind == "section" })
	slices.SortStableFunc(symbols, func(a, b results.ChangedSymbol) int {
		return results.Order(results.IsTest(a.File)) - results.Order(results.IsTest(b.File))
	})
	asked := symbols[:min(shownChanged, len(symbols))]
	if len(asked) > 0 && len(edges) == 0 {
		var calls []llm.Call
		for _, s := range asked {
			calls = append(calls, callTool("code_item_edges", args{"canon": s.Canon, "file": s.File, "kind": s.Kind,
				"direction": "references", "limit": foundEdges / len(asked)}))
		}
		return step{calls: calls}
	}
	if len(asked) > 0 {
		text += "\nWho uses what it changes, by name:\n\n"
	}
	for i, s := range asked[:min(len(asked), len(edges))] {
		text += p.UsesOfChanged(s, edges[i])
	}
	if more := len(symbols) - len(asked); more > 0 {
		text += fmt.Sprintf("- and %s whose uses are not listed\n", results.Count(more, "more symbol"))
	}
	return answerWith(text + "\nThis is no judgement: I am the embedded model, which works by rules and is not a " +
		"language " +
		"model. `ploke-lsp setup` sets one up, which can review code and write messages.\n")
}
