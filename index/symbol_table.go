package index

import (
	"bytes"

	"ploke-lsp/internal/syntax"
)

// symbolTable has what resolving needs of a file's symbols. The rest is decoded on demand,
// because most symbols of most files are only compared by name. Its strings are copies, so they
// may be kept longer than the table.
type symbolTable struct {
	data  []byte          // see encodeSymbols; it may be a part of a segment
	names []uint32        // their offsets in the data; before each is the kind, after it the rest of the symbol
	full  []syntax.Symbol // see all
	lines []int32         // see line
}

// declared is a part of a symbol.
type declared struct {
	name   []byte // a part of the table's data
	kind   syntax.Kind
	parent int // -1: none
}

// newSymbolTable returns the table of a value of encodeSymbols, which it keeps; ok is false if it
// does not find all names and kinds in a damaged value.
func newSymbolTable(data []byte) (t *symbolTable, ok bool) {
	t = &symbolTable{data: data, names: make([]uint32, 0, countSymbols(data))}
	for at := 0; at < len(data); {
		size, record := uvarint(data, at)
		if record < 0 || size > uint64(len(data)-record) {
			return nil, false
		}
		at = record + int(size)
		_, line := uvarint(data, record)
		_, kind := uvarint(data, line)
		if kind < 0 || kind >= at || int(data[kind]) >= len(symbolKinds) {
			return nil, false
		}
		t.names = append(t.names, uint32(kind+1))
	}
	return t, true
}

// count returns the number of symbols.
func (t *symbolTable) count() int { return len(t.names) }

// at returns the i-th symbol.
func (t *symbolTable) at(i int) declared {
	name, at := text(t.data, int(t.names[i]))
	_, at = text(t.data, at) // the detail
	up, _ := uvarint(t.data, at)
	parent := -1
	if up > 0 && up <= uint64(i) {
		parent = i - int(up)
	}
	return declared{name, symbolKinds[t.data[t.names[i]-1]], parent}
}

// line returns the first line of the i-th symbol.
func (t *symbolTable) line(i int) int {
	if t.lines == nil {
		line, at := 0, 0
		for range t.names {
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
	for i, at := range t.names {
		if bytes.HasPrefix(t.data[at:], stored) {
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
	_, at := text(t.data, int(t.names[i]))
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
