package syntax

import (
	"bytes"

	sitter "github.com/smacker/go-tree-sitter"
)

// Document is a text that changes a little at a time, like one in an editor. It keeps the
// syntax tree, so that parsing the text again costs only as much as what has changed. The zero
// Document is ready for use; it must not be used concurrently.
type Document struct {
	grammar *grammar
	text    []byte // rewritten for the grammar
	tree    *sitter.Tree
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

// flatten is treeParser.flatten with the tree of the previous text.
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

// parse uses the old tree only if that can't change the result. The tree of a text with errors
// depends on earlier texts, and the same text must always have the same symbols, so trees with
// errors are neither kept nor used.
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

// difference returns the one edit between two texts: what lies between their common prefix and
// their common suffix.
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

// point returns the row and the column of an offset, both 0-based and the column in bytes.
func point(text []byte, at int) sitter.Point {
	line := bytes.LastIndexByte(text[:at], '\n') + 1
	return sitter.Point{Row: uint32(bytes.Count(text[:line], []byte{'\n'})), Column: uint32(at - line)}
}
