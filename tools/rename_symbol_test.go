package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenameInLanguages renames a symbol in a workspace of each language.
func TestRenameInLanguages(t *testing.T) {
	for _, test := range []struct {
		name, canon, to string
		before, after   map[string]string // the first file by name declares the symbol
	}{
		{"a Python class and its imports", "Circle", "Disc",
			map[string]string{"a.py": "class Circle:\n    \"\"\"A Circle.\"\"\"\n\n\ndef make() -> \"Circle\":\n    return Circle()\n", "b.py": "from a import Circle\n\nCircle()\nx = {'Circle': 1}\n"},
			map[string]string{"a.py": "class Disc:\n    \"\"\"A Disc.\"\"\"\n\n\ndef make() -> \"Circle\":\n    return Disc()\n", "b.py": "from a import Disc\n\nDisc()\nx = {'Circle': 1}\n"}},
		{"a function that is imported under another name", "area", "size",
			map[string]string{"a.ts": "export function area() { return 1; }\n", "b.ts": "import { area as a } from './a';\nimport { area } from './a';\n\na() + area();\n"},
			map[string]string{"a.ts": "export function size() { return 1; }\n", "b.ts": "import { size as a } from './a';\nimport { size } from './a';\n\na() + size();\n"}},
		{"a Java class with its constructor", "Circle", "Disc",
			map[string]string{"p/Circle.java": "package p;\n\nclass Circle {\n  Circle(int r) {}\n\n  static Circle of() { return new Circle(1); }\n}\n", "p/Main.java": "package p;\n\nclass Main {\n  Circle c = new Circle(2);\n}\n"},
			map[string]string{"p/Circle.java": "package p;\n\nclass Disc {\n  Disc(int r) {}\n\n  static Disc of() { return new Disc(1); }\n}\n", "p/Main.java": "package p;\n\nclass Main {\n  Disc c = new Disc(2);\n}\n"}},
		{"overloads together", "A::put", "add",
			map[string]string{"A.java": "class A {\n  void put(int x) {}\n\n  void put(long x) { put(1); }\n}\n"},
			map[string]string{"A.java": "class A {\n  void add(int x) {}\n\n  void add(long x) { add(1); }\n}\n"}},
		{"a C function with its declaration", "area", "size",
			map[string]string{"a.c": "#include \"a.h\"\nint area(int x) { return x; }\n", "a.h": "int area(int x);\n", "b.c": "#include \"a.h\"\nint main(void) { return area(1); }\n"},
			map[string]string{"a.c": "#include \"a.h\"\nint size(int x) { return x; }\n", "a.h": "int size(int x);\n", "b.c": "#include \"a.h\"\nint main(void) { return size(1); }\n"}},
		{"a Go method, not its namesake", "A::Run", "Start",
			map[string]string{"a.go": "package p\n\ntype A struct{}\n\n// Run runs.\nfunc (a A) Run() { a.Run() }\n", "b.go": "package p\n\ntype B struct{}\n\nfunc (b B) Run() { b.Run() }\n\nfunc f(a A) { a.Run() }\n"},
			map[string]string{"a.go": "package p\n\ntype A struct{}\n\n// Start runs.\nfunc (a A) Start() { a.Start() }\n", "b.go": "package p\n\ntype B struct{}\n\nfunc (b B) Run() { b.Run() }\n\nfunc f(a A) { a.Start() }\n"}},
		{"a Rust struct", "Circle", "Disc",
			map[string]string{"src/lib.rs": "pub struct Circle { r: i32 }\n\nimpl Circle {\n    pub fn new() -> Circle { Circle { r: 1 } }\n}\n"},
			map[string]string{"src/lib.rs": "pub struct Disc { r: i32 }\n\nimpl Disc {\n    pub fn new() -> Disc { Disc { r: 1 } }\n}\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.before)
			first := ""
			for name := range test.before {
				if first == "" || name < first {
					first = name
				}
			}
			result := w.call("apply_code_edit", fmt.Sprintf(`{"edits":[{"file":%q,"canon":%q,"new_name":%q}]}`, first, test.canon, test.to))
			got := map[string]string{}
			for name := range test.after {
				got[name] = w.read(name)
			}
			if diff := cmp.Diff(test.after, got); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, w.set.Text("apply_code_edit", result.Content))
			}
		})
	}
}

// TestRenameNeedsTheWholeIndex renames nothing while uses may be missing in the index.
func TestRenameNeedsTheWholeIndex(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	w.write("a.go", "package p\n\nfunc area() int { return 1 }\n")
	w.openUnindexed()
	got := string(w.call("apply_code_edit", `{"edits":[{"file":"a.go","canon":"area","new_name":"size"}]}`).Content)
	if !strings.Contains(got, `"code":"not_ready"`) {
		t.Error(got)
	}
}
