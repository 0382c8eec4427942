package index

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"ploke-lsp/internal/syntax"
)

// What a file mentions is stored as one value: its names, each behind its length, and
// how many they are; its imports; then its references up to the end, in the order of
// the text. A name is referred to by its number, and 0 is none. A reference is a byte of
// its kind and the bits below, its name, how far it starts behind the one before, and
// what the bits announce. Numbers are varints. On the Go standard library a reference
// takes 6.6 bytes, with its share of the names and imports.

const (
	refKindMask  = 0x07
	refQualifier = 0x08 // a name
	refReceiver  = 0x10 // a name
	refLine      = 0x20 // the distance from the line before
	refFrom      = 0x40 // the distance from the symbol before
	refLength    = 0x80 // where it is not the name's
)

// refKinds are the kinds by their number.
var refKinds = []syntax.RefKind{syntax.RefCall, syntax.RefType, syntax.RefImport, syntax.RefUse, syntax.RefInherit}

// encodeMentions encodes the imports and references of a file. It puts the references
// into the order of the text.
func encodeMentions(f *syntax.File) []byte {
	if len(f.Refs)+len(f.Imports) == 0 {
		return nil
	}
	slices.SortStableFunc(f.Refs, func(a, b syntax.Ref) int { return cmp.Compare(a.Start, b.Start) })
	names := nameTable{numbers: map[string]uint64{"": 0}}
	body := encodeImports(nil, f.Imports, &names)
	before := syntax.Ref{From: -1}
	for _, r := range f.Refs {
		body = encodeRef(body, r, before, &names)
		before = r
	}
	return append(binary.AppendUvarint(nil, uint64(len(names.numbers)-1)), append(names.text, body...)...)
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

func encodeRef(buf []byte, r, before syntax.Ref, names *nameTable) []byte {
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

// nameTable numbers names from 1, in the order of their first use.
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

// mentions are the imports and references of a file.
type mentions struct {
	imports []syntax.Import
	names   []string
	stored  []byte       // the references, or
	parsed  []syntax.Ref // as they come from a text
}

// decodeMentions reads a stored value. A damaged one mentions nothing.
func decodeMentions(data []byte) *mentions {
	if len(data) == 0 {
		return &mentions{}
	}
	d := decoder{data: data}
	m := &mentions{names: []string{""}}
	for range d.int() {
		if m.names = append(m.names, d.text()); d.failed {
			return &mentions{}
		}
	}
	start, line := 0, 0
	for range d.int() {
		i := syntax.Import{Local: d.name(m.names), Path: d.name(m.names), Member: d.name(m.names)}
		i.Start = start + int(d.varint())
		i.End = i.Start + int(d.varint())
		i.Line = line + int(d.varint())
		if start, line = i.Start, i.Line; d.failed {
			return &mentions{}
		}
		m.imports = append(m.imports, i)
	}
	m.stored = d.data
	return m
}

// hasName says whether a stored value has a name.
func hasName(data []byte, name string) bool {
	d := decoder{data: data}
	for range d.int() {
		if text := d.take(d.int()); d.failed || string(text) == name {
			return !d.failed
		}
	}
	return false
}

// name is the name of the number that comes next.
func (d *decoder) name(names []string) string {
	if n := d.int(); n < len(names) {
		return names[n]
	}
	d.failed = true
	return ""
}

// lay lays the references out in memory that they may use until it is nil again: they
// are read often then.
func (m *mentions) lay(out []syntax.Ref) []syntax.Ref {
	if m.stored != nil {
		m.parsed = nil
		m.parsed = slices.AppendSeq(out[:0], m.refs())
		return m.parsed
	}
	return out
}

// gather is the reverse of lay.
func (m *mentions) gather() {
	if m.stored != nil {
		m.parsed = nil
	}
}

// refs are the references, in the order of the text.
func (m *mentions) refs() iter.Seq[syntax.Ref] {
	if m.parsed != nil || m.stored == nil {
		return slices.Values(m.parsed)
	}
	return func(yield func(syntax.Ref) bool) {
		d := decoder{data: m.stored}
		r := syntax.Ref{From: -1}
		for len(d.data) > 0 {
			if d.ref(&r, m.names); d.failed || !yield(r) {
				return
			}
		}
	}
}

// to are the references to a name, in the order of the text.
func (m *mentions) to(name string) iter.Seq[syntax.Ref] {
	return func(yield func(syntax.Ref) bool) {
		if m.stored != nil && !slices.Contains(m.names, name) {
			return
		}
		for r := range m.refs() {
			if r.Name == name && !yield(r) {
				return
			}
		}
	}
}

// ref reads the reference behind the one that r is.
func (d *decoder) ref(r *syntax.Ref, names []string) {
	head := d.byte()
	kind := int(head & refKindMask)
	if kind >= len(refKinds) {
		d.failed = true
		return
	}
	r.Kind, r.Name, r.Qualifier, r.Receiver = refKinds[kind], d.name(names), "", ""
	r.Start += d.int()
	if head&refQualifier != 0 {
		r.Qualifier = d.name(names)
	}
	if head&refReceiver != 0 {
		r.Receiver = d.name(names)
	}
	if head&refLine != 0 {
		r.Line += int(d.varint())
	}
	if head&refFrom != 0 {
		r.From += int(d.varint())
	}
	r.End = r.Start + len(r.Name)
	if head&refLength != 0 {
		r.End = r.Start + d.int()
	}
}
