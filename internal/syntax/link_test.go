package syntax

import (
	"maps"
	"slices"
	"testing"
)

// TestLinked guards against a release of the binding without one of the C functions
// that flatten calls: being weak, it would be missed at run time only.
func TestLinked(t *testing.T) {
	if name := missingFunction(); name != "" {
		t.Errorf("%s is not linked", name)
	}
}

// TestRulesNameRealNodes guards against rules for nodes that a grammar does not have.
func TestRulesNameRealNodes(t *testing.T) {
	for _, l := range languages {
		known := map[string]bool{}
		for _, name := range grammars[l.name]().names {
			known[name] = true
		}
		named := slices.Collect(maps.Keys(l.rules.on))
		named = slices.AppendSeq(named, maps.Keys(l.rules.callee))
		named = slices.AppendSeq(named, maps.Keys(l.rules.roles()))
		for _, name := range named {
			if !known[name] {
				t.Errorf("%s has no node %q", l.name, name)
			}
		}
	}
}
