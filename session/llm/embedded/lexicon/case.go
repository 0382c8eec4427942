package lexicon

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Case is a case that a question asks about: something fails, is missing or is too large.
type Case struct {
	Said   string   // pattern of how code says the case, "" if the question has no word for it
	Things []string // stems of what it is about
	Sure   bool     // a line with the pattern handles the case itself
	Vague  bool     // a line with the pattern may speak of any other failure
	Caught bool     // what handles it is asked for, and no line that reports it
}

// happens matches a question for what happens in some case.
var happens = lazyregexp.New(`(?i)^(?:what|how|who)\b.*?\b(?:if|when(?:ever)?|once|after|in case|on)\b (.+)$|` +
	`^(?:how|who|what|where)\b.{0,30}\b(?:handles?|deals? with|recovers?|catch(?:es)?|survives?)\b (?:from )?(.+)$`)

// throwsAny matches a case in which something fails in whatever way.
var throwsAny = lazyregexp.New(`(?i)^(.+?) (?:throws?|raises?)(?: (?:an?|some|any))*(?: (?:exceptions?|errors?))?$`)

// cases are the words of a question for a case, and a pattern of how code says it.
var cases = []struct {
	asked *lazyregexp.Regexp
	said  string
	sure  bool
	vague bool
}{
	{lazyregexp.New(`(?i)\bpanic(?:s|ked|king)?\b`), `\brecover\(\)|catch_unwind\(|\bCatchPanic\b`, true, false},
	{lazyregexp.New(`(?i)\btwice|\bduplicate|\bsame\b|\balready\b|\boverlap|\bconflict|\bclash|\bcollide`),
		`already|duplicate|existing|twice|conflict|overlap|redeclar|redefin`, false, false},
	{lazyregexp.New(`(?i)\bnon-?zero\b|\bexits? with\b`),
		`non-?_?zero|exit(?:ed|s)? with|terminated with|exit_?(?:code|status)`, false, true},
	{lazyregexp.New(`(?i)\btimes? ?out\b|\btimed out\b|\btoo long\b|\bdeadline\b|\bin time\b|\btoo late\b`),
		`time[d]?[ _-]?out|deadline`, false, false},
	{lazyregexp.New(`(?i)\bmissing\b|\bnot (?:set|given|provided|passed)\b|\babsent\b`),
		`missing|not ?found|not exist|n't exist|not (?:given|provided|set|specified)`, false, false},
	{lazyregexp.New(`(?i)\bnot (?:found|there|registered|known|defined|exist)|\bno\b|n't exist`),
		`not ?found|missing|no ?such|not exist|n't exist|no_?route`, false, false},
	{lazyregexp.New(`(?i)\bunknown\b|\bundefined\b|\bunrecogni[sz]ed\b`),
		`unknown|undefined|unrecogni[sz]ed|not ?found|no ?such|not exist|n't exist`, false, false},
	{lazyregexp.New(`(?i)\bnot supported\b|\bunsupported\b`), `unsupported|not supported`, false, false},
	{lazyregexp.New(`(?i)\binvalid\b|\bmalformed\b|\bwrong\b|\bnot valid\b|\bbroken\b|\brejected\b`),
		`invalid|malformed|illegal|unexpected|reject`, false, false},
	{lazyregexp.New(`(?i)\btoo (?:large|big|long|many|deep|often|much|fast|frequently|high)\b|\blarger?\b|` +
		`\bbigger?\b|\bexceed|\blonger\b`),
		`too_?\s?(?:large|long|big|many|much|deep|fast)|exceed|max(?:imum|_|[A-Z])|over(?:flow|size)|\b413\b`, false, false},
	{lazyregexp.New(`(?i)\bfail(?:s|ed|ure)?\b|\berrors?\b|\bthrows?\b|\braises?\b`),
		`fail|error|exception|throw|raise|abort`, false, true},
	{lazyregexp.New(`(?i)\bcrash(?:es|ed)?\b|\bdies?\b|\bdisconnects?\b|\bgoes down\b`),
		`crash|\bexit|terminat|:DOWN|disconnect|\bon_?close|restart`, false, true},
}

// CaseOf returns the case that a message asks about. It reports false if it asks about none, or says not of what.
func CaseOf(message string) (Case, bool) {
	m := happens.FindStringSubmatch(Plain(message))
	if m == nil {
		return Case{}, false
	}
	if t := throwsAny.FindStringSubmatch(m[1] + m[2]); t != nil {
		things := Stems(t[1])
		return Case{Said: `\bcatch\b|\bexcept\b|\brescue\b`, Things: things, Caught: true}, len(things) > 0
	}
	for _, c := range cases {
		if !c.asked.MatchString(m[1] + m[2]) {
			continue
		}
		x := Case{Said: c.said, Sure: c.sure, Vague: c.vague, Things: Stems(c.asked.ReplaceAllString(m[1]+m[2], " "))}
		if x.Sure || len(x.Things) > 0 {
			return x, true
		}
	}
	x := Case{Things: Stems(m[1] + m[2])}
	return x, len(x.Things) > 1 && AsksWhatHappens(message)
}

// Stems returns the stems of the words of a text that say something about the code.
func Stems(text string) (stems []string) {
	for _, w := range Asked(text) {
		if !Weak[w] {
			stems = append(stems, Stem(w))
		}
	}
	return stems
}

