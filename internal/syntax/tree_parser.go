package syntax

import (
	"context"
	"fmt"
	"sync"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
)

// treeParser parses texts into flat trees, and reuses its memory for the next text.
type treeParser struct {
	parser       *sitter.Parser
	nodes        []node
	mapped       []byte // memory outside of the heap, for the nodes of a large tree
	symbols      []Symbol
	refs         []Ref
	words        words // of the language of wordsGrammar
	wordsGrammar *grammar
}

// The most that a treeParser keeps for its next text: 2, 1, 2 and 4 megabytes. Few texts need more.
const (
	maxKeptNodes   = 1 << 16
	maxKeptSymbols = 1 << 13
	maxKeptRefs    = 1 << 14
	maxKeptWords   = 1 << 14
)

var treeParsers = sync.Pool{New: func() any { return newTreeParser(parseLimit) }}

func newTreeParser(limit time.Duration) *treeParser {
	parser := sitter.NewParser()
	parser.SetOperationLimit(int(limit.Microseconds()))
	return &treeParser{parser: parser, words: words{known: map[string]*word{}}}
}

// withTree calls use with the tree of text that flatten makes.
func (p *treeParser) withTree(flatten func(*treeParser, *grammar, []byte) error, language string, text []byte,
	use func(*tree)) error {
	resolve, ok := grammars[language]
	if !ok {
		return fmt.Errorf("no grammar for the language %q", language)
	}
	g := resolve()
	p.trimBuffers(g)
	defer p.releaseNodes()
	if err := flatten(p, g, text); err != nil {
		return err
	}
	t := &tree{grammar: g, text: text, nodes: p.nodes, symbols: p.symbols[:0], refs: p.refs[:0], words: &p.words}
	if g.rewritePrefix > 0 {
		t.dropRewritePrefix()
	}
	if g.leadingBlanks {
		t.trimLeadingBlanks()
	}
	use(t)
	p.symbols, p.refs = t.symbols, t.refs
	return nil
}

// trimBuffers drops buffers that are too large to keep, and the words of another language.
func (p *treeParser) trimBuffers(g *grammar) {
	if cap(p.nodes) > maxKeptNodes {
		p.nodes = nil
	}
	if cap(p.symbols) > maxKeptSymbols {
		p.symbols = nil
	}
	if cap(p.refs) > maxKeptRefs {
		p.refs = nil
	}
	switch {
	case len(p.words.known) > 2*maxKeptWords:
		p.words.known = map[string]*word{}
	case len(p.words.known) > maxKeptWords, p.wordsGrammar != g:
		clear(p.words.known)
	}
	p.wordsGrammar = g
}

// flatten parses text into p.nodes.
func (p *treeParser) flatten(g *grammar, text []byte) error {
	if g.scan != nil {
		p.nodes = g.scanned(p.nodes[:0], text)
		return nil
	}
	parsed, err := p.parse(g, g.rewritten(text), nil)
	if err != nil {
		return err
	}
	err = p.flattenTree(parsed.RootNode())
	parsed.Close()
	if len(text) >= releaseAfter {
		ReleaseMemory()
	}
	return err
}

// releaseAfter is the size in bytes of a text whose tree is so large, twenty times that, that
// its memory returns to the system: the C library would keep it while the text is analyzed,
// and afterwards.
const releaseAfter = 256 << 10

// parse parses text, incrementally if old is the edited tree of an earlier text. The caller
// closes the tree. The context can't be cancelled: the binding would leave its cancellation flag
// set for the next file.
func (p *treeParser) parse(g *grammar, text []byte, old *sitter.Tree) (*sitter.Tree, error) {
	p.parser.SetLanguage(g.parser)
	parsed, err := p.parser.ParseCtx(context.Background(), old, text)
	if err != nil {
		p.parser.Reset() // or the next parse would resume this one
		return nil, fmt.Errorf("parsing %s: %w", g.language, err)
	}
	return parsed, nil
}

// rewritten returns text with the grammar's rewrite applied, if it has one.
func (g *grammar) rewritten(text []byte) []byte {
	if g.rewrite == nil {
		return text
	}
	return g.rewrite(text)
}
