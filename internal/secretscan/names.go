package secretscan

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// name is a part of a name to which secrets are assigned.
type name struct {
	part  string // in lower case
	whole bool   // only as a separate word, as in db_pass or dbPass
	// people choose such secrets, so a word with digits, or random letters, may be one
	chosen bool
}

var names = []name{
	{part: "password", chosen: true}, {part: "passwd", chosen: true}, {part: "passphrase", chosen: true}, {part: "pwd", chosen: true},
	{part: "requirepass", chosen: true}, {part: "storepass", chosen: true},
	{part: "pass", whole: true, chosen: true}, {part: "pw", whole: true, chosen: true}, {part: "psk", whole: true, chosen: true},
	{part: "pgpass", whole: true, chosen: true},
	{part: "secret"}, {part: "token"}, {part: "credential"},
	{part: "api_key"}, {part: "apikey"}, {part: "api-key"},
	{part: "access_key"}, {part: "accesskey"}, {part: "access-key"},
	{part: "private_key"}, {part: "privatekey"}, {part: "private-key"},
	{part: "auth_key"}, {part: "authkey"}, {part: "auth-key"}, {part: "app_key"}, {part: "appkey"},
	{part: "encryption_key"}, {part: "signing_key"}, {part: "master_key"}, {part: "logged_in_key"}, {part: "nonce_key"},
	{part: "_salt"}, {part: "key-data"}, {part: "auth", whole: true},
}

func nameTriggers() (all []trigger) {
	for _, n := range names {
		all = append(all, trigger{word: n.part, fold: true, find: n.find, separators: valueSeparators})
	}
	return all
}

// find returns the value that is assigned to the name whose part is at an offset.
func (n name) find(text string, at int) []Span {
	end := at + len(n.part)
	if n.whole && !separate(text, at, end) {
		return nil
	}
	value, how := valueOf(text, at, end)
	if how == nowhere || !how.holds(text[value.Start:value.End], n.chosen) {
		return nil
	}
	return []Span{extended(text, value, end+longestValue)}
}

// longestValue is the length in bytes of the text after a name that is looked at. A longer
// value goes on to the end of its word.
const longestValue = 320

const valueSeparators = " \t\r\n\"'`(){}[]<>;,&|\\"

// separate reports whether a range is a word within a name, as in db_pass or dbPass.
func separate(text string, start, end int) bool {
	lower := func(i int) bool { return 'a' <= text[i] && text[i] <= 'z' }
	letter := func(i int) bool { return lower(i) || 'A' <= text[i] && text[i] <= 'Z' }
	switch {
	case end < len(text) && letter(end) && (lower(end) || !lower(end-1)):
		return false
	case start == 0 || !letter(start-1):
		return true
	}
	return !lower(start) && lower(start-1) || text[start:end] == "PASS" ||
		strings.EqualFold(text[max(0, start-2):start], "pg") ||
		text[start:end] == "pass" && strings.HasSuffix(text[:start], "db")
}

// how says how a value is assigned to a name, which decides how random it must look.
type how int

const (
	nowhere  how = iota
	quoted       // as a literal: password = "…"
	onLine       // as a line of its own: password: …
	inText       // among other text: --password=…, password=… host=db
	inString     // beside a name, or in an expression: storePassword "…", get("X", "…")
)

