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

// symbolEntry is a part of a symbol.
type symbolEntry struct {
	name   string
	kind   syntax.Kind
	parent int    // -1: none
	canon  uint32 // the offset of its address in the data
	line   int32  // the first
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
		kind := int(d.byte())
		e := symbolEntry{name: d.text(), line: int32(line)}
		d.text() // the detail
		up := d.int()
		e.parent, e.canon = len(t.entries)-up, uint32(d.at)
		d.text()
		if d.failed || end < d.at || end > len(d.data) || kind >= len(symbolKinds) || e.parent < 0 {
			return nil, false
		}
		if e.kind = symbolKinds[kind]; up == 0 {
			e.parent = -1
		}
		t.entries = append(t.entries, e)
		d.at = end
	}
	return t, !d.failed
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
func (t *symbolTable) stored(i int) string {
	d := decoder{data: t.data, at: int(t.entries[i].canon)}
	return d.text()
}

// address returns the address of the i-th symbol.
func (t *symbolTable) address(i int) string {
	if canon := t.stored(i); canon != "" {
		return canon
	}
	e := &t.entries[i]
	if e.parent < 0 {
		return e.name
	}
	return t.address(e.parent) + "::" + e.name
}

// end returns the end of the i-th symbol's address: at least its last name. It spares the memory
// of the whole address.
func (t *symbolTable) end(i int) string {
	if canon := t.stored(i); canon != "" {
		return canon
	}
	e := &t.entries[i]
	if strings.Contains(e.name, ":") { // the address may have a separator that the name alone has not
		return t.address(i)
	}
	return e.name
}

// owner returns the name of the symbol that contains the i-th one, "" for none.
func (t *symbolTable) owner(i int) string {
	e, end := &t.entries[i], t.end(i)
	if cut := strings.LastIndex(end, "::"); cut >= 0 {
		return lastName(end[:cut])
	}
	if e.parent < 0 || t.stored(i) != "" {
		return ""
	}
	return lastName(t.end(e.parent))
}

// sameAddress reports whether the addresses of two symbols of the same name are equal, apart from
// their numbers.
func (t *symbolTable) sameAddress(i int, o *symbolTable, j int) bool {
	if t.stored(i) == "" && o.stored(j) == "" {
		p, q := t.entries[i].parent, o.entries[j].parent
		switch {
		case t == o && p == q:
			return true
		case p >= 0 && q >= 0:
			return t.address(p) == o.address(q)
		}
	}
	return syntax.Plain(t.address(i)) == syntax.Plain(o.address(j))
}
