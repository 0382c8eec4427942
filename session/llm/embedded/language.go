package embedded

import (
	"slices"
	"strings"
	"unicode"
)

// foreign are frequent words of questions in German, French and Spanish that English does not have.
var foreign = wordSet(`wo wie wer welche welcher welches wird werden ist sind der das und nicht eine einen gibt macht dieses projekt funktion warum wofür
	où comment quel quelle quels quelles est sont les une cette fait pourquoi projet fonction dans quoi
	dónde donde cómo qué cuál quién está esta este los las una por para hace función proyecto`)

// fillers are further ones, which code or English may have, too.
var fillers = wordSet(`die dem den des ein einer auf aus bei mit von vor zum zur ich man sie auch funktion datei que qui sur avec par pour son
	ses del con sin fue ser hay sus fonction función`)

// otherLanguage reports whether a message is hardly in English: half of its letters or two of its words are not.
func otherLanguage(message string) bool {
	letters, other := 0, 0
	for _, r := range message {
		if unicode.IsLetter(r) {
			letters++
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic) {
				other++
			}
		}
	}
	if other*2 > letters {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(message), func(r rune) bool { return !unicode.IsLetter(r) })
	return len(slices.DeleteFunc(words, func(w string) bool { return !foreign[w] })) >= 2
}

// codeWords returns the words of a message in another language by which code may be found: those of Latin letters that
// are no frequent words of the language.
func codeWords(message string) (words []string) {
	for _, w := range strings.FieldsFunc(message, func(r rune) bool {
		return !(unicode.Is(unicode.Latin, r) || unicode.IsDigit(r) || r == '_')
	}) {
		if len(w) >= 3 && !foreign[strings.ToLower(w)] && !fillers[strings.ToLower(w)] && !common[strings.ToLower(w)] && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// inOtherLanguage is a question in another language: the words that the code has are searched.
type inOtherLanguage struct{}

func (inOtherLanguage) next(p progress) step {
	words := codeWords(p.message)
	if len(words) == 0 {
		return answerWith(knowsEnglish + "Please ask in English, or name a function, a type or a file.\n")
	}
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		search := callTool("request_code_context", args{"token_budget": contextTokens, "hint": strings.Join(words, " ")})
		return step{calls: append(lookUp(words), search)}
	}
	places := ""
	for _, r := range p.of("code_item_lookup") {
		if found := decode[lookupResult](&r); r.OK {
			places += p.listSymbols(lookupResult{Items: found.all(), Omitted: found.Omitted})
		}
	}
	if places == "" {
		places = p.having(words, decode[searchResult](&searches[0]).Results)
	}
	if places == "" {
		return answerWith(knowsEnglish + "I found nothing for " + codes(words) + ". Please ask in English, or name a " +
			"function, a type or a file.\n")
	}
	return answerWith(knowsEnglish + "For " + codes(words) + " I found:\n\n" + places)
}

// having lists the results that have one of the words.
func (f folders) having(words []string, results []symbol) (places string) {
	for _, s := range results[:min(furtherPlaces, len(results))] {
		text := textOf([]symbol{s})
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, strings.ToLower(w)) }) {
			places += f.listed(s)
		}
	}
	return places
}

const knowsEnglish = "I understand English best. "
