package lexicon

import (
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// AmountFit is how a name in a line fits an amount.
type AmountFit struct {
	Value     int // that the line gives it: 3 for a number, 2 for another one that can be read, 1 for none, 0 for no value
	Exact     int // things in the name by the question's own word
	More      int // parts of the name that the question has no word for
	Things    int // in the name or in that of its file
	Named     int // things in the name
	Qualities int
	Words     int // of the question that the name has as they are
}

// Fit returns how a name in a line of a file fits. It reports false if the name lacks a quality, or has too few of the
// things: fewer than half of them, and not the last one, which is most often what the question is about; or if it has
// no value in the line and lacks something that is asked for. A name of several qualities needs no thing.
func (x Amount) Fit(name, line, file string) (fit AmountFit, ok bool) {
	parts := partsOf(name)
	fit, last := x.counted(parts, name, line, file)
	fit.More = max(0, len(parts)-fit.Named-x.qualityParts(parts))
	whole := fit.Qualities == len(x.qualities)
	if !commented.MatchString(line) || saysDefault.MatchString(line) || defines.MatchString(line) {
		if fit.Value = givesValue(line, name); !x.byDefault && !digit.MatchString(line) {
			fit.Value = 0 // a limit is a number
		}
	}
	if givesNone(line, name) || x.numeric && givesWord(line, name) {
		return fit, false
	}
	if fit.Value == 0 {
		opens := x.byDefault && fit.Qualities > 0 && fit.Named == len(x.Things) && fit.More == 0 && Opens(line)
		return fit, fit.Things == len(x.Things) && whole || opens
	}
	if x.byDefault && fit.Things == len(x.Things) && last {
		return fit, true // what is declared with a value has it by default
	}
	about := len(x.Things) > 0 && (fit.Things*2 >= len(x.Things) || last)
	return fit, fit.Qualities > 0 && about || whole && x.qualityParts(parts) > 1
}

// counted returns how many qualities, words and things a name of some parts has, or its line and its file. last reports
// whether it has the last thing.
func (x Amount) counted(parts []string, name, line, file string) (fit AmountFit, last bool) {
	fileParts := partsOf(file)
	for _, quality := range x.qualities {
		fit.Qualities += toInt(begin(parts, quality))
	}
	for _, word := range x.words {
		fit.Words += toInt(begin(parts, []string{word}))
	}
	for _, thing := range x.Things {
		beginnings := append([]string{thing}, alsoNamed()[thing]...)
		if last = begin(parts, beginnings) || x.acronymOf(thing, parts); last {
			fit.Named++
			fit.Exact += toInt(begin(parts, []string{thing}))
		}
		if last || begin(fileParts, beginnings) || x.byDefault && inOther(line, name, thing) {
			fit.Things++
		}
	}
	return fit, last
}

// inOther reports whether another name in a line has a thing, such as that of the type whose argument a name is.
func inOther(line, name, thing string) bool {
	return slices.ContainsFunc(Identifiers(line), func(other string) bool {
		return other != name && len(thing) >= certain && strings.HasPrefix(strings.ToLower(other), thing)
	})
}

var (
	commented   = lazyregexp.New(`^\s*(?://|#|\*|/\*|--|"""|;)`)
	defines     = lazyregexp.New(`^\s*#\s*define\b`)
	saysDefault = lazyregexp.New(`(?i)\bdefaults? (?:to|is)\b`)
)

var digit = lazyregexp.New(`\d`)

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// qualityParts returns how many parts of a name say a quality that is asked for.
func (x Amount) qualityParts(parts []string) (n int) {
	for _, part := range parts {
		if begin([]string{part}, slices.Concat(x.qualities...)) {
			n++
		}
	}
	return n
}

// begin reports whether one of some words has one of some beginnings.
func begin(words, beginnings []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(word, b) })
	})
}

// Identifiers returns the names in a line.
func Identifiers(line string) []string { return identifiers.FindAllString(line, -1) }

var identifiers = lazyregexp.New(`[A-Za-z_]\w*`)

