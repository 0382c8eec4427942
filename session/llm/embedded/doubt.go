package embedded

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

const lookedUpWords = 3 // maximum number of words that are looked up as names

// missingWords returns the words of a message that no result has, if these are more than
// half of its words.
func missingWords(message string, results []symbol) (missing []string) {
	asked, text := lexicon.Asked(message), textOf(results)
	for _, w := range asked {
		if !strings.Contains(text, lexicon.Stem(w)) {
			missing = append(missing, w)
		}
	}
	if len(missing)*2 <= len(asked) {
		return nil
	}
	return missing
}

// onlyWeak reports whether a message has words about code, but only weak ones.
func onlyWeak(message string) bool {
	asked := lexicon.Asked(message)
	return len(asked) > 0 && !slices.ContainsFunc(asked, func(w string) bool { return !lexicon.Weak[w] })
}

// The share of the question's words from which a result is quoted, and of a question with few words.
const (
	fitting      = 0.4
	fittingOfFew = 0.5
	few          = 2
)

// fits reports whether the best result has enough of the words of a message.
func fits(message string, results []symbol) bool {
	message = lexicon.Plain(message)
	if len(lexicon.Asked(message)) <= few {
		return results[0].fit(message) >= fittingOfFew
	}
	return results[0].fit(message) >= fitting
}

// The parts of a result in which a word of the question says the more, the more it is about what is asked.
const (
	inName    = 1.0
	inDoc     = 0.7
	inSnippet = 0.4
)

// bestFirst returns the results of a search in its order, but those that the message names first, and tests, examples
// and changelogs last, unless the message speaks of them.
func bestFirst(message string, results []symbol) []symbol {
	aside := !asksAside.MatchString(message)
	return slices.SortedStableFunc(slices.Values(results), func(a, b symbol) int {
		return cmp.Or(order(b.isNamed(message))-order(a.isNamed(message)),
			order(aside && a.isAside())-order(aside && b.isAside()))
	})
}

// isNamed reports whether a message has the name of a symbol, and the name can hardly be an ordinary word.
func (s symbol) isNamed(message string) bool {
	name := lexicon.Shown(s.Canon)
	name = name[strings.LastIndex(name, ":")+1:]
	return innerCapital.MatchString(name) && slices.Contains(strings.FieldsFunc(message, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), name)
}

// isAside reports whether a symbol is of a test, an example or a changelog.
func (s symbol) isAside() bool {
	return s.Kind == "test" || strings.HasPrefix(s.Canon, "tests::") || isTest(s.path()) ||
		conventions.Aside.MatchString(s.path()) || pastChanges.MatchString(base(s.path()))
}

// fit is the share of a message's words that a result has, where it says what it is, from 0 to 1.
func (s symbol) fit(message string) float64 {
	name := strings.ToLower(s.Canon + " " + base(s.path()))
	doc := strings.ToLower(s.Signature + " " + s.Doc + " " + s.path())
	text := strings.ToLower(s.Snippet)
	sum, all := 0.0, 0.0
	for _, w := range lexicon.Asked(message) {
		weight := 1.0
		if lexicon.Weak[w] || lexicon.OfAnyCode[w] {
			weight = 0.3
		}
		all += weight
		switch word := lexicon.Stem(w); {
		case strings.Contains(name, word):
			sum += inName * weight
		case strings.Contains(doc, word):
			sum += inDoc * weight
		case strings.Contains(text, word):
			sum += inSnippet * weight
		}
	}
	if all == 0 {
		return 1
	}
	return sum / all
}

var (
	pastChanges = lazyregexp.New(`(?i)^(?:change|history|news|release)`)
	asksAside   = lazyregexp.New(`(?i)\b(?:tests?|tested|testing|specs?|examples?|bench\w*|fixtures?|mocks?` +
		`|change(?:s|d|log)?|release\w*|history)\b`)
)

func textOf(results []symbol) string {
	var b strings.Builder
	for _, s := range results {
		for _, part := range append([]string{s.ID, s.Canon, s.Signature, s.Doc, s.Snippet, s.Relation}, s.Siblings...) {
			b.WriteString(strings.ToLower(part) + "\n")
		}
	}
	return b.String()
}

// lookUp looks words up as names, for symbols that come close.
func lookUp(words []string) (calls []llm.Call) {
	for _, w := range words[:min(lookedUpWords, len(words))] {
		calls = append(calls, callTool("code_item_lookup", args{"name": w}))
	}
	return calls
}

// alike lists the symbols whose names come close to words that were looked up.
func (p progress) alike() string {
	var near []candidate
	for _, r := range p.of("code_item_lookup") {
		for _, s := range decode[lookupResult](&r).Items {
			near = append(near, candidate{ID: s.ID, Canon: s.Canon, Kind: s.Kind})
		}
		near = append(near, r.Candidates...)
	}
	return p.near(near[:min(furtherPlaces, len(near))])
}

// declining are the beginnings of answers that do not do what was asked, or that have found nothing. Programs that ask
// are told so, since they do not read the text.
var declining = lazyregexp.New(`^(?:I understand English best\. )?` +
	`(?:I (?:can't|could not|did not|found no(?:thing)?|changed nothing|deleted nothing|moved nothing)\b|` +
	`Documenting code needs |There (?:is no file |are no commits)|` +
	`Where\? |Which one do you mean\? \x60|No (?:calls|uses|implementations|imports?|tests?|line)\b|No file (?:of` +
	`|that)\b)`)

// declines reports whether an answer does not do what was asked.
func declines(answer string) bool { return declining.MatchString(answer) }
