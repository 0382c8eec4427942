package inside

import (
	"slices"
	"strings"
	"testing"
)

const repository = "../.."

// TestEverythingInsideHasAnAllowedLicence needs no npm: the lock file names licences, too.
func TestEverythingInsideHasAnAllowedLicence(t *testing.T) {
	all, err := Components(repository)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[Kind]int{}
	for _, c := range all {
		kinds[c.Kind]++
		if err := checkLicence(c); err != nil {
			t.Error(err)
		}
		if c.Text == "" && c.Kind != npmPackage { // npm may have installed nothing
			t.Errorf("%s has no licence text", c.Name)
		}
	}
	if kinds[goModule] < 30 || kinds[source] < 20 || kinds[npmPackage] < 10 {
		t.Errorf("found only %v", kinds)
	}
}

// TestEveryGrammarIsNamed compares the list of sources with the packages that the program is built from.
func TestEveryGrammarIsNamed(t *testing.T) {
	const module = "github.com/smacker/go-tree-sitter"
	list, err := goOutput(repository, nil, "list", "-deps", "./cmd/ploke-lsp")
	if err != nil {
		t.Fatal(err)
	}
	var want, named []string
	for path := range strings.Lines(list) {
		if grammar, ok := strings.CutPrefix(strings.TrimSpace(path), module+"/"); ok {
			grammar, _, _ = strings.Cut(grammar, "/") // typescript has two
			want = append(want, grammar)
		}
	}
	for _, s := range carried() {
		if grammar, ok := strings.CutPrefix(s.Module, module+"/"); ok {
			named = append(named, grammar)
		}
	}
	slices.Sort(want)
	slices.Sort(named)
	if want = slices.Compact(want); len(want) < 15 || !slices.Equal(want, named) {
		t.Errorf("the program has the grammars\n%v\nsources.toml\n%v", want, named)
	}
}

func TestLicencesThatAreNotKnownOrNotAllowed(t *testing.T) {
	for _, c := range []struct{ licence, want string }{
		{"MIT", ""},
		{"BSD-3-Clause AND MIT", ""},
		{"", "no licence is known"},
		{"GPL-3.0", "the licence GPL-3.0 is not on the list"},
		{"GPL-3.0 AND MIT", "the licence GPL-3.0 is not on the list"},
		{"MIT OR GPL-3.0", "is not on the list"},
	} {
		err := checkLicence(Component{Name: "x", Licence: c.licence, Text: "x"})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.licence, err, c.want)
		}
	}
	if _, err := Licences([]Component{{Name: "x", Licence: "MIT"}}); err == nil || !strings.Contains(err.Error(), "the text of its licence is missing") {
		t.Errorf("without a text: %v", err)
	}
	if got := identify("All rights reserved. Ask first."); got != "" {
		t.Errorf("an unknown text is taken for %s", got)
	}
}
