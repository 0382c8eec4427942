package syntax

import "bytes"

// token is a word, a quoted text, a comment, or a single character. The kind of a single
// character is the character itself; since no letter is a token of its own, letters stand
// for the other kinds.
type token struct {
	kind       byte
	start, end int
}

const (
	tokenEnd     = 0
	tokenWord    = 'w'
	tokenQuoted  = 'q'
	tokenComment = 'c'
	tokenDollar  = 'd' // the opening or closing mark of an SQL dollar quote, $name$
)

// lexer splits a text into tokens, for the scanners of languages with statements.
type lexer struct {
	*scan
	at               int
	comment          string // begins a comment that ends with its line
	quotes           string // characters that begin a quoted text; "[" stands for [x]
	dotsInWords      bool   // whether a word may contain dots
	backslashEscapes bool   // whether a backslash takes away the meaning of the next character
	dollarQuotes     bool   // whether there are dollar quotes
}

// token returns the next token; at the end of the text its kind is tokenEnd.
func (l *lexer) token() token {
	for l.at < len(l.text) && blank(l.text[l.at]) {
		l.at++
	}
	t := token{start: l.at}
	if l.at < len(l.text) {
		t.kind = l.scanToken()
	}
	t.end = l.at
	return t
}

// scanToken moves past the token that begins here and returns its kind.
func (l *lexer) scanToken() byte {
	switch rest := l.text[l.at:]; {
	case bytes.HasPrefix(rest, []byte(l.comment)):
		l.skipDelimited(l.comment, "\n")
		l.at = l.trimmed(l.at)
		return tokenComment
	case bytes.HasPrefix(rest, []byte("/*")):
		l.skipDelimited("/*", "*/")
		return tokenComment
	case l.isWordByte(rest[0]):
		for l.at < len(l.text) && l.isWordByte(l.text[l.at]) {
			l.at++
		}
		return tokenWord
	case bytes.IndexByte([]byte(l.quotes), rest[0]) >= 0 && l.quoted(rest):
		return tokenQuoted
	case l.dollarQuotes && rest[0] == '$' && l.dollar(rest):
		return tokenDollar
	}
	l.at++
	return l.text[l.at-1]
}

func (l *lexer) isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' ||
		c == '.' && l.dotsInWords
}

// skipDelimited moves past the next end after the mark begin, or to the end of the text.
func (l *lexer) skipDelimited(begin, end string) {
	from := l.at + len(begin)
	if i := bytes.Index(l.text[from:], []byte(end)); i >= 0 {
		l.at = from + i + len(end)
	} else {
		l.at = len(l.text)
	}
}

// bracketed moves past a name in brackets and reports whether there is one.
func (l *lexer) bracketed(rest []byte) bool {
	if len(rest) < 2 || !l.isWordByte(rest[1]) || '0' <= rest[1] && rest[1] <= '9' {
		return false
	}
	i := bytes.IndexAny(rest[:min(maxTitle, len(rest))], "]\n")
	if i < 0 || rest[i] != ']' {
		return false
	}
	l.at += i + 1
	return true
}

// quoted moves past a quoted text and reports whether there is one. Brackets enclose a name on
// one line only.
func (l *lexer) quoted(rest []byte) bool {
	end := rest[0]
	if end == '[' {
		return l.bracketed(rest)
	}
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && l.backslashEscapes:
			i++
		case rest[i] == end:
			l.at += i + 1
			return true
		}
	}
	l.at = len(l.text)
	return true
}

// dollar moves past one mark of a dollar quote and reports whether there is one.
func (l *lexer) dollar(rest []byte) bool {
	for i := 1; i < len(rest); i++ {
		if rest[i] == '$' {
			l.at += i + 1
			return true
		}
		if !l.isWordByte(rest[i]) || i == 1 && '0' <= rest[i] && rest[i] <= '9' {
			return false
		}
	}
	return false
}

// nameLeaf adds a leaf for a token without its quotes, and returns where it ends.
func (l *lexer) nameLeaf(kind string, t token) (end int) {
	start, end := l.unquotedSpan(t)
	l.leaf(kind, start, end)
	return end
}

// unquotedSpan returns the range of a token without its quotes.
func (l *lexer) unquotedSpan(t token) (start, end int) {
	if t.kind == tokenQuoted && t.end-t.start >= 2 {
		return t.start + 1, t.end - 1
	}
	return t.start, t.end
}
