package lexicon

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// GivenPatterns returns the patterns of the lines that may give an amount a value: those that name a thing and have a
// value; those whose value is in the lines below, or that declare a function which computes it; and those that report a
// failure of it.
func (x Amount) GivenPatterns() (named, opens, failures string) {
	qualities := strings.Join(slices.Concat(x.qualities...), "|")
	things := strings.Join(x.thingParts(), "|")
	if things == "" {
		things = qualities
	}
	value := `["'\w(\[-]`
	if x.numeric {
		value = `[^=,;]*\d`
	}
	named = `(?i)(?:` + things + `)[\w-]*["'` + "`" + `]?[\])}?]*(?:\s*:\s*[^=,()]{1,40}|\s+[\w.*\[\]]+)?\s*(?:=>` +
		`|:=|=|:|,|\?\?|\|\||[ ({])\s*` + value
	opens = `(?i)^\s*(?:\w+ )?[\w.$>-]*(?:` + things + `)\w*(?:\s*:\s*\w+)?\s*(?:=>|:=|=|:)\s*[\w.]*\(?$`
	if x.ofTime() {
		opens += `|(?:function|def|fn|fun|func)\s+\w*(?:` + qualities + `)\w*\s*\(`
	}
	return named, opens, `(?i:\b(?:raise|throw|panic|error|errorf|exception)\b|Error\(` +
		`|Exception\().*(?i:` + things + `|` + qualities + `)`
}

// Without returns the amount without a thing, such as the name of the project, unless it has no other.
func (x Amount) Without(name string) Amount {
	stem := Stem(strings.ToLower(name))
	if len(x.Things) > 1 {
		x.Things = slices.DeleteFunc(slices.Clone(x.Things), func(thing string) bool { return thing == stem })
	}
	return x
}

// unconfigured matches the case in which a default counts, and untilItFails that in which a limit does.
var unconfigured = lazyregexp.New(`(?i),? (?:if|when|unless|as long as) (?:i|we|you|one|nobody|nothing|none|no` +
	` one|the user)\b.{0,30}` +
	`\b(?:set|sets|give|gives|given|specif\w+|choose|chooses|pass|passes|say|says|configure[sd]?|change|changes` +
	`|override|overrides)\b.*$|` +
	` without (?:any )?(?:config\w*|settings?|options?|setting \w+)$`)

var untilItFails = lazyregexp.New(`(?i),? (?:until|before) (?:it|they|the (\w+)) (?:gives? up|fails?|stops?` +
	`|errors?|aborts?|throws?|breaks?|crashes)\b.*$`)

// together matches what says that several things happen in parallel.
var together = lazyregexp.New(`(?i)\bat (?:the same time|once|a time|one time)\b|\bsimultaneous(?:ly)?\b` +
	`|\bin parallel\b|\bconcurrently\b`)
