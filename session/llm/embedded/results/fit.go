package results

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// The share of the question's words from which a result is quoted, and of a question with few words.
const (
	fitting      = 0.4
	fittingOfFew = 0.5
	few          = 2
)

// Fits reports whether the best result has enough of the words of a message.
func Fits(message string, results []Symbol) bool {
	message = lexicon.Plain(message)
	if len(lexicon.Asked(message)) <= few {
		return results[0].Fit(message) >= fittingOfFew
	}
	return results[0].Fit(message) >= fitting
}

// The parts of a result in which a word of the question says the more, the more it is about what is asked.
const (
	inName    = 1.0
	inDoc     = 0.7
	inSnippet = 0.4
)

// IsNamed reports whether a message has the name of a symbol, and the name can hardly be an ordinary word.
func (s Symbol) IsNamed(message string) bool {
	name := s.shortName()
	return InnerCapital.MatchString(name) && slices.Contains(strings.FieldsFunc(message, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), name)
}

// IsAside reports whether a symbol is of a test, an example or a changelog.
func (s Symbol) IsAside() bool {
	return s.Kind == "test" || testName.MatchString(s.shortName()) ||
		strings.HasPrefix(s.Canon, "tests::") || IsTest(s.Path()) ||
		conventions.Aside.MatchString(s.Path()) || pastChanges.MatchString(Base(s.Path()))
}

// Fit is the share of a message's words that a result has, where it says what it is, from 0 to 1.
func (s Symbol) Fit(message string) float64 {
	name := strings.ToLower(s.Canon + " " + Base(s.Path()))
	doc := strings.ToLower(s.Signature + " " + s.Doc + " " + filepath.Base(filepath.Dir(s.Path())))
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

var testName = lazyregexp.New(`^(?:test_|Test[A-Z])`)

var pastChanges = lazyregexp.New(`(?i)^(?:change|history|news|release)`)

// IsBest reports whether a result may be called the best match of a message. It says what it is about itself: its name
// has a telling word, and the whole has most of them; or its name, its signature and its documentation have all of
// several. A word that only its code has may be about anything, and so may a place that has a single telling word among
// others in its name.
func (s Symbol) IsBest(message, project string) bool {
	words := lexicon.Telling(lexicon.Plain(message), project)
	if len(words) == 0 || s.IsNamed(message) {
		return true
	}
	if slices.Contains(values, s.Kind) && asksHow.MatchString(message) {
		return false // a value does nothing
	}
	name := s.Canon + " " + Base(s.Path())
	if slices.Contains(Callables, s.Kind) {
		name = s.shortName() // of a method of what the question is about, the rest tells little
	}
	said := s.Canon + " " + Base(s.Path()) + " " + s.Signature + " " + s.Doc
	named, documented, all := 0, 0, 0
	for _, w := range words {
		inName, inDoc := lexicon.HasPart(name, w), lexicon.HasPart(said, w)
		named += Order(inName)
		documented += Order(inDoc)
		all += Order(inDoc || lexicon.HasPart(s.Snippet, w))
	}
	if len(words) == 1 {
		return named == 1 && (lexicon.MostOf(s.shortName(), words[0]) ||
			lexicon.MostOf(Base(s.Path()), words[0]))
	}
	return named > 0 && all*5 >= len(words)*3 || documented == len(words)
}

// Deciding returns the lines of a symbol's snippet that end with a failure what goes on, with their numbers.
func (s Symbol) Deciding() (lines []Edge) {
	text := strings.Split(s.Snippet, "\n")
	head := SnippetHead.FindStringSubmatch(s.Snippet)
	if head == nil {
		return nil
	}
	for i, line := range text[1:] {
		if lexicon.Decides(line) {
			lines = append(lines, Edge{File: s.Path(), Line: number(head[2]) + i, Text: line})
		}
	}
	return lines
}

// NamesMost reports whether the short name of a callable has most of some stems: two of them, or one that it mostly is.
func (s Symbol) NamesMost(stems []string) bool {
	n, mostly := 0, false
	for _, stem := range stems {
		n += Order(lexicon.HasPart(s.shortName(), stem))
		mostly = mostly || lexicon.MostOf(s.shortName(), stem)
	}
	return slices.Contains(Callables, s.Kind) && n*2 > len(stems) && (n > 1 || mostly) && !s.IsAside()
}

var (
	values  = []string{"variable", "constant", "field", "property"}
	asksHow = lazyregexp.New(`(?i)^(?:\w+,? )?how (?:does|do|is|are|did|can|will|would)\b`)
)

// shortName returns the last part of a symbol's address.
func (s Symbol) shortName() string {
	name := lexicon.Shown(s.Canon)
	return name[strings.LastIndex(name, ":")+1:]
}

// BestNamed returns the first function of some results whose whole name stands in a message of few words, outside of
// tests and examples; the zero Symbol if none does. Of several, the one with most words is taken.
func BestNamed(message string, found []Symbol) (best Symbol) {
	stems, most := map[string]bool{}, 0
	for _, w := range lexicon.Stems(strings.ReplaceAll(ofDeciding.ReplaceAllString(message, " "), "_", " ")) {
		stems[w] = true
	}
	if len(stems) > fewWords {
		return best
	}
	for _, s := range found {
		parts := lexicon.PartsOf(s.Canon[strings.LastIndex(s.Canon, ":")+1:])
		lacks := slices.ContainsFunc(parts, func(part string) bool { return !stems[lexicon.Stem(part)] })
		if n := len(strings.Join(parts, "")); !lacks && len(parts)*2 >= len(stems) && n > max(most, shortestName) &&
			slices.Contains(Callables, s.Kind) &&
			!s.IsAside() && !IsTest(s.Path()) {
			best, most = s, n
		}
	}
	return best
}

// ofDeciding matches the words of a question that say that something is found out, and not what.
var ofDeciding = lazyregexp.New(`(?i)\b(?:computed?|calculated?|determined?|decided?|chosen|resolved?|picked` +
	`|selected)\b`)

const (
	shortestName = 3 // of a function that a question may mean by its words alone
	fewWords     = 3 // of a question of which the name of a function may be most
)
