package project_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project"
)

// TestWhatRunsByItselfIsListed checks that each entry has a source, and each pattern is needed: the rule alone
// would let a file of that name pass.
func TestWhatRunsByItselfIsListed(t *testing.T) {
	seen := map[string]bool{}
	for _, entry := range project.RunsByItself() {
		if entry.Kind == "" || len(entry.Patterns) == 0 || !strings.HasPrefix(entry.Source, "https://") {
			t.Errorf("%q of %q has no kind, no pattern or no source", entry.What, entry.Kind)
		}
		for _, pattern := range entry.Patterns {
			for part := range strings.SplitSeq(pattern, "/") {
				if _, err := path.Match(part, ""); err != nil || part != strings.ToLower(part) {
					t.Errorf("the pattern %q is not valid, or has capital letters", pattern)
				}
			}
			if seen[pattern] || strings.HasPrefix(path.Base(pattern), ".") || !canBeText(pattern) {
				t.Errorf("the pattern %q stands there twice, or matches only what asks without it", pattern)
			}
			seen[pattern] = true
		}
	}
}

// canBeText reports whether a pattern matches a name of code or prose.
func canBeText(pattern string) bool {
	if strings.HasSuffix(pattern, "/") {
		return true
	}
	for _, ext := range []string{"go", "md", "py", "js", "ts", "mjs", "cjs", "rb", "rs", "c", "cs", "tf", "ex"} {
		stem, ok := strings.CutSuffix(pattern, "*")
		if name := strings.ReplaceAll(stem, "*", "x") + ext; ok && traits.TextOf(name) != traits.OtherText {
			return true
		}
	}
	return traits.TextOf(path.Base(pattern)) != traits.OtherText
}

func TestNamesThatAsk(t *testing.T) {
	for file, asks := range map[string]bool{"names_that_ask.txt": true, "names_that_do_not.txt": false} {
		text, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
			if name == "" || strings.HasPrefix(name, "#") { // why
				continue
			}
			if why := project.DoubtfulName(name); (why != "") != asks {
				t.Errorf("%s: %q", name, why)
			}
		}
	}
}

// TestNamesThatSomeSystemsReadAsOthers asks for that reason, whatever the name without its oddity is known as.
func TestNamesThatSomeSystemsReadAsOthers(t *testing.T) {
	for _, name := range []string{"Makefile.", "Makefile ", "Makefile. .", "x.go.", "x.go...", "x.go ", "src./x.go", "src /x.go", " x.go", "src/ x.go", "x.go\u00a0", "x.go．",
		"x.go::$DATA", "x.go:y.go", "x:/y.go", "MAKEFI~1", "SETUP~1.PY", "PROGRA~1/x.go", `src\x.go`, "x*.go", "x?.go", `x".go`, "<x.go", "x>.go", "x|.go"} {
		if why := project.DoubtfulName(name); why != "some systems read its name as another one" {
			t.Errorf("%q: %q", name, why)
		}
	}
}

// TestWhatIsNoRegularFileAsks has a folder and a link where a change names a file, as if they were put there after the file was read.
func TestWhatIsNoRegularFileAsks(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{"a.go": "package a\n"})
	link := filepath.Join(dir, "link.go")
	if err := os.Symlink("a.go", link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(dir, "a.go"): "", filepath.Join(dir, "none.go"): "", dir: "it is not a regular file", link: "it is not a regular file"} {
		if why := project.DoubtfulFile(path); why != want {
			t.Errorf("%s: %q", path, why)
		}
	}
}

// doubt stages operations and returns the doubt about them, "" if they may be applied. It applies them then.
func doubt(t *testing.T, p *project.Project, operations ...edits.Operation) string {
	t.Helper()
	for i, o := range operations {
		if o.Op != edits.OpCreate {
			text, err := p.Workspace.Read(t.Context(), o.Path)
			if err != nil {
				t.Fatal(err)
			}
			operations[i].BaseHash = text.Hash
		}
	}
	proposal, err := p.Edits.Staging.Stage(t.Context(), edits.Batch{RequestID: t.Name(), Title: "try", Operations: operations})
	if err != nil {
		t.Fatal(err)
	}
	if doubt := p.AutoAccept.MustAsk(t.Context(), proposal); doubt != nil {
		if _, err := p.Edits.Reject(t.Context(), proposal.Whole(), ""); err != nil {
			t.Fatal(err)
		}
		return doubt.Why
	}
	if _, err := p.Applier.Accept(t.Context(), proposal.Whole()); err != nil {
		t.Fatal(err)
	}
	return ""
}

