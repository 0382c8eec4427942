package syntax

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var htmlRules = rules{
	on: map[string]rule{
		"element":    htmlElement,
		"heading":    htmlHeading,
		"import":     func(b *builder, n int) { b.referTo(b.intern(b.bytes(n)), n, RefImport) },
		"identifier": leaf(RefUse),
	},
	placement: placement{comments: "comment"},
	naming:    naming{identifiers: "id"},
	reading: reading{
		maxSymbols: maxDataSymbols,
		nodeTypes:  "comment element heading tag name id content import identifier",
		scan:       scanHTML,
	},
}

// htmlElement declares an element by its id, or else by its tag.
func htmlElement(b *builder, n int) {
	tag, name, id := n+1, b.first(n, "name"), b.first(n, "id")
	d := declaration{kind: KindSection, name: name, body: -1, bodyAt: b.end(tag)}
	if id >= 0 {
		d.name, d.detail = id, b.intern(b.bytes(name))
	}
	b.declare(n, d)
}

var htmlTag = lazyregexp.New(`<[^>]*>`)

// htmlHeading declares a heading or a title by its text.
func htmlHeading(b *builder, n int) {
	content := b.first(n, "content")
	words := html.UnescapeString(string(htmlTag.ReplaceAll(b.bytes(content), nil)))
	words = strings.Trim(words, "#¶ \t\r\n") // links to the heading itself
	d := declaration{kind: KindSection, name: content, symbolName: title([]byte(words)), body: -1}
	d.detail = b.intern(b.bytes(b.first(n, "name")))
	b.declare(n, d)
}

// Names of elements: without content, with an end tag that is optional before another of them,
// that end a paragraph, with content that is not markup, and headings.
var (
	htmlVoid   = set("area base br col embed hr img input link meta param source track wbr")
	htmlOpen   = set("li dt dd tr td th option")
	htmlBlocks = set(`address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6
		header hr main nav ol p pre section table ul`)
	htmlRaw      = set("script style textarea title")
	htmlHeadings = set("h1 h2 h3 h4 h5 h6 title")
)

var htmlAttributes = set("id href src for rel")

// element opens a node for a tag that belongs in an outline, and reports whether it did: a tag
// with an id, a heading, an inline script or style, a top-level template. It adds the tag's
// references.
func (m *markup) element(start int, name string, attributes []attribute) bool {
	kind := m.elementKind(name, attributes)
	if kind != "" {
		m.open(kind, start)
		m.leaf("tag", start, m.at)
		m.leaf("name", start+1, start+1+len(name))
	}
	sheet := slices.ContainsFunc(attributes, func(a attribute) bool {
		return a.name == "rel" && bytes.EqualFold(m.text[a.start:a.end], []byte("stylesheet"))
	})
	for _, a := range attributes {
		m.refer(name, a, sheet)
	}
	return kind != ""
}

// elementKind returns the kind of symbol that an element is, "" for none.
func (m *markup) elementKind(name string, attributes []attribute) string {
	switch {
	case htmlHeadings[name] && !m.heading:
		return "heading"
	case name == "style", name == "script" && !has(attributes, "src"), name == "template" && len(m.tags) == 0,
		slices.ContainsFunc(attributes, func(a attribute) bool { return a.name == "id" && m.fixed(a) }):
		return "element"
	}
	return ""
}

func has(attributes []attribute, name string) bool {
	return slices.ContainsFunc(attributes, func(a attribute) bool { return a.name == name })
}

// fixed reports whether an attribute has a value that no template computes.
func (m *markup) fixed(a attribute) bool {
	return a.end > a.start && bytes.IndexAny(m.text[a.start:a.end], "{}<>$\n") < 0
}

// refer adds the reference of an attribute that names an element or a file.
func (m *markup) refer(tag string, a attribute, sheet bool) {
	switch value := m.text[a.start:a.end]; {
	case !m.fixed(a):
	case a.name == "id":
		m.leaf("id", a.start, a.end)
	case a.name == "for":
		m.leaf("identifier", a.start, a.end)
	case a.name == "href" && value[0] == '#' && len(value) > 1:
		m.leaf("identifier", a.start+1, a.end)
	case a.name == "src" && tag == "script", a.name == "href" && sheet:
		m.leaf("import", a.start, a.end)
	}
}
