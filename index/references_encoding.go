package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"ploke-lsp/internal/syntax"
)

// The references of a file are stored as one value: the number of its names and each name
// with its length; its imports; and its references, in the order of the text, up to the
// end. References and imports use the 1-based numbers of names, and 0 for none. A
// reference is a byte with its kind and the flags below, its name, the distance of its
// start from the previous one's, and the values that the flags announce. Numbers are
// varints. On the Go standard library, a reference takes 6.6 bytes, including its share of
// names and imports.

const (
	refKindMask  = 0x07
	refQualifier = 0x08 // a name
	refReceiver  = 0x10 // a name
	refLine      = 0x20 // the distance from the previous line
	refFrom      = 0x40 // the distance from the previous enclosing symbol
	refLength    = 0x80 // unless that is the name's
)

// refKinds are the kinds by their number.
var refKinds = []syntax.RefKind{kindCall: syntax.RefCall, kindType: syntax.RefType, kindImport: syntax.RefImport, kindUse: syntax.RefUse, kindInherit: syntax.RefInherit}

const (
	kindCall = iota
	kindType
	kindImport
	kindUse
	kindInherit
)

// encodeReferences encodes the imports and references of a file.
func encodeReferences(f *syntax.File) []byte {
	if len(f.Refs)+len(f.Imports) == 0 {
		return nil
	}
	names := nameTable{numbers: map[string]uint64{"": 0}}
	body := encodeImports(nil, f.Imports, &names)
	before := &syntax.Ref{From: -1}
	for _, i := range inOrder(f.Refs) {
		body = encodeRef(body, &f.Refs[i], before, &names)
		before = &f.Refs[i]
	}
	return append(binary.AppendUvarint(nil, uint64(len(names.numbers)-1)), append(names.text, body...)...)
}

// inOrder returns the indexes of references in the order of the text.
func inOrder(refs []syntax.Ref) []int32 {
	order := make([]int32, len(refs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(refs[a].Start, refs[b].Start) })
	return order
}

func encodeImports(buf []byte, imports []syntax.Import, names *nameTable) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(imports)))
	start, line := 0, 0
	for _, i := range imports {
		for _, name := range []string{i.Local, i.Path, i.Member} {
			buf = binary.AppendUvarint(buf, names.number(name))
		}
		for _, n := range []int{i.Start - start, i.End - i.Start, i.Line - line} {
			buf = binary.AppendVarint(buf, int64(n))
		}
		start, line = i.Start, i.Line
	}
	return buf
}

func encodeRef(buf []byte, r, before *syntax.Ref, names *nameTable) []byte {
	at := len(buf)
	buf = append(buf, byte(slices.Index(refKinds, r.Kind)))
	buf = binary.AppendUvarint(buf, names.number(r.Name))
	buf = binary.AppendUvarint(buf, uint64(r.Start-before.Start))
	if r.Qualifier != "" {
		buf[at] |= refQualifier
		buf = binary.AppendUvarint(buf, names.number(r.Qualifier))
	}
	if r.Receiver != "" {
		buf[at] |= refReceiver
		buf = binary.AppendUvarint(buf, names.number(r.Receiver))
	}
	if r.Line != before.Line {
		buf[at] |= refLine
		buf = binary.AppendVarint(buf, int64(r.Line-before.Line))
	}
	if r.From != before.From {
		buf[at] |= refFrom
		buf = binary.AppendVarint(buf, int64(r.From-before.From))
	}
	if r.End-r.Start != len(r.Name) {
		buf[at] |= refLength
		buf = binary.AppendUvarint(buf, uint64(r.End-r.Start))
	}
	return buf
}

// nameTable numbers names from 1, in the order of first use.
type nameTable struct {
	numbers map[string]uint64
	text    []byte
}

func (t *nameTable) number(name string) uint64 {
	n, ok := t.numbers[name]
	if !ok {
		n = uint64(len(t.numbers))
		t.numbers[name] = n
		t.text = appendText(t.text, name)
	}
	return n
}
