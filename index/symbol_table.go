package index

import (
	"bytes"

	"ploke-lsp/internal/syntax"
)

// symbolTable has what resolving needs of a file's symbols. The rest is decoded on demand,
// because most symbols of most files are only compared by name. Its strings are copies, so they
// may be kept longer than the table.
type symbolTable struct {
	data    []byte // see encodeSymbols; it may be a part of a segment
	entries []symbolEntry
	full    []syntax.Symbol // see all
	lines   []int32         // see line
}

// symbolEntry is a part of a symbol. Without pointers, the entries are nothing to the garbage
// collector.
type symbolEntry struct {
	name   uint32 // its offset in the data; the detail and the rest are after it
	parent int32  // -1: none
	kind   uint8  // an index of symbolKinds
}

// declared is a part of a symbol.
type declared struct {
	name   []byte // a part of the table's data
	kind   syntax.Kind
	parent int // -1: none
}

// newSymbolTable returns the table of a value of encodeSymbols, which it keeps; ok is false for a
// damaged value.
func newSymbolTable(data []byte) (t *symbolTable, ok bool) {
	t = &symbolTable{data: data, entries: make([]symbolEntry, 0, countSymbols(data))}
	for at := 0; at < len(data); {
		size, record := uvarint(data, at)
		if record < 0 || size > uint64(len(data)-record) {
			return nil, false
		}
		at = record + int(size)
		e, ok := entryOf(data[:at], record, len(t.entries))
		if !ok {
			return nil, false
		}
		t.entries = append(t.entries, e)
	}
	return t, true
}

// entryOf returns the entry of the symbol with a number, whose record begins at an offset and ends
// with the data; ok is false for a damaged one.
func entryOf(data []byte, at, number int) (e symbolEntry, ok bool) {
	_, at = uvarint(data, at) // the start
	_, at = uvarint(data, at) // the line
	if at < 0 || at >= len(data) || int(data[at]) >= len(symbolKinds) {
		return e, false
	}
	e = symbolEntry{kind: data[at], name: uint32(at + 1), parent: -1}
	_, at = text(data, at+1)
	_, at = text(data, at) // the detail
	up, at := uvarint(data, at)
	if up > 0 {
		e.parent = int32(number - int(min(up, uint64(number)+1)))
	}
	_, at = text(data, at) // the address
	return e, at >= 0 && up <= uint64(number)
}

// count returns the number of symbols.
func (t *symbolTable) count() int { return len(t.entries) }

// at returns the i-th symbol.
func (t *symbolTable) at(i int) declared {
	e := &t.entries[i]
	name, _ := text(t.data, int(e.name))
	return declared{name, symbolKinds[e.kind], int(e.parent)}
}

// line returns the first line of the i-th symbol.
func (t *symbolTable) line(i int) int {
	if t.lines == nil {
		line, at := 0, 0
		for range t.entries {
			size, record := uvarint(t.data, at)
			_, start := uvarint(t.data, record)
			distance, _ := varint(t.data, start)
			line += distance
			t.lines = append(t.lines, int32(line))
			at = record + int(size)
		}
	}
	return int(t.lines[i])
}

// named returns the symbols of that name.
func (t *symbolTable) named(name string) (found []int) {
	stored := appendText(make([]byte, 0, 64), name)
	for i := range t.entries {
		if bytes.HasPrefix(t.data[t.entries[i].name:], stored) {
			found = append(found, i)
		}
	}
	return found
}

// all returns the complete symbols; ok is false if they are damaged.
func (t *symbolTable) all() (symbols []syntax.Symbol, ok bool) {
	if t.full == nil {
		if t.full, ok = decodeSymbols(t.data); !ok {
			return nil, false
		}
	}
	return t.full, true
}

// stored returns the address of the i-th symbol if it is not its parent's address and its name.
func (t *symbolTable) stored(i int) []byte {
	_, at := text(t.data, int(t.entries[i].name))
	_, at = text(t.data, at)    // the detail
	_, at = uvarint(t.data, at) // the distance of the parent
	address, _ := text(t.data, at)
	return address
}

// address returns the address of the i-th symbol.
func (t *symbolTable) address(i int) string {
	if canon := t.stored(i); len(canon) > 0 {
		return string(canon)
	}
	s := t.at(i)
	if s.parent < 0 {
		return string(s.name)
	}
	return t.address(s.parent) + "::" + string(s.name)
}

// end returns the end of the i-th symbol's address: at least its last name. It spares the memory
// of the whole address.
func (t *symbolTable) end(i int) []byte {
	if canon := t.stored(i); len(canon) > 0 {
		return canon
	}
	name := t.at(i).name
	if bytes.IndexByte(name, ':') >= 0 { // the address may have a separator that the name alone has not
		return []byte(t.address(i))
	}
	return name
}

// owner returns the name of the symbol that contains the i-th one, "" for none.
func (t *symbolTable) owner(i int) string {
	end := t.end(i)
	if cut := bytes.LastIndex(end, []byte("::")); cut >= 0 {
		return lastName(string(end[:cut]))
	}
	parent := t.at(i).parent
	if parent < 0 || len(t.stored(i)) > 0 {
		return ""
	}
	return lastName(string(t.end(parent)))
}

// sameAddress reports whether the addresses of two symbols of the same name are equal, apart from
// their numbers.
func (t *symbolTable) sameAddress(i int, o *symbolTable, j int) bool {
	if len(t.stored(i))+len(o.stored(j)) == 0 {
		p, q := t.at(i).parent, o.at(j).parent
		switch {
		case t == o && p == q:
			return true
		case p >= 0 && q >= 0:
			return t.address(p) == o.address(q)
		}
	}
	return syntax.Plain(t.address(i)) == syntax.Plain(o.address(j))
}
