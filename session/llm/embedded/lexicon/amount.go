package lexicon

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/lazyregexp"
)

// Amount is a question for a limit, a default or a number that the code sets. Names say so: such as
// maxRetries, whose parts are of a quality and of a thing; or names with the quality in a file of the thing.
type Amount struct {
	qualities [][]string // beginnings of parts of names, in lower case, for each quality that is asked for
	Things    []string   // stems of the question's words, in their order
	Owner     string     // the name of code that has it, "" if the question has none

	AsksOfOwner bool // how many, or how much of something, the owner has

	words     []string  // stems of all words that may stand in a name
	acronyms  []acronym // of words that follow each other in the question
	byDefault bool      // what is set where it is declared is asked for
	numeric   bool      // a number or a time is asked for, and no text
}

// acronym is the first letters of some words, with the stems of those that are things.
type acronym struct {
	letters string
	things  []string
}

// qualities are the words of a question, and how parts of names that say so begin.
var qualities = []struct {
	asked *lazyregexp.Regexp
	parts string
}{
	{lazyregexp.New(`(?i)\b(?:max|maximum|upper (?:limit|bound)|limits?|limited|cap|ceiling|at most)\b`),
		"max limit cap upper"},
	{lazyregexp.New(`(?i)\b(?:min|minimum|lower (?:limit|bound)|at least)\b`), "min least lower"},
	{lazyregexp.New(`(?i)\bdefaults?\b`), "default initial"},
	{lazyregexp.New(`(?i)\b(?:what|which) port\b`), "port"},
	{lazyregexp.New(`(?i)\bhow wide\b|\bwidth\b`), "width wide column cols"},
	{lazyregexp.New(`(?i)\bhow (?:tall|high)\b|\bheight\b`), "height row lines"},
	{lazyregexp.New(`(?i)\bhow deep(?:ly)?\b|\bdepth\b`), "depth level nest recurs deep"},
	{lazyregexp.New(`(?i)\bhow (?:big|large)\b|\bsize\b`), "size max limit len bytes capacity"},
	{lazyregexp.New(`(?i)\b(?:how many|number of|count of)\b`), "max limit default count num size"},
	{lazyregexp.New(`(?i)\bhow (?:often|frequently)\b|\binterval\b`), "interval period every delay second secs " +
		"millis minute"},
	{lazyregexp.New(`(?i)\bhow long\b|\btime-?outs?\b`), "timeout time max duration delay wait sleep backoff " +
		"interval ttl deadline expir second secs millis minute"},
}

// alsoNamed are beginnings of parts of names that stand for a word of a question, by its stem.
var alsoNamed = sync.OnceValue(func() map[string][]string {
	byStem := map[string][]string{}
	for word, parts := range map[string]string{"port": "listen addr", "folder": "dir", "directory": "dir",
		"connection": "conn", "request": "req", "response": "resp", "length": "len size", "size": "len bytes",
		"memory": "mem", "message": "msg", "retries": "retry attempt tries", "attempt": "retr tries", "tries": "retr " +
			"attempt",
		"depth": "level nest recurs", "address": "addr host bind", "buffer": "buf", "parameter": "param arg",
		"argument": "arg", "configuration": "config cfg conf", "environment": "env", "character": "char",
		"position": "pos", "column": "col", "database": "db",
		"packet": "pkt", "milliseconds": "ms millis", "seconds": "sec", "temporary": "tmp temp", "password": "pass pwd",
		"number": "num count", "concurrent": "concurren parallel simultaneous", "parallel": "concurren parallel",
		"wait": "timeout delay", "format": "fmt", "directories": "dir", "threads": "worker", "workers": "thread",
		"pause": "delay sleep", "header": "hdr", "lines": "line row", "expression": "expr",
		"string": "str", "integer": "int", "error": "err", "command": "cmd", "process": "proc", "compression": "compress",
		"indentation": "indent", "encoding": "encod charset", "terminal": "term tty"} {
		byStem[Stem(word)] = strings.Fields(parts)
	}
	return byStem
})

// aboutAmounts are the words that say that an amount is asked for, and not of what.
var aboutAmounts = SetOf("max maximum limit limits limited cap ceiling min minimum least smallest largest " +
	"upper lower bound default defaults number count interval often frequently long timeout timeouts many most " +
	"allowed " +
	"valid set value values there before gives happens by kept wide width tall height deep depth big large size high " +
	"initial initially keep stay wait whats start starts started run runs open opens use uses used send sends " +
	"tries explicitly otherwise nested try may might two between " +
	"create creates spawn spawns listen listens allow allows accept accepts support supports take takes have hold holds")

