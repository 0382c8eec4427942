package index

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// module is a file with its symbols and references.
type module struct {
	shard     *shard
	id        int64  // of its row; 0 for an unsaved text
	rel       string // in the shard
	dir       file   // its folder
	wordCount int    // of its text, until that is loaded
	row       fileRow

	*languageFamily // nil until the module is loaded
	prefix          string
	symbols         []syntax.Symbol
	refs            *fileRefs
	source          *source // of an unsaved text, or of a text that has changed on disk

	importTargets []target    // see targets
	firstTypes    []storedRef // see firstType; without a name: none
	inherits      []syntax.Ref
	names         map[string][]symbol // see named
}

type symbol struct {
	*module
	at int // its index in the module's symbols
}

func (s symbol) decl() *syntax.Symbol { return &s.symbols[s.at] }

// parts returns the names of a symbol's address, without its number.
func (s symbol) parts() []string { return strings.Split(s.address(), "::") }

// owner returns the name of the symbol that contains this one, "" for none.
func (s symbol) owner() string {
	canon := s.decl().Canon
	cut := strings.LastIndex(canon, "::")
	if cut < 0 {
		return ""
	}
	return lastName(canon[:cut])
}

// top reports whether the whole module sees the symbol: only namespaces enclose it.
func (s symbol) top() bool {
	sym := s.decl()
	if isMember(sym.Kind) {
		return sym.Kind == syntax.KindConstructor && sym.Name == s.owner()
	}
	for p := sym.Parent; p >= 0; p = s.symbols[p].Parent {
		if k := s.symbols[p].Kind; k != syntax.KindNamespace && k != syntax.KindModule {
			return false
		}
	}
	return true
}

func isMember(k syntax.Kind) bool {
	return k == syntax.KindMethod || k == syntax.KindField || k == syntax.KindProperty || k == syntax.KindConstructor
}

func isType(k syntax.Kind) bool {
	switch k {
	case syntax.KindType, syntax.KindStruct, syntax.KindClass, syntax.KindInterface, syntax.KindTrait, syntax.KindEnum:
		return true
	}
	return false
}

func isFunction(k syntax.Kind) bool {
	switch k {
	case syntax.KindFunction, syntax.KindMethod, syntax.KindConstructor, syntax.KindMacro, syntax.KindTest:
		return true
	}
	return false
}

// same reports whether two symbols count as one: the same symbol, overloads, variants for
// other platforms, or a declaration and its definition.
func (s symbol) same(o symbol) bool {
	if s == o {
		return true
	}
	return s.decl().Name == o.decl().Name && s.module.languageFamily == o.module.languageFamily &&
		(s.module.languageFamily.prefixKind == pathPrefix || s.shard == o.shard && s.prefix == o.prefix) && s.address() == o.address()
}

// address returns the symbol's canon without its number.
func (s symbol) address() string { return syntax.Plain(s.decl().Canon) }

func (m *module) setContent(language string, symbols []syntax.Symbol, refs *fileRefs) {
	m.languageFamily, m.symbols, m.refs = familyOf(language), symbols, refs
	m.prefix = m.prefixOf(m.rel)
	m.importTargets, m.firstTypes, m.inherits, m.names = nil, nil, nil, map[string][]symbol{}
}

// firstType returns the first type, or constructor, in a symbol's declaration: the type of
// a field or variable, or the target of a type alias. The first call decodes all references.
func (m *module) firstType(symbol int) (syntax.Ref, bool) {
	if m.firstTypes == nil {
		m.firstTypes = make([]storedRef, len(m.symbols))
		for r := range m.refs.stored(func(r *storedRef) bool { return r.kind == kindType || r.kind == kindCall }) {
			if 0 <= r.from && r.from < len(m.firstTypes) && m.firstTypes[r.from].name == 0 {
				m.firstTypes[r.from] = *r
			}
		}
	}
	first := &m.firstTypes[symbol]
	return m.refs.ref(first), first.name > 0
}

// inherited returns the module's references of kind inherit.
func (m *module) inherited() []syntax.Ref {
	if m.inherits == nil {
		m.inherits = slices.AppendSeq([]syntax.Ref{}, m.refs.filter(func(r *storedRef) bool { return r.kind == kindInherit }))
	}
	return m.inherits
}

// rowsPerQuery is the number of files that one database query reads.
const rowsPerQuery = 500

// load reads the symbols and references of the modules that are not loaded yet.
func (r *resolver) load(modules []*module) {
	r.loadNaming(modules, "")
	for _, m := range modules {
		if m.languageFamily == nil { // its row no longer exists
			r.missed = true
			m.setContent("", nil, &fileRefs{})
		}
	}
}