var (
	// signs matches what assigns a value to a name. The groups say in which way.
	toLiteral = lazyregexp.New("^[\\w-]{0,40}(?:\\[\\d*\\])?[\"'`]?\\]?" +
		"(?:" +
		// assignment
		"(?:[ \\t]*:[ \\t]*[&*]?[\\w.<>]+|[ \\t]+As[ \\t]+\\w+|[ \\t]+[\\w.]+)?[ \\t]*(?::=|=>|\\|\\|=|\\?\\?=|:|=)[ \\t]*" +
		"|\\([ \\t]*" + // call
		"|[ \\t]*,[ \\t]*(?:[\"']?[vV]alue[\"']?[ \\t]*[:=][ \\t]*)?" + // argument, or a pair of name and value
		"|[ \\t]+value[ \\t]*=[ \\t]*" + // attribute
		"|\"?[ \\t]*\\r?\\n[ \\t]*value[ \\t]*:[ \\t]*" + // Kubernetes
		"|\"[ \\t]*\\{[^{}]{0,200}?\\bdefault[ \\t]*=[ \\t]*" + // Terraform
		")" +
		"(?:[a-zA-Z@$]{0,2}[\"'`]([^\\s\"'`…\\x{fffd}]{8,})(?:[\"'`…]|$)|\\[\\[([^\\s\\]]{8,})\\]\\])")
	// toElement matches the text of an XML element.
	toElement = lazyregexp.New("^[\\w-]{0,40}[\"']?>(?:<value>|<!\\[CDATA\\[)?([^\\s<>\\]]{8,})(?:<|\\]\\]>)")
	// inExpression matches a literal after another one in the expression that is assigned:
	// a default.
	inExpression = lazyregexp.New("^[\\w-]{0,40}[ \\t]*(?::=|=>|:|=)[ \\t]*[^\\s\"'`][^\\n\"'`]{0,80}" +
		"(?:[\"'`][^\\n\"'`]{0,40}[\"'`][ \\t]*(?:,|\\|\\||\\?\\?|or|\\))[^\\n\"'`]{0,20})[\"'`]([^\\s\"'`]{16,})[\"'`]")
	// beside matches a literal beside a name.
	beside = lazyregexp.New("^[\\w-]{0,40}[ \\t]+[\"']([^\\s\"'`…\\x{fffd}]{8,})[\"']")
	// toLine matches the value of a setting on a line of its own, or on the next.
	toLine = lazyregexp.New("^[\\w-]{0,40}[ \\t]*[:=](?:[ \\t]*[>|][+-]?[ \\t]*\\r?\\n)?[ \\t]*" +
		"([^\\s\"'`(){}\\[\\]<>;,\\\\\\x{fffd}]{8,})[ \\t]*\\r?(?:\\n|$)")
	// toWord matches a value among other text.
	toWord = lazyregexp.New("^[\\w-]{0,40}(?:[:=][ ]?|[ ]is[ ]|[ ])" +
		"([^\\s\"'`(){}\\[\\]<>;,&|\\\\\\x{fffd}]{8,}?)(?:[.,;]?(?:[\\s&;\"'`<|…]|$))")
	// expression matches expressions of programming languages, which are not secrets.
	expression = lazyregexp.New(`^[*&!]?\w+(?:\.\w+)+$`)
)

// valueOf returns the value assigned to the name whose part from start to end was found.
func valueOf(text string, start, end int) (value Span, h how) {
	after := text[end:min(len(text), end+longestValue)]
	if !hopeful(after) {
		return value, nowhere
	}
	hasQuote := strings.ContainsAny(after, "\"'`[")
	match := func(shape *lazyregexp.Regexp) bool {
		m := shape.FindStringSubmatchIndex(after)
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				value = Span{end + m[i], end + m[i+1]}
				return true
			}
		}
		return false
	}
	switch {
	case hasQuote && match(toLiteral), strings.Contains(after, ">") && match(toElement):
		return value, quoted
	case aloneOnLine(text, start) && match(toLine) && !expression.MatchString(text[value.Start:value.End]):
		return value, onLine
	case hasQuote && (match(beside) || match(inExpression)):
		return value, inString
	case match(toWord) && !expression.MatchString(text[value.Start:value.End]):
		return value, inText
	}
	return value, nowhere
}

// hopeful is a fast check that rules out most places where a name is only mentioned.
func hopeful(after string) bool {
	skipped := 0
	for skipped < len(after) && (word(after[skipped]) || after[skipped] == '-') {
		skipped++
	}
	after = after[skipped:min(len(after), skipped+longName)]
	if after == "" {
		return false
	}
	line, next, _ := strings.Cut(after, "\n")
	switch after[0] {
	case ':', '=', '(', '>', '[', ']':
		return true
	case '"', '\'', '`', '\n', '\r':
		return len(line) > 1 || strings.HasPrefix(strings.TrimLeft(next, " \t"), "value")
	case ' ', '\t':
		return strings.ContainsAny(line, "0123456789\"':=")
	}
	return false
}

// holds reports whether a value that is assigned in this way may be a secret.
func (h how) holds(value string, chosen bool) bool {
	if long := len(value) >= 32 && classes(value) == 4; long && entropy(value) >= 4.2 && !strings.Contains(value, "://") {
		return true
	}
	switch h {
	case quoted, onLine:
		return mayBeSecret(value, chosen) || chosen && (unpronounceable(value) || numeric(value))
	case inString:
		return mayBeSecret(value, false)
	}
	return mayBeSecret(value, false) && mixedWord(value)
}

const longName = 200 // bytes: a line with a longer beginning is not a setting

// aloneOnLine reports whether only words and blanks come before an offset on its
// line.
func aloneOnLine(text string, at int) bool {
	line := text[max(0, at-longName):at]
	if n := strings.LastIndexByte(line, '\n'); n >= 0 {
		line = line[n+1:]
	} else if at > longName {
		return false
	}
	return strings.IndexFunc(line,
		func(r rune) bool { return r > 127 || !word(byte(r)) && strings.IndexByte(".- \t", byte(r)) < 0 }) < 0
}
