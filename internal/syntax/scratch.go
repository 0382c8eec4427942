package syntax

import (
	"context"
	"fmt"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// scratch is what parsing a text needs and the next text can use again.
type scratch struct {
	parser  *sitter.Parser
	nodes   []node
	large   []byte // where the nodes of a large tree are
	refs    []Ref
	words   map[string]word // names that were met, of wordsOf's language
	wordsOf *grammar
}

// What a scratch keeps at most for its next text: 5, 2 and 4 megabytes. Few texts have more.
const (
	keepNodes = 1 << 17
	keepRefs  = 1 << 14
	keepWords = 1 << 14
)

var pool = sync.Pool{New: func() any { return newScratch(parseLimit) }}

func newScratch(limit time.Duration) *scratch {
	p := sitter.NewParser()
	p.SetOperationLimit(int(limit.Microseconds()))
	return &scratch{parser: p, words: map[string]word{}}
}

// withTree lends the tree of text that flatten makes.
func (w *scratch) withTree(flatten func(*scratch, *grammar, []byte) error, language string, text []byte, use func(*tree)) error {
	resolve, ok := grammars[language]
	if !ok {
		return fmt.Errorf("no grammar for the language %q", language)
	}
	g := resolve()
	w.prepare(g)
	defer w.giveBack()
	if err := flatten(w, g, text); err != nil {
		return err
	}
	t := &tree{grammar: g, text: text, nodes: w.nodes, refs: w.refs[:0], words: w.words}
	if g.lead > 0 {
		t.skipLead()
	}
	if g.blanks {
		t.skipBlanks()
	}
	use(t)
	w.refs = t.refs
	return nil
}

// prepare drops what is too large to be kept, and what is of another language.
func (w *scratch) prepare(g *grammar) {
	if cap(w.nodes) > keepNodes {
		w.nodes = nil
	}
	if cap(w.refs) > keepRefs {
		w.refs = nil
	}
	switch {
	case len(w.words) > 2*keepWords:
		w.words = map[string]word{}
	case len(w.words) > keepWords, w.wordsOf != g:
		clear(w.words)
	}
	w.wordsOf = g
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
	return w.walk(parsed.RootNode())
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
