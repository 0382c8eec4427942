package embedded

import (
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

const (
	contextTokens = 4096 // of a search result
	nearest       = 5    // maximum number of places of an unsure answer
)

// question searches for a message and quotes the results.
type question struct{}

func (question) next(p progress) step { return p.search(nil) }

// search quotes what fits the message best, or lists what is nearest. Of what fits, that comes first which is
// preferred, if anything is; then nothing else is quoted.
func (p progress) search(preferred func(results.Symbol) bool) step {
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		ask := args{"token_budget": contextTokens}
		if p.mended {
			ask["hint"] = p.message
		}
		return step{calls: []llm.Call{callTool("request_code_context", ask)}}
	}
	r := searches[0]
	found := results.Decode[results.SearchResult](&r)
	if !r.OK {
		return p.failed("The search failed", r)
	}
	var note string
	p.message, note = found.Spelled(p.message)
	found.Results = bestFirst(p.message, found.Results)
	missing := results.MissingWords(p.message, found.Results)
	if len(missing) > 0 && len(p.of("code_item_lookup")) == 0 {
		return step{calls: lookUp(missing)}
	}
	if len(found.Results) == 0 {
		return answerWith(foundNothing(found, missing) + p.alike())
	}
	doubt := p.doubt(found, missing)
	if doubt == "" && preferred == nil && lexicon.AsksWhatHappens(p.message) {
		doubt = p.nearest(found, "rules find places, and not what happens there")
	}
	if doubt == "" && preferred != nil && !p.putFirst(found.Results, preferred) {
		doubt = p.nearest(found, "the search found no place that speaks of this case")
	}
	if doubt != "" {
		return answerWith(note + doubt + p.alike())
	}
	return answerWith(note + p.Quote(found, p.message) + p.alike())
}

func foundNothing(found results.SearchResult, missing []string) string {
	text := "I found nothing in the workspace for that."
	if found.Partial {
		return text + " The index is still being built: try again when it is ready."
	}
	if len(missing) > 0 {
		text += " I searched for " + results.Codes(missing) + " in names, code and comments."
	}
	return text + " Try the name of a function, a type or a file, or words that the code or its comments would use.\n"
}

// sure reports whether search results fit the message.
func (p progress) sure(found []results.Symbol) bool {
	return len(found) > 0 && len(results.MissingWords(p.message, found)) == 0 && !lexicon.OnlyWeak(p.message) &&
		results.Fits(p.message,
			found)
}

// doubt lists the nearest places without quoting them if they hardly fit, and returns "" if they do.
func (p progress) doubt(found results.SearchResult, missing []string) string {
	why := ""
	_, asksSupport := lexicon.SupportedIn(p.message, p.Name())
	switch {
	case found.Doubt != "":
		why = found.Doubt + " of the question"
	case len(missing) > 0:
		why = "what the search found lacks " + results.Codes(missing)
	case lexicon.OnlyWeak(p.message):
		why = "the question has no word by which code is found"
	case !results.Fits(p.message, found.Results):
		why = "the best place has few words of the question"
	case !found.Results[0].IsBest(p.message, p.Name()):
		why = "no place has the words of the question in its name"
	case lexicon.AsksHowTo(p.message) && found.Results[0].IsAside():
		why = "the best place is of a test or an example"
	case asksSupport:
		why = "no list that I know names all of them"
	case lexicon.AsksCause(p.message):
		why = "rules find places, and no causes"
	default:
		return ""
	}
	return p.nearest(found, why)
}

// putFirst puts the first result that fits the message and is preferred before the others, and reports whether there is
// one.
func (p progress) putFirst(found []results.Symbol, preferred func(results.Symbol) bool) bool {
	if found[0].IsNamed(p.message) {
		return true
	}
	for i, s := range found[:min(nearest, len(found))] {
		if preferred(s) && results.Fits(p.message, found[i:]) && s.IsBest(p.message, p.Name()) {
			copy(found[1:i+1], found[:i])
			found[0] = s
			return true
		}
	}
	return false
}

// nearest lists the nearest places, and says why none is quoted.
func (p progress) nearest(found results.SearchResult, why string) string {
	var places []string
	for _, s := range found.Results[:min(nearest, len(found.Results))] {
		places = append(places, p.Listed(s))
	}
	text := unsure + why + ". The nearest are:\n\n" + strings.Join(places, "") + "\n"
	if found.Partial {
		text += "The index is still being built, so there may be better places: try again when it is ready.\n\n"
	}
	if s := results.BestNamed(p.message, found.Results); s.Snippet != "" {
		text += "By its name, " + results.Code(s.Canon) + " may be what you ask for:\n\n" + s.Quoted() + "\n"
	}
	return text + "The name of a function, a type or a file finds more, and so do words that the code itself would " +
		"use.\n"
}

// unsure begins an answer that lists the nearest places.
const unsure = "I am not sure: "
