package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// ValueChange is an instruction to give something another value: what it is called, the value that it has, "" if that
// is not said, and the one that it shall have.
type ValueChange struct{ Of, From, To string }

// literalValue matches a value as people write it.
const literalValue = "(`[^`]+`|\"[^\"]*\"|'[^']*'|-?\\d[\\w.%]*|true|false|none|null|nil|on|off)"

var setsValue = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)^(?:change|set|make|raise|lower|increase|decrease|reduce|bump|update|switch|turn|adjust` +
		`|replace|put)(?: the)?` +
		` (.+?) from ` + literalValue + ` (?:up |down |back )?(?:to|into|by|with) (?:be )?` + literalValue + `$`),
	lazyregexp.New(`(?i)^(?:change|set|make|raise|lower|increase|decrease|reduce|bump|update|switch|turn|adjust` +
		`|put)(?: the)?` +
		` (.+?),? (?:up |down |back )?(?:to|as|at) (?:be )?` + literalValue + `$`),
	lazyregexp.New(`(?i)^(?:change|set|make|let)(?: the)? ((?:.+ )?(?:default|max|maximum|min|minimum|limit` +
		`|timeout|size|number)\b.*?)(?: be)? ` +
		literalValue + `(?: instead(?: of ` + literalValue + `)?)$`),
}

var anyNumber = lazyregexp.New(`-?\b\d[\d_.]*\b`)

// ValueChangeOf returns the change of a value that a message instructs.
func ValueChangeOf(message string) (c ValueChange, ok bool) {
	message = Strip(Unwrapped(message), SentenceEnd)
	for i, pattern := range setsValue {
		m := pattern.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		c = ValueChange{Of: strings.TrimPrefix(m[1], "value of "), To: m[2]}
		switch i {
		case 0:
			c.From, c.To = m[2], m[3]
		case 2:
			c.From = m[3]
		}
		c.From, c.To = strings.Trim(c.From, "`\"'"), strings.Trim(c.To, "`\"'")
		return c, c.From != c.To
	}
	return ValueChange{}, false
}

// Amount returns the amount that is given another value.
func (c ValueChange) Amount() (Amount, bool) {
	var words []string
	for _, name := range Identifiers(c.Of) {
		words = append(words, partsOf(name)...)
	}
	of := strings.Join(words, " ")
	x, ok := AmountOf("what is the " + of)
	if !ok {
		x, ok = AmountOf("what is the default " + of)
	}
	x.byDefault = true
	return x, ok
}

// In returns a line in which the value that a name is given is another one. It reports false if the line has no such
// value, or has it more than once behind the name.
func (c ValueChange) In(line string, g Given) (changed string, ok bool) {
	from := c.From
	if from == "" {
		from = strings.Trim(g.Value, "\"'`")
		if numbers := anyNumber.FindAllString(g.Value, -1); len(numbers) == 1 {
			from = strings.TrimSpace(numbers[0]) // within what makes it a value
		}
	}
	if i := strings.Index(g.Value, from); from == "" || i < 0 || strings.Count(g.Value, from) != 1 {
		return "", false
	}
	at := strings.LastIndex(line, g.Value)
	if at < 0 || strings.Count(line, g.Value) > 1 && strings.Index(line[max(0, strings.Index(line, g.Name)):],
		g.Value) < 0 {
		return "", false
	}
	if behind := strings.Index(line, g.Name); behind >= 0 && behind < at {
		at = behind + len(g.Name) + strings.Index(line[behind+len(g.Name):], g.Value)
	}
	return line[:at] + strings.Replace(g.Value, from, c.To, 1) + line[at+len(g.Value):], true
}
