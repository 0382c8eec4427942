package results

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
)

const shownUses = 6 // of one symbol

// ChangedSymbol is a symbol of a file that a diff changes.
type ChangedSymbol struct {
	Symbol
	File string
}

// ChangedFile returns a changed file as a list item, and its symbols that the diff changes.
func (f Folders) ChangedFile(d conventions.FileDiff, look ToolResult) (item string, symbols []ChangedSymbol) {
	found := Decode[FileOutline](&look)
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
		symbols = append(symbols, ChangedSymbol{s, found.File})
	}
	if len(names) == 0 {
		names = d.Headed()
	}
	if len(names) > 0 {
		item += ": " + Codes(names[:min(len(names), shownUses)])
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
	return Count(n, "line") + " " + how
}

// UsesOfChanged returns the places that use a symbol as a list item, with the tests in one below it.
func (f Folders) UsesOfChanged(s ChangedSymbol, r ToolResult) string {
	found := Decode[EdgesResult](&r)
	var uses, tests []Edge
	for _, e := range found.Edges {
		switch {
		case e.File == s.File && s.StartLine <= e.Line && e.Line <= s.EndLine: // within itself
		case e.InTest():
			tests = append(tests, e)
		default:
			uses = append(uses, e)
		}
	}
	name := Code(s.Canon)
	switch {
	case !r.OK:
		return fmt.Sprintf("- %s: its uses could not be listed: %s\n", name, r.Error)
	case len(uses)+len(tests) == 0:
		return fmt.Sprintf("- %s: nothing that the index knows\n", name)
	}
	return fmt.Sprintf("- %s: %s; %s\n", name, f.users(uses, "no code"), "tests: "+f.users(tests, "none name it"))
}

// users lists the symbols that places are in.
func (f Folders) users(places []Edge, none string) string {
	var listed []string
	seen := map[string]bool{}
	for _, e := range places {
		if key := e.Subject() + e.File; !seen[key] {
			seen[key] = true
			listed = append(listed, fmt.Sprintf("%s (%s:%d)", Code(e.Subject()), f.Rel(e.File), e.Line))
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
func touchedBy(f conventions.FileDiff, outline []Symbol) (symbols []Symbol) {
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
