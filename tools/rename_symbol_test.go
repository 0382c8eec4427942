package tools_test

import (
	"fmt"
	"path"
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
		{"a function that is exported under another name", "area", "extent",
			map[string]string{"a.ts": "function area() { return 1; }\nexport { area as size };\nexport default area;\n", "b.ts": "import { size } from './a';\nimport area from './a';\n\nsize() + area();\n"},
			map[string]string{"a.ts": "function extent() { return 1; }\nexport { extent as size };\nexport default extent;\n", "b.ts": "import { size } from './a';\nimport extent from './a';\n\nsize() + extent();\n"}},
		{"a function in an object of CommonJS under another name", "area", "extent",
			map[string]string{"a.js": "function area() { return 1; }\nmodule.exports = { area, size: area, area2: 1 };\nexports.area = area;\n", "b.js": "const { size } = require('./a');\n\nsize();\n"},
			map[string]string{"a.js": "function extent() { return 1; }\nmodule.exports = { extent, size: extent, area2: 1 };\nexports.extent = extent;\n", "b.js": "const { size } = require('./a');\n\nsize();\n"}},
		{"a function of CommonJS and its names in braces", "stamp", "mark",
			map[string]string{"a.js": "function stamp() { return 1; }\nmodule.exports = { stamp: stamp };\n",
				"b.js": "const { stamp } = require('./a');\nconst { other, stamp: z } = require('./a.js');\nconst all = require('./a');\n\nstamp(z(all.stamp()));\nrequire('./a').stamp();\nfunction f() {\n  const { stamp = 1 } = require('./a');\n  return { stamp };\n}\n",
				"c.js": "const { stamp } = require('./a');\nmodule.exports = { stamp, ...require('./a') };\n", "d.mjs": "const { stamp } = await import('./c.js');\nstamp();\n",
				"e.js": "function stamp() {}\nstamp(x.stamp);\n"},
			map[string]string{"a.js": "function mark() { return 1; }\nmodule.exports = { mark: mark };\n",
				"b.js": "const { mark } = require('./a');\nconst { other, mark: z } = require('./a.js');\nconst all = require('./a');\n\nmark(z(all.mark()));\nrequire('./a').mark();\nfunction f() {\n  const { mark = 1 } = require('./a');\n  return { mark };\n}\n",
				"c.js": "const { mark } = require('./a');\nmodule.exports = { mark, ...require('./a') };\n", "d.mjs": "const { mark } = await import('./c.js');\nmark();\n",
				"e.js": "function stamp() {}\nstamp(x.stamp);\n"}},
		{"a class that a file of CommonJS is", "Client", "Conn",
			map[string]string{"a.js": "class Client {}\nmodule.exports = Client;\nmodule.exports.Client = Client;\n",
				"b.js": "const Client = require('./a');\nconst Base = require('./a');\nconst C = require('./a').Client;\n\nclass B extends Client {}\nclass D extends Base {}\nmodule.exports = { Client, B };\n",
				"c.js": "const { Client } = require('./b');\nnew Client();\n"},
			map[string]string{"a.js": "class Conn {}\nmodule.exports = Conn;\nmodule.exports.Conn = Conn;\n",
				"b.js": "const Conn = require('./a');\nconst Base = require('./a');\nconst C = require('./a').Conn;\n\nclass B extends Conn {}\nclass D extends Base {}\nmodule.exports = { Conn, B };\n",
				"c.js": "const { Conn } = require('./b');\nnew Conn();\n"}},
		{"a Rust function that its crate exports under another name", "area", "extent",
			map[string]string{"src/area.rs": "pub fn area() {}\n", "src/lib.rs": "mod area;\npub use area::area as size;\n\nfn f() { crate::size(); crate::area::area(); }\n"},
			map[string]string{"src/area.rs": "pub fn extent() {}\n", "src/lib.rs": "mod area;\npub use area::extent as size;\n\nfn f() { crate::size(); crate::area::extent(); }\n"}},
		{"a Python function that its package exports under another name", "area", "extent",
			map[string]string{"a/a.py": "def area():\n    pass\n", "a/z/__init__.py": "from ..a import area as size\n", "b.py": "from a.z import size\n\nsize()\n"},
			map[string]string{"a/a.py": "def extent():\n    pass\n", "a/z/__init__.py": "from ..a import extent as size\n", "b.py": "from a.z import size\n\nsize()\n"}},
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
		{"a Go field in literals", "T::key", "name",
			map[string]string{"a.go": "package p\n\ntype T struct{ key string }\n\nfunc f(key string) []T {\n\t_ = map[string]int{key: 1}\n\treturn []T{{key: key}, T{key: \"\"}}\n}\n"},
			map[string]string{"a.go": "package p\n\ntype T struct{ name string }\n\nfunc f(key string) []T {\n\t_ = map[string]int{key: 1}\n\treturn []T{{name: key}, T{name: \"\"}}\n}\n"}},
		{"a Go method of what functions return", "A::Run", "Start",
			map[string]string{"a.go": "package p\n\ntype A struct{}\n\nfunc New() (*A, error) { return nil, nil }\nfunc (a *A) Sub() *A { return a }\nfunc (a *A) Run() {}\n\ntype B struct{}\n\nfunc (b B) Run() {}\nfunc Of() B { return B{} }\n",
				"b.go": "package p\n\nimport \"os/exec\"\n\nfunc f() {\n\ta, _ := New()\n\ta.Run()\n\tc := a.Sub().Sub()\n\tc.Run()\n\td := Of()\n\td.Run()\n\te := exec.Command(\"ls\")\n\te.Run()\n\ta.Sub().Run()\n}\n"},
			map[string]string{"a.go": "package p\n\ntype A struct{}\n\nfunc New() (*A, error) { return nil, nil }\nfunc (a *A) Sub() *A { return a }\nfunc (a *A) Start() {}\n\ntype B struct{}\n\nfunc (b B) Run() {}\nfunc Of() B { return B{} }\n",
				"b.go": "package p\n\nimport \"os/exec\"\n\nfunc f() {\n\ta, _ := New()\n\ta.Start()\n\tc := a.Sub().Sub()\n\tc.Start()\n\td := Of()\n\td.Run()\n\te := exec.Command(\"ls\")\n\te.Run()\n\ta.Sub().Start()\n}\n"}},
		{"a Go method inside of another type's of that name", "A::Keys", "All",
			map[string]string{"a.go": "package p\n\ntype A struct{}\n\nfunc (a A) Keys() {}\n", "b.go": "package p\n\ntype B struct{ v A }\n\nfunc (b B) Keys() {\n\tv := b.v\n\tv.Keys()\n\tb.v.Keys()\n}\n\nfunc Keys(v A) { v.Keys() }\n"},
			map[string]string{"a.go": "package p\n\ntype A struct{}\n\nfunc (a A) All() {}\n", "b.go": "package p\n\ntype B struct{ v A }\n\nfunc (b B) Keys() {\n\tv := b.v\n\tv.All()\n\tb.v.All()\n}\n\nfunc Keys(v A) { v.All() }\n"}},
		{"a Rust type that other crates export once more", "Circle", "Disc",
			map[string]string{"a/src/lib.rs": "mod round;\npub use round::Circle;\n\npub struct Circle2;\n", "A.rs": "pub struct Circle { r: i32 }\n\npub fn of(c: &Circle) -> i32 {\n    let Circle { r } = c;\n    *r\n}\n", "b/src/main.rs": "use a::{Circle as Round, Circle};\n\nfn main() {\n    let c: crate_a::Circle = quote! { ::a::Circle };\n}\n"},
			map[string]string{"a/src/lib.rs": "mod round;\npub use round::Disc;\n\npub struct Circle2;\n", "A.rs": "pub struct Disc { r: i32 }\n\npub fn of(c: &Disc) -> i32 {\n    let Disc { r } = c;\n    *r\n}\n", "b/src/main.rs": "use a::{Disc as Round, Disc};\n\nfn main() {\n    let c: crate_a::Disc = quote! { ::a::Disc };\n}\n"}},
		{"a Rust method of values without a type", "Circle::area_of", "size",
			map[string]string{"a.rs": "pub struct Circle;\n\nimpl Circle {\n    pub fn area_of(&self) {}\n}\n", "b.rs": "fn main() {\n    let area_of = make();\n    area_of.area_of();\n    assert!(all().map(|c| c.area_of()));\n}\n"},
			map[string]string{"a.rs": "pub struct Circle;\n\nimpl Circle {\n    pub fn size(&self) {}\n}\n", "b.rs": "fn main() {\n    let area_of = make();\n    area_of.size();\n    assert!(all().map(|c| c.size()));\n}\n"}},
		{"a Rust method with namesakes that a call with a dot does not mean", "Circle::area_of", "size",
			map[string]string{"a.rs": "pub struct Circle;\n\nimpl Circle {\n    pub fn area_of(&self) {}\n}\n", "c.rs": "pub struct Lot { area_of: u8 }\n\nimpl Lot {\n    pub fn area_of() {}\n}\n\nfn area_of() {}\n", "b.rs": "fn main() {\n    made().area_of();\n    made().area_of;\n    Lot::area_of();\n    area_of();\n    assert!(all().map(|c| c.area_of() + c.area_of));\n}\n"},
			map[string]string{"a.rs": "pub struct Circle;\n\nimpl Circle {\n    pub fn size(&self) {}\n}\n", "c.rs": "pub struct Lot { area_of: u8 }\n\nimpl Lot {\n    pub fn area_of() {}\n}\n\nfn area_of() {}\n", "b.rs": "fn main() {\n    made().size();\n    made().area_of;\n    Lot::area_of();\n    area_of();\n    assert!(all().map(|c| c.size() + c.area_of));\n}\n"}},
		{"a Rust field with a method of its name", "Lot::area_of", "size",
			map[string]string{"a.rs": "pub struct Lot { area_of: u8 }\n", "b.rs": "struct Circle;\n\nimpl Circle {\n    fn area_of(self) {}\n}\n\nfn main() {\n    made().area_of();\n    made().area_of;\n}\n"},
			map[string]string{"a.rs": "pub struct Lot { size: u8 }\n", "b.rs": "struct Circle;\n\nimpl Circle {\n    fn area_of(self) {}\n}\n\nfn main() {\n    made().area_of();\n    made().size;\n}\n"}},
		{"a Rust function of a type, which no call with a dot means", "Lot::area_of", "size",
			map[string]string{"a.rs": "pub struct Lot;\n\nimpl Lot {\n    pub fn area_of() {}\n}\n", "b.rs": "fn main() {\n    made().area_of();\n    a::Lot::area_of();\n}\n"},
			map[string]string{"a.rs": "pub struct Lot;\n\nimpl Lot {\n    pub fn size() {}\n}\n", "b.rs": "fn main() {\n    made().area_of();\n    a::Lot::size();\n}\n"}},
		{"a Rust method that strings have, too", "Text::push_str", "append",
			map[string]string{"a.rs": "pub struct Text(String);\n\nimpl Text {\n    pub fn push_str(&self) { self.push_str(); self.0.push_str(1) }\n}\n", "b.rs": "fn main() {\n    name().push_str(1);\n}\n"},
			map[string]string{"a.rs": "pub struct Text(String);\n\nimpl Text {\n    pub fn append(&self) { self.append(); self.0.push_str(1) }\n}\n", "b.rs": "fn main() {\n    name().push_str(1);\n}\n"}},
		{"a Go method that what a foreign function returns has, too", "A::Launch", "Fly",
			map[string]string{"a.go": "package p\n\nimport \"os/exec\"\n\ntype A struct{}\n\nfunc (a A) Launch() { a.Launch() }\n\nfunc f() {\n\te := exec.Command(\"ls\")\n\te.Launch()\n}\n"},
			map[string]string{"a.go": "package p\n\nimport \"os/exec\"\n\ntype A struct{}\n\nfunc (a A) Fly() { a.Fly() }\n\nfunc f() {\n\te := exec.Command(\"ls\")\n\te.Launch()\n}\n"}},
		{"a Go constant that is a key of a map", "Host", "Server",
			map[string]string{"a.go": "package p\n\nconst Host = \"host\"\n\ntype Headers map[string]int\n\nvar all = Headers{Host: 1}\n"},
			map[string]string{"a.go": "package p\n\nconst Server = \"host\"\n\ntype Headers map[string]int\n\nvar all = Headers{Server: 1}\n"}},
		{"a Go method that a foreign value has, too", "Box::Close", "Shut",
			map[string]string{"a.go": "package p\n\ntype Box struct{}\n\nfunc (b *Box) Close() { b.Close() }\n", "b.go": "package p\n\nfunc f() {\n\tresp.Body.Close()\n\tresp.Body.Closer()\n}\n"},
			map[string]string{"a.go": "package p\n\ntype Box struct{}\n\nfunc (b *Box) Shut() { b.Shut() }\n", "b.go": "package p\n\nfunc f() {\n\tresp.Body.Close()\n\tresp.Body.Closer()\n}\n"}},
		{"a variant of a Rust enum in a macro", "Kind::Set", "Put",
			map[string]string{"a.rs": "pub enum Kind { Set, Add }\n", "b.rs": "pub struct Set;\npub enum MyKind { Set }\n\nfn main() {\n    let x = quote! { a::Kind::Set };\n    let y = quote! { MyKind::Set };\n}\n"},
			map[string]string{"a.rs": "pub enum Kind { Put, Add }\n", "b.rs": "pub struct Set;\npub enum MyKind { Set }\n\nfn main() {\n    let x = quote! { a::Kind::Put };\n    let y = quote! { MyKind::Set };\n}\n"}},
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

// TestRenamesOfOneCall renames methods together: a use that may mean any of them is renamed, and nothing of them is left.
func TestRenamesOfOneCall(t *testing.T) {
	w := newWorld(t, map[string]string{
		"a.go": "package p\n\ntype I interface {\n\tRun()\n}\n\ntype A struct{}\n\n// Run runs.\nfunc (A) Run() {}\n\ntype B struct{}\n\nfunc (B) Run() {}\n",
		"b.go": "package p\n\nfunc f(all map[string]I) {\n\tfor _, x := range all {\n\t\tx.Run()\n\t}\n}\n"})
	one := `{"file":"a.go","canon":"I::Run","new_name":"Go"}`
	result := w.call("apply_code_edit", `{"edits":[`+one+`,{"file":"a.go","canon":"A::Run","new_name":"Go"},`+
		`{"file":"a.go","canon":"B::Run","new_name":"Go"}]}`)
	text := w.set.Text("apply_code_edit", result.Content)
	if got := w.read("b.go"); !strings.Contains(got, "x.Go()") || strings.Contains(text, "left") {
		t.Errorf("%s\n%s", got, text)
	}
	if got := w.read("a.go"); strings.Count(got, "Go()") != 3 || !strings.Contains(got, "// Go runs.") {
		t.Errorf("%s\n%s", got, text)
	}
}

// TestRenameOfATraitDeclaredElsewhere refuses to rename what a trait of another crate names.
func TestRenameOfATraitDeclaredElsewhere(t *testing.T) {
	w := newWorld(t, map[string]string{"a.rs": "struct A;\n\nimpl Display for A {\n    fn fmt(&self) {}\n}\n\ntrait Own { fn run(&self); }\n\nimpl Own for A {\n    fn run(&self) {}\n}\n"})
	rename := func(canon string) string {
		return string(w.call("apply_code_edit", `{"edits":[{"file":"a.rs","canon":"`+canon+`","new_name":"other"}]}`).Content)
	}
	if got := rename("A::fmt"); !strings.Contains(got, "implements the trait Display, which the workspace does not declare") {
		t.Error(got)
	}
	if got := rename("A::run"); !strings.Contains(got, `"ok":true`) {
		t.Error(got)
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

// TestRenameOfManyUsesHasAShortResult: the result names how many places there are and which are left out, and the
// proposal has all of them.
func TestRenameOfManyUsesHasAShortResult(t *testing.T) {
	const most = 4 << 10
	useIn := func(files, uses int, declaring, use string) map[string]string {
		folder, all := strings.TrimSuffix(declaring, path.Base(declaring)), map[string]string{declaring: "package p\n\n// area is measured.\nfunc area() int { return 1 }\n\nfunc other() int { return 2 }\n"}
		for i := range files {
			all[fmt.Sprintf("%su%03d.go", folder, i)] = fmt.Sprintf("package p\n\nfunc use%d(x p) {\n%s}\n", i, strings.Repeat(use, uses/files))
		}
		return all
	}
	deep := strings.Repeat("folder_with_a_long_name/", 9)
	for name, test := range map[string]struct {
		files    map[string]string
		file, to string
		more     string // a further edit of the call
		want     []string
	}{
		"in one file": {useIn(1, 500, "a.go", "\tarea()\n"), "a.go", "size", "",
			[]string{"renamed area in 502 places of 2 files\n", "u000.go", "lines 4, 5, 6, 7, 8, 9, 10, 11 and 492 more\n"}},
		"in 500 files": {useIn(500, 500, "zoo.go", "\tarea()\n"), "zoo.go", "size", "",
			[]string{"renamed area in 502 places of 501 files\n", "zoo.go, file hash", "\nline 4\n", "\nand 495 places in 495 files more\n"}},
		"often in a line": {useIn(10, 500, "a.go", "\tarea(); area()\n"), "a.go", "size", "",
			[]string{"renamed area in 1002 places of 11 files\n", "\nand 500 places in 5 files more\n"}},
		"with long paths": {useIn(20, 20, deep+"a.go", "\tarea()\n"), deep + "a.go", "size", "",
			[]string{"renamed area in 22 places of 21 files\n", deep + "a.go, file hash", "\nand 17 places in 17 files more\n"}},
		"to no name": {useIn(100, 500, "a.go", "\tarea()\n"), "a.go", "func", "",
			[]string{"renamed area in 502 places of 101 files\n", "line 4: new syntax error", "\nand 472 places in 95 files more\n"}},
		"of namesakes": {useIn(100, 500, "a.go", "\tx.area()\n"), "a.go", "size", "",
			[]string{"renamed area in 2 places of 1 file; left 500 other places with that name", "\nleft as they are:\n", "\nand 492 places more\n"}},
		"of long namesakes": {useIn(100, 500, "a.go", "\tx.area("+strings.Repeat("long, ", 100)+")\n"), "a.go", "size", "",
			[]string{"renamed area in 2 places of 1 file; left 500 other places with that name", "\nleft as they are:\n", "\nand 49"}},
		"with another edit": {useIn(100, 500, "a.go", "\tarea()\n"), "a.go", "size", `{"file":"u090.go","old":"func use90(","new":"func used("}`,
			[]string{"\nedits[0]: lines 3, 4; renamed area in 502 places of 101 files\n", "u090.go, file hash", "edits[1]: line 3", "\nand 470 places in 94 files more\n"}},
		"with a rename further on": {useIn(100, 500, "a.go", "\tarea()\n"), "a.go", "size", `{"file":"u090.go","canon":"use90","new_name":"used"}`,
			[]string{"renamed area in 502 places of 101 files\n", "renamed use90 in 1 place of 1 file\n"}},
		"with another rename": {useIn(100, 500, "a.go", "\tarea()\n\tother()\n"), "a.go", "size", `{"file":"a.go","canon":"other","new_name":"more"}`,
			[]string{"renamed area in 502 places of 101 files\n", "renamed other in 501 places of 101 files\n", "\nand 950 places in 95 files more\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, test.files)
			list := fmt.Sprintf(`{"file":%q,"canon":"area","new_name":%q}`, test.file, test.to)
			if test.more != "" {
				list += "," + test.more
			}
			result := w.call("apply_code_edit", `{"edits":[`+list+`]}`)
			text := w.set.Text("apply_code_edit", result.Content)
			if len(text) >= most || len(result.Content) >= most+len(deep)*len(strings.Split(text, deep)) {
				t.Errorf("the text has %d bytes, the content %d:\n%s", len(text), len(result.Content), text)
			}
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("there is no %q in\n%s", want, text)
				}
			}
			for file := range test.files {
				if left := strings.ReplaceAll(w.read(file), "x.area(", ""); strings.Contains(left, "area(") {
					t.Fatalf("%s reads\n%s", file, left)
				}
			}
		})
	}
}
