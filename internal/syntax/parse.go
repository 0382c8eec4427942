package syntax

import (
	"fmt"
	"time"
)

// parseLimit bounds the time for one file. Megabytes of noise would take far longer.
const parseLimit = 5 * time.Second

// Parse finds what text declares and refers to. Text with syntax errors yields the parts that
// parse, and its problems. Parse fails for a language that Detect does not return, and for a
// text that takes more than five seconds. It is safe for concurrent use; its result holds no
// part of text.
func Parse(language string, text []byte) (*File, error) {
	var f *File
	err := withFlatTree(language, text, func(t *tree) { f = build(t).owned() })
	return f, err
}

// owned copies the symbols and references, which lie in memory that the parser uses again.
func (f *File) owned() *File {
	f.Symbols = append([]Symbol(nil), f.Symbols...) // nil for none, whatever the capacity was
	f.Refs = append([]Ref(nil), f.Refs...)
	return f
}

// Parser parses one text after another and reuses its memory. The zero Parser is ready for use;
// it must not be used concurrently.
type Parser struct{ trees *treeParser }

// Parse is the package's Parse, but the symbols and references in its result are valid only until
// the next call.
func (p *Parser) Parse(language string, text []byte) (*File, error) {
	if p.trees == nil {
		p.trees = newTreeParser(parseLimit)
	}
	var f *File
	err := p.trees.withTree((*treeParser).flatten, language, text, func(t *tree) { f = build(t) })
	return f, err
}

// ParseOnly parses text and discards the tree: the least that an analysis of the text can cost,
// which the benchmark compares with. It fails as Parse does.
func ParseOnly(language string, text []byte) error {
	resolve, ok := grammars[language]
	if !ok {
		return fmt.Errorf("no grammar for the language %q", language)
	}
	g := resolve()
	p := treeParsers.Get().(*treeParser)
	defer treeParsers.Put(p)
	if g.scan != nil {
		p.nodes = g.scanned(p.nodes[:0], text)
		return nil
	}
	parsed, err := p.parse(g, g.rewritten(text), nil)
	if err != nil {
		return err
	}
	parsed.Close()
	return nil
}

// Occurrences returns the identifiers in text that are exactly name, in order, without those in
// comments and plain strings. It fails as Parse does.
func Occurrences(language string, text []byte, name string) ([]Span, error) {
	var spans []Span
	err := withFlatTree(language, text, func(t *tree) {
		for n := range t.nodes {
			if t.isIdentifier(n) && t.leaf(n) && string(t.bytes(n)) == name {
				spans = append(spans, Span{Start: t.start(n), End: t.end(n), Line: t.row(n) + 1})
			}
		}
	})
	return spans, err
}

// withFlatTree parses text and calls use with its tree, which is valid during the call only.
func withFlatTree(language string, text []byte, use func(*tree)) error {
	return withFlatTreeBy((*treeParser).flatten, language, text, use)
}

// withFlatTreeBy is withFlatTree with the tree that flatten makes.
func withFlatTreeBy(flatten func(*treeParser, *grammar, []byte) error, language string, text []byte,
	use func(*tree)) error {
	p := treeParsers.Get().(*treeParser)
	defer treeParsers.Put(p)
	return p.withTree(flatten, language, text, use)
}
