package embedded

import (
	"slices"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// restricted returns what a message asks about a place or a time, nil if it asks for neither.
func (p progress) restricted() instruction {
	message, in := p.message, lexicon.Period{}
	if file := lexicon.ImportsIn(message); file != "" {
		return inPlace{lexicon.Place{Path: file, Sure: true}, grep{pattern: conventions.ImportHead + `.*|^\s+"[\w./-]+"$`,
			said:  "imports",
			limit: outlined}, nil}
	}
	if period, rest, ok := lexicon.PeriodOf(message); ok {
		message, in = rest, period
	}
	if pkg, ok := lexicon.ExportsOf(message); ok {
		return exported{pkg: pkg}
	}
	place, rest, ok := lexicon.PlaceOf(message)
	if ok {
		if i := p.restrictedTo(place, rest, in); i != nil {
			return i
		}
	}
	if in == (lexicon.Period{}) {
		return nil
	}
	if x, ok := p.meaning(message).(past); ok && x.about != "uncommitted" {
		x.about, x.in = "commits", in
		return x
	}
	if words := lexicon.AboutChanges(message); len(words) == 0 {
		return past{about: "commits", in: in}
	}
	return nil
}

// meaning returns what a message says by its form or its concept.
func (p progress) meaning(message string) instruction {
	if i := parseInstruction(message); !unclear(i, message) {
		return i
	}
	asked, _ := conceptOf(message, p.Name(), true)
	return asked
}

// restrictedTo returns what a message asks about a place and a time. Only what counts or lists lines, names, files or
// commits is restricted; nil for anything else.
func (p progress) restrictedTo(place lexicon.Place, message string, in lexicon.Period) instruction {
	if lexicon.Excluded(p.message, place.Path) {
		return outside(place, p.meaning(message), p.message)
	}
	switch whole := p.meaning(p.message).(type) {
	case counts:
		if whole.path != "" {
			return nil
		}
	case longest:
		if whole.path != "" {
			return nil
		}
	}
	if place.Sure && lexicon.AsksUnused(message) {
		return counts{"unused", place.Path}
	}
	switch x := p.meaning(message).(type) {
	case grep:
		if x.include == nil && x.otherwise == nil {
			return inPlace{place, x, p.meaning(p.message)}
		}
	case marks:
		return inPlace{place, x.comments(p.message), p.meaning(p.message)}
	case counts:
		if place.Sure && x.path == "" {
			return counts{x.about, place.Path}
		}
	case longest:
		if place.Sure && x.path == "" {
			return longest{x.kinds, place.Path}
		}
	case past:
		if place.Sure && x.of == (target{}) && (x.about == "commits" || in == (lexicon.Period{})) {
			x.of.file, x.in = place.Path, in
			return x
		}
	}
	return nil
}

// outside returns what lists the marks that are not in a place, nil for anything else.
func outside(place lexicon.Place, i instruction, message string) instruction {
	x, ok := i.(marks)
	if !ok {
		return nil
	}
	g := x.comments(message)
	if g.head == "" {
		g.head = "Outside of " + results.Code(place.Path) + ":\n\n"
	}
	g.include = slices.Concat(g.include, []string{"!**/" + place.Path, "!**/" + place.Path + "/**"})
	return g
}

// inPlace finds the lines of a pattern in a file or a folder. Where there is none of that name, an ordinary word meant
// no place.
type inPlace struct {
	place     lexicon.Place
	lines     grep
	otherwise instruction
}

func (x inPlace) next(p progress) step {
	searches := p.of("search_text")
	x.lines.include = []string{"**/" + x.place.Path, "**/" + x.place.Path + "/**"}
	x.lines.within = x.place.Path
	switch {
	case len(searches) == 0:
		return step{calls: []llm.Call{callTool("search_text", args{"include": x.lines.include, "files_only": true,
			"limit": 1})}}
	case !searches[0].OK:
		return p.failed("The search failed", searches[0])
	case len(results.Decode[countedText](&searches[0]).Files) > 0:
		p.results = p.results[1:]
		return x.lines.next(p)
	case !x.place.Sure && x.otherwise != nil:
		p.results = p.results[1:]
		return x.otherwise.next(p)
	}
	return answerWith("There is no file or folder " + results.Code(strings.TrimSuffix(x.place.Path, "/")) +
		" that I may read.\n")
}