// AmountOf returns what a message asks for by its words. It reports false if it asks for no amount, or does not say of
// what.
func AmountOf(message string) (x Amount, ok bool) {
	message = together.ReplaceAllString(untilItFails.ReplaceAllString(
		unconfigured.ReplaceAllString(Plain(message), " by default"), " of $1"), "concurrent")
	for _, q := range qualities {
		if q.asked.MatchString(message) {
			x.qualities = append(x.qualities, strings.Fields(q.parts))
		}
	}
	x.byDefault = byDefault.MatchString(message)
	x.numeric = numeric.MatchString(message)
	owner := ownerIn.FindString(message)
	if m := howManyOf.FindStringSubmatch(message); m != nil && owner != "" { // such as files, which are of any code
		x.Things = append(x.Things, Stem(strings.ToLower(m[1])))
	}
	for _, w := range Asked(message) {
		if !Weak[w] && !OfAnyCode[w] {
			x.words = append(x.words, Stem(w))
		}
		if !aboutAmounts[w] && !Weak[w] && !OfAnyCode[w] && !slices.Contains(x.Things, Stem(w)) {
			x.Things = append(x.Things, Stem(w))
		}
	}
	if owner != "" && len(x.Things) > 1 {
		x.Owner, x.AsksOfOwner = owner, ofOwner.MatchString(message)
		x.Things = slices.DeleteFunc(x.Things, func(thing string) bool { return thing == Stem(strings.ToLower(owner)) })
	}
	x.acronyms = acronymsOf(message, x.Things)
	return x, len(x.qualities) > 0 && (len(x.Things) > 0 || len(x.qualities) > 1) && asksAmount.MatchString(message)
}

// ownerIn matches a name that can only be one of code.
var ownerIn = lazyregexp.New(`\b\w*[a-z0-9][A-Z]\w*\b|\b[A-Za-z]\w*_\w+\b`)

var (
	ofOwner = lazyregexp.New(`(?i:^how (?:many|much|long|often|big|large|deep|wide|high|tall)\b)|(?i:^what(?: is` +
		`|'s|s)? ` +
		`the (?:default|max|maximum|min|minimum)\b.*\b(?:of|for|in) (?:the |an? )?)[A-Z]`) // of a type
	howManyOf = lazyregexp.New(`(?i)^how many (\w+)`)
)

// Declares returns the pattern of the lines that declare what has it.
func (x Amount) Declares() string {
	return `\b(?:class|struct|interface|trait|enum|type|def|fn|func|function|object|record|impl|module)\s+` +
		`(?:\([^)]*\)\s*)?(?:\w+[.:]+)?` +
		regexp.QuoteMeta(x.Owner) + `\b`
}

var byDefault = lazyregexp.New(`(?i)\bdefaults?\b|\binitial|\bout of the box\b|\b(?:what|which) port\b|` +
	`\bif (?:i|we|you|one|nobody|nothing|none)\b.* (?:set|sets|give|gives|specif\w+|choose|pass|say|configure|is)\b|` +
	`\bhow (?:many|long|often|big|large|wide|deep|high|tall|fast)\b`)

// acronymsOf returns the first acronyms of three or four words of a message that follow each other, such as fps.
func acronymsOf(message string, things []string) (found []acronym) {
	words := strings.Fields(strings.ToLower(nonLetters.ReplaceAllString(message, " ")))
	for from := range words {
		a := acronym{}
		for _, w := range words[from:min(from+4, len(words))] {
			a.letters += w[:1]
			if stem := Stem(w); slices.Contains(things, stem) {
				a.things = append(slices.Clone(a.things), stem)
			}
			if len(a.letters) >= 3 && len(a.things) >= 2 && len(found) < 4 {
				found = append(found, a)
			}
		}
	}
	return found
}

var nonLetters = lazyregexp.New(`[^A-Za-z]+`)

// asksAmount matches a question whose answer may be a number, and not how something is done.
var asksAmount = lazyregexp.New(`(?i)^(?:what(?: is| are|'s)?\b|which|is there|are there|the |an? |` +
	`how (?:many|much|long|often|frequently|large|big|high|wide|tall|deep|fast|old)|max|min|default|upper|lower` +
	`|number|` +
	`limit|by default|after how|to how|\w+(?: \w+){0,4}\?*$)`)

// Patterns match the lines that have a name with a quality and a thing, and those that give a name with a quality a
// value.
func (x Amount) Patterns() (named, inFiles string) {
	qualities, things := strings.Join(slices.Concat(x.qualities...), "|"), strings.Join(x.thingParts(), "|")
	named = fmt.Sprintf(`(?i)[a-z_]*(?:%s)[a-z_]*(?:%s)|[a-z_]*(?:%[2]s)[a-z_]*(?:%[1]s)`, qualities, things)
	if len(x.Things) == 0 {
		named = qualities
	}
	if len(x.qualities) > 1 {
		named += fmt.Sprintf(`|(?:%s)_?(?:%[1]s)`, qualities)
	}
	if x.byDefault && things != "" {
		named += fmt.Sprintf(`|(?:%s)[a-z_]*["')\]]*(?:\s*[:{][^=]*)?\s*(?:=|:)\s*["'\d(\[a-z]`, things)
	}
	return named, fmt.Sprintf(`(?i)(?:%s)[a-z_]*\b.*\d`, qualities)
}

// thingParts are all beginnings of parts of names for the things, for a pattern.
func (x Amount) thingParts() (parts []string) {
	for _, thing := range x.Things {
		parts = append(parts, regexp.QuoteMeta(thing))
		parts = append(parts, alsoNamed()[thing]...)
	}
	for _, a := range x.acronyms {
		parts = append(parts, a.letters)
	}
	return parts
}

// acronymOf reports whether a name has an acronym that stands for a thing.
func (x Amount) acronymOf(thing string, parts []string) bool {
	return slices.ContainsFunc(x.acronyms, func(a acronym) bool {
		return slices.Contains(a.things, thing) && slices.Contains(parts, a.letters)
	})
}
