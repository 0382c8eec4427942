package lexicon

import (
	"fmt"
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Case is a case that a question asks about: something fails, is missing or is too large.
type Case struct {
	Said   string   // pattern of how code says the case, "" if the question has no word for it
	Things []string // stems of what it is about
	Sure   bool     // a line with the pattern handles the case itself
	Vague  bool     // a line with the pattern may speak of any other failure
}

// happens matches a question for what happens in some case.
var happens = lazyregexp.New(`(?i)^(?:what|how|who)\b.*?\b(?:if|when(?:ever)?|once|after|in case|on)\b (.+)$|` +
	`^(?:how|who|what|where)\b.{0,30}\b(?:handles?|deals? with|recovers?|catch(?:es)?|survives?)\b (?:from )?(.+)$`)

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
	{lazyregexp.New(`(?i)\bmissing\b|\bnot (?:found|there|set|given|registered|known|defined|exist)|\bno\b|n't exist` +
		`|\bunknown\b|\babsent\b|\bundefined\b`),
		`not ?found|missing|no ?such|unknown|undefined|not exist|n't exist|no_?route`, false, false},
	{lazyregexp.New(`(?i)\bnot supported\b|\bunsupported\b`), `unsupported|not supported`, false, false},
	{lazyregexp.New(`(?i)\binvalid\b|\bmalformed\b|\bwrong\b|\bnot valid\b|\bbroken\b|\brejected\b`),
		`invalid|malformed|illegal|unexpected|reject`, false, false},
	{lazyregexp.New(`(?i)\btoo (?:large|big|long|many|deep|often|much|fast|frequently|high)\b|\blarger?\b|` +
		`\bbigger?\b|\bexceed|\blonger\b`),
		`too_?\s?(?:large|long|big|many|much|deep|fast)|exceed|max(?:imum|_|[A-Z])|over(?:flow|size)|\b413\b`, false, false},
	{lazyregexp.New(`(?i)\btimes? ?out\b|\btimed out\b|\btoo long\b|\bdeadline\b`), `time[d]?[ _-]?out|` +
		`deadline`, false, false},
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

// AsksExitCode reports whether a message asks with which status a program ends.
func AsksExitCode(message string) bool { return exitCode.MatchString(message) }

// WithoutExitCode returns a message without the words for the status with which a program ends.
func WithoutExitCode(message string) string { return exitCode.ReplaceAllString(message, " ") }

var exitCode = lazyregexp.New(`(?i)\b(?:exit|return|status)[ -](?:codes?|status(?:es)?|values?)\b|\bexits? with\b|` +
	`\bexits?\b.*\bnon-?zero\b`)

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
	text, near := strings.ToLower(line), strings.ToLower(near)
	own, around := 0, 0
	for _, thing := range c.Things {
		switch {
		case strings.Contains(text, thing):
			own++
		case strings.Contains(near, thing):
			around++
		}
	}
	says := c.Said != "" && regexp.MustCompile(`(?i)`+c.Said).MatchString(line)
	fails := fails.MatchString(line) && !commented.MatchString(line) && !declares.MatchString(line)
	rank = 4*own + 2*around
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
		return rank, fails && own > 1 && (own+around)*3 >= len(c.Things)*2
	}
	return rank, fails && says && (own > 0 && (own+around)*2 >= len(c.Things) || around*2 >= len(c.Things))
}

// declares matches a line that declares or imports what only has the name of a failure.
var declares = lazyregexp.New(`^\s*(?:(?:export|public|abstract|pub|final|static|default|internal|sealed) )*` +
	`(?:class|struct|enum|interface|trait|import|from|use|require\w*|module|type)\b|^\s*["']\w+["'],?$|^\s*\w+,$`)

// Exits matches a line that ends the program or says with which status it does.
const Exits = `os\.Exit\(|process\.exit|sys\.exit|System\.exit\(|Environment\.Exit|process::exit|\bexit!?\(\s*[\w-]|` +
	`(?i:\bexit_?codes?\b)|\bSystemExit\b|\bExitCode\b|\bEXIT_[A-Z]+|^\s*exit \d|\babort\b`

// SetsStatus ranks a line by whether it has the number of a status, or gives a name to one.
func SetsStatus(line string) (rank int) {
	if setsStatus.MatchString(line) {
		rank += 4
	}
	if assignsStatus.MatchString(line) {
		rank += 2
	}
	return rank
}

var (
	// setsStatus matches a line of code with the number of a status.
	setsStatus = lazyregexp.New(`(?i)^\s*[^\s/#*].*exit.*\b\d{1,3}\b`)
	// assignsStatus matches one that gives a name to it.
	assignsStatus = lazyregexp.New(`(?i)exit_?(?:code|status|failure|error)\w*\W*[=:]`)
)
