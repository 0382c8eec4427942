package graph

import (
	"bytes"
	"slices"

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

// means reports whether a symbol is among the targets.
func (v resolution) means(s symbol) bool {
	if v.ambiguous {
		return true
	}
	return slices.ContainsFunc(v.symbols, s.same)
}
