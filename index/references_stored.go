package index

import (
	"cmp"
	"iter"
	"slices"

	"ploke-lsp/internal/syntax"
)

// fileRefs are the imports and references of a file, decoded from what encodeReferences
// has stored.
type fileRefs struct {
	imports []syntax.Import
	names   []string    // by their numbers
	refs    decoder     // at the first reference
	types   []storedRef // see typesNamed
}

// decodeReferences decodes a stored value; ok is false if its names or imports are damaged.
func decodeReferences(data []byte) (m *fileRefs, ok bool) {
	d := decoder{data: string(data)}
	count := d.int()
	m = &fileRefs{names: make([]string, 1, min(count, len(data))+1)}
	for range count {
		if m.names = append(m.names, d.text()); d.failed {
			return nil, false
		}
	}
	start, line := 0, 0
	for range d.int() {
		i := syntax.Import{Local: d.name(m.names), Path: d.name(m.names), Member: d.name(m.names)}
		i.Start = start + int(d.varint())
		i.End = i.Start + int(d.varint())
		i.Line = line + int(d.varint())
		if start, line = i.Start, i.Line; d.failed {
			return nil, false
		}
		m.imports = append(m.imports, i)
	}
	m.refs = d
	return m, true
}

// hasName reports whether a stored value has a name.
func hasName(data []byte, name string) bool {
	count, at := uvarint(data, 0)
	for ; count > 0 && at >= 0; count-- {
		var other []byte
		if other, at = text(data, at); at >= 0 && string(other) == name {
			return true
		}
	}
	return false
}

// name reads the number of a name, and returns the name.
func (d *decoder) name(names []string) string { return names[d.number(len(names))] }

// number reads a number below limit.
func (d *decoder) number(limit int) int {
	n := d.int()
	if n >= limit {
		d.fail()
		return 0
	}
	return n
}

// imported reports whether an import has that name in the file.
func (m *fileRefs) imported(name string) bool {
	return slices.ContainsFunc(m.imports, func(i syntax.Import) bool { return i.Local == name })
}

// toName returns the references to a name, in the order of the text.
func (m *fileRefs) toName(name string) iter.Seq[syntax.Ref] { return m.toAny([]string{name}) }

// toAny returns the references to any of the names, in the order of the text.
func (m *fileRefs) toAny(names []string) iter.Seq[syntax.Ref] {
	var numbers []int
	for number, name := range m.names {
		if slices.Contains(names, name) {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return func(func(syntax.Ref) bool) {}
	}
	return m.filter(func(r *storedRef) bool { return slices.Contains(numbers, r.name) })
}

// typesNamed returns the references of kind type to a name, in the order of the text. The
// first call decodes all references.
func (m *fileRefs) typesNamed(name string) []storedRef {
	if m.types == nil {
		m.types = []storedRef{}
		for r := range m.stored(func(r *storedRef) bool { return r.kind == kindType }) {
			m.types = append(m.types, *r)
		}
		slices.SortStableFunc(m.types, func(a, b storedRef) int { return cmp.Compare(a.name, b.name) })
	}
	number := slices.Index(m.names, name)
	byNumber := func(r storedRef, number int) int { return cmp.Compare(r.name, number) }
	start, _ := slices.BinarySearchFunc(m.types, number, byNumber)
	end, _ := slices.BinarySearchFunc(m.types, number+1, byNumber)
	return m.types[start:end]
}

// inRange returns the references within a byte range, in the order of the text.
func (m *fileRefs) inRange(start, end int) iter.Seq[syntax.Ref] {
	return func(yield func(syntax.Ref) bool) {
		for r := range m.filter(func(r *storedRef) bool { return r.start >= start }) {
			if r.Start > end || r.End <= end && !yield(r) {
				return
			}
		}
	}
}

// filter returns the references that wanted accepts, in the order of the text.
func (m *fileRefs) filter(wanted func(*storedRef) bool) iter.Seq[syntax.Ref] {
	return func(yield func(syntax.Ref) bool) {
		for r := range m.stored(wanted) {
			if !yield(m.ref(r)) {
				return
			}
		}
	}
}

// stored is filter without the names. A reference is valid until the next one.
func (m *fileRefs) stored(wanted func(*storedRef) bool) iter.Seq[*storedRef] {
	return func(yield func(*storedRef) bool) {
		d, r := m.refs, storedRef{from: -1}
		for d.more() {
			if d.ref(&r, len(m.names)); d.failed || wanted(&r) && !yield(&r) {
				return
			}
		}
	}
}

// storedRef is an encoded reference, with the numbers of names. Most are skipped without
// looking up the names.
type storedRef struct {
	kind                      int
	name, qualifier, receiver int
	start, line, from         int
	length                    int // -1: the name's
}

// ref looks up the names of a reference.
func (m *fileRefs) ref(r *storedRef) syntax.Ref {
	ref := syntax.Ref{
		Name: m.names[r.name], Kind: refKinds[r.kind], Qualifier: m.names[r.qualifier], Receiver: m.names[r.receiver],
		Start: r.start, End: r.start + r.length, Line: r.line, From: r.from,
	}
	if r.length < 0 {
		ref.End = r.start + len(ref.Name)
	}
	return ref
}

// ref reads the reference that follows r, in a file with that many names.
func (d *decoder) ref(r *storedRef, names int) {
	head := d.byte()
	if r.kind = int(head & refKindMask); r.kind >= len(refKinds) {
		r.kind = 0
		d.fail()
	}
	r.name, r.qualifier, r.receiver = d.number(names), 0, 0
	r.start += d.int()
	if head&refQualifier != 0 {
		r.qualifier = d.number(names)
	}
	if head&refReceiver != 0 {
		r.receiver = d.number(names)
	}
	if head&refLine != 0 {
		r.line += int(d.varint())
	}
	if head&refFrom != 0 {
		r.from += int(d.varint())
	}
	r.length = -1
	if head&refLength != 0 {
		r.length = d.int()
	}
}
