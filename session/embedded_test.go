package session

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// openFiles writes files to a folder, and opens and indexes it.
func openFiles(t *testing.T, files map[string]string) (*workspace.Workspace, *index.Index) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	space, err := workspace.New([]string{root}, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	x, err := index.Open(t.Context(), space, index.Options{Dir: func(string) string { return state }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	if _, err := x.Update(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return space, x
}

// onFiles runs the embedded model with the real tools on a folder of the given
// files, and returns the manager of what it stages.
func onFiles(t *testing.T, files map[string]string) (*harness, *edits.Manager) {
	t.Helper()
	space, x := openFiles(t, files)
	var manager *edits.Manager
	h := start(t, nil, func(o *Options) {
		manager = edits.New(o.DB, space, edits.Options{})
		o.Workspace.Roots = space.Roots
		o.Tools = tools.New(tools.Deps{Workspace: space, Index: x, Edits: manager})
		o.Model = func(context.Context, string) (llm.Model, error) { return embedded.Model(), nil }
	})
	return h, manager
}

// staged returns what each file would say, by its name.
func staged(t *testing.T, m *edits.Manager, ids []string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, id := range ids {
		p, err := m.Proposals.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		views, err := m.Preview.Files(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range views {
			texts[v.Rel] = v.After
		}
	}
	return texts
}

var sources = map[string]string{
	"greet.go":     "package main\n\n// Greet says hello to name. It is polite.\nfunc Greet(name string) string {\n\treturn \"hello \" + name // Greet in words stays\n}\n",
	"main.go":      "package main\n\nfunc main() {\n\tprintln(Greet(\"you\"))\n\tprintln(Greet(\"me\"))\n}\n\n// Greet is called twice.\nfunc twice() {}\n",
	"lib/words.py": "A = 'zig'\nB = 'zig'\n",
	"other.py":     "def twice():\n    pass\n",
}

// TestEmbeddedModelMoves moves declarations with the imports that the files need.
func TestEmbeddedModelMoves(t *testing.T) {
	files := map[string]string{
		"go/a.go": "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc say() { fmt.Println() }\n\nfunc b() { os.Exit(1); say() }\n",
		"go/b.go": "package a\n\nvar X = 1\n", "go/c/c.go": "package c\n\nvar X = 1\n",
		"ts/a.ts": "const low = 1\n\nexport function top() { return low }\n", "ts/b.ts": "export const x = 1\n",
		"ts/c.ts": "import { top } from './a'\n\ntop()\n",
		"p/a.py":  "def deep():\n    return 1\n\n\ndef user():\n    return deep()\n", "p/b.py": "from .a import user\n\nuser()\n",
		"p/c.py":      "x = 1\n",
		"j/Wide.java": "package j;\n\npublic class Wide {}\n", "j/Other.java": "package j;\n\npublic class Other {}\n",
	}
	for _, tt := range []struct {
		message string
		files   map[string]string // that are staged
		says    string
	}{
		{"move say to go/b.go", map[string]string{
			"go/a.go": "package a\n\nimport (\n\t\"os\"\n)\n\nfunc b() { os.Exit(1); say() }\n",
			"go/b.go": "package a\n\nimport \"fmt\"\n\nvar X = 1\n\nfunc say() { fmt.Println() }\n"}, "2 lines adjusted"},
		{"move say to go/c/c.go", nil, "different packages"},
		{"move low to ts/b.ts", map[string]string{
			"ts/a.ts": "import { low } from './b'\n\nexport function top() { return low }\n",
			"ts/b.ts": "export const x = 1\n\nexport const low = 1\n"}, "1 line adjusted"},
		{"move deep to p/b.py", map[string]string{
			"p/a.py": "def user():\n    return deep()\n",
			"p/b.py": "from .a import user\n\nuser()\n\n\ndef deep():\n    return 1\n"}, "p/a.py and p/b.py would load each other"},
		{"move deep to p/c.py", map[string]string{
			"p/a.py": "from .c import deep\n\ndef user():\n    return deep()\n",
			"p/c.py": "x = 1\n\n\ndef deep():\n    return 1\n"}, "1 line adjusted"},
		{"move Wide to j/Other.java", nil, "a public type of Java is in a file of its name"},
	} {
		t.Run(tt.message, func(t *testing.T) {
			h, manager := onFiles(t, files)
			_, outcome := h.ask(t, Prompt{Text: tt.message})
			if !strings.Contains(outcome.Text, tt.says) {
				t.Errorf("%q is missing in %s (%v)", tt.says, outcome.Text, outcome.Err)
			}
			want := maps.Clone(tt.files)
			if want == nil {
				want = map[string]string{}
			}
			if d := cmp.Diff(want, staged(t, manager, outcome.Proposals)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEmbeddedModelEdits(t *testing.T) {
	renamed := map[string]string{
		"greet.go": strings.NewReplacer("// Greet says", "// Welcome says", "func Greet", "func Welcome").Replace(sources["greet.go"]),
		"main.go":  strings.ReplaceAll(sources["main.go"], "Greet(", "Welcome("),
	}
	tests := []struct {
		message string
		files   map[string]string // that are staged
		says    string
	}{
		{"rename Greet to Welcome", renamed, "\n- main.go:8: `// Greet is called twice.`"},
		{"rename function `twice` to once", nil, "2 definitions"},
		{"rename Greet to twice", nil, "`twice` is taken"},
		{"rename Greeet to Welcome", nil, "`Greet` (function)"},
		{"replace 'n \"hello' with 'n \"good day' in greet.go", map[string]string{"greet.go": strings.Replace(sources["greet.go"], "\"hello", "\"good day", 1)}, "waits for your review"},
		{"replace 'nowhere' with 'x' in greet.go", nil, "`nowhere` does not stand in greet.go"},
		{"create notes.md with the following text:\n```\n# Notes\n```", map[string]string{"notes.md": "# Notes\n"}, "waits for your review"},
		{"create main.go with 'x'", nil, "I could not create `main.go`"},
		{"create ../out.txt with 'x'", nil, "I could not create `../out.txt`"},
		{"replace 'zig' with 'zag' in the folder lib", map[string]string{"lib/words.py": "A = 'zag'\nB = 'zag'\n"}, "2 places in 1 file"},
		{"replace 'zig' with 'zag' in the folder nowhere", nil, "no file to search is in nowhere"},
		{"replace 'Greet' with 'Welcome' in comments", map[string]string{
			"greet.go": strings.Replace(sources["greet.go"], "// Greet says", "// Welcome says", 1),
			"main.go":  strings.Replace(sources["main.go"], "// Greet is", "// Welcome is", 1),
		}, "Comments that share a line with code stay as they are."},
		{"replace 'nowhere' with 'x' in comments", nil, "I changed nothing"},
		{"delete Greet", map[string]string{"greet.go": "package main\n"}, "- `main` — main.go:4\n"},
		{"delete twice", nil, "as in `delete twice in main.go`"},
		{"delete twice in other.py", map[string]string{"other.py": ""}, "No uses of `twice`"},
		{"replace Greet with Welcome in main.go", map[string]string{"main.go": strings.ReplaceAll(sources["main.go"], "Greet", "Welcome")}, "`Greet` stands 3 times in 1 file."},
		{"replace hell with help in greet.go", map[string]string{"greet.go": strings.ReplaceAll(sources["greet.go"], "hell", "help")}, "always within longer words such as `hello`"},
		{"replace all of Greet with Welcome in all.txt", nil, "there is no file `all.txt`"},
		{"replace 'in' with 'on' in greet.go", nil, "`in` stands 1 time in greet.go as a word, and 3 times within longer ones such as `main`. " +
			"Say `replace the word \"in\" with \"on\" in greet.go`, or `replace all of \"in\" with \"on\" in greet.go`.\n"},
		{"replace the word 'in' with 'on' in greet.go", map[string]string{"greet.go": strings.Replace(sources["greet.go"], " in ", " on ", 1)}, "`in` stands 1 time in 1 file"},
		{"replace all of 'in' with 'on' in greet.go", map[string]string{"greet.go": strings.ReplaceAll(sources["greet.go"], "in", "on")}, "`in` stands 4 times"},
		{"replace name with names in greet.go", map[string]string{"greet.go": strings.ReplaceAll(sources["greet.go"], "name", "names")}, "`name` stands 3 times in 1 file."},
		{"replace pri with x in main.go", map[string]string{"main.go": strings.ReplaceAll(sources["main.go"], "pri", "x")}, "`pri` stands 2 times"},
		{"replace main with start in main.go", map[string]string{"main.go": strings.ReplaceAll(sources["main.go"], "main", "start")}, "2 times"},
		{"replace Greet with Welcome", nil, "say `rename Greet to Welcome`"},
		{"move twice from main.go to greet.go", map[string]string{
			"main.go":  strings.Replace(sources["main.go"], "\n// Greet is called twice.\nfunc twice() {}\n", "", 1),
			"greet.go": sources["greet.go"] + "\n// Greet is called twice.\nfunc twice() {}\n"}, "Imports go by their text"},
		{"move Greet to nowhere.go", nil, "there is no file `nowhere.go`"},
		{"move Greet to other.py", nil, "in another language"},
		{"move Greet to greet.go", nil, "is in greet.go already"},
		{"move it to greet.go", nil, "Which one do you mean?"},
		{"add a doc comment to main", nil, "What shall it say?"},
		{"add a doc comment to main: starts it", map[string]string{"main.go": strings.Replace(sources["main.go"], "func main", "// main starts it.\nfunc main", 1)}, "1 place"},
		{"add a docstring to twice in other.py: does nothing", map[string]string{"other.py": "def twice():\n    \"\"\"Does nothing.\"\"\"\n    pass\n"}, "1 place"},
		{"document Greet: says hello", nil, "has a doc comment, which begins with"},
		{"document Server.Greet: says hello", nil, "there is no `Server::Greet`"},
		{"delete Greeet", nil, "I deleted nothing"},
		{"create .env with 'KEY=1'", nil, "it holds secrets"},
		{"create hello.ts with export const hello = 1", map[string]string{"hello.ts": "export const hello = 1\n"}, "waits for your review"},
		{"replace 'x' with 'y' in .env", nil, "it holds secrets"},
		{"fix the greeting", nil, "not a language model"},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			h, manager := onFiles(t, sources)
			_, outcome := h.ask(t, Prompt{Text: tt.message})
			if outcome.StopReason != bus.StopDone || !strings.Contains(outcome.Text, tt.says) {
				t.Errorf("%q is missing in %s (%v)", tt.says, outcome.Text, outcome.Err)
			}
			want := maps.Clone(tt.files)
			if want == nil {
				want = map[string]string{}
			}
			if d := cmp.Diff(want, staged(t, manager, outcome.Proposals)); d != "" {
				t.Error(d)
			}
			if failed := seen[bus.ToolCallFailed](h); len(failed) != 0 {
				t.Errorf("the embedded model's calls should fit: %+v", failed)
			}
		})
	}
}

func TestEmbeddedModelAnswers(t *testing.T) {
	tests := []struct {
		message string
		says    []string
		cites   []string // base name and lines
	}{
		{"What says hello to a name?", []string{"The best match is the function `Greet`, at greet.go:4.", "Greet says hello to name."}, []string{"greet.go 4-6"}},
		{"Explain `Greet` in greet.go", []string{"`Greet` is a function", "`main` — main.go:4\n"}, []string{"greet.go 3-6"}},
		{"zyzzyva?", []string{"I found nothing"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			h, _ := onFiles(t, sources)
			_, outcome := h.ask(t, Prompt{Text: tt.message})
			for _, s := range tt.says {
				if !strings.Contains(outcome.Text, s) {
					t.Errorf("%q is missing in %s (%v)", s, outcome.Text, outcome.Err)
				}
			}
			var cites []string
			var scanner wording.Scanner
			for _, p := range append(scanner.Write(outcome.Text), scanner.Close()...) {
				if p.Code == nil {
					continue
				}
				cites = append(cites, fmt.Sprintf("%s %d-%d", filepath.Base(p.Code.Path), p.Code.StartLine, p.Code.EndLine))
				if !strings.Contains(sources[filepath.Base(p.Code.Path)], p.Code.Text) {
					t.Errorf("the quoted code is not the file's: %q", p.Code.Text)
				}
			}
			if len(cites) < len(tt.cites) || !slices.Equal(cites[:len(tt.cites)], tt.cites) {
				t.Errorf("cites %q; want %q first", cites, tt.cites)
			}
			if n := len(seen[bus.MessageDelta](h)); n == 0 {
				t.Error("nothing was streamed")
			}
		})
	}
}

// TestEmbeddedModelRenamesHundredsOfPlaces checks that no result of a tool is lost to
// the window: the embedded model has none.
func TestEmbeddedModelRenamesHundredsOfPlaces(t *testing.T) {
	const places = 600
	h, manager := onFiles(t, map[string]string{
		"greet.go": "package main\n\nfunc Greet() {}\n",
		"main.go":  "package main\n\nfunc main() {\n" + strings.Repeat("\tGreet()\n", places) + "}\n",
	})
	_, outcome := h.ask(t, Prompt{Text: "rename Greet to Welcome"})
	if want := fmt.Sprintf("I propose to rename `Greet` to `Welcome`: %d places in 2 files.",
		places+1); !strings.HasPrefix(outcome.Text, want) {
		t.Fatalf("the answer does not begin with %q:\n%s (%v)", want, outcome.Text, outcome.Err)
	}
	if n := strings.Count(staged(t, manager, outcome.Proposals)["main.go"], "Welcome()"); n != places {
		t.Errorf("%d places are renamed, want %d", n, places)
	}
}

// TestEmbeddedModelMovesAnImportAway moves a function to a file that imports it, which imports it no longer then.
func TestEmbeddedModelMovesAnImportAway(t *testing.T) {
	for line, kept := range map[string]string{"from .a import other, twice": "from .a import other\n", "from .a import twice": ""} {
		h, manager := onFiles(t, map[string]string{
			"p/a.py": "import os\nimport re\n\n\ndef twice(x):\n    return os.path.join(x, x)\n\n\ndef other():\n    return re.compile('x')\n",
			"p/b.py": "import json\n" + line + "\n\n\ndef use():\n    return json.dumps(twice(1))\n",
			"p/c.py": "from .a import twice\n\ntwice(1)\n", "p/__init__.py": "",
		})
		_, outcome := h.ask(t, Prompt{Text: "move twice to p/b.py"})
		want := map[string]string{
			"p/a.py": "import os\nimport re\n\n\ndef other():\n    return re.compile('x')\n",
			"p/b.py": "import json\n" + kept + "import os\n\n\ndef use():\n    return json.dumps(twice(1))\n\n\n" +
				"def twice(x):\n    return os.path.join(x, x)\n",
			"p/c.py": "from .b import twice\n\ntwice(1)\n",
		}
		if d := cmp.Diff(want, staged(t, manager, outcome.Proposals)); d != "" {
			t.Error(d)
		}
		if !strings.Contains(outcome.Text, "p/a.py no longer needs its imports of `os`.") || strings.Contains(outcome.Text, "will not resolve") {
			t.Errorf("it says %s", outcome.Text)
		}
	}
}
