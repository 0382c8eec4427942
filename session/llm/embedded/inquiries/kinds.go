package inquiries

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Kinds asks for all things of a kind: it quotes the enumeration that lists them, or lists the classes whose names end
// with the kind.
type Kinds struct{ lexicon.KindAsked }

const (
	enumLines   = 60 // of an enumeration
	fewest      = 3  // classes that make a kind
	listedKinds = 100
)

// Searches returns the searches for enumerations and for classes.
func (x Kinds) Searches() []Search {
	return []Search{
		{Pattern: x.EnumPattern(), Include: code, Limit: 100, After: enumLines},
		{Pattern: x.ClassPattern(), Include: code, Limit: 500},
	}
}

// Reads returns nil: the lines say it.
func (Kinds) Reads(Look) []Lines { return nil }

// Say quotes the enumeration whose name is nearest to the kind, else lists the classes.
func (x Kinds) Say(l Look) string {
	if enum := x.enum(l); enum != "" {
		return enum
	}
	var names []string
	seen := map[string]bool{}
	for _, m := range l.Found[1].Matches {
		name, abstract := lexicon.DeclaredName(m.Text)
		if rel := l.Rel(m.File); abstract || seen[name] || results.IsTest(rel) || conventions.Aside.MatchString(rel) {
			continue
		}
		seen[name] = true
		names = append(names, fmt.Sprintf("- %s — %s:%d\n", results.Code(name), l.Rel(m.File), m.Line))
	}
	if len(names) < fewest {
		return ""
	}
	slices.Sort(names)
	text := fmt.Sprintf("By their names, %d are %s, without abstract ones and those of tests:\n\n", len(names), x.Kind) +
		strings.Join(names[:min(listedKinds, len(names))], "")
	if more := len(names) - listedKinds; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return text
}

// enum quotes the enumeration whose name is nearest to the kind.
func (x Kinds) enum(l Look) string {
	type candidate struct {
		Match
		name string
		end  int // which of the ends it has
	}
	var all []candidate
	for _, m := range l.Found[0].Matches {
		name, _ := lexicon.DeclaredName(m.Text)
		rel := l.Rel(m.File)
		if !lexicon.IsEnum(m.Text) || results.IsTest(rel) || conventions.Aside.MatchString(rel) {
			continue
		}
		end := slices.IndexFunc(x.Ends, func(e string) bool {
			return strings.HasSuffix(name, e) || strings.HasSuffix(name, e+"s")
		})
		if end >= 0 {
			all = append(all, candidate{m, name, end})
		}
	}
	if len(all) == 0 {
		return ""
	}
	exact := func(c candidate) int { return results.Order(c.name != x.Ends[c.end] && c.name != x.Ends[c.end]+"s") }
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(exact(a)-exact(b), cmp.Compare(a.end, b.end), cmp.Compare(len(a.name), len(b.name)))
	})
	best := all[0]
	if len(all) > 1 && exact(best) > 0 { // any of them may be meant
		text := "By their names, these enumerations may be what you ask for:\n\n"
		for _, c := range all[:min(rivals, len(all))] {
			text += fmt.Sprintf("- %s — %s:%d\n", results.Code(c.name), l.Rel(c.File), c.Line)
		}
		return text
	}
	lines := bodyOf(best.Text, best.After)
	text := fmt.Sprintf("By its name, %s may list the %s, at %s:%d:\n\n", results.Code(best.name), x.Kind,
		l.Rel(best.File),
		best.Line) + results.Snippet(best.File, best.Line, strings.Join(lines, "\n"))
	if len(lines) == enumLines+1 {
		text += "The rest is not shown.\n"
	}
	return text
}

// bodyOf returns a line that declares something, and those of its body.
func bodyOf(head string, after []string) []string {
	lines := []string{head}
	indent := len(head) - len(strings.TrimLeft(head, " \t"))
	for _, line := range after {
		text := strings.TrimLeft(line, " \t")
		if text != "" && len(line)-len(text) <= indent && !strings.HasPrefix(text, "{") {
			if strings.HasPrefix(text, "}") {
				lines = append(lines, line)
			}
			break
		}
		lines = append(lines, line)
	}
	for len(lines) > 1 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
