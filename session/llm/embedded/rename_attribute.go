package embedded

import (
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/modules"
	"ploke-lsp/session/llm/embedded/results"
)

// attribute renames what methods of a class set on their object, where the text shows that it is the class's, with what
// declares it in files of declarations alone. It reports false if the old name is that of another symbol.
func (x rename) attribute(p progress, lookups []results.ToolResult) (s step, ok bool) {
	old := lookups[0]
	if !strings.Contains(x.from, "::") || !old.OK && old.Code != "not_found" {
		return step{}, false
	}
	declared := x.meant(p, old)
	if slices.ContainsFunc(declared, func(s results.Symbol) bool {
		return !conventions.Declaring.MatchString(s.Path()) ||
			s.Kind == "method"
	}) {
		return step{}, false
	}
	s = x.attributeOf(p, lookups, declared)
	return s, s.text != "" || len(s.calls) > 0
}

// attributeOf returns the next step for an attribute, an empty one if no class sets it that is declared.
func (x rename) attributeOf(p progress, lookups []results.ToolResult, declared []results.Symbol) step {
	owner := x.from[:strings.LastIndex(x.from, "::")]
	if len(lookups) == 2 {
		return step{calls: []llm.Call{callTool("code_item_lookup", args{"name": owner})}}
	}
	class, ok := x.classOf(lookups[2])
	if !ok {
		return step{}
	}
	first, last := class.WithDoc()
	of := modules.Attribute{Class: class.Name, Name: x.name(), File: class.Path(), First: first, Last: last}
	searches, applied := p.of("search_text"), p.of("apply_code_edit")
	if len(searches) == 0 && len(p.of("code_item_edges")) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": of.Pattern(x.to), "limit": replacedLines,
			"include": modules.Sources(of.File)})}}
	}
	lines := results.Decode[countedText](&searches[0])
	var places []modules.Place
	for _, m := range lines.Matches {
		places = append(places, modules.Place{File: m.File, Line: m.Line, Text: m.Text})
	}
	named, others, sets := of.Places(places)
	switch why := x.notRenamed(p, of, places, lines.Omitted); {
	case !searches[0].OK:
		return p.failed("I did not rename "+x.shown(), searches[0])
	case !sets && len(declared) > 0:
		return step{}
	case !sets && lines.Omitted == 0:
		return answerWith(x.notSet(p, class, lookups[0]))
	case why != "":
		return answerWith("I did not rename " + x.shown() + ": " + why + "\n")
	case len(applied) > 0:
		return p.staged("rename "+x.shown()+" to "+results.Code(x.to), applied[0], noteOnOthers(p, of.Class, others))
	}
	edits := []args{}
	for _, s := range declared {
		edits = append(edits, args{"mode": "rename", "file": s.File, "canon": s.Canon, "kind": s.Kind, "new_name": x.to})
	}
	for _, place := range named {
		edits = append(edits, args{"mode": "replace", "file": place.File, "line": place.Line, "old": place.Text,
			"new": of.Renamed(place, places, x.to)})
	}
	reason := "rename " + results.Dotted(x.from) + " to " + x.to
	return step{calls: []llm.Call{callTool("apply_code_edit", args{"edits": edits, "reason": reason})}}
}

func (x rename) shown() string { return results.Code(results.Dotted(x.from)) }

// classOf returns the class of a lookup that may have attributes, if it is the only one.
func (x rename) classOf(lookup results.ToolResult) (class results.Symbol, ok bool) {
	found := results.Decode[results.LookupResult](&lookup)
	types := slices.DeleteFunc(definitions(found.All()), func(s results.Symbol) bool {
		return !slices.Contains(results.Classes, s.Kind) || !modules.HasAttributes(s.Path()) ||
			x.file != "" && !s.InFile(x.file) || conventions.Declaring.MatchString(s.Path())
	})
	if len(types) != 1 {
		return class, false
	}
	return types[0], true
}

// notRenamed says why an attribute can't be renamed by what some lines say, "" if it can.
func (x rename) notRenamed(p progress, of modules.Attribute, places []modules.Place, omitted int) string {
	named, others, _ := of.Places(places)
	switch {
	case omitted > 0:
		return results.Count(len(places)+omitted, "line") + " may name it, more than I look at."
	case of.Takes(places, x.to):
		return results.Code(x.to) + " is taken, an attribute of the class, too."
	case len(others) > listedEdges:
		return fmt.Sprintf("besides %s that set or read it for certain, %s name a %s of objects whose class the text "+
			"does not show, such as %s:%d.", results.Count(len(named), "line"), results.Count(len(others), "line"),
			results.Code(x.name()), p.Rel(others[0].File), others[0].Line)
	}
	return ""
}

// notSet says that no method of a class sets an attribute, and which symbols have its name.
func (x rename) notSet(p progress, class results.Symbol, lookup results.ToolResult) string {
	text := fmt.Sprintf("I did not rename %s: there is no such symbol, and no method of the class at %s sets %s on its "+
		"object.", x.shown(), p.Location(class.ID), results.Code(x.name()))
	if lookup.OK {
		text += " What has that name:\n\n" + p.ListSymbols(results.Decode[results.LookupResult](&lookup))
	}
	return text + "\n"
}

// noteOnOthers says which places of an attribute are known, and lists the lines that may name it.
func noteOnOthers(p progress, class string, others []modules.Place) string {
	note := "The index does not know attributes: these places are those of the class's own methods, and of variables " +
		"that are set to a " + results.Code(class) + " in their file.\n"
	if len(others) > 0 {
		note += "\n**Perhaps it is not whole:** what these lines name may be the attribute, too:\n\n"
	}
	for _, place := range others[:min(listedEdges, len(others))] {
		note += fmt.Sprintf("- %s:%d: %s\n", p.Rel(place.File), place.Line,
			results.Code(results.Clip(strings.TrimSpace(place.Text))))
	}
	if more := len(others) - listedEdges; more > 0 {
		note += fmt.Sprintf("- and %d more\n", more)
	}
	return note
}
