package syntax

import (
	"slices"

	sitter "github.com/smacker/go-tree-sitter"
)

// Document is a text that changes a little at a time, like one in an editor. It keeps the
// syntax tree of the last text without errors, so that parsing the text again costs only as much
// as what has changed. The zero Document is ready for use; it must not be used concurrently.
type Document struct {
	grammar *grammar
	text    []byte       // of the tree, rewritten for the grammar
	tree    *sitter.Tree // without errors
}

// maxIncrementalText bounds the text whose tree is kept, in bytes. A tree takes fifty times as
// much memory.
const maxIncrementalText = 512 << 10

// Parse finds the same as the package's Parse for the current text of the document, whatever
// its text was before. The document keeps text, which must not be modified afterwards.
func (d *Document) Parse(language string, text []byte) (*File, error) {
	var f *File
	err := withFlatTreeBy(d.flatten, language, text, func(t *tree) { f = build(t).owned() })
	return f, err
}

// Close frees the tree. The document may be used again.
func (d *Document) Close() {
	if d.tree != nil {
		d.tree.Close()
	}
	*d = Document{}
}

// flatten is treeParser.flatten with the tree of an earlier text.
func (d *Document) flatten(p *treeParser, g *grammar, text []byte) error {
	if g.scan != nil {
		d.Close()
		return p.flatten(g, text)
	}
	text = g.rewritten(text)
	if d.tree != nil && d.grammar == g {
		if done, err := d.flattenAgain(p, text); done || err != nil {
			return err
		}
	}
	parsed, err := p.parse(g, text, nil)
	if err != nil {
		d.Close()
		return err
	}
	if d.grammar != g {
		d.Close()
	}
	return d.flattenAndKeep(p, g, text, parsed)
}

// flattenAndKeep flattens a tree, and keeps it if it has no errors. It closes a tree that it does not keep.
func (d *Document) flattenAndKeep(p *treeParser, g *grammar, text []byte, parsed *sitter.Tree) error {
	err := p.flattenTree(parsed.RootNode())
	if err != nil || len(text) > maxIncrementalText || parsed.RootNode().HasError() {
		parsed.Close()
		return err
	}
	d.Close()
	d.grammar, d.text, d.tree = g, text, parsed
	return nil
}

// The same text must always have the same symbols, but tree-sitter may recover from an error in another way
// where it reuses nodes. So none is reused within parsedAnew bytes around what has changed. Outside of
// them, a parser that has recovered finds what it would find without the old tree. The result counts only if
// all errors are at least recovered bytes away from where nodes are reused.
const (
	parsedAnew = 4 << 10
	recovered  = 1 << 10
)

// flattenAgain flattens the tree of a text that differs from the kept one's in small parts. It does nothing and
// returns false if the tree might depend on the kept one.
func (d *Document) flattenAgain(p *treeParser, text []byte) (done bool, err error) {
	again := widened(changesBetween(d.text, text), len(d.text))
	old := d.tree.Copy()
	defer old.Close()
	for _, c := range slices.Backward(again) { // so that the offsets of those before it stay
		old.Edit(c.input(d.text, text))
	}
	parsed, err := p.parse(d.grammar, text, old)
	if err != nil {
		return false, err
	}
	if !parsed.RootNode().HasError() {
		return true, d.flattenAndKeep(p, d.grammar, text, parsed)
	}
	defer parsed.Close()
	if err := p.flattenTree(parsed.RootNode()); err != nil {
		return false, err
	}
	return errorsWithin(again, p.nodes, len(text)), nil
}

// errorsWithin reports whether all ERROR and MISSING nodes lie in what was parsed again of a text of that length.
func errorsWithin(again []change, nodes []node, length int) bool {
	outside := func(n node) bool {
		return !slices.ContainsFunc(again, func(c change) bool {
			return (c.newFrom == 0 || int(n.start) >= c.newFrom+recovered) &&
				(c.newTo == length || int(n.end) <= c.newTo-recovered)
		})
	}
	return !slices.ContainsFunc(nodes, func(n node) bool {
		return (n.symbol == errorSymbol || n.flags&flagMissing != 0) && outside(n)
	})
}
