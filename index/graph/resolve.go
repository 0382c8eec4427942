package graph

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

// Confidence levels of a resolved reference, by how its target was found. If several
// symbols are equally likely, the level is divided by their number.
const (
	// Proven: declared around the reference, or a member of the type that the text of the
	// function gives to the qualifier.
	Proven = 1.0
	// Imported: declared in what the file imports under that name.
	Imported = 0.9
	// SamePackage: declared in the same package.
	SamePackage = 0.8
	// Reexported: declared beneath the package that is imported under that name.
	Reexported = 0.7
	// Typed: a member of the type of a field or variable with the qualifier's name.
	Typed = 0.7
	// NameInScope: declared in the folder or in what the file imports; only the name
	// matches.
	NameInScope = 0.6
	// NameOnly: only the name matches.
	NameOnly = 0.3
)

// maxDeclaringFiles is the maximum number of files that declare a name for which symbols are
// told apart by the name alone.
const maxDeclaringFiles = 64

// resolution is the possible targets of a reference.
type resolution struct {
	symbols   []symbol
	level     float64 // one of the confidence levels
	count     int     // the number of different symbols; 0: see candidates
	different *int    // their number once it was needed; not nil for several symbols
	ambiguous bool    // any symbol of that name is possible; they are too many to list
	foreign   bool    // what is meant is certainly not in the workspace
}

// foreign is the resolution of what another package declares, which the workspace does not have.
var foreign = resolution{level: Proven, count: 1, foreign: true}

// candidates returns the number of different symbols. It is only known once it is needed, because
// most resolutions turn out to mean another symbol than the one asked for.
func (v resolution) candidates() int {
	switch {
	case v.count > 0:
		return v.count
	case len(v.symbols) < 2:
		return len(v.symbols)
	}
	if *v.different == 0 {
		*v.different = countDifferent(v.symbols)
	}
	return *v.different
}

func (v resolution) confidence() float64 {
	if v.none() {
		return 0
	}
	return v.level / float64(v.candidates())
}

func (v resolution) none() bool { return len(v.symbols) == 0 && !v.ambiguous && !v.foreign }

// bestSuited returns a resolution with the symbols whose kind suits the reference best.
func bestSuited(level float64, kind syntax.RefKind, symbols []symbol) resolution {
	best := 0
	for _, s := range symbols {
		best = max(best, fitness(kind, s.decl().Kind))
	}
	v := resolution{level: level}
	for i, s := range symbols {
		if best > 0 && fitness(kind, s.decl().Kind) == best {
			if v.symbols == nil {
				v.symbols = make([]symbol, 0, len(symbols)-i)
			}
			v.symbols = append(v.symbols, s)
		}
	}
	if len(v.symbols) > 1 {
		v.different = new(int)
	}
	return v
}

// countDifferent returns the number of different symbols. There may be hundreds.
func countDifferent(symbols []symbol) (count int) {
	known := make(map[symbolKey]bool, len(symbols))
	for i, s := range symbols {
		key := s.key()
		if !known[key] && !constructs(symbols[:i], s) {
			count++
		}
		known[key] = true
	}
	return count
}

// constructs reports whether a symbol is a constructor of a type among the targets, so that it is
// no other candidate: a call of the type's name means both.
func constructs(targets []symbol, s symbol) bool {
	return s.decl().Kind == syntax.KindConstructor && slices.ContainsFunc(targets, func(t symbol) bool {
		return t.Module == s.Module && t.at == s.decl().Parent && bytes.Equal(t.decl().Name, s.decl().Name)
	})
}

