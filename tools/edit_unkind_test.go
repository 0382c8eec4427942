package tools_test

import (
	"strings"
	"testing"
)

// TestUnkindIndentations has edits of parts of lines as unkind testers thought of them, after the rules were made.
func TestUnkindIndentations(t *testing.T) {
	const tabbed = "class A:\n\tdef f(self):\n\t\tx = 1\n\t\treturn x\n"
	const actions = "on:\n  push:\n    branches: [main]\njobs:\n  build:\n    steps:\n" +
		"      - uses: actions/checkout@v4\n      - name: Test\n        run: |\n          make test\n          make lint\n"
	const nested = "try:\n    with open(a) as f:\n        for line in f:\n            if line:\n" +
		"                print(line)\nexcept OSError:\n    pass\n"
	want := make(map[string]string)
	var cases []editCase
	for _, test := range []struct{ name, file, text, old, new, want string }{
		{"tabs in Python", "a.py", tabbed, "x = 1", "if self:\n    x = 1\nelse:\n    x = 2", "\t\tif self:\n\t\t\tx = 1\n\t\telse:\n\t\t\tx = 2\n"},
		{"tabs in Python, as in the file", "a.py", tabbed, "x = 1", "if self:\n\t\t\tx = 1\n\t\telse:\n\t\t\tx = 2", "\t\tif self:\n\t\t\tx = 1\n\t\telse:\n\t\t\tx = 2\n"},
		{"tabs in Python, spaces as in the file", "a.py", tabbed, "return x", "x += 1\n        return x", "\t\tx += 1\n\t\treturn x\n"},
		{"an else that was not there", "a.py", nested, "print(line)", "print(line)\n            else:\n                break", "                print(line)\n            else:\n                break\n"},
		{"a decorator", "a.py", tabbed, "def f(self):", "@property\ndef f(self):", "\t@property\n\tdef f(self):\n"},
		{"a comment above", "a.py", nested, "print(line)", "# Show it.\nprint(line)", "                # Show it.\n                print(line)\n"},
		{"a comment that is not indented", "a.py", nested, "if line:", "if line:\n# Show it.", "            if line:\n            # Show it.\n"},
		{"a call over lines as in the file", "a.py", nested, "print(line)", "print(\n                    line,\n                )", "                print(\n                    line,\n                )\n"},
		{"a body around the line", "a.py", nested, "print(line)", "try:\n    print(line)\nexcept ValueError:\n    raise", "                try:\n                    print(line)\n                except ValueError:\n                    raise\n"},
		{"two functions after one", "a.py", "def f():\n    return 1\n\n\nx = 1\n", "return 1", "return 1\n\n\ndef g():\n    return 2", "    return 1\n\n\ndef g():\n    return 2\n\n\nx"},
		{"a step", "a.yaml", actions, "- uses: actions/checkout@v4", "- uses: actions/checkout@v4\n- uses: actions/setup-go@v5\n  with:\n    go-version: 1.26", "      - uses: actions/checkout@v4\n      - uses: actions/setup-go@v5\n        with:\n          go-version: 1.26\n"},
		{"a step as in the file", "a.yaml", actions, "- uses: actions/checkout@v4", "- uses: actions/checkout@v4\n      - uses: actions/setup-go@v5\n        with:\n          go-version: 1.26", "      - uses: actions/checkout@v4\n      - uses: actions/setup-go@v5\n        with:\n          go-version: 1.26\n"},
		{"a key of a step", "a.yaml", actions, "name: Test", "name: Test\nif: always()", "      - name: Test\n        if: always()\n        run"},
		{"a key of a step as in the file", "a.yaml", actions, "name: Test", "name: Test\n        if: always()", "      - name: Test\n        if: always()\n        run"},
		{"a line of a block of text", "a.yaml", actions, "make lint", "make lint\nmake bench", "          make lint\n          make bench\n"},
		{"a flow list made a block", "a.yaml", actions, " [main]", "\n  - main\n  - next", "    branches:\n      - main\n      - next\n"},
		{"a struct's fields", "a.go", "package p\n\ntype T struct {\n\tA int // a\n}\n", "A int // a", "A int // a\n\tB int", "\tA int // a\n\tB int\n"},
		{"a chain", "a.ts", "function f() {\n  return a\n    .b();\n}\n", ".b();", ".b()\n    .c();", "    .b()\n    .c();\n"},
		{"an object", "a.js", "const a = {\n  b: {\n    c: 1,\n  },\n};\n", "c: 1,", "c: {\n  d: 1,\n},", "    c: {\n      d: 1,\n    },\n"},
		{"JSON", "a.json", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", "\"b\": 1", "\"b\": 1,\n\"c\": [\n  1\n]", "    \"b\": 1,\n    \"c\": [\n      1\n    ]\n"},
		{"markup", "a.html", "<ul>\n  <li>a</li>\n</ul>\n", "<li>a</li>", "<li>a</li>\n<li>\n  b\n</li>", "  <li>a</li>\n  <li>\n    b\n  </li>\n"},
		{"a case", "a.go", "package p\n\nfunc f(x int) {\n\tswitch x {\n\tcase 1:\n\t\tg()\n\t}\n}\n", "g()", "g()\n\tcase 2:\n\t\th()", "\t\tg()\n\tcase 2:\n\t\th()\n"},
		{"make's recipe and a target", "Makefile", "a:\n\tx\n", "x", "x\n\nb:\n\ty", "\tx\n\nb:\n\ty\n"},
		{"a blank line at the end", "a.py", nested, "print(line)", "print(line)\nprint(1)\n", "                print(line)\n                print(1)\n"},
	} {
		want[test.name] = test.want
		cases = append(cases, editCase{test.name, test.file, test.text, []map[string]any{{"old": test.old, "new": test.new}}})
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		if !ok || !strings.Contains(content, `"syntax_errors":[]`) || !strings.Contains(after, strings.ReplaceAll(want[c.name], "\n", ends)) {
			t.Errorf("%s\n%s", content, after)
		}
	})
}
