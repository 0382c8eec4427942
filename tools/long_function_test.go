package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/o200k/o200ktest"
)

// TestALookupShowsALongFunctionAtOnce: each request more sends the conversation again.
func TestALookupShowsALongFunctionAtOnce(t *testing.T) {
	const around = 60 // tokens of the heading and of what is missing
	var b strings.Builder
	b.WriteString("package a\n\nfunc Whole() {\n")
	for i := range 200 {
		fmt.Fprintf(&b, "\tstep(%d)\n", i)
	}
	b.WriteString("}\n\nfunc Long() {\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "\tstep(%d)\n", i)
	}
	b.WriteString("}\n\ntype Wide struct {\n")
	for i := range 90 {
		fmt.Fprintf(&b, "\tField%d int\n", i)
	}
	same := "func Same() {\n" + strings.Repeat("\tstep(\"one of several with a long name\", 123, 456)\n", 70) + "}\n"
	w := newWorld(t, map[string]string{"x/a.go": "package x\n\n" + same, "y/a.go": "package y\n\n" + same, "z/a.go": "package z\n\n" + same, "a.go": b.String() + "}\n", "b.go": "package a\n"})
	for _, test := range []struct {
		args        string
		least, most int
		has, lacks  string
	}{
		{`{"name":"Whole"}`, 1000, 2000, "step(199)\n204  }\n", "not shown"},
		{`{"name":"Long"}`, 1900, 2000 + around, "are not shown: read_file has them", "step(2999)"},
		{`{"name":"Long","view":"full"}`, 5000, 17000, "are not shown: read_file has them", "step(2999)"},
		{`{"name":"Same"}`, 3000, 5000, " 74  }\n", "not shown"}, // none is long
		{`{"name":"Wide"}`, 300, 1500, "Field89 int\n", " 3206 "},
	} {
		text := w.set.Text("code_item_lookup", w.call("code_item_lookup", test.args).Content)
		if tokens := o200ktest.Count(text); tokens < test.least || tokens > test.most {
			t.Errorf("%s: the result has %d tokens, want %d to %d", test.args, tokens, test.least, test.most)
		}
		if !strings.Contains(text, test.has) || strings.Contains(text, test.lacks) {
			t.Errorf("%s: want %q and no %q in %.300s … %s", test.args, test.has, test.lacks, text, text[max(len(text)-300, 0):])
		}
	}
}

// TestAMissNamesTheTwoNearest: a name with two letters swapped is among them, however short it is.
func TestAMissNamesTheTwoNearest(t *testing.T) {
	w := newWorld(t, map[string]string{"pkg/a.go": "package pkg\n\nfunc Run() {}\n\nfunc Rune() {}\n\nfunc Turn() {}\n\nfunc Ran() {}\n", "many/b.go": "package many\n", "etc/c.go": "package etc\n"})
	for _, test := range []struct{ tool, args, has string }{
		{"list_dir", `{"dir":"pgk"}`, "\npkg\n"},
		{"read_file", `{"file":"pgk/a.go"}`, "\npkg/a.go\n"},
		{"code_item_lookup", `{"file":"pkg/a.go","name":"Rnu"}`, " Run\n"},
		{"code_item_lookup", `{"name":"Runn"}`, " Run\n"},
	} {
		text := w.set.Text(test.tool, w.call(test.tool, test.args).Content)
		_, list, _ := strings.Cut(text, "candidates:\n")
		if n := strings.Count(list, "\n"); n != 2 && n != 1 || !strings.Contains("\n"+list+"\n", test.has) {
			t.Errorf("%s %s: want %q among two in %s", test.tool, test.args, test.has, text)
		}
	}
}
