package index_test

import (
	"flag"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

var rewrite = flag.Bool("update", false, "rewrite the golden listings")

// TestEdges reads archives. Each is a workspace that begins with queries of the form
//
//	incoming FILE CANON
//	outgoing FILE CANON
//	implementers FILE CANON
//	through FILE CANON
//
// and has the results in the file "want". An edge is "confidence place kind from ->
// target", with the number of candidates if there are several.
func TestEdges(t *testing.T) {
	archives, err := filepath.Glob("testdata/edges/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no listings of edges found", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string]string{}, len(archive.Files)-1
			for _, f := range archive.Files[:want] {
				files[f.Name] = string(f.Data)
			}
			got := open(t, files).edgeListing(string(archive.Comment))
			if *rewrite {
				archive.Files[want].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(archive.Files[want].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func (p *project) edgeListing(queries string) string {
	p.t.Helper()
	p.update()
	var out strings.Builder
	for line := range strings.Lines(queries) {
		words := strings.Fields(line)
		if len(words) != 3 || words[0] == "#" {
			continue
		}
		edges := p.edges(words[0], p.unit(words[1], words[2]))
		fmt.Fprintf(&out, "%s\n%s", strings.TrimSpace(line), formatEdges(edges))
	}
	return out.String()
}

// unit returns the unit with that address in a file.
func (p *project) unit(rel, canon string) index.Unit {
	p.t.Helper()
	units, err := p.index.Outline(p.t.Context(), p.path(rel))
	if err != nil {
		p.t.Fatal(err)
	}
	i := slices.IndexFunc(units, func(u index.Unit) bool { return u.Canon == canon && u.Kind != "impl" })
	if i < 0 {
		p.t.Fatalf("no %s in %s", canon, rel)
	}
	return units[i]
}

func (p *project) edges(direction string, of index.Unit) []index.Edge {
	p.t.Helper()
	find, ok := map[string]func() ([]index.Edge, error){
		"incoming":     func() ([]index.Edge, error) { return p.index.Overlay(nil).Incoming(p.t.Context(), of) },
		"outgoing":     func() ([]index.Edge, error) { return p.index.Overlay(nil).Outgoing(p.t.Context(), of) },
		"through":      func() ([]index.Edge, error) { return p.index.Overlay(nil).ThroughInterfaces(p.t.Context(), of) },
		"implementers": func() ([]index.Edge, error) { return p.index.Overlay(nil).Implementers(p.t.Context(), of) },
	}[direction]
	if !ok {
		p.t.Fatalf("unknown query %q", direction)
	}
	edges, err := find()
	if err != nil {
		p.t.Fatal(err)
	}
	return edges
}

func formatEdges(edges []index.Edge) string {
	var out strings.Builder
	for _, e := range edges {
		target := "?"
		if e.Target != nil {
			target = e.Target.Rel + " " + e.Target.Canon
		}
		from := e.From
		if from == "" {
			from = "-"
		}
		fmt.Fprintf(&out, "  %.2f %s:%d %s %s -> %s", e.Confidence, e.Rel, e.Line, e.Kind, from, target)
		if e.Candidates > 1 {
			fmt.Fprintf(&out, " of %d", e.Candidates)
		}
		if e.Through != "" {
			out.WriteString(" through " + e.Through)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// TestIncomingAmbiguous looks for references that may mean any symbol of their name, because too many files of the
// folder declare it.
func TestIncomingAmbiguous(t *testing.T) {
	files := map[string]string{
		"go.mod":         "module example.com/app\n",
		"other/other.go": "package other\n\ntype Other struct{}\n\nfunc (Other) Stop() {}\n\nfunc (Other) stop() {}\n",
		"many/use.go":    "package many\n\nfunc use() {\n\tfor _, x := range all() {\n\t\tx.Stop()\n\t\tx.stop()\n\t}\n}\n",
	}
	for i := range 65 {
		files[fmt.Sprintf("many/m%d.go",
			i)] = fmt.Sprintf("package many\n\ntype M%d struct{}\n\nfunc (M%[1]d) Stop() {}\n\nfunc (M%[1]d) stop() {}\n", i)
	}
	p := open(t, files)
	got := p.edgeListing("incoming other/other.go Other::Stop\nincoming other/other.go Other::stop")
	want := `incoming other/other.go Other::Stop
  0.01 many/use.go:5 call use -> other/other.go Other::Stop of 65
incoming other/other.go Other::stop
  0.01 many/use.go:6 call use -> other/other.go Other::stop of 65
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOutgoingReferencesAreIncoming looks from both ends at the references of a part of Go's library: the symbol that a
// reference most likely means is found from there, and the reference is found from the symbol. What rules references out
// must not lose any.
func TestOutgoingReferencesAreIncoming(t *testing.T) {
	testbed.Long(t)
	dir := filepath.Join(build.Default.GOROOT, "src", "encoding")
	x := indexed(t, dir)
	o := x.Overlay(nil)
	names := map[string]bool{"String": true, "Type": true, "Error": true, "Read": true, "Write": true, "Len": true, "Close": true,
		"decode":  true,
		"Decoder": true, "Decode": true, "Encode": true, "Value": true, "Name": true, "Unmarshal": true, "encode": true, "Reset": true,
		"Token": true}
	type from struct {
		path  string
		start int
	}
	outgoing := map[index.Unit]map[from]bool{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.Contains(path, "testdata") {
			return err
		}
		units, err := x.Outline(t.Context(), path)
		if err != nil {
			return err
		}
		for _, u := range units {
			edges, err := o.Outgoing(t.Context(), u)
			if err != nil {
				return err
			}
			for _, e := range edges {
				if e.Target == nil || !names[e.Target.Name] {
					continue
				}
				if outgoing[*e.Target] == nil {
					outgoing[*e.Target] = map[from]bool{}
				}
				outgoing[*e.Target][from{e.Path, e.StartByte}] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for target, expected := range outgoing {
		edges, err := o.Incoming(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edges {
			delete(expected, from{e.Path, e.StartByte})
		}
		count += len(edges)
		for r := range expected {
			t.Errorf("%s:%d refers to %s of %s, which is not referred to from there", r.path, r.start, target.Canon, target.Rel)
		}
	}
	if count < 1000 {
		t.Errorf("only %d references were found from the symbols", count)
	}
}

// TestReferencesAt asks for the places of all references of a file, which the index has, and for such as are none. The text
// of an overlay counts.
func TestReferencesAt(t *testing.T) {
	const text = "package a\n\nfunc f() { g(); h() }\n\nfunc g() { h() }\n\nfunc h() {}\n"
	p := open(t, map[string]string{"a.go": text})
	p.update()
	path := filepath.Join(p.root, "a.go")
	check := func(text string, o *index.Overlay) {
		t.Helper()
		start := strings.LastIndex(text, "h() }")
		use := index.Place{Path: path, Start: start, End: start + 1}
		name := strings.Index(text, "f()")
		declared := index.Place{Path: path, Start: name, End: name + 1}
		found, err := o.ReferencesAt(t.Context(), []index.Place{use, declared, {Path: path, Start: start, End: start + 2},
			{Path: path, Start: 1 << 40, End: 1<<40 + 1}, {Path: path, Start: -1}, {Path: "/nowhere.go", End: 1}})
		got := found[use]
		if err != nil || len(found) != 1 || got.From != "g" || got.Kind != "call" || got.StartByte != start || got.EndByte != start+1 ||
			got.LineText != "func g() { h() }" || got.FileHash != workspace.Hash([]byte(text)) || got.Line != 1+strings.Count(text[:start], "\n") {
			t.Errorf("%+v, %v", found, err)
		}
	}
	check(text, p.index.Overlay(nil))
	changed := strings.Replace(text, "package a\n", "package a\n\nvar more = 1\n", 1)
	check(changed, p.index.Overlay(map[string][]byte{path: []byte(changed)}))
}
