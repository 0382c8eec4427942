package lexicon

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Common are words of questions that say nothing about the code.
var Common = SetOf(`a about after against all also an and any anything are as at be been before best between but ` +
	`by can ` +
	`code could did do does
	doing done each else ever every file files find first for from function functions get gets give happen happens has have
	how i if in
	inside into is it its kind like made make makes many me method methods more most much my need not of on one only or
	other our out
	over place places please project see should show so some something such take tell than that the their them then there
	these they
	thing things this those through to type types up us use used uses using very want was way we were what when where which
	while who
	whole whose why will with within without work works would you your`)

// SetOf returns the words of a text that is separated by spaces.
func SetOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// Weak are words that stand in most code, so that a place is not found by them alone.
var Weak = SetOf(`add added change changed changes code current currently default everything explain explained ` +
	`function functions
	bad big difficult easy fast good hard nice quick simple slow small
	general important latest list main new old recent recently run running this work working write written`)

// Asked returns the words of a message that say something about the code, each once.
func Asked(message string) (asked []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(message), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsDigit(r) && r != '_'
	}) {
		if len(w) >= 3 && !Common[w] && !slices.Contains(asked, w) {
			asked = append(asked, w)
		}
	}
	return asked
}

// Fillers are what questions are made of, next to the words in [Common].
var Fillers = SetOf(`hi hello hey so well ok okay am i is in on to the it its of by me my we us up at as if no
	yes s re m d t ll ve im id whats wheres short brief briefly quick quickly exactly actually roughly simple simply plain
	english words word could should might may must shall currently right know wonder wondering curious looking interested
	want wants wanted like help question everything whole entire list name names number please thanks every existing
	available supported required minimum minimal oldest lowest least needed needs unit integration local locally machine
	computer myself kind sort most top main biggest longest largest big ever yet still other else another anywhere party version just
	only type show its coding exist exists there m single one only mit apache bsd gpl mpl development dev before ` +
	`beginner newcomer newbie got going gone laptop pc box folks guys anybody somebody anyhow basically nutshell ` +
	`maybe perhaps possible possibly gist really even also too lot bit currently presently go goes leftover ` +
	`leftovers remaining`)

// Stem removes the ending of a word, roughly.
func Stem(word string) string {
	for _, ending := range []string{"ations", "ation", "ingly", "ings", "ing", "ers", "ies", "ed", "es", "er", "ly", "s",
		"y", "e"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 3 {
			return rest
		}
	}
	return word
}

// Telling returns the stems of the words of a question that tell which place of the code it is about, each once.
// project is the name of the project, which all of its places have.
func Telling(message, project string) (stems []string) {
	for _, w := range Asked(message) {
		stem := Stem(w)
		if !Weak[w] && !OfAnyCode[w] && w != strings.ToLower(project) && !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// certain is the length from which a stem may stand anywhere in a name.
const certain = 5

// HasPart reports whether a text has a stem in any case: a short one only where a word or a part of a name begins.
func HasPart(text, stem string) bool {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return strings.Contains(lower, stem)
	}
	for from := 0; ; {
		i := strings.Index(lower[from:], stem)
		if i < 0 {
			return false
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if len(stem) >= certain || at == 0 || !unicode.IsLetter(before) || unicode.IsUpper(rune(text[at])) {
			return true
		}
		from = at + 1
	}
}

// MostOf reports whether a word is at least half of the parts of a name, and more than a verb such as get.
func MostOf(name, stem string) bool {
	parts := partsOf(strings.TrimSuffix(name, path.Ext(name)))
	n := 0
	for _, part := range parts {
		if strings.HasPrefix(part, stem) {
			n++
		}
	}
	return n*2 >= len(parts) && n > 0 && (len(stem) > 3 || n == len(parts))
}
