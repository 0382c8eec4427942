package index

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/syntax"
)

// module is a file with its symbols and references.
type module struct {
	shard     *shard
	view      *view  // that has the indexed text; nil for an unsaved or a laid over one
	doc       int    // its number in the view
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

// load reads the symbols and references of a module, unless they are loaded.
func (r *resolver) load(m *module) {
	if m.languageFamily != nil {
		return
	}
	if err := m.decode(); err != nil {
		r.err = cmp.Or(r.err, err)
		m.setContent("", nil, &fileRefs{})
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

// decode sets the module's content to what is stored of its document.
func (m *module) decode() error {
	c, err := m.view.content(m.doc)
	if err != nil {
		return err
	}
	references, err := m.decodeReferences()
	if err != nil {
		return err
	}
	m.row = c.row
	m.setContent(c.row.language, c.symbols, references)
	return nil
}

// decodeReferences returns what is stored of the references of the module's document.
func (m *module) decodeReferences() (*fileRefs, error) {
	references, ok := decodeReferences(m.view.References(m.doc))
	if !ok {
		return nil, m.shard.noteDamage(fmt.Errorf("decoding the references of %s: %w", m.rel, ErrDamaged))
	}
	return references, nil
}

// document returns the module of a view's document.
func (r *resolver) document(v *view, doc int) *module {
	if b := v.buffer; b != nil {
		return r.module(v.shard, b.rel, &b.source)
	}
	m := r.module(v.shard, v.Rel(doc), nil)
	m.view, m.doc, m.wordCount = v, doc, v.DocLength(doc)
	return m
}

// module returns the module of a file. text is its current text if that is not the indexed
// one.
func (r *resolver) module(s *shard, rel string, text *source) *module {
	key := file{s, rel}
	m, ok := r.modules[key]
	if !ok {
		m = &module{shard: s, rel: rel, dir: file{s, path.Dir(rel)}}
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
