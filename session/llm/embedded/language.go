package embedded

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// foreign are frequent words of questions in German, French and Spanish that English does not have.
var foreign = wordSet(`wo wie wer welche welcher welches wird werden ist sind der das und nicht eine einen gibt ` +
	`macht dieses projekt funktion warum wofür
	où comment quel quelle quels quelles est sont les une cette fait pourquoi projet fonction dans quoi
	auf ruft rufen aus mit ein benutzt verwendet ich wurde wurden kann können muss zeige zuletzt hier diese dieser
	je nous vous peut ils elle elles quand du des que qui la le
	dónde donde cómo qué cuál quién está esta este los las una por para hace función proyecto quien cuándo ` +
	`puedo hay son el del se en de`)

// fillers are further ones, which code or English may have, too.
var fillers = wordSet(`die dem den des einer bei von vor zum zur man sie auch funktion datei sur avec par pour son
	ses con sin fue ser sus fonction función`)

// otherLanguage reports whether a message is hardly in English: half of its letters are not, or two of its words, or it
// begins as Spanish does.
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
	if other*2 > letters || other >= 4 || strings.ContainsAny(message, "¿¡") {
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
		if len(w) >= 3 && !foreign[strings.ToLower(w)] && !fillers[strings.ToLower(w)] && !common[strings.ToLower(w)] &&
			!slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// inOtherLanguage is a question in another language: what everybody asks is answered, and for other questions the words
// that the code has are searched, as they are or by the glossary.
type inOtherLanguage struct{}

func (inOtherLanguage) next(p progress) step {
	english := translate(p.message)
	words := codeWords(p.message)
	if i := askedByEverybody(english, words); i != nil {
		s := i.next(p)
		if s.text != "" {
			s.text = strings.TrimSpace(knowsEnglish) + "\n\n" + s.text
		}
		return s
	}
	words = append(slices.DeleteFunc(words, func(w string) bool { return len(translate(w)) > 0 }),
		withoutCommon(english)...)
	if len(words) == 0 {
		return answerWith(knowsEnglish + "Please ask in English, or name a function, a type or a file.\n")
	}
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		search := callTool("request_code_context", args{"token_budget": contextTokens, "hint": strings.Join(words, " ")})
		return step{calls: append(lookUp(slices.DeleteFunc(slices.Clone(words),
			func(w string) bool { return slices.Contains(english, w) })), search)}
	}
	places := ""
	for _, r := range p.of("code_item_lookup") {
		if found := decode[lookupResult](&r); r.OK {
			places += p.listSymbols(lookupResult{Items: found.all(), Omitted: found.Omitted})
		}
	}
	found := decode[searchResult](&searches[0]).Results
	if places == "" && len(missingWords(strings.Join(words, " "), found)) == 0 {
		places = p.having(words, found)
	}
	if places == "" {
		return answerWith(knowsEnglish + "I found nothing for " + codes(words) + ". Please ask in English, or name a " +
			"function, a type or a file.\n")
	}
	return answerWith(knowsEnglish + "For " + codes(words) + " I found:\n\n" + places)
}

// withoutCommon leaves out the words that say nothing about the code.
func withoutCommon(english []string) []string {
	return slices.DeleteFunc(slices.Clone(english), func(w string) bool {
		return common[w] || weak[w] || w == "what" ||
			w == "who" || w == "how"
	})
}

// askedByEverybody returns what is asked with some words of the glossary, next to names of code; nil if that is
// unclear.
func askedByEverybody(english, names []string) instruction {
	has := func(words ...string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(english, w) })
	}
	named := slices.IndexFunc(names, innerCapital.MatchString)
	switch {
	case named >= 0 && has("call"):
		return relation{target{name: canonOf(names[named])}, "callers", true}
	case named >= 0 && has("use"):
		return relation{target{name: canonOf(names[named])}, "references", true}
	case named >= 0:
		return nil
	case slices.ContainsFunc(english, func(w string) bool { return !ofProjects[w] }):
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

// ofProjects are the words of questions about a project as a whole.
var ofProjects = wordSet("what who how run execute build test project license version dependency author write last " +
	"change library use")

// innerCapital matches names that no language writes so: nouns of German begin with a capital.
var innerCapital = lazyregexp.New(`\pL\p{Lu}|_|\d`)

// having lists the results that have one of the words.
func (f folders) having(words []string, results []symbol) (places string) {
	for _, s := range results[:min(furtherPlaces, len(results))] {
		text := textOf([]symbol{s})
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, stem(strings.ToLower(w))) }) {
			places += f.listed(s)
		}
	}
	return places
}

const knowsEnglish = "I understand English best. "
