package index

import (
	"strings"

	"ploke-lsp/internal/syntax"
)

// symbolTable has what resolving needs of a file's symbols. The rest is decoded on demand,
// because most symbols of most files are only compared by name.
type symbolTable struct {
	data    string // see encodeSymbols
	entries []symbolEntry
	full    []syntax.Symbol // see all
}

// symbolEntry is where the parts of a symbol are. Without pointers, the entries are nothing to
// the garbage collector.
type symbolEntry struct {
	name   uint32 // the offset of its name in the data
	canon  uint32 // the offset of its address
	parent int32  // -1: none
	line   int32  // the first
	kind   uint8  // an index of symbolKinds
}

// declared is a part of a symbol.
type declared struct {
	name   string
	kind   syntax.Kind
	parent int // -1: none
}

// newSymbolTable returns the table of a value of encodeSymbols; ok is false for a damaged
// value.
func newSymbolTable(data []byte) (t *symbolTable, ok bool) {
	d := decoder{data: string(data)}
	t = &symbolTable{data: d.data, entries: make([]symbolEntry, 0, countSymbols(data))}
	line := 0
	for d.more() {
		end := d.int()
		end += d.at
		d.varint() // the start
		line += int(d.varint())
		e := symbolEntry{kind: d.byte(), name: uint32(d.at), line: int32(line)}
		d.text()
		d.text() // the detail
		up := d.int()
		e.parent, e.canon = int32(len(t.entries)-up), uint32(d.at)
		d.text()
		if d.failed || end < d.at || end > len(d.data) || int(e.kind) >= len(symbolKinds) || e.parent < 0 {
			return nil, false
		}
		if up == 0 {
			e.parent = -1
		}
		t.entries = append(t.entries, e)
		d.at = end
	}
	return t, !d.failed
}

// text returns the length-prefixed text at an offset.
func (t *symbolTable) text(at uint32) string {
	if n := uint32(t.data[at]); n < 0x80 { // nearly always
		return t.data[at+1 : at+1+n]
	}
	d := decoder{data: t.data, at: int(at)}
	return d.text()
}

// at returns the i-th symbol.
func (t *symbolTable) at(i int) declared {
	e := &t.entries[i]
	return declared{t.text(e.name), symbolKinds[e.kind], int(e.parent)}
}

// named returns the symbols of that name.
func (t *symbolTable) named(name string) (found []int) {
	stored := appendText(make([]byte, 0, 64), name)
	for i := range t.entries {
		if rest := t.data[t.entries[i].name:]; len(rest) >= len(stored) && rest[:len(stored)] == string(stored) {
			found = append(found, i)
		}
	}
	return found
}

// all returns the complete symbols; ok is false if they are damaged.
func (t *symbolTable) all() (symbols []syntax.Symbol, ok bool) {
	if t.full == nil {
		if t.full, ok = decodeSymbols([]byte(t.data)); !ok {
			return nil, false
		}
	}
	return t.full, true
}

// stored returns the address of the i-th symbol if it is not its parent's address and its name.
func (t *symbolTable) stored(i int) string { return t.text(t.entries[i].canon) }

// address returns the address of the i-th symbol.
func (t *symbolTable) address(i int) string {
	if canon := t.stored(i); canon != "" {
		return canon
	}
	s := t.at(i)
	if s.parent < 0 {
		return s.name
	}
	return t.address(s.parent) + "::" + s.name
}

// end returns the end of the i-th symbol's address: at least its last name. It spares the memory
// of the whole address.
func (t *symbolTable) end(i int) string {
	if canon := t.stored(i); canon != "" {
		return canon
	}
	name := t.at(i).name
	if strings.Contains(name, ":") { // the address may have a separator that the name alone has not
		return t.address(i)
	}
	return name
}

// owner returns the name of the symbol that contains the i-th one, "" for none.
func (t *symbolTable) owner(i int) string {
	end := t.end(i)
	if cut := strings.LastIndex(end, "::"); cut >= 0 {
		return lastName(end[:cut])
	}
	parent := t.at(i).parent
	if parent < 0 || t.stored(i) != "" {
		return ""
	}
	return lastName(t.end(parent))
}

// sameAddress reports whether the addresses of two symbols of the same name are equal, apart from
// their numbers.
func (t *symbolTable) sameAddress(i int, o *symbolTable, j int) bool {
	if t.stored(i) == "" && o.stored(j) == "" {
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
