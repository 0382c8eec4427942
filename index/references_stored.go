package index

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"ploke-lsp/internal/syntax"
)

// fileRefs are the imports and references of a file, as encodeReferences has stored them. The
// references are decoded on demand.
type fileRefs struct {
	imports []syntax.Import
	text    string       // has the names
	names   []storedName // by their numbers, and one more with the end of the references
	first   []byte       // the types of symbols, see firstType
	refs    []byte
	types   map[string][]storedRef // see typesNamed
}

// storedName is a name in a fileRefs.
type storedName struct {
	start, end uint32 // in the text
	refs       uint32 // where the references to it begin
}

// decodeReferences decodes a stored value; ok is false if its names or imports are damaged.
func decodeReferences(data []byte) (m *fileRefs, ok bool) {
	m = &fileRefs{}
	count, at := uvarint(data, 0)
	m.names = make([]storedName, 1, min(count, uint64(len(data)))+2)
	sum := uint64(0)
	for ; count > 0 && at >= 0; count-- {
		var name []byte
		var size uint64
		name, at = text(data, at)
		n := storedName{start: uint32(at - len(name)), end: uint32(at), refs: uint32(sum)}
		size, at = uvarint(data, at)
		m.names = append(m.names, n)
		sum += min(size, uint64(len(data))+1)
	}
	if len(data) == 0 {
		at = 0
	}
	if at < 0 {
		return nil, false
	}
	m.names = append(m.names, storedName{refs: uint32(sum)})
	m.text = string(data[:at])
	if at = m.decodeImports(data, at); at < 0 || sum > uint64(len(data)-at) {
		return nil, false
	}
	refs := len(data) - int(sum)
	m.first, m.refs = data[at:refs], data[refs:]
	return m, true
}

// decodeImports decodes the imports at a position. It returns the position after them, -1 if
// they are damaged.
func (m *fileRefs) decodeImports(data []byte, at int) int {
	if at == len(data) {
		return at
	}
	count, at := uvarint(data, at)
	start, line := 0, 0
	for ; count > 0 && at >= 0; count-- {
		var names [3]uint64
		var places [3]int
		for i := range names {
			if names[i], at = uvarint(data, at); names[i] >= uint64(m.count()) {
				return -1
			}
		}
		for i := range places {
			places[i], at = varint(data, at)
		}
		start, line = start+places[0], line+places[2]
		m.imports = append(m.imports, syntax.Import{
			Local: m.name(int(names[0])), Path: m.name(int(names[1])), Member: m.name(int(names[2])),
			Start: start, End: start + places[1], Line: line,
		})
	}
	return at
}

// hasName reports whether a stored value has a name.
func hasName(data []byte, name string) bool {
	if !bytes.Contains(data, appendText(nil, name)) { // which is fast
		return false
	}
	count, at := uvarint(data, 0)
	for ; count > 0 && at >= 0; count-- {
		var other []byte
		if other, at = text(data, at); at >= 0 && string(other) == name {
			return true
		}
		_, at = uvarint(data, at)
	}
	return false
}

// count returns the number of names, with that of none.
func (m *fileRefs) count() int { return len(m.names) - 1 }

// name returns the name with a number, "" for 0.
func (m *fileRefs) name(number int) string { return m.text[m.names[number].start:m.names[number].end] }

// number returns the number of a name, 0 if the file does not have it.
func (m *fileRefs) number(name string) int {
	for n := 1; n < m.count(); n++ {
		if m.name(n) == name {
			return n
		}
	}
	return 0
}

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
func (m *fileRefs) toName(name string) []syntax.Ref { return m.toAny([]string{name}) }

