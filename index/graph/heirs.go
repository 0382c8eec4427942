package graph

import (
	"bytes"
	"slices"

	"ploke-lsp/index/records"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// inheriting returns the types that say that they inherit from a type, or embed it, by any of its names: those under
// which files export and import it, and those of variables and types that are declared as the same type.
func (h hierarchy) inheriting(self symbol) (found []implementer) {
	known := map[symbol]bool{}
	for types := []implementer{{symbol: self, level: Proven}}; len(types) > 0; types = types[1:] {
		heirs, others := h.inheritingBy(types[0].symbol)
		for _, heir := range heirs {
			if heir.level = min(heir.level, types[0].level); !known[heir.symbol] {
				known[heir.symbol] = true
				found = append(found, heir)
			}
		}
		for _, other := range others {
			if other.level = min(other.level, types[0].level); !known[other.symbol] {
				known[other.symbol] = true
				types = append(types, other)
			}
		}
	}
	return found
}

// heirsIn returns the types of a module that inherit from a symbol by one of its names there.
func (h hierarchy) heirsIn(m *Module, local []string, self symbol) (heirs []implementer) {
	for _, ref := range m.inherited() {
		if ref.From < 0 || !slices.Contains(local, ref.Name) {
			continue
		}
		if v := h.resolve(m, ref); v.means(self) {
			heirs = append(heirs, implementer{symbol{m, ref.From}, ref, v.level, v.candidates()})
		}
	}
	return heirs
}

// inheritingBy returns the types that inherit from a symbol by name, and what is declared as another name of it.
func (h hierarchy) inheritingBy(self symbol) (heirs, others []implementer) {
	known := []exportedName{{name: string(self.decl().Name)}}
	for i := 0; i < len(known) && i < maxNames; i++ {
		for _, m := range h.naming(self, known[i], i == 0) {
			if m.languageFamily != self.Module.languageFamily {
				continue
			}
			local := m.localNames(known[i].name)
			heirs = append(heirs, h.heirsIn(m, local, self)...)
			others = append(others, h.othersIn(m, local, self)...)
			for _, alias := range (names{h.resolver}).aliases(m, known[i].name, self) {
				if !slices.Contains(known, alias) {
					known = append(known, alias)
				}
			}
		}
	}
	return heirs, others
}

// naming returns the modules that may name a type. Only those that have the type's own name are paid for in advance.
func (h hierarchy) naming(self symbol, name exportedName, own bool) (modules []*Module) {
	if own {
		return h.referencing(name.name)
	}
	for _, p := range (names{h.resolver}).placesOf(self, name) {
		if !h.spendBudget([]*Module{h.moduleOf(p)}) {
			return nil
		}
		if m := (names{h.resolver}).naming(p, name.name); m != nil {
			modules = append(modules, m)
		}
	}
	return modules
}

// othersIn returns what a module declares as another name of a type: a variable or a type whose whole value is the
// type's name.
func (h hierarchy) othersIn(m *Module, local []string, self symbol) (found []implementer) {
	for ref := range m.references().ToAny(local) {
		if ref.From < 0 || ref.Kind != syntax.RefUse && ref.Kind != syntax.RefType {
			continue
		}
		other := symbol{m, ref.From}
		if other == self || !h.isOther(other, ref) {
			continue
		}
		if v := h.resolve(m, ref); v.means(self) {
			found = append(found, implementer{symbol: other, level: v.confidence()})
		}
	}
	return found
}

// isOther reports whether a symbol is declared as another name of what a reference names.
func (h hierarchy) isOther(s symbol, ref syntax.Ref) bool {
	if k := s.decl().Kind; !records.IsValue(k) && k != syntax.KindType {
		return false
	}
	declared := s.full()
	if ref.Start < declared.NameEnd || ref.Start-declared.NameEnd > maxQualifier {
		return false
	}
	src := h.text(s.Module)
	if src == nil || ref.End > len(src.Text) {
		return false
	}
	line, _, _ := bytes.Cut(src.Text[ref.End:], []byte("\n"))
	return otherName.Match(src.Text[declared.NameEnd:ref.Start]) && len(bytes.Trim(line, "; \t\r")) == 0
}

// maxQualifier is the maximum length of what stands between a declared name and the last part of its value.
const maxQualifier = 80

// otherName matches what stands between a declared name and the last part of its value, where that is a name.
var otherName = lazyregexp.New(`^\s*:?=\s*(?:[\w$]+\s*(?:\.|::|\\))*$`)