// fitness returns how well a kind of symbol suits a kind of reference: 2 well, 1 possibly,
// 0 not at all. The name of a test is a title, which code does not refer to.
func fitness(ref syntax.RefKind, kind syntax.Kind) int {
	callable := isFunction(kind)
	named := isType(kind) || kind == syntax.KindModule || kind == syntax.KindNamespace
	switch {
	case kind == syntax.KindImpl || kind == syntax.KindFile || kind == syntax.KindSection || kind == syntax.KindTest:
		return 0
	case ref == syntax.RefUse || ref == syntax.RefImport:
		return 2
	case ref == syntax.RefCall && (callable || isType(kind)), ref != syntax.RefCall && named:
		return 2
	case ref != syntax.RefCall && callable:
		return 0
	}
	return 1
}

// resolver resolves references during one call of the API. Its methods are the rules of what a
// reference means. The loader below it has the files, and the nameIndex the files that declare a name:
// neither knows a rule. What is resolved is kept for the call, in answers.
type resolver struct {
	*nameIndex
	answers
}

// answers are what was resolved so far. All of it is forgotten once a text turns out to have changed.
type answers struct {
	resolutions map[refKey]*resolution // by keyOf; those not yet known are empty
	reached     map[reachKey]reachedSymbols
	exported    map[exportKey][]symbol
	files       map[importKey]*Module // see fileOf
	members     map[memberKey][]symbol
	ancestors   map[symbol][]symbol
	values      map[symbol]valueType // of fields and variables
	results     map[symbol][]symbol  // the types of what functions return
	byQualifier map[qualifiedKey]resolution
	carriers    map[symbol]map[string]bool // see carriersOf
}

func newAnswers() answers {
	return answers{
		resolutions: map[refKey]*resolution{}, reached: map[reachKey]reachedSymbols{}, members: map[memberKey][]symbol{},
		ancestors: map[symbol][]symbol{}, values: map[symbol]valueType{},
		results: map[symbol][]symbol{}, exported: map[exportKey][]symbol{}, files: map[importKey]*Module{},
		byQualifier: map[qualifiedKey]resolution{}, carriers: map[symbol]map[string]bool{},
	}
}

func (a *answers) forget() {
	clear(a.resolutions)
	clear(a.values)
	clear(a.results)
	clear(a.members)
	clear(a.ancestors)
	clear(a.reached)
	clear(a.exported)
	clear(a.files)
	clear(a.byQualifier)
	clear(a.carriers)
}

// refKey is what the resolution of a reference depends on.
type refKey struct {
	in                        *Module
	kind                      syntax.RefKind
	name, qualifier, receiver string
	from                      int    // -1: any place
	around                    string // the enclosing type, if the place matters only by that
	start                     int    // of a name in an import
}

func newResolver(ctx context.Context, x shards.Reader, views []*shards.View) *resolver {
	r := &resolver{newNameIndex(newLoader(ctx, x, views)), newAnswers()}
	r.changed = func() {
		r.answers.forget()
		r.nameIndex.forget()
	}
	return r
}

// resolve returns the targets of a reference in a module.
//
// The rules are tried from the most to the least certain, and the first that finds a symbol decides: what is declared
// around the reference, what the file imports under the name, what the package declares, and last any symbol of the
// name. So a wrong rule above hides a right one below; a rule finds nothing rather than something unlikely. A
// reference whose resolution is running resolves to nothing, which ends cycles such as types that embed each other.
func (r *resolver) resolve(m *Module, ref syntax.Ref) resolution {
	key := m.keyOf(ref)
	v := r.resolutions[key]
	if v == nil {
		v = &resolution{}
		r.resolutions[key] = v // ends a cycle
		*v = r.byRules(m, ref)
	}
	return *v
}

func (r *resolver) byRules(m *Module, ref syntax.Ref) resolution {
	if ref.Kind == syntax.RefImport {
		return r.asImport(m, ref)
	}
	if v, decides := r.ofReceiver(m, ref); decides {
		return v
	}
	if ref.Qualifier != "" {
		return r.qualified(m, ref)
	}
	return r.bare(m, ref)
}

