package placing

import (
	"strings"
	"testing"
)

// TestFirstInAFile places code as the first symbol of files whose first symbol is within something else. A bar is
// where it belongs.
func TestFirstInAFile(t *testing.T) {
	tests := []struct{ name, file, code, text string }{
		{"Go constants", "a.go", "func f() {}", "package a\n\nimport \"os(\"\n\n|// Sizes.\nconst (\n\tA = 1\n\tB = 2\n)\n"},
		{"Go variables", "a.go", "func f() {}", "package a\n\nimport (\n\t\"os\"\n)\n\n|var (\n\t// A is first.\n\tA = os.Args\n)\n"},
		{"Go types", "a.go", "func f() {}", "package a\n\n|type (\n\tA int\n\tB int\n)\n"},
		{"an element of a Go group", "a.go", "Z = 0", "package a\n\nconst (\n|\tA = 1\n)\n"},
		{"no group", "a.go", "func f() {}", "package a\n\n|// A is first.\nconst A = 1\n"},
		{"a Rust macro", "a.rs", "fn f() {}", "use a::{B, C};\n\n|#[cfg(x)]\ncfg_rt! {\n    pub struct A;\n}\n"},
		{"Rust statics", "a.rs", "fn f() {}", "//! Docs (of it.\n\n|thread_local! {\n    static A: u32 = 1;\n}\n"},
		{"JavaScript names", "a.js", "function f() {}", "import { x } from 'x'\n\n|const {\n  a,\n  b,\n} = x\n"},
		{"C names", "a.h", "int f(void);", "#include <a.h>\n\n|extern \"C\" {\nint a(void);\n}\n"},
		{"a Python try", "a.py", "def f():\n    pass", "\"\"\"Docs (of it.\"\"\"\nimport os\n\n|try:\n    import x\n\n    HAS = True\nexcept ImportError:\n    HAS = False\n"},
		{"a Python docstring", "a.py", "def f():\n    pass", "\"\"\"Docs.\"\"\"\n\n|def g():\n    pass\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := strings.Index(tt.text, "|")
			src := sourceOf(tt.file, []byte(strings.Replace(tt.text, "|", "", 1)))
			edit, err := placeCanonical(src, Request{SymbolRequest: SymbolRequest{At: AtFirst, Code: tt.code}})
			if err != nil || edit.Start != at || edit.End != at {
				text := string(src.Text[:edit.Start]) + "|" + string(src.Text[edit.End:])
				t.Errorf("placed at %d, want %d, %v:\n%s\ncode: %q", edit.Start, at, err, text, edit.New)
			}
		})
	}
}
