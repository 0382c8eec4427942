package index

import (
	"context"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/internal/syntax"
)

// How sure it is that a mention means a symbol, by how it was found. Where it may mean
// one of several that are found equally well, the figure is divided by their number.
const (
	// Proven: declared around the mention, or a member of the type that the text of
	// the function gives to what stands before it.
	Proven = 1.0
	// Imported: declared in what the file imports by that name.
	Imported = 0.9
	// Packaged: declared in the same package.
	SamePackage = 0.8
	// PassedOn: declared beneath the package that is imported by that name.
	Reexported = 0.7
	// Typed: a member of the type of a field or variable that is called as what stands
	// before the mention is.
	Typed = 0.7
	// Alone: declared in the folder or in what the file imports; nothing else but its
	// name says so.
	NameInScope = 0.6
	// Guessed: nothing but its name says so.
	NameOnly = 0.3
)

// maxNamesakes is how many files may declare a name for their symbols to be told
// apart where nothing but the name is known.
const maxNamesakes = 64

// verdict is what a mention may mean.
type resolution struct {
	symbols     []symbol
	level       float64 // one of the figures above
	candidates  int     // how many different symbols these are
	anyNamesake bool    // it may be any symbol of that name, too many to list
}

func (v resolution) confidence() float64 {
	if v.none() {
		return 0
	}
	return v.level / float64(v.candidates)
}

func (v resolution) none() bool { return v.candidates == 0 }

// decide keeps the symbols that suit the kind of mention best.
func bestSuited(level float64, kind syntax.RefKind, symbols []symbol) resolution {
	best := 0
	for _, s := range symbols {
		best = max(best, fitness(kind, s.decl().Kind))
	}
	v := resolution{level: level}
	for _, s := range symbols {
		if best > 0 && fitness(kind, s.decl().Kind) == best {
			if !v.means(s) {
				v.candidates++
			}
			v.symbols = append(v.symbols, s)
		}
	}
	return v
}

// fitness says how well a kind of symbol suits a kind of mention: 2 well, 1 perhaps, 0 not.
func fitness(ref syntax.RefKind, kind syntax.Kind) int {
	callable := isFunction(kind)
	named := isType(kind) || kind == syntax.KindModule || kind == syntax.KindNamespace
	switch {
	case kind == syntax.KindImpl || kind == syntax.KindFile || kind == syntax.KindSection:
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

// resolver finds out what mentions mean, for one question. It holds that question's
// context and first error, so that its parts read as rules.
type resolver struct {
	*sources
	ctx      context.Context
	err      error
	missed   bool // see onViews
	views    []*view
	overlaid []*module // see Draft

	wordBudget     int  // words of files that may still be loaded
	budgetExceeded bool // whether they were too few: from then on nothing is sure

	modules        map[file]*module
	declaringFiles map[string]*declaringFiles
	goPaths        map[file]string
	modulePaths    map[*shard]map[string]string
	resolutions    map[refKey]resolution
	reached        map[reachKey]reachedSymbols
	members        map[memberKey][]symbol
	ancestors      map[symbol][]symbol
	values         map[symbol][]symbol // the types of fields and variables
}

// mentionKey is a mention without its place.
type refKey struct {
	in  *module
	ref syntax.Ref
}

func (x *Index) resolver(ctx context.Context, views []*view) *resolver {
	return &resolver{
		sources: x.sources(), ctx: ctx, views: views, wordBudget: math.MaxInt, modules: map[file]*module{},
		declaringFiles: map[string]*declaringFiles{}, goPaths: map[file]string{}, modulePaths: map[*shard]map[string]string{}, resolutions: map[refKey]resolution{},
		reached: map[reachKey]reachedSymbols{}, members: map[memberKey][]symbol{}, ancestors: map[symbol][]symbol{}, values: map[symbol][]symbol{},
	}
}

// resolve finds out what a mention in a module means.
func (r *resolver) resolve(m *module, ref syntax.Ref) resolution {
	key := refKey{m, ref}
	key.ref.Start, key.ref.End, key.ref.Line = 0, 0, 0
	if ref.Kind == syntax.RefImport {
		key.ref.Start = ref.Start
	}
	v, ok := r.resolutions[key]
	if !ok {
		r.resolutions[key] = resolution{} // what leads back to itself means nothing
		switch {
		case ref.Kind == syntax.RefImport:
			v = r.asImport(m, ref)
		case ref.Receiver != "":
			v = r.asMember(r.typesOf(m, ref.Receiver, ref.From), ref)
		case ref.Qualifier != "":
			v = r.qualified(m, ref)
		default:
			v = r.bare(m, ref)
		}
		r.resolutions[key] = v
	}
	return v
}

// qualified finds out what a name behind another means.
func (r *resolver) qualified(m *module, ref syntax.Ref) resolution {
	if v, ok := r.throughImport(m, ref); ok {
		return v
	}
	if ref.Qualifier == syntax.Expression {
		return r.byName(m, ref, func(s symbol) bool { return !s.top() })
	}
	for _, means := range []func(*module, syntax.Ref) resolution{r.ofSuper, r.ofNamed, r.ofFile, r.ofValue} {
		if v := means(m, ref); !v.none() {
			return v
		}
	}
	return r.byName(m, ref, func(s symbol) bool { return !s.top() })
}

// byName finds what is called as the mention says, of what may be meant: first in the
// folder and in what the file imports, whose types it is likely to deal with.
func (r *resolver) byName(m *module, ref syntax.Ref, may func(symbol) bool) resolution {
	files := r.declaring(ref.Name)
	if m.name == "go" && !exported(ref.Name) {
		return r.among(files.byDir[m.dir], NameInScope, m, ref, may)
	}
	if v := r.among(r.near(m, files), NameInScope, m, ref, may); !v.none() {
		return v
	}
	return r.among(files.all, NameOnly, m, ref, may)
}

// among finds what is called as the mention says in some files.
func (r *resolver) among(files []*module, level float64, m *module, ref syntax.Ref, may func(symbol) bool) resolution {
	if len(files) > maxNamesakes {
		return resolution{level: level, candidates: len(files), anyNamesake: true}
	}
	var fit []symbol
	for _, s := range r.declared(ref.Name, files) {
		if s.module.languageFamily == m.languageFamily && may(s) && fitness(ref.Kind, s.decl().Kind) == 2 {
			fit = append(fit, s)
		}
	}
	return bestSuited(level, ref.Kind, fit)
}

// exported says whether a Go name can be mentioned outside of its package.
func exported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// means says whether a symbol is among what a verdict names.
func (v resolution) means(s symbol) bool {
	if v.anyNamesake {
		return true
	}
	return slices.ContainsFunc(v.symbols, s.same)
}
