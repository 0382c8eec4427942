package graph

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"ploke-lsp/index/records"
	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// Module is a file with its symbols and references.
type Module struct {
	Shard     *shards.Shard
	View      *shards.View // that has the indexed text; nil for an unsaved or a laid over one
	Doc       int          // its number in the view
	Rel       string       // in the shard
	Dir       *shardFolder
	wordCount int // of its text, until that is loaded
	row       shards.FileRow

	*languageFamily // nil until the module is loaded
	prefix          string
	record          []byte               // has the symbols; see table
	symbols         *records.SymbolTable // see table
	refs            *records.References  // see references
	source          *shards.CurrentText  // of an unsaved text, or of a text that has changed on disk

	derived
}

// derived is what is computed from a module's content when it is first needed.
type derived struct {
	importTargets []importTarget // see targets
	inherits      []syntax.Ref
	names         map[string][]symbol // see named
	enclosed      enclosed
}

// enclosed is the last answer of [Module.enclosing]. The rules ask for one place several times.
type enclosed struct {
	known bool
	from  int
	by    string
}

type symbol struct {
	*Module
	at int // its index in the module's symbols
}

func (s symbol) decl() records.Declaration { return s.table().At(s.at) }

// canon returns the symbol's address with its number.
func (s symbol) canon() string { return s.table().Address(s.at) }

// full returns the complete symbol.
func (s symbol) full() *syntax.Symbol { return &s.Module.AllSymbols()[s.at] }

// AllSymbols returns the complete symbols of the module.
func (m *Module) AllSymbols() []syntax.Symbol {
	symbols, ok := m.table().All()
	if !ok {
		panic(m.View.Damage())
	}
	return symbols
}

// parts returns the names of a symbol's address, without its number.
func (s symbol) parts() []string { return strings.Split(s.address(), "::") }

// owner returns the name of the symbol that contains this one, "" for none.
func (s symbol) owner() string { return s.table().Owner(s.at) }

