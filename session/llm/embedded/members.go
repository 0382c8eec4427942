package embedded

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// members lists what a type has: its methods, its fields, or all.
type members struct {
	target
	kinds []string // nil for all
}

const listedMembers = 60

// memberKinds are the kinds of symbols that a word for parts of a type means; nil for all.
var memberKinds = map[string][]string{"method": {"method", "constructor", "function"}, "function": {"method",
	"constructor", "function"}, "field": {"field", "property", "variable", "constant"}, "attribute": {"field", "property",
	"variable", "constant"}, "property": {"field", "property", "variable"}, "variant": {"constant", "field"},
	"value": {"constant", "field"}}

// membersOf takes a word for parts and the type, in either order of their groups.
func membersOf(m []string) instruction {
	for i := 0; i+1 < len(m); i += 2 {
		if m[i] == "" {
			continue
		}
		t, ok := targetOf(m[i+1])
		word := strings.ToLower(m[i])
		if stemmed, plural := strings.CutSuffix(word, "ies"); plural {
			word = stemmed + "y"
		}
		if ok && t.name != "" && t.line == 0 && !lexicon.Common[strings.ToLower(t.name)] &&
			(len(t.name) == 1 || !lexicon.Fillers[strings.ToLower(t.name)]) {
			return members{t, memberKinds[strings.TrimSuffix(word, "s")]}
		}
	}
	return nil
}

func (x members) next(p progress) step {
	found, calls := x.resolve(p)
	looks, elsewhere := p.of("get_file_metadata"), p.of("search_text")
	if calls != nil {
		return step{calls: calls}
	}
	item := results.Symbol{}
	for _, s := range found.items {
		if slices.Contains(slices.Concat(results.Classes, results.Abstract, []string{"module", "namespace"}), s.Kind) {
			item = s
			break
		}
	}
	if item.ID == "" {
		return question{}.next(p)
	}
	if len(looks) == 0 {
		calls = []llm.Call{callTool("get_file_metadata", args{"file": item.Path()})}
		if filepath.Ext(item.Path()) == ".go" {
			calls = append(calls, callTool("search_text", args{"include": []string{p.Rel(filepath.Dir(item.Path())) + "/*.go"},
				"pattern": `^func \(\w*\s*\*?` + regexp.QuoteMeta(item.Name) + `(?:\[[^\]]*\])?\) `, "limit": listedMembers}))
		} else if lexicon.SeenBy(p.message) != "" {
			calls = append(calls, callTool("search_text", args{"include": []string{"/" + p.Rel(item.Path())},
				"pattern": lexicon.HiddenLine, "limit": amountLines}))
		}
		return step{calls: calls}
	}
	if !looks[0].OK {
		return p.failed("I could not look at "+p.Rel(item.Path()), looks[0])
	}
	return answerWith(x.answer(p, item, results.Decode[results.FileOutline](&looks[0]), elsewhere))
}

// answer lists the members in the type's file, and methods in other files.
func (x members) answer(p progress, item results.Symbol, outline results.FileOutline,
	elsewhere []results.ToolResult) string {
	f, who := p.Folders, lexicon.SeenBy(p.message)
	var lines []string
	var hidden []int
	if filepath.Ext(outline.File) != ".go" {
		for _, r := range elsewhere {
			for _, m := range results.Decode[countedText](&r).Matches {
				hidden = append(hidden, m.Line)
			}
		}
		elsewhere = nil
	}
	for _, s := range outline.Outline {
		rest, within := strings.CutPrefix(s.Canon, item.Canon+"::")
		if within && !strings.Contains(rest, "::") && (x.kinds == nil || slices.Contains(x.kinds, s.Kind)) &&
			(who == "" || (who == "public") == lexicon.SeenOutside(rest, s.StartLine, outline.File, hidden)) {
			lines = append(lines, fmt.Sprintf("- %s (%s) — %s:%d\n", results.Code(rest), s.Kind, f.Rel(outline.File),
				s.StartLine))
		}
	}
	for _, r := range elsewhere {
		for _, m := range results.Decode[countedText](&r).Matches {
			listed := m.File == outline.File && outline.Omitted == 0
			if !listed && !results.IsTest(m.File) && (x.kinds == nil || slices.Contains(x.kinds, "method")) {
				lines = append(lines, fmt.Sprintf("- %s — %s:%d\n", results.Code(results.Clip(strings.TrimSuffix(m.Text,
					" {"))), f.Rel(m.File),
					m.Line))
			}
		}
	}
	head := fmt.Sprintf("%s is %s %s at %s", results.Code(item.Canon), article(item.Kind), item.Kind, f.Location(item.ID))
	if len(lines) == 0 {
		return head + ". The index knows no members of it of that kind.\n\n" + item.Quoted()
	}
	shown := lines[:min(listedMembers, len(lines))]
	text := fmt.Sprintf("%s. Of what was asked for it has %d:\n\n%s", head, len(lines), strings.Join(shown, ""))
	if more := len(lines) - len(shown); more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return text
}
