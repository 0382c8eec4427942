package embedded

import (
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

const (
	contextTokens = 4096 // of a search result
	quotes        = 3    // maximum number of symbols shown with code
	quotedLines   = 40   // of all of them, not counting the best: an answer should fit a panel
	nearest       = 5    // maximum number of places of an unsure answer
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
	// Respelled are the words that no file has, with what was searched for instead, the nearest first.
	Respelled []struct {
		Word string
		As   []string
	}
}

// spelled returns a message with the words that were searched for, and what to say of them.
func (found searchResult) spelled(message string) (spelled, note string) {
	for _, r := range found.Respelled {
		if lexicon.IsOrdinary(r.Word) {
			continue
		}
		message = strings.ReplaceAll(message, r.Word, r.As[0])
		note += fmt.Sprintf("No file has %s; I searched for %s.\n\n", code(r.Word), codes(r.As))
	}
	return message, note
}

func (question) next(p progress) step { return p.search(nil) }

// search quotes what fits the message best, or lists what is nearest. Of what fits, that comes first which is
// preferred, if anything is; then nothing else is quoted.
func (p progress) search(preferred func(symbol) bool) step {
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		ask := args{"token_budget": contextTokens}
		if p.mended {
			ask["hint"] = p.message
		}
		return step{calls: []llm.Call{callTool("request_code_context", ask)}}
	}
	r := searches[0]
	found := decode[searchResult](&r)
	if !r.OK {
		return p.failed("The search failed", r)
	}
	var note string
	p.message, note = found.spelled(p.message)
	found.Results = bestFirst(p.message, found.Results)
	missing := missingWords(p.message, found.Results)
	if len(missing) > 0 && len(p.of("code_item_lookup")) == 0 {
		return step{calls: lookUp(missing)}
	}
	if len(found.Results) == 0 {
		return answerWith(foundNothing(found, missing) + p.alike())
	}
	doubt := p.doubt(found, missing)
	if doubt == "" && preferred != nil && !p.putFirst(found.Results, preferred) {
		doubt = p.nearest(found, "the search found no place that speaks of this case")
	}
	if doubt != "" {
		return answerWith(note + doubt + p.alike())
	}
	return answerWith(note + p.quote(found, p.message) + p.alike())
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

// sure reports whether search results fit the message.
func (p progress) sure(found []symbol) bool {
	return len(found) > 0 && len(missingWords(p.message, found)) == 0 && !onlyWeak(p.message) && fits(p.message, found)
}

// doubt lists the nearest places without quoting them if they hardly fit, and returns "" if they do.
func (p progress) doubt(found searchResult, missing []string) string {
	why := ""
	switch {
	case len(missing) > 0:
		why = "what the search found lacks " + codes(missing)
	case onlyWeak(p.message):
		why = "the question has no word by which code is found"
	case !fits(p.message, found.Results):
		why = "the best place has few words of the question"
	case lexicon.AsksCause(p.message):
		why = "rules find places, and no causes"
	default:
		return ""
	}
	return p.nearest(found, why)
}

// putFirst puts the first result that fits the message and is preferred before the others, and reports whether there is
// one.
func (p progress) putFirst(results []symbol, preferred func(symbol) bool) bool {
	if results[0].isNamed(p.message) {
		return true
	}
	for i, s := range results[:min(nearest, len(results))] {
		if preferred(s) && fits(p.message, results[i:]) {
			copy(results[1:i+1], results[:i])
			results[0] = s
			return true
		}
	}
	return false
}

// nearest lists the nearest places, and says why none is quoted.
func (p progress) nearest(found searchResult, why string) string {
	var places []string
	for _, s := range found.Results[:min(nearest, len(found.Results))] {
		places = append(places, p.listed(s))
	}
	text := unsure + why + ". The nearest are:\n\n" + strings.Join(places, "") + "\n"
	if found.Partial {
		text += "The index is still being built, so there may be better places: try again when it is ready.\n\n"
	}
	return text + "The name of a function, a type or a file finds more, and so do words that the code itself would use.\n"
}

// unsure begins an answer that lists the nearest places.
const unsure = "I am not sure: "

// quote quotes the best results that fit a message, and lists the others.
func (f folders) quote(found searchResult, message string) string {
	best := found.Results[0]
	var b strings.Builder
	fmt.Fprintf(&b, "The best match is the %s %s, at %s.\n\n", best.Kind, code(lexicon.Shown(best.Canon)),
		f.location(best.ID))
	b.WriteString(best.described() + best.saysOf(message) + best.quoted())
	shown := f.showMore(&b, found.Results, message)
	places, more := f.further(found.Results, shown)
	listFurther(&b, places, more+found.Omitted)
	if found.Partial {
		b.WriteString("The index is still being built, so there may be better places: try again when it is ready.\n\n")
	}
	b.WriteString("This is what the search found, quoted and not interpreted: the embedded model is not a language " +
		"model.\n")
	return b.String()
}

// showMore quotes further results within the limit of lines, and returns the number of
// all quoted results.
func (f folders) showMore(b *strings.Builder, results []symbol, message string) (shown int) {
	lines := 0
	for shown = 1; shown < min(quotes, len(results)); shown++ {
		s := results[shown]
		lines += strings.Count(s.Snippet, "\n")
		if s.Snippet == "" || lines > quotedLines || !fits(message, results[shown:]) {
			break
		}
		fmt.Fprintf(b, "Also the %s %s:\n\n%s", s.Kind, code(lexicon.Shown(s.Canon)), s.quoted())
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
