package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/o200k"
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
		if tokens := o200k.Count(text); tokens < test.least || tokens > test.most {
			t.Errorf("%s: the result has %d tokens, want %d to %d", test.args, tokens, test.least, test.most)
		}
		if !strings.Contains(text, test.has) || strings.Contains(text, test.lacks) {
			t.Errorf("%s: want %q and no %q in %.300s … %s", test.args, test.has, test.lacks, text, text[max(len(text)-300, 0):])
		}
	}
}

// TestALongSymbolGetsTheRoomThatItsNamesakesLeave: a prototype in C needs one line.
func TestALongSymbolGetsTheRoomThatItsNamesakesLeave(t *testing.T) {
	body := func(name string, lines int) string {
		return "int " + name + "(int steps) {\n" + strings.Repeat("    steps += go(steps);\n", lines) + "    return steps;\n}\n"
	}
	w := newWorld(t, map[string]string{
		"walk.h": "int walk(int steps);\n", "walk.c": body("walk", 120),
		"a.c": "static " + body("run", 400), "b.c": "static " + body("run", 400), "c.c": "static " + body("run", 10),
	})
	for _, test := range []struct {
		name  string
		shown int // whole symbols
		lines int // of them all
	}{{"walk", 2, 124}, {"run", 1, 160}} {
		text := w.set.Text("code_item_lookup", w.call("code_item_lookup", `{"name":"`+test.name+`"}`).Content)
		if n := strings.Count(text, "hash "); n != test.shown || strings.Count(text, "\n") < test.lines {
			t.Errorf("%s: %d symbols are shown whole in %d lines, want %d in %d:\n%s", test.name, n, strings.Count(text, "\n"), test.shown,
				test.lines, text)
		}
		if n := strings.Count(text, "are not shown"); n != 3-1-test.shown+strings.Count(test.name, "run") {
			t.Errorf("%s: %d symbols are cut:\n%s", test.name, n, text)
		}
	}
}

// TestAFunctionIsNeverAnOutline: what is declared in it is a part of how it runs.
func TestAFunctionIsNeverAnOutline(t *testing.T) {
	step := strings.Repeat("  await step('one of many steps with a long name')\n", 90)
	w := newWorld(t, map[string]string{"a.ts": "export async function update(file: string) {\n" +
		"  const context = {\n    read: () => file,\n  }\n" + step + "  return context\n}\n\n" +
		"export class Updates {\n  read() { return 1 }\n" + strings.ReplaceAll(step, "  await step", "  x = step") + "}\n"})
	text := w.set.Text("code_item_lookup", w.call("code_item_lookup", `{"name":"update"}`).Content)
	if !strings.Contains(text, " 95    return context\n") || strings.Contains(text, "not shown") {
		t.Errorf("the function came as\n%s", text)
	}
	if text := w.set.Text("code_item_lookup", w.call("code_item_lookup", `{"name":"Updates"}`).Content); !strings.Contains(text,
		"\n99 read()") {
		t.Errorf("the class came as\n%s", text)
	}
}

// TestALookupOfALineShowsWhatIsAroundIt, if its symbol is too long to be shown whole.
func TestALookupOfALineShowsWhatIsAroundIt(t *testing.T) {
	var b strings.Builder
	b.WriteString("package a\n\nfunc Long() {\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "\tstep(%d)\n", i+4)
	}
	w := newWorld(t, map[string]string{"a.go": b.String() + "}\n\nfunc Short() {\n\tstep(0)\n}\n"})
	for line, want := range map[int]string{
		3:    "lines 319 to 3004 are not shown",
		100:  "lines 319 to 3004 are not shown",
		1500: "lines 3 to 1420 and lines 1671 to 3004 are not shown",
		3000: "lines 3 to 2920 are not shown",
		3007: "func Short() {",
	} {
		text := w.set.Text("code_item_lookup", w.call("code_item_lookup", fmt.Sprintf(`{"name":"a.go:%d"}`, line)).Content)
		if !strings.Contains(text, want) ||
			!strings.Contains(text, fmt.Sprintf("\n%3d  ", line)) && !strings.Contains(text, fmt.Sprintf("\n%4d  ", line)) {
			t.Errorf("line %d: want %q in %.300s … %s", line, want, text, text[max(len(text)-300, 0):])
		}
		if tokens := o200k.Count(text); tokens > 2100 || line < 3000 && tokens < 1900 {
			t.Errorf("line %d: the result has %d tokens", line, tokens)
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
