package generate

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/lsp/protocol"
)

var update = flag.Bool("update", false, "write the generated files anew")

const root = "../../.."

func read(t *testing.T) *Protocol {
	t.Helper()
	p, err := Read("..")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGeneratedFilesAreCurrent compares the generated files with the Go types.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	stale, err := read(t).stale(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range stale {
		if !*update {
			t.Errorf("%s is not current: run go generate ./lsp/protocol", path)
			continue
		}
		if err := os.WriteFile(filepath.Join(root, path), want, 0o644); err != nil {
			t.Error(err)
		}
	}
}

// TestTheTablesAreComplete looks for each constant that names a method, a command or a type of part in
// the tables of lsp/protocol.
func TestTheTablesAreComplete(t *testing.T) {
	p := read(t)
	known := map[string]bool{}
	for _, m := range p.Methods {
		known["Method"+m.Go] = true
	}
	for _, c := range p.Commands {
		known["Command"+c.Go] = true
	}
	found := 0
	for constant, value := range p.constants {
		if !strings.HasPrefix(value, `"ploke/`) && !strings.HasPrefix(value, `"ploke.`) {
			continue
		}
		found++
		if !known[constant] {
			t.Errorf("%s = %s is in no table", constant, value)
		}
	}
	if found < 50 {
		t.Errorf("only %d constants were found", found)
	}
	var types []protocol.PartType
	for _, one := range p.Types {
		if one.Name == "PartType" {
			for _, v := range one.Values {
				types = append(types, protocol.PartType(v.Value))
			}
		}
	}
	if !slices.Equal(types, protocol.PartTypes()) {
		t.Errorf("PartTypes returns %q; the constants are %q", protocol.PartTypes(), types)
	}
}
