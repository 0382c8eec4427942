package records

import (
	"cmp"
	"encoding/binary"
	"slices"

	"ploke-lsp/internal/syntax"
)

// The references of a file are stored as one value: the number of its names; each name with
// its length, and the size of the references to it in bytes; its imports; the references that
// tell the types of symbols; and the references to each name, in the order of the names, and to
// one name in the order of the text. So the references to a name are found without reading the
// others. References and imports use the 1-based numbers of names, and 0 for none. The type of a
// symbol is the distance from the previous symbol that has one, the number of a name, and the
// index among the references to it. A reference is a byte with its kind and the flags
// below, the distance of its start from that of the previous reference to the name, and the
// values that the flags announce. Its line is counted in the text. Numbers are varints.

const (
	refKindMask  = 0x07
	refQualifier = 0x08 // a name
	refReceiver  = 0x10 // a name
	refFrom      = 0x20 // the distance from the previous enclosing symbol
	refLength    = 0x40 // unless that is the name's
)

// refKinds are the kinds by their number.
var refKinds = []syntax.RefKind{kindCall: syntax.RefCall, kindType: syntax.RefType, kindImport: syntax.RefImport,
	kindUse: syntax.RefUse, kindInherit: syntax.RefInherit}

const (
	kindCall = iota
	kindType
	kindImport
	kindUse
	kindInherit
)

// EncodeReferences encodes the imports and references of a file.
func EncodeReferences(f *syntax.File) []byte {
	if len(f.Refs)+len(f.Imports) == 0 {
		return nil
	}
	names := nameTable{numbers: map[string]int{"": 0}, names: []string{""}}
	imports := encodeImports(nil, f.Imports, &names)
	refs, sizes, types := encodeRefs(f, &names)
	buf := binary.AppendUvarint(nil, uint64(len(names.names)-1))
	for n, name := range names.names[1:] {
		buf = binary.AppendUvarint(AppendText(buf, name), uint64(sizes[n+1]))
	}
	return slices.Concat(buf, imports, types, refs)
}

// inOrder returns the indexes of references in the order of the text. It leaves out those without
// a name, which a text with syntax errors may have.
func inOrder(refs []syntax.Ref) []int32 {
	order := make([]int32, 0, len(refs))
	for i := range refs {
		if refs[i].Name != "" {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(refs[a].Start, refs[b].Start) })
	return order
}

func encodeImports(buf []byte, imports []syntax.Import, names *nameTable) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(imports)))
	start, line := 0, 0
	for _, i := range imports {
		for _, name := range []string{i.Local, i.Path, i.Member} {
			buf = binary.AppendUvarint(buf, uint64(names.number(name)))
		}
		for _, n := range []int{i.Start - start, i.End - i.Start, i.Line - line} {
			buf = binary.AppendVarint(buf, int64(n))
		}
		start, line = i.Start, i.Line
	}
	return buf
}

// encodeRefs encodes the references of a file. It returns the size of those to each name, by its
// number, and the encoded types of symbols.
//
// A query asks a file for the references to one name, so they are stored by name, and within one by place: a
// counting sort, since names have small numbers. What is stored of a reference is the difference to the one before,
// which is small within a group.
func encodeRefs(f *syntax.File, names *nameTable) (buf []byte, sizes []int, types []byte) {
	refs, first := f.Refs, make([]symbolType, len(f.Symbols))
	order := inOrder(refs)
	numbers := make([]int, len(order))
	for i, at := range order {
		numbers[i] = names.number(refs[at].Name)
	}
	groups := make([]int, len(names.names)+1) // where the references to each name begin
	for _, n := range numbers {
		groups[n+1]++
	}
	for n := range names.names {
		groups[n+1] += groups[n]
	}
	sorted, next := make([]int32, len(order)), slices.Clone(groups)
	for i, at := range order {
		sorted[next[numbers[i]]] = at
		next[numbers[i]]++
	}
	for n := range len(groups) - 1 {
		size, before := len(buf), &syntax.Ref{From: -1}
		for i, at := range sorted[groups[n]:groups[n+1]] {
			r := &refs[at]
			buf = encodeRef(buf, r, before, names)
			before = r
			if !tellsType(f, r) {
				continue
			}
			if t := &first[r.From]; t.name == 0 || r.Start < t.start {
				*t = symbolType{name: n, index: i, start: r.Start}
			}
		}
		sizes = append(sizes, len(buf)-size)
	}
	sizes = append(sizes, make([]int, len(names.names)-len(sizes))...) // the last names are only of qualifiers
	return buf, sizes, encodeTypes(first)
}

// tellsType reports whether a reference may tell the type of the symbol that encloses it, or of a function's result.
func tellsType(f *syntax.File, r *syntax.Ref) bool {
	if r.Kind != syntax.RefType && r.Kind != syntax.RefCall || r.From < 0 || r.From >= len(f.Symbols) {
		return false
	}
	kind := f.Symbols[r.From].Kind
	if IsValue(kind) || kind == syntax.KindType {
		return true
	}
	_, ok := slices.BinarySearch(f.ResultTypes, r.Start)
	return ok
}

// symbolType is the first reference in a symbol's declaration that may tell its type.
type symbolType struct {
	name  int // its number; 0: there is no such reference
	index int // among the references to the name
	start int
}

// encodeTypes encodes the types of the symbols that have one.
func encodeTypes(first []symbolType) []byte {
	var types []byte
	count, before := 0, 0
	for i, t := range first {
		if t.name == 0 {
			continue
		}
		for _, n := range []int{i - before, t.name, t.index} {
			types = binary.AppendUvarint(types, uint64(n))
		}
		count, before = count+1, i
	}
	return append(binary.AppendUvarint(nil, uint64(count)), types...)
}

func encodeRef(buf []byte, r, before *syntax.Ref, names *nameTable) []byte {
	at := len(buf)
	buf = append(buf, byte(slices.Index(refKinds, r.Kind)))
	buf = binary.AppendUvarint(buf, uint64(r.Start-before.Start))
	if r.Qualifier != "" {
		buf[at] |= refQualifier
		buf = binary.AppendUvarint(buf, uint64(names.number(r.Qualifier)))
	}
	if r.Receiver != "" {
		buf[at] |= refReceiver
		buf = binary.AppendUvarint(buf, uint64(names.number(r.Receiver)))
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
	numbers map[string]int
	names   []string // by their numbers
}

func (t *nameTable) number(name string) int {
	n, ok := t.numbers[name]
	if !ok {
		n = len(t.names)
		t.numbers[name] = n
		t.names = append(t.names, name)
	}
	return n
}
