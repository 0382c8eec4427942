package syntax

import (
	"bytes"

	"ploke-lsp/internal/lazyregexp"
)

var yamlRules = rules{
	on: map[string]rule{
		"document": yamlDocument,
		"pair":     yamlPair,
		"item":     yamlItem,
	},
	placement: placement{comments: "comment"},
	reading: reading{
		maxSymbols: maxDataSymbols,
		nodeTypes:  "comment document pair item key scalar",
		scan:       scanYAML,
	},
}

// yamlLevels bounds the nesting of keys that are symbols. Named items of a list may be one
// level deeper.
const yamlLevels = 3

// yamlDocument declares a Kubernetes object by its kind and name.
func yamlDocument(b *builder, n int) {
	kind, name := yamlValue(b, n, "kind"), yamlValue(b, yamlChild(b, n, "metadata"), "name")
	if kind >= 0 && name >= 0 {
		called := title(b.bytes(kind)) + "/" + title(b.bytes(name))
		b.declare(n, declaration{kind: KindSection, name: name, symbolName: called, body: -1, bodyAt: b.end(name)})
	}
}

// yamlPair declares a key: a section if its value is a mapping, else a property.
func yamlPair(b *builder, n int) {
	key := n + 1
	name := string(b.bytes(key))
	if len(b.open) >= yamlLevels || !yamlReached(b, n) || name == "<<" || name == "name" && b.kind(b.parent(n)) == "item" {
		return
	}
	b.consume(n)
	d := declaration{kind: KindProperty, name: key, symbolName: title(b.bytes(key)), body: -1, noChildren: true}
	for i := key; i < int(b.nodes[n].next) && d.noChildren; i++ {
		if b.kind(i) == "pair" {
			d.kind, d.noChildren = KindSection, false
		}
	}
	if b.row(key) < b.endRow(n) {
		d.bodyAt = b.end(key)
	}
	b.declare(n, d)
}

// yamlItem declares a mapping in a list by its name key.
func yamlItem(b *builder, n int) {
	name := yamlValue(b, n, "name")
	if len(b.open) > yamlLevels || name < 0 || !yamlReached(b, n) {
		return
	}
	d := declaration{kind: KindSection, name: name, symbolName: title(b.bytes(name)), body: -1}
	if b.row(name) < b.endRow(n) {
		d.bodyAt = b.end(name)
	}
	b.declare(n, d)
	b.consume(n)
}

// yamlReached reports whether the parent of n is a symbol or the document.
func yamlReached(b *builder, n int) bool {
	p := b.parent(n)
	return b.kind(p) == "document" || b.nodes[p].flags&flagConsumed != 0
}

// yamlChild returns the pair of n with the key, or -1.
func yamlChild(b *builder, n int, key string) int {
	for c := range b.children(n) {
		if b.kind(c) == "pair" && string(b.bytes(c+1)) == key {
			return c
		}
	}
	return -1
}

// yamlValue returns the scalar under a key of n, or -1.
func yamlValue(b *builder, n int, key string) int {
	return b.first(yamlChild(b, n, key), "scalar")
}

// yaml finds the keys of block mappings and the items of block lists by their columns:
// https://yaml.org/spec/1.2.2. It accepts templates of YAML and unfinished lines. Text in
// brackets is a value.
type yaml struct {
	*scan
	blocks []yamlNode // the open pairs and items, the outermost first
	end    int        // end of the last text that is not a comment
	root   bool       // whether a document is open
}

type yamlNode struct {
	column int
	item   bool
}

func scanYAML(s *scan) {
	y := yaml{scan: s}
	for y.line() {
		line := y.current()
		switch at := y.from + indentation(line); {
		case at == y.to:
		case s.text[at] == '#':
			y.leaf("comment", at, y.to)
		case bytes.HasPrefix(line, []byte("---")), bytes.HasPrefix(line, []byte("...")):
			y.closeDocument()
		case line[0] == '%':
		default:
			y.block(at)
		}
	}
	y.closeDocument()
}

func (y *yaml) closeDocument() {
	y.closeFrom(0)
	if y.root {
		y.close(y.end)
	}
	y.root = false
}

// closeFrom ends the pairs and items from the depth on.
func (y *yaml) closeFrom(depth int) {
	for range len(y.blocks) - depth {
		y.close(y.end)
	}
	y.blocks = y.blocks[:depth]
}

// enter begins a pair or an item at an offset in the current line.
func (y *yaml) enter(at int, item bool) {
	column, depth := at-y.from, len(y.blocks)
	for ; depth > 0; depth-- {
		if last := y.blocks[depth-1]; last.column < column || last.column == column && item && !last.item {
			break
		}
	}
	y.closeFrom(depth)
	if !y.root {
		y.open("document", at)
		y.root = true
	}
	kind := "pair"
	if item {
		kind = "item"
	}
	y.open(kind, at)
	y.blocks = append(y.blocks, yamlNode{column, item})
	y.end = at + 1
}

