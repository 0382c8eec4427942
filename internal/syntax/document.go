package syntax

import (
	"bytes"

	sitter "github.com/smacker/go-tree-sitter"
)

// Document is a text that changes a little at a time, like one that is being typed:
// parsing it anew costs what has changed, for its tree is kept. The zero Document is
// ready for use; it must not be used concurrently.
type Document struct {
	grammar *grammar
	text    []byte // as the grammar reads it
	tree    *sitter.Tree
}

// keepText bounds the text whose tree is kept, in bytes: a tree takes fifty times as much.
const maxIncrementalText = 512 << 10

// Parse is the package's Parse for the document's text of now, whatever it was before,
// and finds the same. Text is kept and must not be modified.
func (d *Document) Parse(language string, text []byte) (*File, error) {
	var f *File
	err := withFlatTreeBy(d.flatten, language, text, func(t *tree) { f = build(t).owned() })
	return f, err
}

// Close gives the tree back. The document may be used again.
func (d *Document) Close() {
	if d.tree != nil {
		d.tree.Close()
	}
	*d = Document{}
}

// flatten is scratch.flatten by the tree of the text before.
func (d *Document) flatten(p *treeParser, g *grammar, text []byte) error {
	if g.scan != nil {
		d.Close()
		return p.flatten(g, text)
	}
	text = g.rewritten(text)
	parsed, err := d.parse(p, g, text)
	d.Close()
	if err != nil {
		return err
	}
	if err := p.flattenTree(parsed.RootNode()); err != nil {
		parsed.Close()
		return err
	}
	if len(text) > maxIncrementalText || parsed.RootNode().HasError() {
		parsed.Close()
		return nil
	}
	d.grammar, d.text, d.tree = g, text, parsed
	return nil
}

// parse takes the old tree into account where that is sure to change nothing. How a
// text with errors is read depends on what was there before, and the same text must
// always have the same symbols: such trees are neither kept nor used.
func (d *Document) parse(p *treeParser, g *grammar, text []byte) (*sitter.Tree, error) {
	if d.tree == nil || d.grammar != g {
		return p.parse(g, text, nil)
	}
	d.tree.Edit(difference(d.text, text))
	parsed, err := p.parse(g, text, d.tree)
	if err == nil && parsed.RootNode().HasError() {
		parsed.Close()
		return p.parse(g, text, nil)
	}
	return parsed, err
}

// difference is the one edit between two texts: what lies between their common
// beginning and their common end.
func difference(before, after []byte) sitter.EditInput {
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return sitter.EditInput{
		StartIndex: uint32(start), StartPoint: point(before, start),
		OldEndIndex: uint32(len(before) - end), OldEndPoint: point(before, len(before)-end),
		NewEndIndex: uint32(len(after) - end), NewEndPoint: point(after, len(after)-end),
	}
}

// point is the row and the column, in bytes, of an offset.
func point(text []byte, at int) sitter.Point {
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	return sitter.Point{Row: uint32(bytes.Count(text[:line], []byte{'\n'})), Column: uint32(at - line)}
}