// PartsOf returns the parts of a name in lower case.
func PartsOf(name string) []string { return partsOf(name) }

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

// givesValue returns what a line gives a name, as in [AmountFit].Value, perhaps behind its type. A name in the middle
// of a text is given nothing.
func givesValue(line, name string) int {
	quoted := regexp.QuoteMeta(name)
	if regexp.MustCompile(`^\s*#\s*define\s+` + quoted + `\s+\(?-?\d`).MatchString(line) {
		return 3
	}
	at := regexp.MustCompile(`(?:^|[^\w"'])(` + quoted + `)\b|["'](` + quoted + `)["']`).FindStringSubmatchIndex(line)
	if at == nil || at[2] >= 0 && strings.Count(line[:at[2]], `"`)%2 == 1 {
		return 0
	}
	rest := line[max(at[3], at[5]):]
	for i, value := range []*lazyregexp.Regexp{numberValue, shownValue, plainValue} {
		if value.MatchString(rest) {
			return 3 - i
		}
	}
	return 0
}

// givesNone reports whether what a line gives a name is none of a limit or a default: a counter starts at 0, a text
// that is the name itself is only a key, and several variables at once are a function's own.
func givesNone(line, name string) bool {
	quoted := regexp.QuoteMeta(name)
	return regexp.MustCompile(`\b(?:let|var)\s+(?:mut\s+)?`+quoted+typedAs+`0\b[;,]*\s*$`).MatchString(line) ||
		regexp.MustCompile(`(?:,\s*`+quoted+`|\b`+quoted+`\s*,[\w\s,]*)\s*:?=`).MatchString(line) ||
		counter.MatchString(name) && regexp.MustCompile(`\b`+quoted+typedAs+`0\b[;,)]*\s*$`).MatchString(line) ||
		regexp.MustCompile(`\b`+quoted+typedAs+`["']`+quoted+`["']`).MatchString(line) ||
		regexp.MustCompile(`\b(?:self|this|\$this)\b.*(?:\.|->)`+quoted+`\s*=\s*`+quoted+`\b`).MatchString(line) // a setter
}

// givesWord reports whether a line gives a name a text without a number, or a truth value.
func givesWord(line, name string) bool {
	m := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `["']?` + typedAs + `(?:["']([^"'\d]*)["']|[Tt]rue\b` +
		`|[Ff]alse\b)`).
		FindStringSubmatch(line)
	return m != nil && !endless.MatchString(m[1])
}

// numeric matches a question whose answer is a number or a time.
var numeric = lazyregexp.New(`(?i)\b(?:size|sizes|how (?:many|much|often|long|big|large|deep|wide|high|tall|fast` +
	`|frequently)|interval|` +
	`time-?outs?|max|maximum|min|minimum|limit|number of|count of|port|width|height|depth)\b`)

var counter = lazyregexp.New(`(?i)(?:count(?:er)?|index|total|attempts?|tries|done)$`)

// typedAs matches what stands between a name and its value.
const typedAs = `(?:\s*:\s*\w+)?\s*(?:=|:=|:)\s*`

// These match a value behind its name: a number, or what a comment says of a default; another text; or none. A type may
// stand before it.
var (
	numberValue = lazyregexp.New(typed + `(?:[(\[]?\s*-?\.?\d|[\w.:]+\((?:\w+\s*=)?\s*\d|` +
		`(?:[\w.:?\[\]]+\s*(?:\|\||\?\?|\?.*:|\?|\*|or)\s*)+\d)|^.*\b[dD]efaults? (?:to|is)\b.{0,20}\d`)
	shownValue = lazyregexp.New(typed + `(?:["']|[(\[]\s*["']|[A-Z]\w*(?:\.|::)[A-Z]\w*\b)`)
	plainValue = lazyregexp.New(typed + `(?:true|false|True|False|nil|null|None)\b`)
)

const typed = `^["']?[)\]]*(?:\s*\{[^}]*\})?(?::\s*[^=:;{}]{1,40}?)?(?:\s+[\w.*\[\]]+)?\s*(?:=|:=|=>|:)\s*`
