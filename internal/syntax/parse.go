package syntax

import (
	"context"
	"fmt"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// parseLimit bounds the time for one file; megabytes of noise would take far longer.
const parseLimit = 5 * time.Second

// What a pooled scratch keeps at most for its next file: 16 and 7 megabytes.
const (
	keepNodes = 1 << 19
	keepRefs  = 1 << 16
)

// scratch is what parsing a file needs and the next file can use again.
type scratch struct {
	parser *sitter.Parser
	nodes  []node
	refs   []Ref
}

var pool = sync.Pool{New: func() any { return newScratch(parseLimit) }}

func newScratch(limit time.Duration) *scratch {
	p := sitter.NewParser()
	p.SetOperationLimit(int(limit.Microseconds()))
	return &scratch{parser: p}
}

// Parse finds what text declares and mentions. Text with syntax errors yields what
// parses, with its problems. It fails for a language that Detect does not return,
// and for text that takes more than five seconds. It is safe for concurrent use, and
// what it returns holds no part of text.
func Parse(language string, text []byte) (*File, error) {
	var f *File
	err := withTree(language, text, func(t *tree) { f = build(t) })
	return f, err
}

// Occurrences finds the identifiers in text that read exactly name, in order; those
// in comments and plain strings don't count. It fails as Parse does.
func Occurrences(language string, text []byte, name string) ([]Span, error) {
	var spans []Span
	err := withTree(language, text, func(t *tree) {
		for n := range t.nodes {
			if t.isIdentifier(n) && t.leaf(n) && string(t.bytes(n)) == name {
				spans = append(spans, Span{Start: t.start(n), End: t.end(n), Line: t.row(n) + 1})
			}
		}
	})
	return spans, err
}

// withTree parses text and lends its tree to use.
func withTree(language string, text []byte, use func(*tree)) error {
	return withTreeBy((*scratch).flatten, language, text, use)
}

// withTreeBy lends the tree of text that flatten makes.
func withTreeBy(flatten func(*scratch, *grammar, []byte) error, language string, text []byte, use func(*tree)) error {
	resolve, ok := grammars[language]
	if !ok {
		return fmt.Errorf("no grammar for the language %q", language)
	}
	g := resolve()
	w := pool.Get().(*scratch)
	defer pool.Put(w)
	if err := flatten(w, g, text); err != nil {
		return err
	}
	t := &tree{grammar: g, text: text, nodes: w.nodes, refs: w.refs[:0]}
	if g.lead > 0 {
		t.skipLead()
	}
	if g.blanks {
		t.skipBlanks()
	}
	use(t)
	if cap(w.nodes) > keepNodes {
		w.nodes = nil
	}
	if w.refs = t.refs; cap(w.refs) > keepRefs {
		w.refs = nil
	}
	return nil
}

// flatten parses text into w.nodes.
func (w *scratch) flatten(g *grammar, text []byte) error {
	if g.scan != nil {
		w.nodes = g.scanned(w.nodes[:0], text)
		return nil
	}
	parsed, err := w.parse(g, g.readable(text), nil)
	if err != nil {
		return err
	}
	defer parsed.Close()
	w.nodes = flatten(w.nodes, parsed.RootNode())
	return nil
}

// parse parses text, by the tree of what it was where old is not nil; the caller
// closes the tree. The context can't be cancelled: the binding would leave its flag
// set for the next file.
func (w *scratch) parse(g *grammar, text []byte, old *sitter.Tree) (*sitter.Tree, error) {
	w.parser.SetLanguage(g.parser)
	parsed, err := w.parser.ParseCtx(context.Background(), old, text)
	if err != nil {
		w.parser.Reset() // or the next parse would resume this one
		return nil, fmt.Errorf("parsing %s: %w", g.language, err)
	}
	return parsed, nil
}

// readable is the text as the grammar had better read it.
func (g *grammar) readable(text []byte) []byte {
	if g.plain == nil {
		return text
	}
	return g.plain(text)
}
