package tools_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	indentedPython = "class A:\n    def f(self, x):\n        y = x + 1\n        if y: return 1\n        return y\n\n\ndef g():\n    pass\n"
	indentedGo     = "package p\n\nfunc f(x int) int {\n\tif x > 1 {\n\t\tx++\n\t}\n\treturn x\n}\n"
	indentedYAML   = "services:\n  web:\n    image: nginx\n    ports:\n      - \"80:80\"\n      - name: a\n        port: 1\n"
	indentedMake   = "all:\n\tgo build ./...\n\tgo vet ./...\n"
)

// editCase is a file that one call edits.
type editCase struct {
	name, file, text string
	edits            []map[string]any // without the file
}

// runEdits makes each edit in a file of its own, all of them in one world, with both kinds of line ends.
func runEdits(t *testing.T, cases []editCase, check func(t *testing.T, c editCase, ends string, ok bool, content, after string)) {
	t.Helper()
	kinds := map[string]string{"lf": "\n", "crlf": "\r\n"}
	files := make(map[string]string)
	name := func(i int, kind string) string { return fmt.Sprintf("%s%d/%s", kind, i, cases[i].file) }
	for kind, ends := range kinds {
		for i, c := range cases {
			files[name(i, kind)] = strings.ReplaceAll(c.text, "\n", ends)
		}
	}
	w := newWorld(t, files)
	for kind, ends := range kinds {
		for i, c := range cases {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				list := []map[string]any{}
				for _, e := range c.edits {
					e = maps.Clone(e)
					e["file"] = name(i, kind)
					for _, field := range []string{"old", "new"} {
						if text, ok := e[field].(string); ok && e["is_regexp"] == nil {
							e[field] = strings.ReplaceAll(text, "\n", ends)
						}
					}
					list = append(list, e)
				}
				args, err := json.Marshal(map[string]any{"edits": list})
				if err != nil {
					t.Fatal(err)
				}
				result := w.call("apply_code_edit", string(args))
				after := w.read(name(i, kind))
				check(t, c, ends, result.OK, string(result.Content), after)
				if strings.Contains(after, "\r\r") || strings.Count(after, "\n") != strings.Count(after, ends) {
					t.Errorf("line ends in %q", after)
				}
			})
		}
	}
}

