package graph

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index/shards"
	"ploke-lsp/internal/syntax"
)

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
