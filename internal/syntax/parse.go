package syntax

import (
	"fmt"
	"time"
)

// parseLimit bounds the time for one file; megabytes of noise would take far longer.
const parseLimit = 5 * time.Second

// Parse finds what text declares and mentions. Text with syntax errors yields what
// parses, with its problems. It fails for a language that Detect does not return,
// and for text that takes more than five seconds. It is safe for concurrent use, and
// what it returns holds no part of text.
func Parse(language string, text []byte) (*File, error) {
	var f *File
	err := withFlatTree(language, text, func(t *tree) { f = build(t).owned() })
	return f, err
}

// owned makes the references the file's own, which lie in the room of a scratch.
func (f *File) owned() *File {
	f.Refs = append([]Ref(nil), f.Refs...) // nil for none, whatever room there was
	return f
}

// Parser parses one text after another in memory that it uses again. The zero Parser is
// ready for use; it must not be used concurrently.
type Parser struct{ trees *treeParser }

// Parse is the package's Parse, but the references of what it returns are only good
// until the next call.
func (p *Parser) Parse(language string, text []byte) (*File, error) {
	if p.trees == nil {
		p.trees = newTreeParser(parseLimit)
	}
	var f *File
	err := p.trees.withTree((*treeParser).flatten, language, text, func(t *tree) { f = build(t) })
	return f, err
}

// ParseOnly parses text and throws the tree away: the least that understanding a text
// costs, which the benchmark compares with. It fails as Parse does.
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

// Occurrences finds the identifiers in text that read exactly name, in order; those
// in comments and plain strings don't count. It fails as Parse does.
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

// withTree parses text and lends its tree to use.
func withFlatTree(language string, text []byte, use func(*tree)) error {
	return withFlatTreeBy((*treeParser).flatten, language, text, use)
}

// withTreeBy lends the tree of text that flatten makes.
func withFlatTreeBy(flatten func(*treeParser, *grammar, []byte) error, language string, text []byte, use func(*tree)) error {
	p := treeParsers.Get().(*treeParser)
	defer treeParsers.Put(p)
	return p.withTree(flatten, language, text, use)
}
