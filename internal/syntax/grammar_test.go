package syntax

import (
	"maps"
	"slices"
	"testing"
)

// TestRulesNameRealNodes fails for a rule whose node type the grammar lacks.
func TestRulesNameRealNodes(t *testing.T) {
	for _, l := range languages {
		known := map[string]bool{}
		for _, name := range grammars[l.name]().names {
			known[name] = true
		}
		named := slices.Collect(maps.Keys(l.rules.on))
		named = slices.AppendSeq(named, maps.Keys(l.rules.callee))
		named = slices.AppendSeq(named, maps.Keys(l.rules.valueTypes))
		named = slices.AppendSeq(named, maps.Keys(l.rules.roles()))
		named = slices.AppendSeq(named, maps.Keys(set(l.rules.identifiers)))
		for _, name := range named {
			if !known[name] {
				t.Errorf("%s has no node %q", l.name, name)
			}
		}
	}
}
