package syntax

import (
	"bytes"
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
	parsedAnew = 8 << 10
	recovered  = 1 << 10
)

// flattenAgain flattens the tree of a text that differs from the kept one's in a small part. It does nothing and
// returns false if the tree might depend on the kept one.
func (d *Document) flattenAgain(p *treeParser, text []byte) (done bool, err error) {
	start, end := difference(d.text, text)
	if len(text)-start-end > len(text)/2 {
		return false, nil
	}
	from, same := max(0, start-parsedAnew), max(0, end-parsedAnew)
	old := d.tree.Copy()
	defer old.Close()
	old.Edit(replacement(d.text, text, from, same))
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
	if from > 0 {
		from += recovered
	}
	if same > 0 {
		same += recovered
	}
	return errorsWithin(p.nodes, from, len(text)-same), nil
}

// errorsWithin reports whether all ERROR and MISSING nodes lie in the bytes [start,end).
func errorsWithin(nodes []node, start, end int) bool {
	return !slices.ContainsFunc(nodes, func(n node) bool {
		return (n.symbol == errorSymbol || n.flags&flagMissing != 0) && (int(n.start) < start || int(n.end) > end)
	})
}

// difference returns the lengths in bytes of the common prefix of two texts, and of the common suffix of what
// follows it.
func difference(before, after []byte) (start, end int) {
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return start, end
}

// replacement returns the edit that replaces all of a text but its first start bytes and its last end bytes.
func replacement(before, after []byte, start, end int) sitter.EditInput {
	return sitter.EditInput{
		StartIndex: uint32(start), StartPoint: point(before, start),
		OldEndIndex: uint32(len(before) - end), OldEndPoint: point(before, len(before)-end),
		NewEndIndex: uint32(len(after) - end), NewEndPoint: point(after, len(after)-end),
	}
}

// point returns the row and the column of an offset, both 0-based and the column in bytes.
func point(text []byte, at int) sitter.Point {
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	return sitter.Point{Row: uint32(bytes.Count(text[:line], []byte{'\n'})), Column: uint32(at - line)}
}