// AsksWhatHappens reports whether a message begins as questions for a case do.
func AsksWhatHappens(message string) bool { return whatHappens.MatchString(Plain(message)) }

var whatHappens = lazyregexp.New(`(?i)^what (?:happens|will happen|would happen|does (?:it|this|the \w+) do|if)\b`)

// fails matches a line that reports a failure or ends what goes on.
var fails = lazyregexp.New(FailsPattern)

// FailsPattern is the pattern of the lines that report a failure or end what goes on.
const FailsPattern = `\b(?:raise|throw|panic!?|abort|reject|bail!|Err|errors?|err|[Ee]rrorf|die|fail\w*|warn\w*|` +
	`exit|fatal\w*)\b|` +
	`[a-z](?:Error|Exception|Err)\b|Error\(|Exception\(`

// Pattern matches the lines with the case and a thing, and those that report a failure with one of both.
func (c Case) Pattern() string {
	var things []string
	for _, thing := range c.Things {
		things = append(things, regexp.QuoteMeta(thing))
	}
	about := strings.Join(things, "|")
	if c.Said == "" {
		return fmt.Sprintf(`(?:%s).*(?i:%s)`, FailsPattern, about)
	}
	return fmt.Sprintf(`(?i:(?:%s).*(?:%s)|(?:%[2]s).*(?:%[1]s))|(?:%[3]s).*(?i:%[1]s|%[2]s)`, c.Said, about,
		FailsPattern)
}

// Rank ranks a line by the things that it and what is near it name, by the case, and by how it reports it. It reports
// the case if it speaks of most things, and names one itself or the case.
func (c Case) Rank(line, near string) (rank int, reports bool) {
	own, around := c.named(line, near)
	says := c.Said != "" && regexp.MustCompile(`(?i)`+c.Said).MatchString(line)
	fails := fails.MatchString(line) && !commented.MatchString(line) && !declares.MatchString(line) &&
		!checks.MatchString(line)
	rank = 4*own + 2*around
	if c.Caught {
		return rank, false
	}
	if commented.MatchString(line) {
		rank -= 3
	}
	for _, more := range []struct {
		is bool
		by int
	}{{says, 3}, {fails, 3}, {strings.ContainsAny(line, "\"'`"), 1}} {
		if more.is {
			rank += more.by
		}
	}
	if c.Said == "" || c.Vague {
		return rank, fails && raises.MatchString(line) && own > 1 && own+around == len(c.Things)
	}
	return rank, fails && says && (own > 0 && (own+around)*2 >= len(c.Things) || around*2 >= len(c.Things))
}

// named returns how many of the things a line has, and how many others what is near it.
func (c Case) named(line, near string) (own, around int) {
	for _, thing := range c.Things {
		switch {
		case HasPart(line, thing):
			own++
		case HasPart(near, thing):
			around++
		}
	}
	return own, around
}

// Lacks reports whether a line and what is near it lack a thing.
func (c Case) Lacks(line, near string) bool {
	own, around := c.named(line, near)
	return own+around < len(c.Things)
}

// Speaks reports whether a line speaks of the case: it has one of its things, together with what is near it most of
// them, and says the case if that has a word.
func (c Case) Speaks(line, near string) bool {
	own, around := c.named(line, near)
	if c.Said != "" {
		return own > 0 && (own+around)*2 >= len(c.Things) && regexp.MustCompile(`(?i)`+c.Said).MatchString(line)
	}
	return own > 0 && (own+around)*3 >= len(c.Things)*2
}

// Without returns the case without a thing, such as the project that it happens in.
func (c Case) Without(name string) Case {
	c.Things = slices.DeleteFunc(slices.Clone(c.Things), func(thing string) bool {
		return len(c.Things) > 1 && thing == Stem(strings.ToLower(name))
	})
	return c
}

// Decides reports whether a line ends with a failure what goes on, or leaves the program.
func Decides(line string) bool {
	return (raises.MatchString(line) || leaves.MatchString(line)) && !commented.MatchString(line) &&
		!declares.MatchString(line)
}

var leaves = lazyregexp.New(`\b(?:os\.Exit|sys\.exit|process\.exit|exit)\(|^\s*return (?:nil, )?(?:err\b|Err\()` +
	`|\bwarn\w*!?\(|\.error\(`)

// raises matches a line that ends with a failure what goes on, rather than to name one.
var raises = lazyregexp.New(`\b(?:raise|throw|panic!?|abort|reject|bail!|die|fatal\w*|Errorf|fail\w*!?)\b|Error\(|` +
	`Exception\(|\bErr\(|errors\.New\(`)

// checks matches a line that looks which failure has come.
var checks = lazyregexp.New(`\binstanceof\b|\bisinstance\(|^\W*(?:catch|except|rescue)\b|\berrors\.(?:Is|As)\(` +
	`|\bis_a\?`)

// declares matches a line that declares or imports what only has the name of a failure.
var declares = lazyregexp.New(`^\s*(?:(?:export|public|abstract|pub|final|static|default|internal|sealed) )*` +
	`(?:class|struct|enum|interface|trait|import|from|use|require\w*|module|type)\b|^\s*["']\w+["'],?$|^\s*\w+,$` +
	`|\brequire\(["']`)
