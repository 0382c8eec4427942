package embedded

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
)

const (
	shownDiffs   = 12 // maximum number of files of a diff that are looked at
	shownChanged = 8  // maximum number of changed symbols whose uses are listed
	shownUses    = 6  // of one symbol
)

// changes says what the diff in a message changes: files, symbols, and who uses and tests these. It judges nothing.
type changes struct{}

// changedSymbol is a symbol of a file that a diff changes.
type changedSymbol struct {
	symbol
	file string
}

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
	text := fmt.Sprintf("The diff changes %s:\n\n", count(len(files), "file"))
	var symbols []changedSymbol
	for i, f := range listed[:min(len(listed), len(looks))] {
		item, touched := p.changedFile(f, looks[i])
		text, symbols = text+item, append(symbols, touched...)
	}
	if more := len(files) - len(listed); more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	symbols = slices.DeleteFunc(symbols, func(s changedSymbol) bool { return s.Kind == "section" })
	slices.SortStableFunc(symbols, func(a, b changedSymbol) int { return order(isTest(a.file)) - order(isTest(b.file)) })
	asked := symbols[:min(shownChanged, len(symbols))]
	if len(asked) > 0 && len(edges) == 0 {
		var calls []llm.Call
		for _, s := range asked {
			calls = append(calls, callTool("code_item_edges", args{"canon": s.Canon, "file": s.file, "kind": s.Kind,
				"direction": "references", "limit": foundEdges / len(asked)}))
		}
		return step{calls: calls}
	}
	if len(asked) > 0 {
		text += "\nWho uses what it changes, by name:\n\n"
	}
	for i, s := range asked[:min(len(asked), len(edges))] {
		text += p.usesOfChanged(s, edges[i])
	}
	if more := len(symbols) - len(asked); more > 0 {
		text += fmt.Sprintf("- and %s whose uses are not listed\n", count(more, "more symbol"))
	}
	return answerWith(text + "\nThis is no judgement: I am the embedded model, which works by rules and is not a " +
		"language " +
		"model. `ploke-lsp setup` sets one up, which can review code and write messages.\n")
}

// changedFile returns a changed file as a list item, and its symbols that the diff changes.
func (f folders) changedFile(d conventions.FileDiff, look toolResult) (item string, symbols []changedSymbol) {
	found := decode[fileOutline](&look)
	how := strings.Join(slices.DeleteFunc([]string{lines(d.Added, "added"), lines(d.Removed, "removed")},
		func(s string) bool { return s == "" }), " and ")
	switch {
	case d.Created:
		how = "new, " + how
	case d.Gone:
		how = "deleted, " + how
	case !look.OK || !found.Exists:
		how += "; the workspace has no such file"
	}
	item = fmt.Sprintf("- %s — %s", d.Path, how)
	var names []string
	for _, s := range touchedBy(d, found.Outline) {
		names = append(names, s.Canon)
		symbols = append(symbols, changedSymbol{s, found.File})
	}
	if len(names) == 0 {
		names = d.Headed()
	}
	if len(names) > 0 {
		item += ": " + codes(names[:min(len(names), shownUses)])
	}
	if more := len(names) - shownUses; more > 0 {
		item += fmt.Sprintf(" and %d more", more)
	}
	return item + "\n", symbols
}

// lines says how many lines were added or removed, "" for none.
func lines(n int, how string) string {
	if n == 0 {
		return ""
	}
	return count(n, "line") + " " + how
}

// usesOfChanged returns the places that use a symbol as a list item, with the tests in one below it.
func (f folders) usesOfChanged(s changedSymbol, r toolResult) string {
	found := decode[edgesResult](&r)
	var uses, tests []edge
	for _, e := range found.Edges {
		switch {
		case e.File == s.file && s.StartLine <= e.Line && e.Line <= s.EndLine: // within itself
		case e.inTest():
			tests = append(tests, e)
		default:
			uses = append(uses, e)
		}
	}
	name := code(s.Canon)
	switch {
	case !r.OK:
		return fmt.Sprintf("- %s: its uses could not be listed: %s\n", name, r.Error)
	case len(uses)+len(tests) == 0:
		return fmt.Sprintf("- %s: nothing that the index knows\n", name)
	}
	return fmt.Sprintf("- %s: %s; %s\n", name, f.users(uses, "no code"), "tests: "+f.users(tests, "none name it"))
}

// users lists the symbols that places are in.
func (f folders) users(places []edge, none string) string {
	var listed []string
	seen := map[string]bool{}
	for _, e := range places {
		if key := e.subject() + e.File; !seen[key] {
			seen[key] = true
			listed = append(listed, fmt.Sprintf("%s (%s:%d)", code(e.subject()), f.rel(e.File), e.Line))
		}
	}
	if len(listed) == 0 {
		return none
	}
	text := strings.Join(listed[:min(shownUses, len(listed))], ", ")
	if more := len(listed) - shownUses; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// touchedBy returns the innermost symbols of an outline whose lines the diff changes, without those that are a part of
// a declaration, such as fields.
func touchedBy(f conventions.FileDiff, outline []symbol) (symbols []symbol) {
	seen := map[string]bool{}
	for _, line := range f.Lines {
		innermost := -1
		for i, s := range outline {
			if s.StartLine <= line && line <= s.EndLine && !parts[s.Kind] &&
				(innermost < 0 || s.StartLine >= outline[innermost].StartLine) {
				innermost = i
			}
		}
		if innermost >= 0 && !seen[outline[innermost].Canon] {
			seen[outline[innermost].Canon] = true
			symbols = append(symbols, outline[innermost])
		}
	}
	return symbols
}

// parts are the kinds of symbols that only have a meaning within another one.
var parts = map[string]bool{"field": true, "property": true, "impl": true, "file": true}