// top reports whether the whole module sees the symbol: only namespaces enclose it.
func (s symbol) top() bool {
	sym := s.decl()
	if isMember(sym.Kind) {
		return sym.Kind == syntax.KindConstructor && string(sym.Name) == s.owner()
	}
	for p := sym.Parent; p >= 0; p = s.table().At(p).Parent {
		if k := s.table().At(p).Kind; k != syntax.KindNamespace && k != syntax.KindModule {
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
	case syntax.KindFunction, syntax.KindMethod, syntax.KindConstructor, syntax.KindMacro:
		return true
	}
	return false
}

// symbolKey identifies symbols that count as one: overloads, variants for other platforms, or a
// declaration and its definition.
type symbolKey struct {
	*languageFamily
	*shards.Shard
	prefix, address, name string
}

func (s symbol) key() symbolKey {
	k := symbolKey{languageFamily: s.Module.languageFamily, address: s.address(), name: string(s.decl().Name)}
	if k.prefixKind != pathPrefix {
		k.Shard, k.prefix = s.Module.Shard, s.Module.prefix
	}
	return k
}

// same reports whether two symbols count as one: the same symbol, or symbols with the same key.
func (s symbol) same(o symbol) bool {
	if s == o {
		return true
	}
	return s.Module.languageFamily == o.Module.languageFamily &&
		(s.Module.languageFamily.prefixKind == pathPrefix || s.Shard == o.Shard && s.prefix == o.prefix) &&
		bytes.Equal(s.decl().Name, o.decl().Name) && s.table().SameAddress(s.at, o.table(), o.at)
}

// address returns the symbol's canon without its number.
func (s symbol) address() string { return syntax.Plain(s.canon()) }

// setContent sets the module's content. Without symbols or references, those of its document are
// decoded on demand.
func (m *Module) setContent(language string, symbols *records.SymbolTable, refs *records.References) {
	m.languageFamily, m.symbols, m.refs = familyOf(language), symbols, refs
	m.prefix = m.prefixOf(m.Rel)
	m.derived = derived{names: map[string][]symbol{}}
}

// table returns the module's symbols.
func (m *Module) table() *records.SymbolTable {
	if m.symbols == nil {
		symbols, ok := records.NewSymbolTable(m.record)
		if !ok {
			panic(m.View.Damage())
		}
		m.symbols = symbols
	}
	return m.symbols
}

// references returns the imports and references of the module, which need not be loaded.
func (m *Module) references() *records.References {
	if m.refs == nil {
		m.refs = m.View.ReferencesOf(m.Doc)
	}
	return m.refs
}

// inherited returns the module's references of kind inherit.
func (m *Module) inherited() []syntax.Ref {
	if m.inherits == nil {
		m.inherits = m.references().Inherited()
	}
	return m.inherits
}

// load reads the row of a module, unless it is loaded, so that its symbols and references are there
// on demand.
func (l *loader) load(m *Module) {
	if m.languageFamily != nil {
		return
	}
	if err := m.decode(); err != nil {
		l.err = cmp.Or(l.err, err)
		m.setContent("", &records.SymbolTable{}, &records.References{})
	}
}

// spendBudget reports whether the modules may still be loaded, and deducts their words
// from the wordBudget.
func (l *loader) spendBudget(modules []*Module) bool {
	words := unloadedWords(modules)
	if words > l.wordBudget {
		l.budgetExceeded = true
		return false
	}
	l.wordBudget -= words
	return true
}

// unloadedWords returns the number of words of the modules that are not loaded yet.
func unloadedWords(modules []*Module) (words int) {
	for _, m := range modules {
		if m.languageFamily == nil {
			words += m.wordCount
		}
	}
	return words
}

// decode sets the module's content to what is stored of its document.
func (m *Module) decode() error {
	row, data, err := shards.FileOf(m.View.Segment, m.Doc)
	if err != nil {
		return m.Shard.NoteDamage(err)
	}
	m.row, m.record = row, data
	m.setContent(row.Language, nil, m.refs)
	return nil
}

// document returns the module of a view's document.
func (l *loader) document(v *shards.View, doc int) *Module {
	if b := v.Buffer; b != nil {
		return l.unsaved(v.Shard, b.Rel, &b.Source)
	}
	docs := l.documents[v]
	if docs == nil {
		docs = make([]*Module, v.Docs())
		l.documents[v] = docs
	}
	if docs[doc] == nil {
		rel := v.Rel(doc)
		m := l.texts[file{v.Shard, rel}]
		if m == nil {
			m = &Module{Shard: v.Shard, Rel: rel, Dir: l.folderOf(v, doc)}
		}
		m.View, m.Doc, m.wordCount = v, doc, v.DocLength(doc)
		docs[doc] = m
	}
	return docs[doc]
}

// unsaved returns the module of a file whose current text is not the indexed one.
func (l *loader) unsaved(s *shards.Shard, rel string, text *shards.CurrentText) *Module {
	key := file{s, rel}
	m := l.texts[key]
	if m == nil {
		m = &Module{Shard: s, Rel: rel, Dir: l.folder(file{s, path.Dir(rel)})}
		m.read(text)
		l.texts[key] = m
	}
	return m
}

// shardFolder is a folder of a shard.
type shardFolder struct {
	file
	goPath   string    // see loader.goPath; "" if it is not yet known
	packages *packages // of its shard
}

// folderOf returns the folder of a document.
func (l *loader) folderOf(v *shards.View, doc int) *shardFolder {
	folders, known := v.Folders(), l.dirs[v]
	if known == nil {
		known = make([]*shardFolder, len(folders.Rels()))
		l.dirs[v] = known
	}
	n := folders.Of(doc)
	if known[n] == nil {
		known[n] = l.folder(file{v.Shard, folders.Rels()[n]})
	}
	return known[n]
}

func (l *loader) folder(of file) *shardFolder {
	f := l.folders[of]
	if f == nil {
		f = &shardFolder{file: of, packages: l.packagesOf(of.Shard)}
		l.folders[of] = f
	}
	return f
}

// read sets the module's content from a parsed text.
func (m *Module) read(text *shards.CurrentText) {
	m.source = text
	references, _ := records.DecodeReferences(records.EncodeReferences(text.Parsed))
	symbols, _ := records.NewSymbolTable(records.EncodeSymbols(text.Parsed.Symbols))
	m.setContent(text.Language, symbols, references)
}

// file identifies a file of a shard.
type file struct {
	*shards.Shard
	Rel string
}
