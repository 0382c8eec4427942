package syntax

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"
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
		named = slices.AppendSeq(named, maps.Keys(set(l.rules.identifiers)))
		for _, name := range named {
			if !known[name] {
				t.Errorf("%s has no node %q", l.name, name)
			}
		}
	}
}

// TestLimit gives up on a text that takes too long, and parses the next one afresh
// instead of going on with this one.
func TestLimit(t *testing.T) {
	s := newScratch(time.Millisecond)
	hard := bytes.Repeat([]byte(`"'{([`+"`"), 1<<18)
	if err := s.flatten(grammars["javascript"](), hard); err == nil {
		t.Fatal("the hard text was parsed within a millisecond")
	}
	s.parser.SetOperationLimit(0)
	if err := s.flatten(grammars["go"](), []byte("package p")); err != nil || len(s.nodes) != 3 {
		t.Errorf("the next text has %d nodes, want 3: %v", len(s.nodes), err)
	}
}
