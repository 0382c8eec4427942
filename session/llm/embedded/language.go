package embedded

import (
	"slices"
	"strings"

	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// inOtherLanguage is a question in another language: what everybody asks is answered, and for other questions the words
// that the code has are searched, as they are or by the glossary.
type inOtherLanguage struct{}

func (inOtherLanguage) next(p progress) step {
	english := lexicon.Translate(p.message)
	words := lexicon.CodeWords(p.message)
	if option := lexicon.FlagIn(p.message); option != "" && len(p.of("code_item_lookup")) == 0 {
		return grep{pattern: lexicon.OptionPattern(option) + "|--" + option + `\b`, said: "--" + option, code: true,
			head: knowsEnglish + "These lines have it:\n\n", otherwise: talk{"self"}}.next(p)
	}
	if i := askedByEverybody(p.message, english, words); i != nil {
		s := i.next(p)
		if s.text != "" {
			s.text = strings.TrimSpace(knowsEnglish) + "\n\n" + s.text
		}
		return s
	}
	words = append(slices.DeleteFunc(words, func(w string) bool { return len(lexicon.Translate(w)) > 0 }),
		withoutCommon(english)...)
	words = slices.DeleteFunc(words, func(w string) bool { return len(words) > 2 && strings.EqualFold(w, p.Name()) })
	if len(words) == 0 {
		return answerWith(knowsEnglish + "Please ask in English, or name a function, a type or a file.\n")
	}
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		search := callTool("request_code_context", args{"token_budget": contextTokens, "hint": strings.Join(words, " ")})
		return step{calls: append(lookUp(slices.DeleteFunc(slices.Clone(words),
			func(w string) bool { return slices.Contains(english, w) })), search)}
	}
	found := results.Decode[results.SearchResult](&searches[0]).Results
	places := p.Having(words, found, 2)
	for _, r := range p.of("code_item_lookup") {
		if found := results.Decode[results.LookupResult](&r); r.OK {
			places += p.ListSymbols(results.LookupResult{Items: definitions(found.All()), Omitted: found.Omitted})
		}
	}
	if places == "" && len(results.MissingWords(strings.Join(words, " "), found)) == 0 {
		places = p.Having(words, found, 1)
	}
	if places == "" {
		return answerWith(knowsEnglish + "I found nothing for " + results.Codes(words) +
			". Please ask in English, or name a " +
			"function, a type or a file.\n")
	}
	return answerWith(knowsEnglish + "For " + results.Codes(words) + " I found:\n\n" + places)
}

// withoutCommon leaves out the words that say nothing about the code.
func withoutCommon(english []string) []string {
	return slices.DeleteFunc(slices.Clone(english), func(w string) bool {
		return w == "decide" || len(english) > 1 && lexicon.OfAnyCode[w] || lexicon.Common[w] || lexicon.Weak[w] ||
			w == "what" || w == "who" || w == "how"
	})
}

// askedByEverybody returns what is asked with some words of the glossary, next to names of code; nil if that is
// unclear.
func askedByEverybody(message string, english, names []string) instruction {
	has := func(words ...string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(english, w) })
	}
	named := slices.IndexFunc(names, results.InnerCapital.MatchString)
	switch {
	case named >= 0 && (has("call") || lexicon.AsksForCallers(message)):
		return relation{target{name: lexicon.CanonOf(names[named])}, "callers", true}
	case named >= 0 && has("use"):
		return relation{target{name: lexicon.CanonOf(names[named])}, "references", true}
	case named >= 0:
		asked, _ := conceptOf(strings.Join(english, " ")+" "+names[named], "", true)
		return asked
	case slices.ContainsFunc(english, func(w string) bool { return !lexicon.OfProjects[w] }):
		return nil
	case has("test") && (has("run") || has("execute") || has("how")):
		return howTo{"test"}
	case has("how", "build"):
		return howTo{"build"}
	case has("how", "run"), has("how", "execute"):
		return howTo{"run"}
	case has("license"):
		return fact{"license"}
	case has("version"):
		return fact{"version"}
	case has("dependency"):
		return dependencies{}
	case has("who", "write"), has("author"):
		return past{about: "authors"}
	case has("last", "change"):
		return past{about: "commits"}
	case has("what", "project"):
		return overview{}
	}
	return nil
}

const knowsEnglish = "I understand English best. "