func create(path, text string) edits.Operation {
	return edits.Operation{Op: edits.OpCreate, Path: path, Text: text}
}

func touch(path string) edits.Operation {
	return edits.Operation{Op: edits.OpEdit, Path: path, Edits: []edits.Edit{{New: "\n"}}}
}

func rename(from, to string) edits.Operation {
	return edits.Operation{Op: edits.OpRename, Path: from, To: to}
}

// files writes files below a folder, by their slash-separated names.
func files(t *testing.T, root string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsAppliedUnasked(t *testing.T) {
	root := t.TempDir()
	files(t, root, map[string]string{"src/deep/x.py": "x = 1\n", "tool.py": "#!/usr/bin/env python3\n", "other.py": "#!/usr/bin/env python3\n", "docs/x.md": "# x\n", "linked.go": "package greet\n",
		"bare/HEAD": "x\n", "bare/notes.md": "x\n", "bare/objects/x.md": "x\n", "half/HEAD": "x\n", "hidden/out/x.py": "x = 1\n", "data/x.json": "{}\n", ".gitignore": "/hidden/out/\n"})
	if err := os.Link(filepath.Join(root, "linked.go"), filepath.Join(t.TempDir(), "other")); err != nil {
		t.Fatal(err)
	}
	p, _ := openIn(t, t.TempDir(), root, &headless{})
	for _, tt := range []struct {
		what       string
		operations []edits.Operation
		why        string // part of it; "" if it is applied
	}{
		{"code", []edits.Operation{touch("greet.go"), touch("src/deep/x.py")}, ""},
		{"prose", []edits.Operation{touch("docs/x.md")}, ""},
		{"an existing script", []edits.Operation{touch("tool.py")}, ""},
		{"one file of several", []edits.Operation{touch("greet.go"), touch("data/x.json")}, "not known as code or prose"},
		{"a hard link", []edits.Operation{touch("linked.go")}, "hard link"},
		{"new code in a new folder", []edits.Operation{create("src/deep/new/y.py", "y = 1\n")}, ""},
		{"new prose", []edits.Operation{create("src/notes.md", "# y\n")}, ""},
		{"below folders without code", []edits.Operation{create("data/new/y.py", "y = 1\n")}, "no code"},
		{"below folders with ignored code", []edits.Operation{create("hidden/y.py", "y = 1\n")}, "no code"},
		{"an interpreter", []edits.Operation{create("src/y.js", "#!/usr/bin/env node\n")}, "interpreter"},
		{"another name for a script", []edits.Operation{rename("other.py", "src/y.py")}, "interpreter"},
		{"a listed new name", []edits.Operation{rename("src/deep/x.py", "src/deep/setup.py")}, "setuptools"},
		{"the name of unknown data", []edits.Operation{rename("src/deep/x.py", "src/deep/x.json")}, "not known"},
		{"a repository", []edits.Operation{touch("bare/notes.md")}, "repository"},
		{"in a repository", []edits.Operation{touch("bare/objects/x.md")}, "repository"},
		{"objects beside a HEAD", []edits.Operation{create("half/objects/pack/x.py", "")}, "repository"},
		{"refs beside a HEAD", []edits.Operation{create("half/Refs/x.py", "")}, "repository"},
		{"objects", []edits.Operation{create("src/objects/x.py", "x = 2\n")}, ""},
		{"refs", []edits.Operation{create("src/refs/x.py", "x = 2\n")}, ""},
		{"a HEAD beside objects", []edits.Operation{create("src/HEAD", "ref: refs/heads/x\n")}, "not known"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			if why := doubt(t, p, tt.operations...); !strings.Contains(why, tt.why) || (why == "") != (tt.why == "") {
				t.Errorf("the doubt is %q", why)
			}
		})
	}
}

// TestADeceptiveNameIsShown has a doubt about a name that would drive a terminal.
func TestADeceptiveNameIsShown(t *testing.T) {
	p, _ := open(t, &headless{})
	path := filepath.Join(p.Workspace.Roots()[0], "a\u202ey.json")
	got := p.AutoAccept.MustAsk(t.Context(), &edits.Proposal{Changes: []*edits.Change{{Op: edits.OpEdit, Path: path, BaseHash: workspace.Hash(nil)}}})
	if got == nil || slices.Contains([]rune(got.String()), '\u202e') {
		t.Errorf("the doubt is %v", got)
	}
}