// yamlKey matches a key and its colon.
var yamlKey = lazyregexp.New(`^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#&*!|>%@` + "`" +
	`\[\]{},-][^#]*?|-[^\s#][^#]*?|<<))[ \t]*:(?:[ \t]|$)`)

// block reads the items and the key at the beginning of a line, and the value.
func (y *yaml) block(at int) {
	for y.text[at] == '-' && (at+1 == y.to || blank(y.text[at+1])) {
		y.enter(at, true)
		at++
		at += indentation(y.text[at:y.to])
		if at == y.to {
			return
		}
	}
	m := yamlKey.FindSubmatchIndex(y.text[at:y.to])
	if m == nil {
		y.value(at)
		return
	}
	y.enter(at, false)
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			y.leaf("key", at+m[i], at+m[i+1])
		}
	}
	y.end = at + m[1]
	if at += m[1]; at < y.to {
		y.value(at)
	}
}

// yamlProperties matches the anchor and the tag of a value.
var yamlProperties = lazyregexp.New(`^(?:[&!]\S*[ \t]+|[ \t]+)*`)

// value reads a value that begins on the current line, with all its lines.
func (y *yaml) value(at int) {
	at += len(yamlProperties.Find(y.text[at:y.to]))
	if at == y.to || y.text[at] == '#' {
		return
	}
	y.end = y.to
	switch c := y.text[at]; c {
	case '|', '>':
		y.below()
	case '"', '\'':
		if end := y.quoted(at); end > 0 {
			y.leaf("scalar", at+1, end)
		}
	case '[', '{':
		y.flow(at)
	default:
		scalar, _, _ := bytes.Cut(y.text[at:y.to], []byte(" #"))
		y.end = at + len(bytes.TrimRight(scalar, " \t"))
		if len(y.blocks) > 0 {
			y.leaf("scalar", at, y.end)
		}
	}
}

// within reports whether the next line still belongs to the value of the innermost pair or
// item: it is empty or indented more.
func (y *yaml) within() bool {
	line, _, _ := bytes.Cut(y.text[y.next:], []byte{'\n'})
	indent, column := indentation(line), -1
	if len(y.blocks) > 0 {
		column = y.blocks[len(y.blocks)-1].column
	}
	return len(bytes.TrimSpace(line)) == 0 || indent > column
}

// below reads the lines of a block scalar.
func (y *yaml) below() {
	for y.next < len(y.text) && y.within() && y.line() {
		y.end = y.to
	}
}

// quoted returns the offset of the quote that ends a scalar on its first line, or 0. It moves
// to the line where the scalar ends.
func (y *yaml) quoted(at int) int {
	quote, first := y.text[at], true
	for at++; ; at = y.from {
		for ; at < y.to; at++ {
			switch c := y.text[at]; {
			case c == '\\' && quote == '"':
				at++
			case c == quote && quote == '\'' && at+1 < y.to && y.text[at+1] == quote:
				at++
			case c == quote && first:
				y.end = at + 1
				return at
			case c == quote:
				return 0
			}
		}
		if y.next >= len(y.text) || !y.within() || !y.line() {
			return 0
		}
		first, y.end = false, y.to
	}
}

// flow moves to the line where the brackets that begin at an offset are closed.
func (y *yaml) flow(at int) {
	for depth, quote := 0, byte(0); ; at = y.from {
		for ; at < y.to; at++ {
			switch c := y.text[at]; {
			case c == '\\' && quote == '"':
				at++
			case c == quote && quote == '\'' && at+1 < y.to && y.text[at+1] == quote:
				at++
			case c == quote:
				quote = 0
			case quote != 0:
			case y.opensQuote(at):
				quote = c
			case c == '#' && blank(y.text[at-1]):
				at = y.to
			case c == '[' || c == '{':
				depth++
			case c == ']' || c == '}':
				depth--
			}
		}
		if depth <= 0 || y.next >= len(y.text) || !y.within() && !y.closing() || !y.line() {
			return
		}
		y.end = y.to
	}
}

// opensQuote reports whether the character at an offset is a quotation mark that opens a scalar.
func (y *yaml) opensQuote(at int) bool {
	c := y.text[at]
	return (c == '"' || c == '\'') && bytes.IndexByte([]byte(" \t[{,:("), y.text[at-1]) >= 0
}

// closing reports whether the next line begins with a closing bracket.
func (y *yaml) closing() bool {
	line := bytes.TrimLeft(y.text[y.next:], " \t")
	return len(line) > 0 && (line[0] == ']' || line[0] == '}')
}
