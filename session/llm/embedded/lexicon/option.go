package lexicon

import (
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// OptionIn returns the name of an option that a message has as users write it, such as history-limit or --jobs; "" if
// it has none.
func OptionIn(message string) string {
	for _, m := range optionName.FindAllStringSubmatch(message, -1) {
		if name := m[1] + m[2]; !compounds.MatchString(name) {
			return name
		}
	}
	return ""
}

var (
	optionName = lazyregexp.New("(?:^|[\\s\"'`(])(?:--([a-z][\\w-]+)|([a-z][a-z0-9]+(?:-[a-z0-9]+)+))")
	compounds  = lazyregexp.New(`^(?:built|read|write|non|up|thread|so|re|pre|post|multi|single|sub|self|third|first|` +
		`second|top|low|high|real|user|auto|case|long|short|open|well|in|out|run|check|look|set|sign|log)-\w+$`)
)

// FlagIn returns the name of an option that a message has behind two dashes, "" if it has none.
func FlagIn(message string) string {
	if m := flagName.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

var flagName = lazyregexp.New("(?:^|[^\\w-])--([a-z][\\w-]+)")

// OptionPattern matches the lines that have the name of an option in quotes, or as the head of an entry.
func OptionPattern(name string) string {
	return "[\"'`]-{0,2}" + regexp.QuoteMeta(name) + "\\b|^\\s*" + regexp.QuoteMeta(name) + `\s*[:=]`
}

// SaysValues returns how many of a line with the name of an option and of those behind it, in its entry, say a value.
func SaysValues(line string, after []string) (n int) {
	for _, l := range append([]string{line}, after[:EntryLines(after)]...) {
		if valueOfOption.MatchString(l) {
			n++
		}
	}
	return n
}

// EntryLines returns how many lines belong to the entry of an option: those up to the next one, or to the end of a
// block.
func EntryLines(after []string) int {
	for i, l := range after {
		if text := strings.TrimSpace(l); text == "" || entryEnds.MatchString(text) {
			return i
		}
	}
	return len(after)
}

var (
	valueOfOption = lazyregexp.New(`(?i:\b(?:\w*default\w*|minimum|maximum|min(?:_value)?|max(?:_value)?)\b["']?\s*` +
		`[:=(]\s*)` +
		`(?:["'\d-]|[A-Z][A-Z_]{2,}\b|[Tt]rue|[Ff]alse)|(?i:\bdefaults? (?:to|is|value)\b|\bdefault: ?\w)`)
	entryEnds = lazyregexp.New(`^[})\]]+[,;)]*$|^["'` + "`" + `]-{0,2}[a-z][\w-]+["'` + "`" + `]\s*[:=,]|\.name\s*=`)
)

// Options returns the pattern of the lines with the name of an option that has a thing of an amount.
func (x Amount) Options() string {
	return "[\"'`]-{0,2}(?:\\w+-)*(?:" + strings.Join(x.thingParts(), "|") + ")[\\w-]*[\"'`]"
}

// BetterOption returns the option in a line that fits an amount better than another one, else the other one. One fits
// if it has all things, or one and a limit that is asked for.
func (x Amount) BetterOption(other, line string) string {
	best, fit := other, x.optionFit(other)
	for _, m := range quotedOption.FindAllStringSubmatch(line, -1) {
		if n := x.optionFit(m[1]); n > fit {
			best, fit = m[1], n
		}
	}
	return best
}

var quotedOption = lazyregexp.New("[\"'`]-{0,2}([a-z]\\w*(?:-\\w+)+)[\"'`]")

func (x Amount) optionFit(name string) (fit int) {
	parts, things := partsOf(name), 0
	for _, thing := range x.Things {
		things += toInt(begin(parts, append([]string{thing}, alsoNamed()[thing]...)))
	}
	limits := 0
	for _, quality := range x.qualities {
		limits = max(limits, toInt(begin(parts, quality)))
	}
	if things == 0 || things < len(x.Things) && limits == 0 {
		return 0
	}
	return 2*things + limits
}
