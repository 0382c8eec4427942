package embedded

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// amount is a question for a limit, a default or a number that the code sets. It looks for names that say so: such as
// maxRetries, whose parts are of a quality and of a thing.
type amount struct {
	qualities []string // beginnings of parts of names, in lower case
	things    []string // stems of the question's words, in their order
}

const (
	amountLines   = 400 // maximum number of lines that are looked at
	listedAmounts = 8
)

// qualities are the words of a question, and how parts of names that say so begin.
var qualities = []struct {
	asked *lazyregexp.Regexp
	parts string
}{
	{lazyregexp.New(`(?i)\b(?:max|maximum|upper (?:limit|bound)|limits?|limited|cap|ceiling|at most)\b`),
		"max limit cap upper"},
	{lazyregexp.New(`(?i)\b(?:min|minimum|lower (?:limit|bound)|at least)\b`), "min least lower"},
	{lazyregexp.New(`(?i)\bdefaults?\b`), "default"},
	{lazyregexp.New(`(?i)\b(?:how many|number of|count of)\b`), "max limit default count num size"},
	{lazyregexp.New(`(?i)\bhow (?:often|frequently)\b|\binterval\b`), "interval period every delay"},
	{lazyregexp.New(`(?i)\bhow long\b|\btime-?outs?\b`), "timeout time max duration delay interval ttl deadline expir"},
}

// alsoNamed are beginnings of parts of names that stand for a word of a question, by its stem.
var alsoNamed = sync.OnceValue(func() map[string][]string {
	byStem := map[string][]string{}
	for word, parts := range map[string]string{"port": "listen addr", "folder": "dir", "connection": "conn",
		"request": "req", "length": "len size", "size": "len bytes", "memory": "mem", "message": "msg",
		"retries": "retry attempt", "attempt": "retr", "depth": "level nest recurs", "address": "addr",
		"buffer": "buf", "parameter": "param arg", "argument": "arg"} {
		byStem[lexicon.Stem(word)] = strings.Fields(parts)
	}
	return byStem
})

// aboutAmounts are the words that say that an amount is asked for, and not of what.
var aboutAmounts = lexicon.SetOf("max maximum limit limits limited cap ceiling min minimum least smallest largest " +
	"upper lower bound default defaults number count interval often frequently long timeout timeouts many most allowed " +
	"valid set value values there before gives happens by kept")

// amountOf returns what a message asks for by its words; nil if it asks for no amount, or says not of what.
func amountOf(message string) instruction {
	message = lexicon.Plain(message)
	var x amount
	for _, q := range qualities {
		if q.asked.MatchString(message) {
			x.qualities = append(x.qualities, strings.Fields(q.parts)...)
		}
	}
	for _, w := range lexicon.Asked(message) {
		if !aboutAmounts[w] && !lexicon.Weak[w] {
			x.things = append(x.things, lexicon.Stem(w))
		}
	}
	if len(x.qualities) == 0 || len(x.things) == 0 || !asksAmount.MatchString(message) {
		return nil
	}
	return x
}

// asksAmount matches a question whose answer may be a number, and not how something is done.
var asksAmount = lazyregexp.New(`(?i)^(?:what (?:is|are)|is there|are there|the |an? |how (?:many|much|long|often|` +
	`frequently|large|big|high)|max|min|default|upper|lower|number|limit|\w+(?: \w+){0,4}\?*$)`)

func (x amount) next(p progress) step {
	searches := p.of("search_text")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": x.pattern(), "limit": amountLines,
			"include": notTests})}}
	}
	found := x.named(decode[countedText](&searches[0]).Matches)
	if !searches[0].OK || len(found) == 0 || !x.fits(found[0]) {
		return question{}.next(p)
	}
	text := "By their names, these are what you ask for:\n\n"
	for _, n := range found[:min(listedAmounts, len(found))] {
		text += fmt.Sprintf("- %s — %s:%d: %s\n", code(n.name), p.rel(n.File), n.Line,
			code(clip(strings.TrimSpace(n.Text))))
	}
	if more := len(found) - listedAmounts; more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return answerWith(text + "\nThis goes by names alone: rules don't know what the code does with them.\n")
}

// notTests are the files in which a list of code is looked for.
var notTests = []string{"!*test*", "!**/tests/**", "!**/test/**", "!**/examples/**", "!*.md", "!*.rst", "!*.lock",
	"!CHANGE*", "!package-lock.json"}

// pattern matches the lines with a name that has a quality and a thing.
func (x amount) pattern() string {
	qualities, things := strings.Join(x.qualities, "|"), strings.Join(x.thingParts(), "|")
	return fmt.Sprintf(`(?i)[a-z_]*(?:%s)[a-z_]*(?:%s)|[a-z_]*(?:%[2]s)[a-z_]*(?:%[1]s)`, qualities, things)
}

// thingParts are all beginnings of parts of names for the things, for a pattern.
func (x amount) thingParts() (parts []string) {
	for _, thing := range x.things {
		parts = append(parts, regexp.QuoteMeta(thing))
		parts = append(parts, alsoNamed()[thing]...)
	}
	return parts
}

// namedAmount is a name with a quality and things, and the line that tells most of it.
type namedAmount struct {
	edge
	name  string
	value bool // the line gives it a value
	fit   int  // number of things in the name
	last  bool // the last thing is in it
}

// named returns the names in lines that have a quality and a thing: those with most things first, and of each name the
// first line that gives it a value.
func (x amount) named(lines []edge) (found []*namedAmount) {
	byName := map[string]*namedAmount{}
	for _, line := range lines {
		for _, name := range identifiers.FindAllString(line.Text, -1) {
			n := x.fit(name)
			if n == nil {
				continue
			}
			n.edge, n.value = line, givesValue(line.Text, name)
			switch other := byName[name]; {
			case other == nil:
				byName[name], found = n, append(found, n)
			case n.value && !other.value:
				*other = *n
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *namedAmount) int {
		return cmp.Or(order(aside.MatchString(a.File))-order(aside.MatchString(b.File)), cmp.Compare(b.fit, a.fit),
			order(b.last)-order(a.last), order(b.value)-order(a.value))
	})
	return found
}

// fit returns how a name fits, nil if it lacks a quality or has none of the things.
func (x amount) fit(name string) *namedAmount {
	parts := partsOf(name)
	begins := func(beginnings ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool {
			return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(part, b) })
		})
	}
	n := &namedAmount{name: name}
	for i, thing := range x.things {
		if begins(append([]string{thing}, alsoNamed()[thing]...)...) {
			n.fit++
			n.last = i == len(x.things)-1
		}
	}
	if n.fit == 0 || !begins(x.qualities...) {
		return nil
	}
	return n
}

// fits reports whether a name has enough of the things: half of them, or the first or the last one with a value.
func (x amount) fits(n *namedAmount) bool {
	return n.fit*2 >= len(x.things) || n.value && n.last
}

var (
	identifiers = lazyregexp.New(`[A-Za-z_][\w-]*\w`)
)

// partsOf returns the words of a name in lower case, such as max and retries of maxRetries.
func partsOf(name string) (parts []string) {
	start := 0
	flush := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		c := name[i]
		upper := 'A' <= c && c <= 'Z'
		switch {
		case c == '_' || c == '-':
			flush(i)
			start = i + 1
		case upper && i > 0 && (isLower(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return parts
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// givesValue reports whether a line gives a name a value that can be read in it.
func givesValue(line, name string) bool {
	return regexp.MustCompile(regexp.QuoteMeta(name) + `\b["']?(?:\s+\d|[^=:]*[=:][^=:].*["'\d])`).MatchString(line)
}
