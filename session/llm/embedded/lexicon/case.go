package lexicon

import "ploke-lsp/internal/lazyregexp"

// Case is a case that a question asks about: something fails, is missing or is too large.
type Case struct {
	Said   string   // pattern of how code says the case
	Things []string // stems of what it is about
	Sure   bool     // a line with the pattern handles the case itself
}

// happens matches a question for what happens in some case.
var happens = lazyregexp.New(`(?i)^(?:what|how|who)\b.*?\b(?:if|when(?:ever)?|once|after|in case|on)\b (.+)$|` +
	`^(?:how|who|what|where)\b.{0,30}\b(?:handles?|deals? with|recovers?|catch(?:es)?|survives?)\b (?:from )?(.+)$`)

// cases are the words of a question for a case, and a pattern of how code says it.
var cases = []struct {
	asked *lazyregexp.Regexp
	said  string
	sure  bool
}{
	{lazyregexp.New(`(?i)\bpanic(?:s|ked|king)?\b`), `\brecover\(\)|catch_unwind\(|\bCatchPanic\b`, true},
	{lazyregexp.New(`(?i)\btwice|\bduplicate|\bsame\b|\balready\b|\boverlap|\bconflict|\bclash|\bcollide`),
		`already|duplicate|existing|twice|conflict|overlap|redeclar|redefin`, false},
	{lazyregexp.New(`(?i)\bmissing\b|\bnot (?:found|there|set|given|registered|known|defined|exist)|\bno\b|n't exist` +
		`|\bunknown\b|\babsent\b|\bundefined\b`),
		`not ?found|missing|no ?such|unknown|undefined|not exist|n't exist|no_?route`, false},
	{lazyregexp.New(`(?i)\bnot supported\b|\bunsupported\b`), `unsupported|not supported`, false},
	{lazyregexp.New(`(?i)\binvalid\b|\bmalformed\b|\bwrong\b|\bnot valid\b|\bbroken\b|\brejected\b`),
		`invalid|malformed|illegal|unexpected|reject`, false},
	{lazyregexp.New(`(?i)\btoo (?:large|big|long|many|deep)\b|\blarger?\b|\bbigger?\b|\bexceed|\blonger\b`),
		`too ?(?:large|long|big|many|deep)|exceed|over(?:flow|size)|\b413\b`, false},
	{lazyregexp.New(`(?i)\btimes? ?out\b|\btimed out\b|\btoo long\b|\bdeadline\b`), `time[d]?[ _-]?out|deadline`, false},
	{lazyregexp.New(`(?i)\bfail(?:s|ed|ure)?\b|\berrors?\b|\bthrows?\b|\braises?\b`),
		`fail|error|exception|throw|raise|abort`, false},
	{lazyregexp.New(`(?i)\bcrash(?:es|ed)?\b|\bdies?\b|\bdisconnects?\b|\bgoes down\b`),
		`crash|\bexit|terminat|:DOWN|disconnect|\bon_?close|restart`, false},
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
		x := Case{Said: c.said, Sure: c.sure}
		for _, w := range Asked(c.asked.ReplaceAllString(m[1]+m[2], " ")) {
			if !Weak[w] {
				x.Things = append(x.Things, Stem(w))
			}
		}
		if x.Sure || len(x.Things) > 0 {
			return x, true
		}
	}
	return Case{}, false
}
