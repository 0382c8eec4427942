package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

// The three dialects of style sheets share their rules.
var (
	cssRules  = cssDialect(css{assigned: cssAssigned(`--`), used: cssUsed(``)})
	scssRules = cssDialect(css{assigned: cssAssigned(`--|\$`), used: cssUsed(`|(\$[\w-]+)`), extended: true})
	lessRules = cssDialect(css{assigned: cssAssigned(`--|@`), used: cssUsed(`|.(@[A-Za-z][\w-]*)`), extended: true})
)

// cssAssigned matches the variable that a statement sets, by the prefix of its name.
func cssAssigned(marks string) *lazyregexp.Regexp {
	return lazyregexp.New(`^((?:` + marks + `)[^\s:;{}()"']+)\s*:`)
}

// cssUsed matches the use of a variable.
func cssUsed(other string) *lazyregexp.Regexp {
	return lazyregexp.New(`var\(\s*(--[^\s,();]+)` + other)
}

func cssDialect(dialect css) rules {
	return rules{
		on: map[string]rule{
			"rule":       cssRule,
			"function":   cssFunction,
			"variable":   cssVariable,
			"import":     func(b *builder, n int) { b.referTo(b.intern(b.bytes(n)), n, RefImport) },
			"include":    leaf(RefCall),
			"extend":     leaf(RefInherit),
			"parameter":  bindAll,
			"identifier": leaf(RefUse),
		},
		placement: placement{comments: "comment"},
		naming:    naming{identifiers: "include extend parameter"},
		reading: reading{
			nodeTypes: "comment rule keyframes function variable block prelude import include extend parameter identifier }",
			scan:      dialect.read,
		},
	}
}

// read reads a text in a dialect.
func (c css) read(s *scan) {
	c.scan = s
	c.sheet()
}

// cssRule declares a rule by its selector, and an at-rule by its first line.
func cssRule(b *builder, n int) {
	if p := b.parent(n); p < 0 || b.kind(p+1) != "keyframes" {
		prelude := n + 1
		b.declare(n, declaration{
			kind: KindSection, name: prelude, symbolName: title(b.bytes(prelude)), body: -1, bodyAt: b.end(prelude),
		})
	}
}

// cssFunction declares a mixin or a function, whose variables are local.
func cssFunction(b *builder, n int) {
	kind := KindFunction
	if bytes.HasPrefix(b.bytes(n), []byte("@mixin")) {
		kind = KindMacro
	}
	b.declare(n, declaration{kind: kind, name: b.first(n, "identifier"), body: -1, bodyAt: b.end(n + 1)})
	b.enterFunction(n)
}

func cssVariable(b *builder, n int) {
	name := b.first(n, "identifier")
	if n < b.localsEnd {
		b.bind(name)
		return
	}
	b.declare(n, declaration{kind: KindVariable, name: name, body: -1, noChildren: true})
}

// css finds the statements and blocks of a style sheet by its brackets:
// https://www.w3.org/TR/css-syntax-3.
type css struct {
	*scan
	assigned, used *lazyregexp.Regexp
	extended       bool // allows "//" comments, and interpolation in braces
	at             int
	depth          int // number of open blocks
}

func (c *css) sheet() {
	for c.blanks(); c.at < len(c.text); c.blanks() {
		switch {
		case c.text[c.at] != '}':
			c.statement()
			continue
		case c.depth > 0:
			c.depth--
			c.close(c.at + 1)
		default:
			c.unexpected(c.at, c.at+1)
		}
		c.at++
	}
	for ; c.depth > 0; c.depth-- {
		c.missing("}", c.trimmed(len(c.text)))
		c.close(len(c.text))
	}
}

// blanks moves to the next statement, past white space, comments and semicolons.
func (c *css) blanks() {
	for c.at < len(c.text) {
		if start := c.at; c.comment() {
			c.leaf("comment", start, c.trimmed(c.at))
		} else if blank(c.text[c.at]) || c.text[c.at] == ';' {
			c.at++
		} else {
			return
		}
	}
}

// comment moves past a comment and reports whether one begins here.
func (c *css) comment() bool {
	end := "*/"
	switch rest := c.text[c.at:]; {
	case bytes.HasPrefix(rest, []byte("/*")):
	case c.extended && bytes.HasPrefix(rest, []byte("//")):
		end = "\n"
	default:
		return false
	}
	c.past(c.at+2, end)
	return true
}

// past moves past the next occurrence of mark after an offset.
func (c *css) past(from int, mark string) {
	c.at = len(c.text)
	if i := bytes.Index(c.text[min(from, c.at):], []byte(mark)); i >= 0 {
		c.at = from + i + len(mark)
	}
}

// maxVariable bounds the name of a variable, in bytes.
const maxVariable = 200

// statement reads a statement, or the beginning of a block.
func (c *css) statement() {
	start := c.at
	name := c.assigned.FindSubmatchIndex(c.text[start:min(start+maxVariable, len(c.text))])
	c.until(name != nil)
	end := max(start, c.trimmed(c.at))
	switch {
	case name != nil:
		c.open("variable", start)
		c.leaf("identifier", start, start+name[3])
		c.references(start+name[1], end)
		if c.at < len(c.text) && c.text[c.at] == ';' {
			end = c.at + 1
		}
		c.close(end)
	case c.at < len(c.text) && c.text[c.at] == '{':
		c.at++
		c.depth++
		c.block(start, end)
	default:
		c.plain(start, end)
	}
}

