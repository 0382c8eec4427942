package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Mended returns a question whose ordinary words are spelled right: of what questions are made of, and of what they say
// of code, where a letter is missing, doubled, or has changed places with its neighbor. What is quoted, has the form of
// code or is an instruction stays as it is.
func Mended(message string) string {
	if strings.Contains(strings.TrimSpace(message), "\n") || !strings.Contains(message, " ") ||
		literal.MatchString(message) {
		return message
	}
	return tokens.ReplaceAllStringFunc(message, func(token string) string {
		word := strings.TrimRight(token, "?!.,;:")
		lower := strings.ToLower(word)
		if !asWritten.MatchString(word) || IsOrdinary(lower) {
			return token
		}
		right, known := misspelled[lower]
		if !known {
			right = nearest(lower, ordinarySlip, ordinary, Common, Fillers)
		}
		if right == lower {
			return token
		}
		return right + token[len(word):]
	})
}

var (
	asWritten = lazyregexp.New(`^[A-Za-z]?[a-z]+$`)
	// literal matches messages whose words are texts.
	literal = lazyregexp.New(`(?i)^(?:please,? )?(?:(?:can|could|would) you (?:please )?)?(?:grep|rg|search|find` +
		`|rename|replace|change|swap|` +
		`substitute|create|make|add|write|delete|remove|drop|move|put|insert|document|comment|exchange|call)\b`)
)

// IsOrdinary reports whether a word in lower case is one of plain English that questions are full of.
func IsOrdinary(word string) bool {
	return Common[word] || Fillers[word] || Weak[word] || ordinary[word] || mistakable[word] || ofProjects[word]
}

var ofProjects = SetOf(Projects + " " + Asking + " " + Languages + " " + Testers + " " + Linters + " " + Models)

// ordinarySlip reports whether an ordinary word may have been meant by another: a slip that keeps the first letter.
func ordinarySlip(word, other string) bool {
	return other[0] == word[0] && slip(word, other) && !isAnother(word, other)
}

// isAnother reports whether words of one length differ in a letter, which makes too many other words.
func isAnother(a, b string) bool {
	differ := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			differ++
		}
	}
	return len(a) == len(b) && differ == 1
}

// ordinary are words of questions, next to those in [Common], [Fillers] and [Weak].
var ordinary = SetOf(`where which there their these those would could should about after again against anyone anything
	anywhere because before being between call called calls calling caller change changed changes changing during either
	every everything everyone everybody example examples explain explains exist exists first found function functions
	method methods class classes happen happens happened happening however implement implements implemented inside
	instead itself little looks maybe might never nothing nobody other please really something somewhere someone somebody
	still supposed through throws thrown throw together trying tries under understand until usually using variable
	variables whether while whole whose without within working works wrong write written writes return returns returned
	pass passes passed passing define defined defines definition declared declares declare decide decides decided
	different difference correct correctly folder parameter parameters argument arguments handle handled handles handling
	error errors exception exceptions value values project package library converted converts convert created creates
	create wants given gives gets looking called named names means meaning reads reading responsible start starts started
	stops stopped number numbers object objects contains contain containing calculate calculates calculated compute
	computes computed check checks checked checking validate validates validated turned turns exactly actually already
	although almost always another around became become becomes behave behaves behavior behaviour besides both cannot
	certain case cases cause causes come comes coming describe does doing done down each else end ends enough even except
	few find finds follow follows following gone good here itself just keep keeps kept know known large last later least
	leave leaves less long longer lots make makes making many much must near need needs next none often once only order
	ought part parts people perhaps probably purpose put puts rather reason regarding same second several shall since
	small sometimes soon such sure take takes taken taking tell tells than then though time times today together toward
	twice two three upon very way ways well went whatever whenever wherever whichever who whom why wish with yet`)

// mistakable are words that are a slip away from ordinary ones.
var mistakable = SetOf(`crates timers timer handlers handler marking masking writers clauses nbody handed
	talking noting excerpt
	excerpts tuned stated readying handing thorough thought tough exit exits quiet clause latter defied filed
	flies closes form sing trail trial
	chose lose loose desert casual causal covert ruining settling writer caller stars stats starting stating`)
