package records

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"

	"ploke-lsp/internal/syntax"
)

// References are the imports and references of a file, as [EncodeReferences] has stored them. The
// references are decoded on demand.
type References struct {
	Imports []syntax.Import
	text    string       // has the names
	names   []storedName // by their numbers, and one more with the end of the references
	first   []byte       // the types of symbols, see FirstType
	refs    []byte
	types   map[string][]Reference // see TypesNamed
}

// storedName is a name in a References.
type storedName struct {
	start, end uint32 // in the text
	refs       uint32 // where the references to it begin
}

// DecodeReferences decodes a stored value, which it keeps; ok is false if its names or imports
// are damaged.
func DecodeReferences(data []byte) (m *References, ok bool) {
	m = &References{}
	if len(data) == 0 {
		m.names = make([]storedName, 2)
		return m, true
	}
	count, at := Uvarint(data, 0)
	m.names = make([]storedName, 1, min(count, uint64(len(data)))+2)
	sum := uint64(0)
	for ; count > 0 && at >= 0; count-- {
		name, end := Text(data, at)
		m.names = append(m.names, storedName{start: uint32(end - len(name)), end: uint32(end), refs: uint32(sum)})
		var size uint64
		size, at = Uvarint(data, end)
		sum += min(size, uint64(len(data))+1)
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
func (m *References) decodeImports(data []byte, at int) int {
	count, at := Uvarint(data, at)
	m.Imports = make([]syntax.Import, 0, min(count, uint64(len(data))))
	start, line := 0, 0
	for ; count > 0 && at >= 0; count-- {
		var names [3]uint64
		var places [3]int
		for i := range names {
			if names[i], at = Uvarint(data, at); names[i] >= uint64(m.count()) {
				return -1
			}
		}
		for i := range places {
			places[i], at = Varint(data, at)
		}
		start, line = start+places[0], line+places[2]
		m.Imports = append(m.Imports, syntax.Import{
			Local: m.name(int(names[0])), Path: m.name(int(names[1])), Member: m.name(int(names[2])),
			Start: start, End: start + places[1], Line: line,
		})
	}
	return at
}

// MayHaveName reports whether a stored value may have a name. It is fast, and nearly always right.
func MayHaveName(data []byte, name string) bool { return bytes.Contains(data, AppendText(nil, name)) }

// count returns the number of names, with that of none.
func (m *References) count() int { return len(m.names) - 1 }

// name returns the name with a number, "" for 0.
func (m *References) name(number int) string {
	return m.text[m.names[number].start:m.names[number].end]
}

// Number returns the number of a name, 0 if the file does not have it.
func (m *References) Number(name string) int {
	for n := 1; n < m.count(); n++ {
		if m.name(n) == name {
			return n
		}
	}
	return 0
}

// Imported reports whether an import has that name in the file.
func (m *References) Imported(name string) bool {
	return slices.ContainsFunc(m.Imports, func(i syntax.Import) bool { return i.Local == name })
}

// ToName returns the references to a name, in the order of the text.
func (m *References) ToName(name string) iter.Seq[syntax.Ref] { return m.ToAny([]string{name}) }

// ToAny returns the references to any of the names, in the order of the text.
func (m *References) ToAny(names []string) iter.Seq[syntax.Ref] {
	var numbers []int
	for _, name := range names {
		if n := m.Number(name); n > 0 && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 1 {
		return func(yield func(syntax.Ref) bool) {
			for c := m.to(numbers[0]); c.next() && yield(m.Ref(&c.Reference)); {
			}
		}
	}
	slices.Sort(numbers)
	var refs []syntax.Ref
	for _, n := range numbers {
		for c := m.to(n); c.next(); {
			refs = append(refs, m.Ref(&c.Reference))
		}
	}
	inOrderOfText(refs)
	return slices.Values(refs)
}

// TypesNamed returns the references of kind type to a name, in the order of the text. Of those that
// follow each other in one symbol it has the first.
func (m *References) TypesNamed(name string) []Reference {
	types, ok := m.types[name]
	if ok {
		return types
	}
	if n := m.Number(name); n > 0 {
		for c := m.to(n); c.next(); {
			if c.kind == kindType && (len(types) == 0 || types[len(types)-1].From != c.From) {
				types = append(types, c.Reference)
			}
		}
	}
	if m.types == nil {
		m.types = map[string][]Reference{}
	}
	m.types[name] = types
	return types
}

// FirstType returns the first type, or constructor, in the declaration of a symbol that may have
// a type: the type of a field or variable, the target of a type alias, or the type of a Go function's first result.
func (m *References) FirstType(of int) (syntax.Ref, bool) {
	count, at := Uvarint(m.first, 0)
	for symbol := uint64(0); count > 0 && at >= 0; count-- {
		var distance, name, index uint64
		distance, at = Uvarint(m.first, at)
		name, at = Uvarint(m.first, at)
		index, at = Uvarint(m.first, at)
		if symbol += distance; symbol < uint64(of) {
			continue
		}
		if symbol > uint64(of) || at < 0 || name >= uint64(m.count()) {
			break
		}
		for c := m.to(int(name)); c.next(); index-- {
			if index == 0 {
				return m.Ref(&c.Reference), true
			}
		}
		break
	}
	return syntax.Ref{}, false
}

// filter returns the references that wanted accepts, in the order of the text. It decodes all.
func (m *References) filter(wanted func(*Reference) bool) []syntax.Ref {
	return m.filterUpTo(math.MaxInt, wanted)
}

// filterUpTo is filter for the references that begin up to an offset. It decodes few others.
func (m *References) filterUpTo(end int, wanted func(*Reference) bool) []syntax.Ref {
	refs := []syntax.Ref{}
	var c refCursor // one for all names, because it escapes
	for n := 1; n < m.count(); n++ {
		for c = m.to(n); c.next() && c.start <= end; {
			if wanted(&c.Reference) {
				refs = append(refs, m.Ref(&c.Reference))
			}
		}
	}
	inOrderOfText(refs)
	return refs
}

// InRange returns the references within a byte range, in the order of the text.
func (m *References) InRange(start, end int) []syntax.Ref {
	return m.filterUpTo(end, func(r *Reference) bool { return r.start >= start && r.start+m.length(r) <= end })
}

func inOrderOfText(refs []syntax.Ref) {
	slices.SortStableFunc(refs, func(a, b syntax.Ref) int { return cmp.Compare(a.Start, b.Start) })
}

// Reference is an encoded reference, with the numbers of names.
type Reference struct {
	kind                      int
	name, qualifier, receiver int
	start, From               int
	stored                    int // its length; -1: the name's
}

func (m *References) length(r *Reference) int {
	if r.stored >= 0 {
		return r.stored
	}
	return int(m.names[r.name].end - m.names[r.name].start)
}

// Ref looks up the names of a reference. It does not know the line.
func (m *References) Ref(r *Reference) syntax.Ref {
	return syntax.Ref{
		Name: m.name(r.name), Kind: refKinds[r.kind], Qualifier: m.name(r.qualifier), Receiver: m.name(r.receiver),
		Start: r.start, End: r.start + m.length(r), From: r.From,
	}
}

// refCursor reads the references to one name in the order of the text. It begins before the first.
type refCursor struct {
	Reference
	data  []byte
	at    int // -1 at damage
	names int // the number of names in the file
}

// to returns a cursor on the references to the name with a number.
func (m *References) to(number int) refCursor {
	return refCursor{Reference{name: number, From: -1}, m.refs[m.names[number].refs:m.names[number+1].refs], 0, m.count()}
}

// next reads the next reference. It returns false after the last one, and at the first damage.
func (c *refCursor) next() bool {
	if c.at < 0 || c.at >= len(c.data) {
		return false
	}
	head := c.data[c.at]
	distance, at := Uvarint(c.data, c.at+1)
	c.kind, c.start = int(head&refKindMask), c.start+int(distance)
	c.qualifier, c.receiver, c.stored = 0, 0, -1
	if head&refQualifier != 0 {
		c.qualifier, at = uvarintBelow(c.data, at, c.names)
	}
	if head&refReceiver != 0 {
		c.receiver, at = uvarintBelow(c.data, at, c.names)
	}
	if head&refFrom != 0 {
		distance := 0
		distance, at = Varint(c.data, at)
		c.From += distance
	}
	if head&refLength != 0 {
		c.stored, at = uvarintBelow(c.data, at, maxLength)
	}
	if c.at = at; c.kind >= len(refKinds) || distance > maxLength {
		c.at = -1
	}
	return c.at >= 0
}

// maxLength is more than the length of any text in bytes.
const maxLength = math.MaxInt32

// uvarintBelow is uvarint for a number below limit. One that is not is damaged.
func uvarintBelow(data []byte, at, limit int) (int, int) {
	n, at := Uvarint(data, at)
	if n >= uint64(limit) {
		return 0, -1
	}
	return int(n), at
}

// Inherited returns the references of kind inherit.
func (m *References) Inherited() []syntax.Ref {
	return m.filter(func(r *Reference) bool { return r.kind == kindInherit })
}