// until moves to the end of a statement: a semicolon or brace outside of strings, URLs,
// parentheses and interpolation. A variable's value may have braces.
func (c *css) until(value bool) {
	round, curly := 0, 0
	for ; c.at < len(c.text); c.at++ {
		switch ch := c.text[c.at]; {
		case ch == '/' && c.comment():
			c.at--
		case ch == '\\':
			c.at++
		case ch == '"' || ch == '\'':
			c.quoted(ch)
		case ch == '(' && !c.address():
			round++
		case ch == ')' && round > 0:
			round--
		case ch == '{' && c.extended && (c.text[max(c.at-1, 0)] == '#' || c.text[max(c.at-1, 0)] == '@'):
			c.past(c.at, "}")
			c.at--
		case ch == '{' && value:
			curly++
		case ch == '}' && curly > 0:
			curly--
		case ch == '{' || ch == '}' || ch == ';' && round == 0 && curly == 0:
			return
		}
	}
	c.at = min(c.at, len(c.text))
}

// quoted moves to the end of a string, or of its line.
func (c *css) quoted(quote byte) {
	for c.at++; c.at < len(c.text) && c.text[c.at] != quote && c.text[c.at] != '\n'; c.at++ {
		if c.text[c.at] == '\\' {
			c.at++
		}
	}
}

// address moves to the end of an unquoted URL and reports whether one begins with this
// parenthesis.
func (c *css) address() bool {
	rest := c.text[c.at+1:]
	if !bytes.EqualFold(c.text[max(c.at-3, 0):c.at], []byte("url")) {
		return false
	}
	end := bytes.IndexAny(rest, "\"'\n()")
	if end < 0 || rest[end] != ')' {
		return false
	}
	c.at += 1 + end
	return true
}

// cssBlock matches the beginning of a block that is not a rule: a mixin, function or property with
// its name, a control block, a group of properties.
var cssBlock = lazyregexp.New(`^@(?:(?:mixin|function)\s+([\w-]+)|property\s+(--[^\s{]+)` +
	`|(?:include|if|else|each|for|while|at-root)\b)|^(?:[\w-]+:)?$`)

// block opens the block whose head is the text from start to end.
func (c *css) block(start, end int) {
	m := cssBlock.FindSubmatchIndex(c.text[start:end])
	switch {
	case m == nil:
		c.open("rule", start)
		switch text := c.text[start:end]; {
		case text[0] != '@':
			c.leaf("prelude", start, end)
		case bytes.Contains(text, []byte("keyframes")):
			c.leaf("keyframes", start, end)
		default:
			c.leaf("prelude", start, end)
			c.references(start, end)
		}
	case m[2] >= 0:
		c.open("function", start)
		c.leaf("prelude", start, end)
		c.leaf("identifier", start+m[2], start+m[3])
		for _, p := range cssParameter.FindAllSubmatchIndex(c.text[start:end], -1) {
			c.leaf("parameter", start+p[2], start+p[3])
		}
		c.references(start+m[3], end)
	case m[4] >= 0:
		c.open("variable", start)
		c.leaf("identifier", start+m[4], start+m[5])
	default:
		c.open("block", start)
		c.plain(start, end)
	}
}

var (
	cssParameter = lazyregexp.New(`[(,]\s*(\$[\w-]+)`)
	cssInclude   = lazyregexp.New(`^@include\s+(?:[\w-]+\.)?([\w-]+)`)
	cssExtend    = lazyregexp.New(`^@extend\s+([^!;]*[^!;\s])`)
	cssImport    = lazyregexp.New(`^@(?:import|use|forward|plugin)\s`)
	cssModule    = lazyregexp.New(`\swith\s|["']([^"']+)["']|url\(\s*([^"')\s]+)`)
)

// plain reads a statement without a block.
func (c *css) plain(start, end int) {
	text := c.text[start:end]
	if len(text) == 0 || text[0] != '@' {
		c.references(start, end)
		return
	}
	if m := cssInclude.FindSubmatchIndex(text); m != nil {
		c.leaf("include", start+m[2], start+m[3])
	}
	if m := cssExtend.FindSubmatchIndex(text); m != nil {
		c.leaf("extend", start+m[2], start+m[3])
	}
	if cssImport.Match(text) {
		c.imports(start, end)
		return
	}
	c.references(start, end)
}

// imports adds the style sheets that a statement names.
func (c *css) imports(start, end int) {
	for _, m := range cssModule.FindAllSubmatchIndex(c.text[start:end], -1) {
		switch {
		case m[2] >= 0:
			c.leaf("import", start+m[2], start+m[3])
		case m[4] >= 0:
			c.leaf("import", start+m[4], start+m[5])
		default:
			return // the module's configuration follows
		}
	}
}

// references adds the variables that a text uses.
func (c *css) references(start, end int) {
	for _, m := range c.used.FindAllSubmatchIndex(c.text[start:end], -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				c.leaf("identifier", start+m[i], start+m[i+1])
			}
		}
	}
}
