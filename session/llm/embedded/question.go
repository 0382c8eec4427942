package embedded

import (
	"fmt"
	"ploke-lsp/session/llm"
	"strings"
)

const (
	contextTokens = 4096 // of a search result
	quotes        = 3    // maximum number of symbols shown with code
	quotedLines   = 40   // of all of them, not counting the best: an answer should fit a panel
	furtherPlaces = 10   // maximum number of listed places
	ofOneFile     = 3    // of one file, not counting its best symbol
)

// question searches for a message and quotes the results.
type question struct{}

type searchResult struct {
	Query   string
	Results []symbol
	Omitted int
	Partial bool
}

func (question) next(p progress) step {
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("request_code_context", args{"token_budget": contextTokens})}}
	}
	r := searches[0]
	found := decode[searchResult](&r)
	if !r.OK {
		return p.failed("The search failed", r)
	}
	missing := missingWords(p.message, found.Results)
	if len(missing) > 0 && len(p.of("code_item_lookup")) == 0 {
		return step{calls: lookUp(missing)}
	}
	if len(found.Results) == 0 {
		return answerWith(foundNothing(found, missing) + p.alike())
	}
	return answerWith(doubt(missing) + p.quote(found) + p.alike())
}

func foundNothing(found searchResult, missing []string) string {
	text := "I found nothing in the workspace for that."
	if found.Partial {
		return text + " The index is still being built: try again when it is ready."
	}
	if len(missing) > 0 {
		text += " I searched for " + codes(missing) + " in names, code and comments."
	}
	return text + " Try the name of a function, a type or a file, or words that the code or its comments would use.\n"
}

// doubt says that the results hardly fit, "" if they do.
func doubt(missing []string) string {
	if len(missing) == 0 {
		return ""
	}
	return "No place fits well: what the search found lacks " + codes(missing) + ".\n\n"
}

// quote quotes the best results and lists the others.
func (f folders) quote(found searchResult) string {
	best := found.Results[0]
	var b strings.Builder
	fmt.Fprintf(&b, "The best match is the %s %s, at %s.\n\n", best.Kind, code(best.Canon), f.location(best.ID))
	b.WriteString(best.described() + best.quoted())
	shown := f.showMore(&b, found.Results)
	places, more := f.further(found.Results, shown)
	listFurther(&b, places, more+found.Omitted)
	if found.Partial {
		b.WriteString("The index is still being built, so there may be better places: try again when it is ready.\n\n")
	}
	b.WriteString("This is what the search found, quoted and not interpreted: the embedded model is not a language model.\n")
	return b.String()
}

// showMore quotes further results within the limit of lines, and returns the number of
// all quoted results.
func (f folders) showMore(b *strings.Builder, results []symbol) (shown int) {
	lines := 0
	for shown = 1; shown < min(quotes, len(results)); shown++ {
		s := results[shown]
		if lines += strings.Count(s.Snippet, "\n"); s.Snippet == "" || lines > quotedLines {
			break
		}
		fmt.Fprintf(b, "Also the %s %s:\n\n%s", s.Kind, code(s.Canon), s.quoted())
	}
	return shown
}

// further lists the results that are not quoted, and the siblings of all results.
// more is the number of siblings that are not listed.
func (f folders) further(results []symbol, quoted int) (places []string, more int) {
	for i, s := range results {
		if i >= quoted {
			places = append(places, f.listed(s))
		}
		listed := s.Siblings[:min(ofOneFile, len(s.Siblings))]
		for _, sibling := range listed {
			places = append(places, f.listedSibling(s, sibling))
		}
		more += len(s.Siblings) - len(listed)
	}
	return places, more
}

// listFurther writes the first places. more is the number of places that are missing
// from the list.
func listFurther(b *strings.Builder, places []string, more int) {
	if len(places) == 0 {
		return
	}
	b.WriteString("Further places:\n\n")
	listed := places[:min(furtherPlaces, len(places))]
	b.WriteString(strings.Join(listed, ""))
	if more += len(places) - len(listed); more > 0 {
		fmt.Fprintf(b, "- and %d more\n", more)
	}
	b.WriteString("\n")
}