// toAny returns the references to any of the names, in the order of the text.
func (m *fileRefs) toAny(names []string) []syntax.Ref {
	var numbers []int
	for _, name := range names {
		if n := m.number(name); n > 0 && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	var found []storedRef
	for _, n := range numbers {
		for r := range m.to(n) {
			found = append(found, *r)
		}
	}
	return m.inOrder(found)
}

// typesNamed returns the references of kind type to a name, in the order of the text.
func (m *fileRefs) typesNamed(name string) []storedRef {
	types, ok := m.types[name]
	if ok {
		return types
	}
	if n := m.number(name); n > 0 {
		for r := range m.to(n) {
			if r.kind == kindType {
				types = append(types, *r)
			}
		}
	}
	if m.types == nil {
		m.types = map[string][]storedRef{}
	}
	m.types[name] = types
	return types
}

// firstType returns the first type, or constructor, in the declaration of a symbol that may have
// a type: the type of a field or variable, or the target of a type alias.
func (m *fileRefs) firstType(of int) (syntax.Ref, bool) {
	count, at := uvarint(m.first, 0)
	for symbol := uint64(0); count > 0 && at >= 0; count-- {
		var distance, name, index uint64
		distance, at = uvarint(m.first, at)
		name, at = uvarint(m.first, at)
		index, at = uvarint(m.first, at)
		if symbol += distance; symbol < uint64(of) {
			continue
		}
		if symbol > uint64(of) || at < 0 || name >= uint64(m.count()) {
			break
		}
		for r := range m.to(int(name)) {
			if index == 0 {
				return m.ref(r), true
			}
			index--
		}
		break
	}
	return syntax.Ref{}, false
}

// filter returns the references that wanted accepts, in the order of the text. It decodes all.
func (m *fileRefs) filter(wanted func(*storedRef) bool) []syntax.Ref {
	var found []storedRef
	for r := range m.all() {
		if wanted(r) {
			found = append(found, *r)
		}
	}
	return m.inOrder(found)
}

// inRange returns the references within a byte range, in the order of the text.
func (m *fileRefs) inRange(start, end int) []syntax.Ref {
	return m.filter(func(r *storedRef) bool { return r.start >= start && r.start+m.length(r) <= end })
}

// inOrder looks up references and sorts them by their starts.
func (m *fileRefs) inOrder(stored []storedRef) []syntax.Ref {
	slices.SortStableFunc(stored, func(a, b storedRef) int { return cmp.Compare(a.start, b.start) })
	refs := make([]syntax.Ref, len(stored))
	for i := range stored {
		refs[i] = m.ref(&stored[i])
	}
	return refs
}

// storedRef is an encoded reference, with the numbers of names.
type storedRef struct {
	kind                      int
	name, qualifier, receiver int
	start, from               int
	stored                    int // its length; -1: the name's
}

func (m *fileRefs) length(r *storedRef) int {
	if r.stored >= 0 {
		return r.stored
	}
	return int(m.names[r.name].end - m.names[r.name].start)
}

// ref looks up the names of a reference. It does not know the line.
func (m *fileRefs) ref(r *storedRef) syntax.Ref {
	return syntax.Ref{
		Name: m.name(r.name), Kind: refKinds[r.kind], Qualifier: m.name(r.qualifier), Receiver: m.name(r.receiver),
		Start: r.start, End: r.start + m.length(r), From: r.from,
	}
}

// all returns the references in the order of the names. A reference is valid until the next one.
func (m *fileRefs) all() iter.Seq[*storedRef] {
	return func(yield func(*storedRef) bool) {
		data := string(m.refs)
		for n := 1; n < m.count(); n++ {
			if !m.decode(data[m.names[n].refs:m.names[n+1].refs], n, yield) {
				return
			}
		}
	}
}

// to returns the references to the name with a number, in the order of the text. A reference is
// valid until the next one.
func (m *fileRefs) to(number int) iter.Seq[*storedRef] {
	return func(yield func(*storedRef) bool) {
		m.decode(string(m.refs[m.names[number].refs:m.names[number+1].refs]), number, yield)
	}
}

// decode yields the references to the name with a number, up to the first damage. It reports
// whether yield wants more.
func (m *fileRefs) decode(data string, number int, yield func(*storedRef) bool) bool {
	d, r := decoder{data: data}, storedRef{name: number, from: -1}
	for d.more() {
		if d.ref(&r, m.count()); d.failed {
			break
		}
		if !yield(&r) {
			return false
		}
	}
	return true
}

// ref reads the reference that follows r, in a file with that many names.
func (d *decoder) ref(r *storedRef, names int) {
	head := d.byte()
	if r.kind = int(head & refKindMask); r.kind >= len(refKinds) {
		r.kind = 0
		d.fail()
	}
	r.qualifier, r.receiver = 0, 0
	r.start += d.int()
	if head&refQualifier != 0 {
		r.qualifier = d.number(names)
	}
	if head&refReceiver != 0 {
		r.receiver = d.number(names)
	}
	if head&refFrom != 0 {
		r.from += int(d.varint())
	}
	r.stored = -1
	if head&refLength != 0 {
		r.stored = d.int()
	}
}
