package graph

import (
	"strings"

	"ploke-lsp/internal/syntax"
)

// hasReceiver reports whether the type before a name is known, or is declared elsewhere. What a call in the workspace
// returns may not be known, and what has the braces of a struct's literal may be a map; then the other rules decide.
func (r *resolver) hasReceiver(m *Module, ref syntax.Ref) bool {
	switch {
	case ref.Receiver == "":
		return false
	case strings.HasSuffix(ref.Receiver, syntax.Result):
		return !r.typesOf(m, ref.Receiver, ref.From).none() || r.calledElsewhere(m, ref.Receiver, ref.From)
	case ref.Qualifier == "":
		return !r.ofReceiver(m, ref).none()
	}
	return true
}

// ofReceiver resolves a name to a member of the type before it.
func (r *resolver) ofReceiver(m *Module, ref syntax.Ref) resolution {
	return r.asMember(r.typesOf(m, ref.Receiver, ref.From), ref)
}

// calledElsewhere reports whether a call, or the one in front of it, is of a package that is not in the workspace.
func (r *resolver) calledElsewhere(m *Module, receiver string, from int) bool {
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
	if strings.HasSuffix(ref.Qualifier, syntax.Result) {
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

// firstResult returns the types of the first result of a Go function.
func (r *resolver) firstResult(f symbol) []symbol {
	types, ok := r.results[f]
	if ok {
		return types
	}
	r.results[f] = nil // ends a cycle
	if name := r.signature(f).first; name != "" {
		types = r.typesOf(f.Module, name, f.at).symbols
	}
	r.results[f] = types
	return types
}

// signature is the shape of a Go function: the numbers of its parameters and results, and the last name of the type
// of the first result, "" for a list, a map or a function.
type signature struct {
	shape
	first string
}

func (r *resolver) signature(f symbol) (s signature) {
	src := r.text(f.Module)
	sym := f.full()
	if src == nil || sym.End > len(src.Text) {
		return s
	}
	end := sym.BodyStart
	if sym.BodyStart <= sym.NameEnd {
		end = sym.End
	}
	text := strings.TrimSpace(string(src.Text[sym.NameEnd:end]))
	if strings.HasPrefix(text, "[") {
		_, text = cutList(text) // type parameters
	}
	parameters, rest := cutList(text)
	s.parameters = countElements(parameters)
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "(") {
		rest, _ = cutList(rest)
	}
	s.results = countElements(rest)
	first, _, _ := strings.Cut(rest, ",")
	if words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(first), "{")); len(words) > 0 {
		name := strings.TrimLeft(words[len(words)-1], "*")
		name, _, _ = strings.Cut(name, "[")
		s.first = name[strings.LastIndex(name, ".")+1:]
	}
	return s
}
