package graph

import (
	"strings"

	"ploke-lsp/internal/syntax"
)

// ofReceiver resolves a name to a member of the type before it, and reports whether that decides: the type is known,
// or is declared elsewhere. What a call in the workspace returns may not be known, and what has the braces of a
// struct's literal may be a map; then the other rules decide.
func (r *resolver) ofReceiver(m *Module, ref syntax.Ref) (v resolution, decides bool) {
	if ref.Receiver == "" {
		return v, false
	}
	types := r.typesOf(m, ref.Receiver, ref.From)
	v = r.asMember(types, ref)
	switch {
	case strings.Contains(ref.Receiver, "."), strings.HasSuffix(ref.Receiver, syntax.Result):
		return v, !types.none() || r.calledElsewhere(m, ref.Receiver, ref.From)
	case ref.Qualifier == "":
		return v, !v.none()
	}
	return v, true
}

// calledElsewhere reports whether a call, or the one in front of it, is of a package that is not in the workspace.
func (r *resolver) calledElsewhere(m *Module, receiver string, from int) bool {
	if of, _, ok := cutField(receiver); ok {
		return r.calledElsewhere(m, of, from)
	}
	if !strings.HasSuffix(receiver, syntax.Result) {
		return false
	}
	ref := calledBy(receiver, from)
	if ref.Receiver != "" {
		return r.calledElsewhere(m, ref.Receiver, from)
	}
	return ref.Qualifier != "" && m.references().Imported(ref.Qualifier) && r.resolve(m, ref).none()
}

// calledBy returns the reference to the function that returns a receiver: F or q.F, as [syntax.Ref] has it.
func calledBy(receiver string, from int) syntax.Ref {
	call := strings.TrimSuffix(receiver, syntax.Result)
	ref := syntax.Ref{Kind: syntax.RefCall, Name: call, From: from}
	if dot := strings.LastIndex(call, "."); dot >= 0 {
		ref.Qualifier, ref.Name = call[:dot], call[dot+1:]
	}
	if _, _, field := cutField(ref.Qualifier); field || strings.HasSuffix(ref.Qualifier, syntax.Result) {
		ref.Qualifier, ref.Receiver = syntax.Expression, ref.Qualifier
	}
	return ref
}

// resultOf returns the types of what a call returns.
func (r *resolver) resultOf(m *Module, receiver string, from int) resolution {
	called := r.resolve(m, calledBy(receiver, from))
	if called.confidence() < resolvedElsewhere {
		return resolution{}
	}
	var types []symbol
	for _, f := range called.symbols {
		if isType(f.decl().Kind) { // a conversion
			types = append(types, f)
			continue
		}
		types = append(types, r.firstResult(f)...)
	}
	return bestSuited(min(Typed, called.level), syntax.RefType, types)
}

// firstResult returns the types of the first result of a function.
func (r *resolver) firstResult(f symbol) []symbol {
	types, ok := r.results[f]
	if ok {
		return types
	}
	r.results[f] = nil // ends a cycle
	if t, ok := f.references().FirstType(f.at); ok {
		types = r.resolve(f.Module, t).symbols
	}
	r.results[f] = types
	return types
}
