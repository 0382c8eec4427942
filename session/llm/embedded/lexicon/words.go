package lexicon

import (
	"slices"
	"strings"
	"unicode"
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
