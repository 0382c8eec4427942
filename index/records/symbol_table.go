package records

import (
	"bytes"
	"strings"

	"ploke-lsp/internal/syntax"
)

// SymbolTable has what resolving needs of a file's symbols. The rest is decoded on demand,
// because most symbols of most files are only compared by name. Its strings are copies, so they
// may be kept longer than the table.
type SymbolTable struct {
	data  []byte          // see [EncodeSymbols]; it may be a part of a segment
	names []uint32        // their offsets in the data; before each is the kind, after it the rest of the symbol
	full  []syntax.Symbol // see all
	lines []int32         // see line
}

// Declaration is a part of a symbol.
type Declaration struct {
	Name   []byte // a part of the table's data
	Kind   syntax.Kind
	Parent int // -1: none
}

// NewSymbolTable returns the table of a value of [EncodeSymbols], which it keeps; ok is false if it
// does not find all names and kinds in a damaged value.
func NewSymbolTable(data []byte) (t *SymbolTable, ok bool) {
	t = &SymbolTable{data: data, names: make([]uint32, 0, countSymbols(data))}
	for at := 0; at < len(data); {
		size, record := Uvarint(data, at)
		if record < 0 || size > uint64(len(data)-record) {
			return nil, false
		}
		at = record + int(size)
		_, line := Uvarint(data, record)
		_, kind := Uvarint(data, line)
		if kind < 0 || kind >= at || int(data[kind]) >= len(symbolKinds) {
			return nil, false
		}
		t.names = append(t.names, uint32(kind+1))
	}
	return t, true
}

// Count returns the number of symbols.
func (t *SymbolTable) Count() int { return len(t.names) }

// At returns the i-th symbol.
func (t *SymbolTable) At(i int) Declaration {
	name, at := Text(t.data, int(t.names[i]))
	_, at = Text(t.data, at) // the detail
	up, _ := Uvarint(t.data, at)
	parent := -1
	if up > 0 && up <= uint64(i) {
		parent = i - int(up)
	}
	return Declaration{name, symbolKinds[t.data[t.names[i]-1]], parent}
}

// Line returns the first line of the i-th symbol.
func (t *SymbolTable) Line(i int) int {
	if t.lines == nil {
		line, at := 0, 0
		for range t.names {
			size, record := Uvarint(t.data, at)
			_, start := Uvarint(t.data, record)
			distance, _ := Varint(t.data, start)
			line += distance
			t.lines = append(t.lines, int32(line))
			at = record + int(size)
		}
	}
	return int(t.lines[i])
}

// Named returns the symbols of that name.
func (t *SymbolTable) Named(name string) (found []int) {
	stored := AppendText(make([]byte, 0, 64), name)
	for i, at := range t.names {
		if bytes.HasPrefix(t.data[at:], stored) {
			found = append(found, i)
		}
	}
	return found
}

// All returns the complete symbols; ok is false if they are damaged.
func (t *SymbolTable) All() (symbols []syntax.Symbol, ok bool) {
	if t.full == nil {
		if t.full, ok = DecodeSymbols(t.data); !ok {
			return nil, false
		}
	}
	return t.full, true
}

// stored returns the address of the i-th symbol if it is not its parent's address and its name.
func (t *SymbolTable) stored(i int) []byte {
	_, at := Text(t.data, int(t.names[i]))
	_, at = Text(t.data, at)    // the detail
	_, at = Uvarint(t.data, at) // the distance of the parent
	address, _ := Text(t.data, at)
	return address
}

// Address returns the address of the i-th symbol.
func (t *SymbolTable) Address(i int) string {
	if canon := t.stored(i); len(canon) > 0 {
		return string(canon)
	}
	s := t.At(i)
	if s.Parent < 0 {
		return string(s.Name)
	}
	return t.Address(s.Parent) + "::" + string(s.Name)
}

// end returns the end of the i-th symbol's address: at least its last name. It spares the memory
// of the whole address.
func (t *SymbolTable) end(i int) []byte {
	if canon := t.stored(i); len(canon) > 0 {
		return canon
	}
	name := t.At(i).Name
	if bytes.IndexByte(name, ':') >= 0 { // the address may have a separator that the name alone has not
		return []byte(t.Address(i))
	}
	return name
}

// Owner returns the name of the symbol that contains the i-th one, "" for none.
func (t *SymbolTable) Owner(i int) string {
	end := t.end(i)
	if cut := bytes.LastIndex(end, []byte("::")); cut >= 0 {
		return LastName(string(end[:cut]))
	}
	parent := t.At(i).Parent
	if parent < 0 || len(t.stored(i)) > 0 {
		return ""
	}
	return LastName(string(t.end(parent)))
}

// SameAddress reports whether the addresses of two symbols of the same name are equal, apart from
// their numbers.
func (t *SymbolTable) SameAddress(i int, o *SymbolTable, j int) bool {
	if len(t.stored(i))+len(o.stored(j)) == 0 {
		p, q := t.At(i).Parent, o.At(j).Parent
		switch {
		case t == o && p == q:
			return true
		case p >= 0 && q >= 0:
			return t.Address(p) == o.Address(q)
		}
	}
	return syntax.Plain(t.Address(i)) == syntax.Plain(o.Address(j))
}

// IsValue reports whether a kind of symbol has a value, and so a type.
func IsValue(k syntax.Kind) bool {
	switch k {
	case syntax.KindField, syntax.KindProperty, syntax.KindVariable, syntax.KindConstant:
		return true
	}
	return false
}

// LastName returns the last name of an address, without its number.
func LastName(canon string) string {
	if cut := strings.LastIndex(canon, "::"); cut >= 0 {
		canon = canon[cut+2:]
	}
	return syntax.Plain(canon)
}
