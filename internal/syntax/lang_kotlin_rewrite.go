package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

// Texts that the grammar misreads.
var (
	// kotlinFun matches the beginning of a functional interface.
	kotlinFun = lazyregexp.New(`(fun[ \t]+)interface[ \t]+\w`)
	// kotlinAnnotated matches the last of several annotations before a type that has only a body.
	kotlinAnnotated = lazyregexp.New(`@[\w.]+(?:\([^()\n]*\))?\s+(@[\w.]{3,}(?:\([^()\n]*\))?)\s+(?:\w+\s+)?(?:class|` +
		`interface)\s+\w+\s*\{`)
	// kotlinContext matches the context that a declaration needs.
	kotlinContext = lazyregexp.New(`(?m)^[ \t]*(context[ \t]*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))` +
		`\s+(?:@?\w+\s+)*(?:fun|val|var|class)\b`)
	// kotlinOneLine matches a line with a whole type.
	kotlinOneLine = lazyregexp.New(`(?m)^[^"\n]*\b(?:class|interface|object)\b[^\n]*\{[^\n]*\}`)
	// kotlinNextMember matches the beginning of a member behind the body of another one.
	kotlinNextMember = lazyregexp.New(`^[ \t]+(?:(?:private|public|internal|protected|override|abstract|open|final|data|` +
		`sealed|inner|` +
		`lateinit|const|suspend|inline|operator|infix|tailrec)\s+)*(?:val|var|fun|class|object|interface|enum|companion|` +
		`init|constructor)\b`)
)

// kotlinRewrite turns functional interfaces, which the grammar does not know, into open
// classes, and an annotation that would make the grammar take the type for a call into a
// modifier. Members of a type in one line get the semicolons that the grammar needs, and contexts go.
func kotlinRewrite(text []byte) []byte {
	funs, annotated := kotlinFun.FindAllSubmatchIndex(text, -1), kotlinAnnotated.FindAllSubmatchIndex(text, -1)
	contexts, lines := kotlinContext.FindAllSubmatchIndex(text, -1), kotlinOneLine.FindAllIndex(text, -1)
	if funs == nil && annotated == nil && contexts == nil && lines == nil {
		return text
	}
	text = bytes.Clone(text)
	for _, m := range contexts {
		blankOut(text[m[2]:m[3]])
	}
	for _, m := range lines {
		kotlinSeparate(text[m[0]:m[1]])
	}
	for _, m := range annotated {
		blankOut(text[m[2]:m[3]])
		copy(text[m[2]:], "open")
	}
	for _, m := range funs {
		copy(text[m[2]:], "open")
		copy(text[m[3]:], "    class")
	}
	return text
}

// kotlinSeparate writes semicolons over blanks around the closing braces of a line: behind a body,
// and behind a value that ends with a name or a number.
func kotlinSeparate(line []byte) {
	for at := 0; at < len(line); at++ {
		switch {
		case line[at] == '"':
			at += cQuoteEnd(line[at:]) - 1
		case bytes.HasPrefix(line[at:], []byte("//")):
			return
		case line[at] != '}':
		case kotlinNextMember.Match(line[at+1:]):
			line[at+1] = ';'
			fallthrough
		default:
			before := bytes.TrimRight(line[:at], " \t")
			if len(before) > 0 && len(before) < at && nameByte(before[len(before)-1]) {
				line[at-1] = ';'
			}
		}
	}
}

// kotlinNamed declares a symbol by the first child of the kind name, since the grammar has no
// fields.
func kotlinNamed(kind Kind, name, body string) rule {
	return func(b *builder, n int) {
		b.declare(n, declaration{kind: kind, name: b.first(n, name), body: b.first(n, body)})
	}
}