// keyOf returns the key that a reference shares with references in other places of the
// module that resolve alike.
func (m *Module) keyOf(ref syntax.Ref) refKey {
	k := refKey{in: m, kind: ref.Kind, name: ref.Name, qualifier: ref.Qualifier, receiver: ref.Receiver, from: ref.From}
	switch {
	case ref.Kind == syntax.RefImport:
		k.start = ref.Start
	case ref.Receiver != "":
	case ref.Qualifier == "":
		if !m.placeMatters(ref.Name) {
			k.from = -1
		}
	case m.name == "go" || !m.placeMatters(ref.Qualifier):
		k.around, k.from = m.enclosing(ref.From), -1
	}
	return k
}

// placeMatters reports whether a name without a qualifier may have different meanings in
// different places of the module.
func (m *Module) placeMatters(name string) bool {
	return m.bareMembers || slices.ContainsFunc(m.named(name), func(s symbol) bool { return s.decl().Parent >= 0 })
}

// qualified resolves a name with a qualifier.
func (r *resolver) qualified(m *Module, ref syntax.Ref) resolution {
	if m.name == php && strings.HasSuffix(ref.Qualifier, `\`) {
		return (namespaces{r}).inNamespace(m, ref)
	}
	if v, ok := r.throughImport(m, ref); ok {
		return v
	}
	if v := r.ofQualifier(m, ref); !v.none() {
		return v
	}
	return r.byName(m, ref, membersOnly)
}

// qualifiedKey is what a member of a qualifier depends on in Go, where the files of a folder see the same names.
type qualifiedKey struct {
	in                      *shardFolder
	kind                    syntax.RefKind
	name, qualifier, around string
}

// ofQualifier resolves a name to a member of what its qualifier means in the workspace. In Go, it keeps the meanings: a
// folder's functions often give their variables the same names.
func (r *resolver) ofQualifier(m *Module, ref syntax.Ref) resolution {
	switch {
	case ref.Qualifier == syntax.Expression:
		return resolution{}
	case m.name != "go":
		return firstMeaning(m, ref, r.ofSuper, r.ofNamed, r.ofFile, r.ofValue)
	}
	key := qualifiedKey{m.Dir, ref.Kind, ref.Name, ref.Qualifier, m.enclosing(ref.From)}
	v, ok := r.byQualifier[key]
	if !ok {
		if v = firstMeaning(m, ref, r.ofNamed, r.ofValue); !r.budgetExceeded {
			r.byQualifier[key] = v
		}
	}
	return v
}

// firstMeaning returns what the first of the rules finds that finds something.
func firstMeaning(m *Module, ref syntax.Ref, rules ...func(*Module, syntax.Ref) resolution) resolution {
	for _, rule := range rules {
		if v := rule(m, ref); !v.none() {
			return v
		}
	}
	return resolution{}
}

// byName resolves a reference by its name, to symbols of that visibility. It first tries the
// folder and the imports of the file, because references mostly lead there.
func (r *resolver) byName(m *Module, ref syntax.Ref, visible visibility) resolution {
	files := r.declaring(ref.Name)
	rule := nameRule{m.languageFamily, ref.Kind, NameInScope, visible}
	if m.name == "go" && !exported(ref.Name) {
		return r.among(files.in(m.Dir), ref.Name, rule)
	}
	if v := r.among(r.near(m, files), ref.Name, rule); !v.none() {
		return v
	}
	rule.level = NameOnly
	return r.among(&files.all, ref.Name, rule)
}

// among resolves a name to symbols of some files.
func (n *nameIndex) among(files *fileSet, name string, rule nameRule) resolution {
	if count := len(files.places); count > maxDeclaringFiles {
		return resolution{level: rule.level, count: count, ambiguous: true}
	}
	return n.suited(name, files, rule)
}

// exported reports whether a Go name is exported.
func exported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// means reports whether a symbol is among the targets.
func (v resolution) means(s symbol) bool {
	if v.ambiguous {
		return true
	}
	return slices.ContainsFunc(v.symbols, s.same)
}