func TestNewIsIndentedAsItsLine(t *testing.T) {
	var cases []editCase
	want := make(map[string]string)
	for _, test := range []struct{ name, file, text, old, new, want string }{
		{"below each other", "a.py", indentedPython, "y = x + 1", "y = x\ny += 1", "        y = x\n        y += 1\n"},
		{"with a block", "a.py", indentedPython, "y = x + 1", "y = x\nif y:\n    y += 1", "        y = x\n        if y:\n            y += 1\n"},
		{"with a block and an end", "a.py", indentedPython, "return y", "for i in y:\n    y += 1\nreturn y", "        for i in y:\n            y += 1\n        return y\n"},
		{"as in the file but the first line", "a.py", indentedPython, "y = x + 1", "y = x\n        y += 1", "        y = x\n        y += 1\n"},
		{"a block as in the file but its first line", "a.py", indentedPython, "y = x + 1", "if x:\n            y = x\n        else:\n            y = 1", "        if x:\n            y = x\n        else:\n            y = 1\n"},
		{"a block as in the file but one line", "a.py", indentedPython, "y = x + 1", "if x:\n            y = x\nelse:\n            y = 1", "        if x:\n            y = x\n        else:\n            y = 1\n"},
		{"all as in the file, old not", "a.py", indentedPython, "y = x + 1", "        y = x\n        y += 1", "        y = x\n        y += 1\n"},
		{"one line as in the file, old not", "a.py", indentedPython, "y = x + 1", "        y = x", "        y = x\n"},
		{"less than in the file", "a.py", indentedPython, "    y = x + 1", "    y = x\n    y += 1", "        y = x\n        y += 1\n"},
		{"other than old's", "a.py", indentedPython, "y = x + 1", "  y = x\n  y += 1", "        y = x\n        y += 1\n"},
		{"with tabs", "a.py", indentedPython, "y = x + 1", "if x:\n\ty = x\nelse:\n\ty = 1", "        if x:\n            y = x\n        else:\n            y = 1\n"},
		{"a head", "a.py", indentedPython, "def f(self, x):", "def e(self):\n    pass\n\ndef f(self, x):", "    def e(self):\n        pass\n\n    def f(self, x):\n"},
		{"a head with a doc string", "a.py", indentedPython, "def f(self, x):", "def f(self, x):\n    \"\"\"F.\n\n    Of x.\n    \"\"\"", "    def f(self, x):\n        \"\"\"F.\n\n        Of x.\n        \"\"\"\n"},
		{"a string of several lines", "a.py", indentedPython, "y = x + 1", "y = \"\"\"\na\n\"\"\"\ny += x", "        y = \"\"\"\na\n\"\"\"\n        y += x\n"},
		{"a method in another level", "a.py", indentedPython, "return y", "return y\n\n    def h(self):\n        return 1", "        return y\n\n    def h(self):\n        return 1\n"},
		{"with the line's end", "a.py", indentedPython, "y = x + 1\n", "y = x\ny += 1\n", "        y = x\n        y += 1\n"},
		{"with the next line's indentation", "a.py", indentedPython, "y = x + 1\n        ", "y = x\ny += 1\n        ", "        y = x\n        y += 1\n"},
		{"within the line", "a.py", indentedPython, "return 1", "return 1\nelse: return 2", "        if y: return 1\n        else: return 2\n"},
		{"within the line, as in the file", "a.py", indentedPython, " return 1", "\n            return 1", "        if y:\n            return 1\n"},
		{"behind a colon", "a.py", indentedPython, "y: return 1", "y:\n    return 1", "        if y:\n            return 1\n"},
		{"the end of a line", "a.py", indentedPython, "1\n        if", "1\ny += 1\n        if", "        y = x + 1\n        y += 1\n        if"},
		{"in brackets", "a.py", indentedPython, "x + 1", "f(\n    x,\n)", "        y = f(\n            x,\n        )\n"},
		{"white space differs, too", "a.py", indentedPython, "y =  x + 1", "y = x\n        y += 1", "        y = x\n        y += 1\n"},
		{"two lines", "a.py", indentedPython, "y = x + 1\n        if y: return 1", "y = x\n        if y:\n            return 1", "        y = x\n        if y:\n            return 1\n"},
		{"two lines, and one that is not as in the file", "a.py", indentedPython, "y = x + 1\n        if y: return 1", "y = x\nif y:\n            return 1", "        y = x\n        if y:\n            return 1\n"},

		{"Go below each other", "a.go", indentedGo, "x++", "x++\nx *= 2", "\t\tx++\n\t\tx *= 2\n"},
		{"Go as in the file", "a.go", indentedGo, "return x", "x--\n\treturn x", "\tx--\n\treturn x\n"},
		{"Go with a block", "a.go", indentedGo, "return x", "if x < 0 {\n\treturn 0\n}\nreturn x", "\tif x < 0 {\n\t\treturn 0\n\t}\n\treturn x\n"},
		{"Go with spaces", "a.go", indentedGo, "return x", "if x < 0 {\n    return 0\n}\nreturn x", "\tif x < 0 {\n\t\treturn 0\n\t}\n\treturn x\n"},
		{"Go with a block as in the file", "a.go", indentedGo, "return x", "if x < 0 {\n\t\treturn 0\n\t}\n\treturn x", "\tif x < 0 {\n\t\treturn 0\n\t}\n\treturn x\n"},
		{"Go beyond the block", "a.go", indentedGo, "return x", "return x\n}\n\nfunc g() int {\n\treturn 1", "\treturn x\n}\n\nfunc g() int {\n\treturn 1\n}\n"},
		{"Go with a raw string", "a.go", indentedGo, "return x", "s := `\na\n`\nreturn len(s)", "\ts := `\na\n`\n\treturn len(s)\n"},
		{"Go deeper, and nothing else", "a.go", indentedGo, "x++", "\tx++", "\t\t\tx++\n"},
		{"Go all as in the file, with a label", "a.go", indentedGo, "return x", "\tend:\n\treturn x", "\tend:\n\treturn x\n"},
		{"C with directives", "a.c", "int f(int x) {\n    x++;\n    return x;\n}\n", "x++;", "x--;\n#if X\nx++;\n#endif", "    x--;\n#if X\n    x++;\n#endif\n"},
		{"a here document", "a.sh", "if a; then\n    echo a\nfi\n", "echo a", "cat <<E\na\nE", "    cat <<E\na\nE\nfi\n"},
		{"within a line of prose", "a.md", "- a line\n  with more words\n", "more", "more\nand more", "  with more\nand more words\n"},
		{"an item of prose", "a.md", "- a\n  - b\n", "- b", "- b\n- c", "  - b\n  - c\n"},

		{"YAML below each other", "a.yaml", indentedYAML, "image: nginx", "image: nginx\nrestart: always", "    image: nginx\n    restart: always\n"},
		{"YAML as in the file", "a.yaml", indentedYAML, "image: nginx", "image: nginx\n    restart: always", "    image: nginx\n    restart: always\n"},
		{"YAML with a block", "a.yaml", indentedYAML, "image: nginx", "image: nginx\nenv:\n  A: 1\n  B: 2", "    image: nginx\n    env:\n      A: 1\n      B: 2\n"},
		{"YAML with a list", "a.yaml", indentedYAML, "image: nginx", "image: nginx\nenv:\n- A\n- B", "    image: nginx\n    env:\n    - A\n    - B\n"},
		{"YAML an item", "a.yaml", indentedYAML, "- \"80:80\"", "- \"80:80\"\n- \"81:81\"", "      - \"80:80\"\n      - \"81:81\"\n"},
		{"YAML behind the mark of an item", "a.yaml", indentedYAML, "name: a", "name: a\nhost: b", "      - name: a\n        host: b\n        port"},
		{"YAML an item with more", "a.yaml", indentedYAML, "- name: a", "- name: b\n  port: 2\n- name: a", "      - name: b\n        port: 2\n      - name: a\n        port"},

		{"make below each other", "Makefile", indentedMake, "go build ./...", "go generate ./...\ngo build ./...", "\tgo generate ./...\n\tgo build ./...\n"},
		{"make as in the file", "Makefile", indentedMake, "go build ./...", "go generate ./...\n\tgo build ./...", "\tgo generate ./...\n\tgo build ./...\n"},
		{"make with spaces", "Makefile", indentedMake, "go build ./...", "go generate ./...\n    go build ./...", "\tgo generate ./...\n\tgo build ./...\n"},
		{"make with a continued line", "Makefile", indentedMake, "go build ./...", "go build \\\n\t./...", "\tgo build \\\n\t\t./...\n"},
	} {
		want[test.name] = test.want
		cases = append(cases, editCase{test.name, test.file, test.text, []map[string]any{{"old": test.old, "new": test.new}}})
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		if !ok || !strings.Contains(content, `"syntax_errors":[]`) {
			t.Errorf("%s", content)
		}
		if want := strings.ReplaceAll(want[c.name], "\n", ends); !strings.Contains(after, want) {
			t.Error(cmp.Diff(want, after))
		}
	})
}