// spendBudget reports whether the modules may still be loaded, and deducts their words
// from the wordBudget.
func (r *resolver) spendBudget(modules []*module) bool {
	words := unloadedWords(modules)
	if words > r.wordBudget {
		r.budgetExceeded = true
		return false
	}
	r.wordBudget -= words
	return true
}

// unloadedWords returns the number of words of the modules that are not loaded yet.
func unloadedWords(modules []*module) (words int) {
	for _, m := range modules {
		if m.languageFamily == nil {
			words += m.wordCount
		}
	}
	return words
}

// loadNaming loads the modules that refer to a name, or all modules if name is "".
func (r *resolver) loadNaming(modules []*module, name string) {
	byShard := map[*shard]map[int64]*module{}
	for _, m := range modules {
		if m.languageFamily == nil {
			if byShard[m.shard] == nil {
				byShard[m.shard] = map[int64]*module{}
			}
			byShard[m.shard][m.id] = m
		}
	}
	for s, byID := range byShard {
		for ids := range slices.Chunk(slices.Sorted(maps.Keys(byID)), rowsPerQuery) {
			if r.err == nil {
				r.err = s.loadNaming(r.ctx, ids, byID, name)
			}
		}
	}
}

// loadNaming loads files that refer to a name, or all of them if name is "".
func (s *shard) loadNaming(ctx context.Context, ids []int64, into map[int64]*module, name string) error {
	if name == "" {
		return s.eachStored(ctx, func(row fileRow, symbols, refs []byte) error {
			return into[row.id].decode(row, symbols, refs)
		}, "f.id IN (SELECT value FROM json_each(?))", idList(ids))
	}
	refs, err := s.refsNaming(ctx, ids, name)
	if err != nil {
		return err
	}
	return s.eachDeclared(ctx, slices.Collect(maps.Keys(refs)), func(row fileRow, symbols []byte) error {
		return into[row.id].decode(row, symbols, refs[row.id])
	})
}

// refsNaming returns the encoded references of the files among ids that refer to a name, by
// ID. The rest of a file is not read, because most files have the word, but not the name.
func (s *shard) refsNaming(ctx context.Context, ids []int64, name string) (map[int64][]byte, error) {
	found := map[int64][]byte{}
	_, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (none struct{}, err error) {
		var id int64
		var refs sql.RawBytes
		if err := rows.Scan(&id, &refs); err != nil {
			return none, err
		}
		if hasName(refs, name) {
			found[id] = bytes.Clone(refs)
		}
		return none, nil
	}, "SELECT file, refs FROM contents WHERE file IN (SELECT value FROM json_each(?))", idList(ids))
	return found, s.noteDamage(err)
}

// eachStored calls visit with files and their encoded symbols and references, which are
// valid during the call.
func (s *shard) eachStored(ctx context.Context, visit func(row fileRow, symbols, refs []byte) error, where string, arg any) error {
	_, err := queryRows(ctx, s.db.read, func(rows *sql.Rows) (none struct{}, err error) {
		var row fileRow
		var symbols, refs sql.RawBytes
		if err := rows.Scan(append(row.columns(), &symbols, &refs)...); err != nil {
			return none, err
		}
		return none, visit(row, symbols, refs)
	}, "SELECT "+fileColumns+", c.symbols, c.refs FROM files f JOIN contents c ON c.file = f.id WHERE "+where, arg)
	return s.noteDamage(err)
}

// decode sets the module's content from its encoded form.
func (m *module) decode(row fileRow, symbols, refs []byte) error {
	decoded, ok := decodeSymbols(symbols)
	if !ok {
		return row.damagedSymbols()
	}
	references, ok := decodeReferences(refs)
	if !ok {
		return fmt.Errorf("decoding the references of %s: %w", row.rel, ErrDamaged)
	}
	m.row = row
	m.setContent(row.language, decoded, references)
	return nil
}

// document returns the module of a view's document.
func (r *resolver) document(v *view, doc int) *module {
	if b := v.buffer; b != nil {
		return r.module(v.shard, b.rel, 0, &b.source)
	}
	info := v.Doc(doc)
	m := r.module(v.shard, v.Rel(doc), info.ID, nil)
	m.wordCount = info.Length
	return m
}

// module returns the module of a file. text is the current text if that is not the indexed
// one.
func (r *resolver) module(s *shard, rel string, id int64, text *source) *module {
	key := file{s, rel}
	m, ok := r.modules[key]
	if !ok {
		m = &module{shard: s, id: id, rel: rel, dir: file{s, path.Dir(rel)}}
		if text != nil {
			m.read(text)
		}
		r.modules[key] = m
	}
	return m
}

// read sets the module's content from a parsed text.
func (m *module) read(text *source) {
	m.source = text
	references, _ := decodeReferences(encodeReferences(text.parsed))
	m.setContent(text.language, text.parsed.Symbols, references)
}

// file identifies a file of a shard.
type file struct {
	*shard
	rel string
}
