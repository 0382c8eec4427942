package lsp_test

import (
	"os"
	"strings"
	"testing"

	"go.lsp.dev/uri"
	"golang.org/x/tools/txtar"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// onFoldingDisk makes the fixture's disk one that ignores case.
func (f *fixture) onFoldingDisk() *fixture {
	workspace.Assume(f.root, workspace.NameRules{Folds: true})
	return f
}

// TestADocumentUnderAnotherSpelling opens a file under a URI that spells it unlike the disk. Its text is
// searched, and edits and results name the editor's URI.
func TestADocumentUnderAnotherSpelling(t *testing.T) {
	f := newFixture(t).onFoldingDisk()
	e := f.startIndexed()
	odd := f.path("SHAPES/Circle.GO")
	e.OpenText(odd, read(t, f.path("shapes/circle.go"))+"\n// Diamond is on its corner.\ntype Diamond struct{}\n")
	e.Ask("where is Diamond") // a turn indexes unsaved text at once
	found := find(e, "Diamond").Results
	if len(found) == 0 || found[0].URI != uri.File(odd) || found[0].Path != "shapes/circle.go" {
		t.Errorf("found %+v", found)
	}
	before := e.Text(odd)
	id := renameSquare(t, e)
	var decision ploke.ProposalDecision
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id, Files: []uri.URI{uri.File(odd), uri.File(f.path("shapes/RECT.go"))}},
		&decision)
	want := strings.ReplaceAll(before, "square(", "squared(")
	if got := e.Text(odd); decision.Status != "verified" || got != want {
		t.Errorf("%s, and the text is\n%s", decision.Status, got)
	}
	e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, &decision)
	if got := e.Text(odd); decision.Status != "undone" || got != before {
		t.Errorf("%s, and the text is\n%s", decision.Status, got)
	}
}

// TestAFileThatIsOpenTwice opens a file under two URIs: by two spellings, and by a link, which is
// the same on each disk. The text of the one that stays open counts.
func TestAFileThatIsOpenTwice(t *testing.T) {
	for name, other := range map[string]string{"two spellings": "Shapes/rect.go", "a link": "link/rect.go"} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			if name == "two spellings" {
				f.onFoldingDisk()
			}
			if err := os.Symlink("shapes", f.path("link")); err != nil {
				t.Fatal(err)
			}
			e := f.startIndexed()
			e.OpenText(f.path(other), "package shapes\n\ntype Diamond struct{}\n")
			e.OpenText(f.path("shapes/rect.go"), "package shapes\n\ntype Emerald struct{}\n")
			e.CloseDocument(f.path("shapes/rect.go"))
			e.Ask("where is Diamond") // a turn indexes unsaved text at once
			if !finds(e, "Diamond", "Diamond") {
				t.Error("the text that is open is not found")
			}
			e.CloseDocument(f.path(other))
			e.Ask("where is Rect")
			if !finds(e, "Rect", "Rect") {
				t.Error("the text on the disk is not found")
			}
		})
	}
}

// TestTheEditorRenamesInCaseAlone has the editor rename an open document, and one that is not
// open, to the same name in another case.
func TestTheEditorRenamesInCaseAlone(t *testing.T) {
	for i, name := range []string{"open", "not open", "open, exFAT", "not open, exFAT"} {
		t.Run(name, func(t *testing.T) {
			open, disk := i%2 == 0, i > 1
			f := newFixture(t)
			if disk {
				f.root = testbed.FoldingDisk(t)
				for _, file := range txtar.Parse([]byte(program)).Files {
					f.write(file.Name, string(file.Data))
				}
			} else {
				f.onFoldingDisk()
			}
			f.useModel(
				llmtest.Turn{Calls: []llmtest.Call{{ID: "1", Name: "rename_file", Arguments: `{"file":"shapes/circle.go","to":"shapes/Circle.go"}`}}},
				llmtest.Turn{Text: []string{"Done."}},
			)
			e := f.startIndexed()
			old, renamed := f.path("shapes/circle.go"), f.path("shapes/Circle.go")
			if open {
				e.Open(old)
			}
			text := read(t, old)
			id := e.Ask("rename it").Proposals[0]
			var decision ploke.ProposalDecision
			e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: id}, &decision)
			if names := namesIn(t, f.path("shapes")); decision.Status != "verified" || read(t, renamed) != text || names != "Circle.go rect.go" {
				t.Errorf("accepted: %s", decision.Status)
			}
			if open && e.Text(renamed) != text {
				t.Error("the document is not open under the new name")
			}
			e.Await("the index to have the new name only", func() bool { return hitPaths(find(e, "Circle")) == "shapes/Circle.go" })
			e.Call(ploke.MethodProposalUndo, ploke.ProposalParams{ID: id}, &decision)
			if names := namesIn(t, f.path("shapes")); decision.Status != "undone" || read(t, old) != text || names != "circle.go rect.go" {
				t.Errorf("undone: %s", decision.Status)
			}
		})
	}
}

// namesIn returns the names in a folder.
func namesIn(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// hitPaths returns the paths of the hits in files whose names begin with circle, each once.
func hitPaths(found *ploke.SearchResult) (paths string) {
	for _, hit := range found.Results {
		if strings.Contains(strings.ToLower(hit.Path), "circle") && !strings.Contains(paths, hit.Path) {
			paths += hit.Path
		}
	}
	return paths
}

// TestTheWatcherReportsARenameInCaseAlone checks that the index has the file under its new name only.
func TestTheWatcherReportsARenameInCaseAlone(t *testing.T) {
	f := newFixture(t).onFoldingDisk()
	e := f.startIndexed()
	old, renamed := f.path("shapes/circle.go"), f.path("shapes/CIRCLE.go")
	if err := os.Rename(old, renamed); err != nil {
		t.Fatal(err)
	}
	e.DiskChanged(old, renamed)
	e.Await("the index to have the new name only", func() bool { return hitPaths(find(e, "Circle")) == "shapes/CIRCLE.go" })
}