// TestNewThatFitsInNoWayIsRefused has texts with which the file is broken however they are indented.
func TestNewThatFitsInNoWayIsRefused(t *testing.T) {
	cases := []editCase{
		{"deeper without a block", "a.py", indentedPython, []map[string]any{{"old": "y = x + 1", "new": "y = x\n  y += 1\n    y += 2"}}},
		{"between two levels", "a.py", indentedPython, []map[string]any{{"old": "y = x + 1", "new": "if x:\n    y = 1\n  y = 2"}}},
		{"YAML between two levels", "a.yaml", indentedYAML, []map[string]any{{"old": "image: nginx", "new": "env:\n  A: 1\n B: 1"}}},
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		if ok || !strings.Contains(content, `"code":"indentation"`) || !strings.Contains(content, `"line":3`) ||
			!strings.Contains(content, "nothing was staged") {
			t.Errorf("%s", content)
		}
		if after != strings.ReplaceAll(c.text, "\n", ends) {
			t.Errorf("the file is changed: %s", after)
		}
	})
}

// TestReadingsAreChosenTogether has calls in which an edit alone would break the file.
func TestReadingsAreChosenTogether(t *testing.T) {
	body := map[string]any{"old": "y = x + 1", "new": "    y = x + 2"}
	cases := []editCase{
		{"a body and its head", "a.py", indentedPython, []map[string]any{body, {"old": "def f(self, x):\n", "new": "def f(self, x):\n        if x:\n"}}},
		{"a body alone", "a.py", indentedPython, []map[string]any{body}},
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		want := "        y = x + 2"
		if len(c.edits) > 1 {
			want = "        if x:" + ends + "            y = x + 2"
		}
		if !ok || !strings.Contains(content, `"syntax_errors":[]`) || !strings.Contains(after, ends+want) {
			t.Errorf("%s\n%s", content, after)
		}
	})
}

// TestAdaptedIndentationIsTold looks for the note in the result, and for none where nothing was adapted.
func TestAdaptedIndentationIsTold(t *testing.T) {
	cases := []editCase{
		{"adapted", "a.py", indentedPython, []map[string]any{{"old": "y = x + 1", "new": "y = x\ny += 1"}}},
		{"as given", "a.py", indentedPython, []map[string]any{{"old": "y = x + 1", "new": "y = x\n        y += 1"}}},
		{"without indentation", "a.py", indentedPython, []map[string]any{{"old": "pass", "new": "pass\n    pass"}}},
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		if told := strings.Contains(content, "indentation adapted to the line"); !ok || told != (c.name == "adapted") {
			t.Errorf("%s\n%s", content, after)
		}
	})
}
