// Package compiled compares the places that are found by name with those of a compiler, and joins them where the
// compiler does not know all of them. It does not know a tool.
package compiled

import (
	"ploke-lsp/index"
	"ploke-lsp/internal/syntax"
)

// place is where something is: in bytes, or as a line.
type place struct {
	path string
	at   int
}

// A Difference says how the places of a compiler differ from those that were found by name.
type Difference struct {
	OnlyByName     int `json:"only_by_name"`
	OnlyByCompiler int `json:"only_by_compiler"`
}

// Unknown returns the likely edges by name of which a compiler does not know what they mean. known are its own edges.
func Unknown(byName, known []index.Edge, knows func(index.Edge) bool) (edges []index.Edge) {
	seen, least := map[place]bool{}, index.LeastConfidence(byName)
	for _, e := range known {
		seen[place{e.Path, e.StartByte}] = true
	}
	for _, e := range byName {
		if e.Confidence >= least && !seen[place{e.Path, e.StartByte}] && !knows(e) {
			edges = append(edges, e)
		}
	}
	return edges
}

// Compare counts the places that only one of two lists has, nil if there are none. Of those by name, the unlikely ones
// don't count. An implementer is the same if its declaration is: by name, the place is the one that says so.
func Compare(byName, known []index.Edge) *Difference {
	of := func(e index.Edge) place {
		if e.Target != nil && e.Kind == syntax.RefInherit {
			return place{e.Target.Path, e.Target.StartLine}
		}
		return place{e.Path, e.StartByte}
	}
	least, first, second := index.LeastConfidence(byName), map[place]bool{}, map[place]bool{}
	for _, e := range byName {
		if e.Confidence >= least {
			first[of(e)] = true
		}
	}
	for _, e := range known {
		second[of(e)] = true
	}
	var d Difference
	for at := range first {
		if !second[at] {
			d.OnlyByName++
		}
	}
	for at := range second {
		if !first[at] {
			d.OnlyByCompiler++
		}
	}
	if d == (Difference{}) {
		return nil
	}
	return &d
}
