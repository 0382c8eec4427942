package llm

import (
	"fmt"
	"strings"
)

// explain describes one symbol.
type explain struct {
	canon string
	file  string // "" if not given
}

type lookupResult struct {
	Items   []symbol
	Omitted int
}

type edgesResult struct {
	Edges   []edge
	Omitted int
	Partial bool
}

// edge is a place that names a symbol. Offsets are in bytes, 0-based and
// end-exclusive.
type edge struct {
	Kind, File, From, Text string
	Line                   int
	StartByte              int    `json:"start_byte"`
	EndByte                int    `json:"end_byte"`
	FileHash               string `json:"file_hash"`
}

func (x explain) next(p progress) step {
	lookups := p.of("code_item_lookup")
	if len(lookups) == 0 {
		look := args{"name": x.canon}
		if x.file != "" {
			look["file"] = x.file
		}
		return step{calls: []Call{
			callTool("code_item_lookup", look),
			callTool("request_code_context", args{"token_budget": contextTokens, "hint": x.canon}),
		}}
	}
	r := lookups[0]
	found := decode[lookupResult](&r)
	if !r.OK || len(found.Items) == 0 {
		return x.notFound(p, r)
	}
	item := found.Items[0]
	edges := p.of("code_item_edges")
	if len(edges) == 0 {
		return step{calls: []Call{callTool("code_item_edges", args{"canon": item.Canon, "file": item.File, "direction": "callers"})}}
	}
	return answerWith(x.describe(found, edges[0], p))
}

// notFound reports that the symbol was not found, and quotes the search results
// instead.
func (x explain) notFound(p progress, r toolResult) step {
	text := "I could not look up " + code(x.canon) + ": " + r.Error + ".\n" + p.near(r.Candidates)
	for _, s := range p.of("request_code_context") {
		if found := decode[searchResult](&s); s.OK && len(found.Results) > 0 {
			text += "\nA search for it found this instead. " + p.quote(found)
		}
	}
	return answerWith(text)
}

func (x explain) describe(found lookupResult, callers toolResult, p progress) string {
	item := found.Items[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%s is a %s in %s.\n\n", code(item.Canon), item.Kind, p.place(item.ID))
	b.WriteString(item.described() + item.quoted())
	b.WriteString(p.usedBy(item, callers))
	if others := found.Items[1:]; len(others) > 0 {
		b.WriteString("The name is also that of:\n\n")
		for _, s := range others {
			b.WriteString(p.listed(s))
		}
		b.WriteString("\n")
	}
	seeAlso(&b, item, p)
	b.WriteString("This is what the index knows, quoted and not interpreted: the embedded model is not a language model.\n")
	return b.String()
}

// usedBy lists the callers, each enclosing symbol once.
func (f folders) usedBy(item symbol, r toolResult) string {
	found := decode[edgesResult](&r)
	if !r.OK {
		return "Its callers could not be listed: " + r.Error + ".\n\n"
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
			lines = append(lines, fmt.Sprintf("- %s — %s:%d\n", code(from), f.rel(e.File), e.Line))
		}
	}
	if len(lines) == 0 {
		return fmt.Sprintf("No calls of %s were found in the workspace.\n\n", code(item.Name))
	}
	more := max(0, len(lines)-furtherPlaces)
	out := "It is called, by its name, from:\n\n" + strings.Join(lines[:len(lines)-more], "")
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
			if p.place(s.ID) != p.place(item.ID) && len(others) < 5 {
				others = append(others, p.listed(s))
			}
		}
		listFurther(b, others, 0)
	}
}
