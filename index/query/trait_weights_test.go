package query

import (
	"testing"

	"ploke-lsp/index/traits"
)

// TestRequestedTraits checks that kinds of files count in full if the query requests them, and less reduced if it has
// a word that may be about them.
func TestRequestedTraits(t *testing.T) {
	const tests, data, prose = traits.TestTrait, traits.DataTrait, traits.ProseTrait
	for _, c := range []struct {
		text string
		kind traits.Set
		want float64
	}{
		{"latest value", tests | data, testWeight * dataWeight},
		{"a flaky Test", tests | data, dataWeight},
		{"run the tests\n\nor not", tests | data, dataWeight},
		{"a value\n\nwith tests", tests | data, testWeight * dataWeight},
		{"a demo", traits.SecondaryTrait, 1},
		{"which workflow builds it", data, 1},
		{"the YAML file", data, 1},
		{"the YAML file", tests | data, testWeight},
		{"the YAML file", prose, besideWeight * proseWeight},
		{"docker and lint", data, 1},
		{"where is the port configured", data, 1},
		{"the port of a config", data, hintedWeight},
		{"whatever version it is", data, hintedWeight},
		{"whatever version it is", prose, proseWeight},
		{"the error in config/yaml.go", data, dataWeight}, // of paths, files are what is named
		{"TestRun/yaml fails", tests | data, dataWeight},
		{"a value\n\nin yaml", data, dataWeight},
		{"what does the readme say", prose, 1},
		{"a documentation port", prose, hintedWeight},
		{"undocumented ports", prose, proseWeight},
		{"documentation of ports", prose, 1},
		{"documentation of ports", 0, besideWeight},
		{"documentation of ports", data, besideWeight * dataWeight},
		{"which version is it", data, 1},
		{"which version is it", tests, besideWeight * testWeight},
		{"which version is it", tests | data, testWeight},
		{"add docker and lint", data, 1},
		{"add docker and lint", 0, 1},
	} {
		if got := newTraitWeights(parseQuery(c.text).traits, besideWeight)[c.kind]; got != c.want {
			t.Errorf("files of kind %04b count %v for %q, want %v", c.kind, got, c.text, c.want)
		}
	}
}

// TestOwnName checks that settings keep more of their weight if their own name has a word of the query.
func TestOwnName(t *testing.T) {
	w := newWeights(nil)
	w.traits = newTraitWeights(requestedTraits{}, besideWeight)
	for _, c := range []struct {
		query, rel string
		kind       traits.Set
		want       float64
	}{
		{"base of the docker build", "Dockerfile", traits.DataTrait, ownNameWeight},
		{"cargo is slow", "crates/core/Cargo.toml", traits.DataTrait, ownNameWeight},
		{"core is slow", "crates/core/Cargo.toml", traits.DataTrait, dataWeight}, // only a folder has it
		{"update it", "update.yml", traits.DataTrait, dataWeight},                // a word of tasks
		{"cargo is slow", "docs/cargo.md", traits.ProseTrait, proseWeight},
		{"cargo is slow", "tests/Cargo.toml", traits.TestTrait | traits.DataTrait, testWeight * dataWeight},
		{"cargo is slow", "cargo.go", 0, 1},
	} {
		q := parseQuery(c.query)
		if got := w.of(c.kind, q.namingOf(c.rel).own); got != c.want {
			t.Errorf("%s counts %v for %q, want %v", c.rel, got, c.query, c.want)
		}
	}
}
