package embedded

import (
	"fmt"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"slices"
	"strings"
)

// explain describes one symbol.
type explain struct {
	target
	brief bool // only where it is and how it reads
	weak  bool // the name may as well be an ordinary word
	bare  bool // it is one without a definite article, so that only what is declared for all files is meant
	noun  bool // it is one with an indefinite article, so that a type is meant, in whatever case
}

type lookupResult struct {
	Items   []symbol
	Further []symbol // without their code
	Omitted int
}

// all returns the listed symbols in one form.
func (r lookupResult) all() []symbol {
	all := slices.Clone(r.Items)
	for _, s := range r.Further {
		s.StartLine = s.Line
		s.ID = fmt.Sprintf("%s#%d:%d", s.File, s.Line, s.Line)
		if s.Name == "" {
			parts := strings.Split(plainCanon(s.Canon), "::")
			s.Name = parts[len(parts)-1]
		}
		all = append(all, s)
	}
	return all
}

type edgesResult struct {
	Edges    []edge
	Omitted  int
	Unlikely int // count of further places that hardly mean the symbol
	Partial  bool
}

// edge is a place that names a symbol. Offsets are in bytes, 0-based and
// end-exclusive.
type edge struct {
	Kind, File, From, Text string
	Name                   string // of the symbol that is named there
	Line                   int
	Confidence             float64
	Target                 *edgeTarget
	StartByte              int    `json:"start_byte"`
	EndByte                int    `json:"end_byte"`
	FileHash               string `json:"file_hash"`
}

// edgeTarget is the symbol that is named there, or that implements, and the place of
// its declaration.
type edgeTarget struct {
	Canon, File string
	Line        int
}

func (x explain) next(p progress) step {
	x.orType = true
	found, calls := x.resolve(p)
	switch {
	case calls != nil:
		if !x.brief && !x.weak && len(p.results) == 0 {
			calls = append(calls, callTool("request_code_context", args{"token_budget": contextTokens, "hint": x.name}))
		}
		return step{calls: calls}
	case len(found.items) == 0 && x.weak, x.bare && !x.means(p.folders, found):
		return called{}.next(p)
	case len(found.items) == 0:
		return x.orSearch(p, found.failure)
	}
	item := found.items[0]
	edges := p.of("code_item_edges")
	if len(edges) == 0 && !x.brief {
		return step{calls: []llm.Call{callTool("code_item_edges", args{"canon": item.Canon, "file": item.File,
			"direction": item.usedAs()})}}
	}
	return answerWith(x.describe(found, edges, p))
}

// means reports whether an ordinary word means what was found.
func (x explain) means(f folders, found resolved) bool {
	if first := found.items[0]; x.noun {
		return slices.Contains(slices.Concat(classes, abstract), first.Kind) && strings.EqualFold(found.as, x.name) &&
			!isTest(first.path())
	}
	return f.rank(found.items[0]) == 0 && found.as == x.name
}

func (x explain) describe(found resolved, callers []toolResult, p progress) string {
	item := found.items[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s %s in %s.\n\n", code(lexicon.Shown(item.Canon)), article(item.Kind), item.Kind,
		p.location(item.ID))
	b.WriteString(item.described() + item.quoted() + x.note(found))
	for _, r := range callers {
		b.WriteString(p.usedBy(item, r))
	}
	if others := found.items[1:]; len(others) > 0 {
		list := p.listSymbols(lookupResult{Items: others, Omitted: found.omitted})
		b.WriteString("The name is also that of:\n\n" + list + "\n")
	}
	seeAlso(&b, item, p)
	b.WriteString("This is what the index knows, quoted and not interpreted: the embedded model is not a language " +
		"model.\n")
	return b.String()
}

// usedAs returns the direction of the edges that say who uses the symbol: callers, or
// references of what can't be called.
func (s symbol) usedAs() string {
	if slices.Contains(callables, s.Kind) {
		return "callers"
	}
	return "references"
}

// article returns the indefinite article before a word.
func article(word string) string {
	if strings.ContainsAny(word[:min(1, len(word))], "aeiou") {
		return "an"
	}
	return "a"
}

// usedBy lists the callers, each enclosing symbol once.
func (f folders) usedBy(item symbol, r toolResult) string {
	found := decode[edgesResult](&r)
	if !r.OK {
		return "Its uses could not be listed: " + r.Error + ".\n\n"
	}
	var lines []string
	seen := map[string]bool{}
	for _, e := range found.Edges {
		from := e.From
		if from == "" {
			from = base(e.File)
		}
		if key := e.File + "\x00" + from; !seen[key] {
			seen[key] = true
			lines = append(lines, fmt.Sprintf("- %s — %s:%d\n", code(lexicon.Shown(from)), f.rel(e.File), e.Line))
		}
	}
	if len(lines) == 0 {
		return fmt.Sprintf("No uses of %s were found in the workspace.\n\n", code(item.Name))
	}
	more := max(0, len(lines)-furtherPlaces)
	out := "It is used, by its name, in:\n\n" + strings.Join(lines[:len(lines)-more], "")
	if more > 0 || found.Omitted > 0 {
		out += fmt.Sprintf("- and %d more\n", more+found.Omitted)
	}
	return out + "\n"
}

// seeAlso lists search results other than the symbol.
func seeAlso(b *strings.Builder, item symbol, p progress) {
	for _, r := range p.of("request_code_context") {
		var others []string
		for _, s := range decode[searchResult](&r).Results {
			if p.location(s.ID) != p.location(item.ID) && len(others) < 5 {
				others = append(others, p.listed(s))
			}
		}
		listFurther(b, others, 0)
	}
}
