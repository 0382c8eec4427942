package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/llm/llmtest"
)

// This file tests what a model reads after calls of apply_code_edit.

// edited runs one turn on a workspace with a file, with one call in each response. It returns what the
// model reads after each call.
func edited(t *testing.T, file, text string, calls ...[2]string) []string {
	t.Helper()
	f := newFixture(t)
	f.write(file, text)
	var script []llmtest.Turn
	for i, call := range calls {
		script = append(script, llmtest.Turn{Calls: []llmtest.Call{{ID: fmt.Sprint("call_", i), Name: call[0], Arguments: call[1]}}})
	}
	server := f.useModel(append(script, llmtest.Turn{Text: []string{"Done."}})...)
	if result := f.startIndexed().Ask("edit"); result.Text != "Done." {
		t.Fatalf("the turn ended with %q", result.Text)
	}
	requests := server.Requests()
	var results []string
	for i := range calls {
		results = append(results, toolResult(&requests[len(requests)-1], fmt.Sprint("call_", i)))
	}
	return results
}

// applyEdit is a call of apply_code_edit, and readFile one of read_file.
func applyEdit(edits string) [2]string {
	return [2]string{"apply_code_edit", `{"edits":[` + edits + `]}`}
}
func readFile(file string) [2]string { return [2]string{"read_file", fmt.Sprintf(`{"file":%q}`, file)} }

// says checks that a text has all parts.
func says(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

// lacks checks that a text has none of the parts.
func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in:\n%s", part, text)
		}
	}
}

const loops = `package a

func one() {
	retry(3)
}

func two() {
	retry(3)
	retry(3)
}

func three() {
	retry(3)
}
`

func TestReplaceAllChangesEachPlace(t *testing.T) {
	got := edited(t, "a.go", loops, applyEdit(`{"file":"a.go","old":"retry(3)","new":"retry(5)","replace_all":true}`), readFile("a.go"))
	says(t, got[0], "lines 4, 8, 9, 13; replaced in 4 places")
	says(t, got[1], "  4  \tretry(5)", "  9  \tretry(5)", " 13  \tretry(5)")
	lacks(t, got[1], "retry(3)")
}

func TestLineDecidesBetweenEqualPlaces(t *testing.T) {
	got := edited(t, "a.go", loops,
		applyEdit(`{"file":"a.go","old":"retry(3)","new":"retry(5)","line":12}`),
		applyEdit(`{"file":"a.go","old":"    retry(3)\n}","new":"    retry(7)\n}","line":"3"}`),
		applyEdit(`{"file":"a.go","old":"retry(3)","new":"retry(9)","line":99}`),
		applyEdit(`{"file":"a.go","old":"func","new":"fn","line":5}`),
		readFile("a.go"))
	says(t, got[0], "of 4 places, the one at line 13")
	says(t, got[1], "of 2 places, the one at line 4")
	says(t, got[2], "of 2 places, the one at line 9")
	says(t, got[3], "error: ", "2 places that are equally near to line 5", "3: func one()", "7: func two()", "nothing was staged")
	lacks(t, got[3], "func three")
	says(t, got[4], "  4  \tretry(7)", "  8  \tretry(3)", "  9  \tretry(9)", " 13  \tretry(5)")
}

func TestAnAmbiguousOldListsEveryPlace(t *testing.T) {
	var many strings.Builder
	for i := range 45 {
		fmt.Fprintf(&many, "func f%d() { retry(3) }\n", i)
	}
	got := edited(t, "a.go", loops,
		applyEdit(`{"file":"a.go","old":"retry(3)","new":"retry(5)"}`),
		[2]string{"create_file", fmt.Sprintf(`{"file":"b.go","content":%q}`, "package a\n"+many.String())},
		applyEdit(`{"file":"b.go","old":"retry(3)","new":"retry(5)"}`))
	says(t, got[0], "old occurs in 4 places; nothing was staged", "4: retry(3) (in one)", "8: retry(3) (in two)", "9: retry(3) (in two)",
		"13: retry(3) (in three)",
		"line", "replace_all")
	says(t, got[2], "old occurs in 45 places; the lines up to 31 are listed", "31: func f29()")
	lacks(t, got[2], "func f30()")
}

func TestAllFaultyEditsAreReportedAtOnce(t *testing.T) {
	got := edited(t, "a.go", loops, applyEdit(strings.Join([]string{
		`{"file":"a.go","old":"package a","new":"package b"}`,
		`{"file":"a.go","old":"retry(3)","new":"retry(5)"}`,
		`{"file":"none.go","old":"x","new":"y"}`,
		`{"file":"a.go","canon":"four","code":"func four() {}"}`,
		`{"file":"a.go","old":"func one() {\n\tretry(4)\n}","new":"x"}`,
		`{"file":"a.go","start_byte":0,"end_byte":3,"replacement":"x","expected_file_hash":"0123456789ab"}`,
		`{"file":"a.go","canon":"three"}`}, ",")),
		applyEdit(`{"file":"a.go","old":"func one","new":"func uno"},{"file":"a.go","old":"one() {","new":"ein() {"},{"file":"a.go",`+
			`"old":"nowhere at all","new":""}`),
		applyEdit(`{"file":"a.go","old":"func one","new":"func uno"},{"file":"a.go","old":"x","new":"y","dry_run":true},{"old":"x","new":"y"},`+
			`{"file":"a.go","oldString":"func two","newString":"func due"},{"file":"a.go","old":"x","new":7}`),
		readFile("a.go"))
	says(t, got[0], "error: 6 faults in 7 edits; nothing was staged",
		"edits[1]: old occurs in 4 places", "edits[2]: there is no file none.go", "edits[3]: there is no symbol four",
		"edits[4]: old is not in the file", "line 4: old has: retry(4)", "edits[5]: a.go: it has changed: its hash is ",
		"edits[6]: code is missing")
	says(t, got[1], "2 faults in 3 edits", "edits[2]: old is not in the file", "edits[0] and edits[1] change the same text")
	says(t, got[2], "error: 3 items of edits don't fit; nothing was done", "unknown field `edits[1].dry_run`", "edits[2].file is missing",
		"edits[4].new must be of type string")
	lacks(t, got[2], "edits[0]", "edits[3]")
	says(t, got[3], "  1  package a\n", "func one()")
}

func TestANearMissSpansAllLinesOfOldWithItsDifferences(t *testing.T) {
	const text = `package a

// Load reads the settings.
func Load(path string) (*Settings, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	var s Settings
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	s.normalize()
	return &s, nil
}

func Store(path string) error {
	data, err := os.ReadFile(path)
	return err
}
`
	got := edited(t, "a.go", text,
		applyEdit(`{"file":"a.go","old":"    data, err := os.ReadFile(path)\n    if err != nil {\n        return nil, fmt.Errorf(\"reading: `+
			`%w\", err)\n    }\n    var s Settings\n    log.Print(s)\n    if err := json.Unmarshal(data, &s); err != nil {\n        return nil, `+
			`err\n    }\n    return &s, nil","new":"x"}`),
		applyEdit(`{"file":"a.go","old":"SELECT name, address FROM customers","new":"x"}`),
		applyEdit(`{"file":"a.go","old":"\ts.normalise()\n","new":"\ts.normalize()\n\treturn &s, nil\n"}`))
	says(t, got[0], "error: edits[0]: old is not in the file, not even with other white space or look-alike characters; the nearest text is "+
		"in lines 5 to 14; nothing was staged",
		`<code="a.go" #5:14>`+"\n  5  \tdata, err", " 14  \treturn &s, nil\n</code>",
		`line 7: old has: return nil, fmt.Errorf("reading: %w", err)`, "after line 9, only old has: log.Print(s)", "line 13: old lacks it")
	if n := strings.Count(got[0], "<code="); n != 1 {
		t.Errorf("%d candidates", n)
	}
	if n := strings.Count(got[0], "old has") + strings.Count(got[0], "old lacks"); n != 3 {
		t.Errorf("%d differences:\n%s", n, got[0])
	}
	lacks(t, got[1], "<code=")
	says(t, got[2], "line 13: old has: s.normalise()", "new is there already, at line 13")
}

func TestCopiedLineNumbersAreRemoved(t *testing.T) {
	got := edited(t, "a.go", loops,
		applyEdit(`{"file":"a.go","old":"  8  \tretry(3)\n  9  \tretry(3)","new":"  8  \tretry(1)\n  9  \tretry(2)\n 10  \tretry(3)"}`),
		applyEdit(`{"file":"a.go","old":" 14  \tretry(3)","new":"\tretry(14)"}`),
		applyEdit(`{"file":"a.go","canon":"one","code":"  3  func one() {\n  4  \tretry(4)\n  5  }"}`),
		applyEdit(`{"file":"a.go","old":"  3  func one() {\n  4  \tretry(4)","new":"  3  func one() {\n  3  \tretry(5)"}`),
		applyEdit(`{"file":"a.go","old":"  2  ","new":"  2  x"}`),
		[2]string{"create_file", `{"file":"b.go","content":"  1  package a\n  2  \n  3  func b() {}\n"}`},
		[2]string{"create_file", `{"file":"list.txt","content":"1  one\n2  two\n"}`},
		readFile("a.go"), readFile("b.go"), readFile("list.txt"))
	says(t, got[1], "of 3 places, the one at line 14")
	says(t, got[2], "line numbers removed from code")
	says(t, got[3], "new has line numbers that don't count up by one")
	says(t, got[4], "error: ")
	says(t, got[7], "  4  \tretry(4)\n", "  8  \tretry(1)\n  9  \tretry(2)\n 10  \tretry(3)\n 11  }", " 14  \tretry(14)\n")
	says(t, got[8], "  3  func b() {}\n")
	says(t, got[9], "  1  1  one\n")
}

func TestAnEditEchoesItsNewLinesAndTheSymbolAroundThem(t *testing.T) {
	var body, large strings.Builder
	for i := range 60 {
		fmt.Fprintf(&body, "\tstep(%d)\n", i)
		fmt.Fprintf(&large, "\\tlarge(%d)\\n", i)
	}
	text := "package a\n\nfunc long() {\n" + body.String() + "}\n\nfunc after() {}\n"
	got := edited(t, "a.go", text,
		applyEdit(`{"file":"a.go","old":"step(20)","new":"first()\n\tsecond()"}`),
		applyEdit(`{"file":"a.go","old":"step(40)","new":"third()"}`),
		applyEdit(`{"file":"a.go","canon":"after","code":"func after() {\n`+large.String()+`}"}`),
		applyEdit(`{"file":"a.go","old":"\tstep(3)\n","new":""}`),
		applyEdit(`{"file":"a.go","canon":"after","code":"func after() {"}`))
	says(t, got[0], "lines 24 to 25 in long (3-65)\n",
		"<code=\"a.go\" #22:27>\n 22  \tstep(18)\n 23  \tstep(19)\n 24  \tfirst()\n 25  \tsecond()\n 26  \tstep(21)\n 27  \tstep(22)\n</code>")
	says(t, got[1], "line 45 in long", " 45  \tthird()")
	lacks(t, got[1], "first()") // of the proposal, but not of this call
	says(t, got[2], "lines 67 to 128 in after (67-128)\n")
	lacks(t, got[2], "large(") // the model has just written it
	says(t, got[3], "removed before line 7 in long (3-64)", "  6  \tstep(2)\n  7  \tstep(4)\n")
	says(t, got[4], "new syntax error")
}

func TestTheHashOfAnEchoIsThatOfTheNextEdit(t *testing.T) {
	const text = "class A {\n  int f(int x) { return 1; }\n\n  int f(long x) { return 2; }\n}\n"
	symbol, file := workspaceHash("int f(long x) { return 3; }"), workspaceHash(strings.Replace(text, "2", "3", 1))
	got := edited(t, "A.java", text,
		applyEdit(`{"file":"A.java","old":"return 2","new":"return 3"}`),
		applyEdit(`{"file":"A.java","canon":"A::f","expected_hash":"`+symbol[:12]+`","code":"int f(long x) { return 4; }"}`),
		applyEdit(`{"file":"A.java","start_byte":0,"end_byte":0,"replacement":"// x\n","expected_file_hash":"`+file[:12]+`"}`))
	says(t, got[0], "A.java, file hash "+file[:12]+"\n", "line 4 in A::f#2 (4, hash "+symbol[:12]+")")
	says(t, got[1], "line 4 in A::f#2 (4, hash ")
	says(t, got[2], "error: ", "it has changed: its hash is ") // the second edit has changed the file
}

func TestManyExactEditsAreEchoedInALineForEachSymbol(t *testing.T) {
	var text strings.Builder
	var list []string
	text.WriteString("package a\n")
	for i := range 4 {
		fmt.Fprintf(&text, "\nfunc f%d() {\n", i)
		for j := range 8 {
			fmt.Fprintf(&text, "\tstep(%d)\n", 8*i+j)
			list = append(list, fmt.Sprintf(`{"file":"a.go","old":"step(%d)\n","new":"stride(%d)\n"}`, 8*i+j, 8*i+j))
		}
		text.WriteString("}\n")
	}
	got := edited(t, "a.go", text.String(), applyEdit(strings.Join(list, ",")))
	says(t, got[0], "edits[0-7]: lines 4, 5, 6, 7, 8, 9, 10, 11 in f0 (3-12)\n",
		"edits[24-31]: lines 37, 38, 39, 40, 41, 42, 43, 44 in f3 (36-45)\n")
	lacks(t, got[0], "stride(")
	if len(got[0]) > 450 {
		t.Errorf("%d bytes:\n%s", len(got[0]), got[0])
	}
}

func TestOfManyEditsTheCodeIsShownThatTheModelCannotForesee(t *testing.T) {
	text := loops + "\nfunc four() {\n\tif yes {\n\t\tretry(4)\n\t}\n}\n\nfunc five() {}\n"
	var body strings.Builder
	for i := range 40 {
		fmt.Fprintf(&body, "\\tstep(%d)\\n", i)
	}
	got := edited(t, "a.go", text, applyEdit(strings.Join([]string{
		`{"file":"a.go","old":"func one","new":"func uno"}`,
		`{"file":"a.go","old":"func two","new":"func due"}`,
		`{"file":"a.go","canon":"three","at":"after","code":"func more() {\n` + body.String() + `}"}`,
		`{"file":"a.go","old":"if yes {\n  retry(4)\n}","new":"if no {\n  retry(5)\n}"}`,
		`{"file":"a.go","old":"func five() {}","new":"func five() {"}`}, ",")))
	says(t, got[0], "edits[0]: line 3 in uno (3-5)\n", "edits[1]: line 7 in due (7-10)\n",
		"edits[2]: lines 16 to 57 in more (16-57)\n", " 15  \n 16  func more() {\n 17  \tstep(0)\n</code>\n…\n",
		" 56  \tstep(39)\n 57  }\n 58  \n",
		" 60  \tif no {\n 61  \t\tretry(5)\n 62  \t}\n", "edits[4]: line 65", " 65  func five() {\n", "new syntax error")
	lacks(t, got[0], "  3  func uno", "  7  func due", "step(2)")
}

func TestTheCodeOfAnEchoIsBounded(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, fmt.Sprintf(`{"file":"a.go","canon":"three","at":"after","code":"func more%d() {\n\tstep(\"%s\")\n}"}`, i,
			strings.Repeat("x", 60)))
	}
	got := edited(t, "a.go", loops, applyEdit(strings.Join(list, ",")))
	code := 0
	for _, part := range strings.Split(got[0], "<code=")[1:] {
		shown, _, _ := strings.Cut(part, "</code>")
		code += len(shown)
	}
	says(t, got[0], "edits[29]: lines ", " in more29 (", "code of 2")
	if code > 1500 {
		t.Errorf("%d bytes of code:\n%s", code, got[0])
	}
}

func TestAnyUniquePrefixOfAHashIsAccepted(t *testing.T) {
	const text = "class A {\n  int f(int x) { return 1; }\n\n  int f(long x) { return 2; }\n}\n"
	second := workspaceHash("int f(long x) { return 2; }")
	file := workspaceHash(text)
	code := `"code":"int f(long x) { return 3; }"`
	got := edited(t, "A.java", text,
		applyEdit(`{"file":"A.java","canon":"A::f","expected_hash":"`+second[:7]+`",`+code+`}`),
		applyEdit(`{"file":"A.java","canon":"A::f#2","expected_hash":"00000000",`+code+`}`),
		applyEdit(`{"file":"A.java","start_byte":0,"end_byte":0,"replacement":"// x\n","expected_file_hash":"`+file[:5]+`"}`),
		applyEdit(`{"file":"A.java","start_byte":0,"end_byte":0,"replacement":"// x\n","expected_file_hash":"`+strings.ToUpper(file[:8])+`"}`),
		applyEdit(`{"file":"A.java","canon":"A::f","expected_hash":"`+second[:8]+`",`+code+`}`),
		readFile("A.java"))
	says(t, got[0], "at least 8 digits of a hash are needed")
	says(t, got[1], "A::f#2: it has changed: its hash is "+second[:12]+";")
	says(t, got[2], "at least 8 digits of a hash are needed: its hash is "+file[:12]+";")
	says(t, got[3], "A.java, file hash ")
	says(t, got[5], "  1  // x\n", "int f(int x) { return 1; }", "int f(long x) { return 3; }")
}

func TestCanonicalCodeGetsTheIndentationOfTheFile(t *testing.T) {
	got := edited(t, "a.go", loops,
		applyEdit(`{"file":"a.go","canon":"one","code":"func one() {\n    if ok() {\n        retry(1)\n    }\n    s := `+"`\\n    raw\\n`"+
			`\n}"}`),
		[2]string{"create_file", `{"file":"b.py","content":"class A:\n  def f(self):\n    return 1\n"}`},
		applyEdit(`{"file":"b.py","canon":"A::f","at":"after","code":"def g(self):\n\tif self:\n\t\treturn 2"}`),
		applyEdit(`{"file":"a.go","canon":"two","at":"before","code":"  func zero() {\n    retry(0)\n  }"}`),
		readFile("a.go"), readFile("b.py"))
	says(t, got[4], "  4  \tif ok() {\n  5  \t\tretry(1)\n  6  \t}\n  7  \ts := `\n  8      raw\n  9  `\n",
		"func zero() {\n 13  \tretry(0)\n 14  }\n")
	says(t, got[5], "  5    def g(self):\n  6      if self:\n  7        return 2\n")
	lacks(t, got[5], "\t")
}

const shop = `package shop

// Total sums up. Total is exact.
func Total(list []int) int { return len(list) }

type Cart struct{ Total int }

func (c Cart) Pay() int { return Total(nil) + c.Total }
`

func TestOneEditRenamesASymbolEverywhere(t *testing.T) {
	f := newFixture(t)
	f.write("go.mod", "module example\n")
	f.write("shop/shop.go", shop)
	f.write("shop/other.go", "package shop\n\nfunc other() int { return Total(nil) } // Total stays\n")
	f.write("use/use.go", "package use\n\nimport \"example/shop\"\n\nfunc Use() int {\n\tTotal := shop.Total(nil)\n\treturn Total\n}\n")
	calls := [][2]string{
		applyEdit(`{"file":"shop/shop.go","canon":"Total","new_name":"Sum"}`),
		readFile("shop/shop.go"), readFile("shop/other.go"), readFile("use/use.go"),
		applyEdit(`{"mode":"rename","file":"shop/shop.go","canon":"Sum","new_name":"other"}`),
		applyEdit(`{"mode":"rename","file":"shop/shop.go","canon":"Sum","new_name":"a.b"}`),
		applyEdit(`{"mode":"rename","file":"shop/shop.go","canon":"Cart.Total","newName":"Amount"}`),
	}
	var script []llmtest.Turn
	for i, call := range calls {
		script = append(script, llmtest.Turn{Calls: []llmtest.Call{{ID: fmt.Sprint("call_", i), Name: call[0], Arguments: call[1]}}})
	}
	server := f.useModel(append(script, llmtest.Turn{Text: []string{"Done."}})...)
	f.Config = append(f.Config, config.FromJSON("the test", []byte(`{"proof":{"compile":false}}`)))
	f.startIndexed().Ask("rename")
	requests := server.Requests()
	got := make([]string, len(calls))
	for i := range calls {
		got[i] = toolResult(&requests[len(requests)-1], fmt.Sprint("call_", i))
	}
	says(t, got[0], "renamed Total in 6 places of 3 files", "shop/shop.go, file hash", "lines 3, 4, 8", "left as they are:",
		"use/use.go\n6: Total := shop.Total(nil)")
	if strings.Contains(got[0], "Cart struct") {
		t.Errorf("what declares another Total is left: %s", got[0])
	}
	says(t, got[1], "// Sum sums up. Sum is exact.", "func Sum(list", "Cart struct{ Total int }", "return Sum(nil) + c.Total")
	says(t, got[2], "return Sum(nil) } // Total stays")
	says(t, got[3], "Total := shop.Sum(nil)", "return Total\n")
	says(t, got[4], "error: ", "other is declared in ", "other.go, line 3")
	says(t, got[5], "error: ", "new_name is not an identifier")
	says(t, got[6], "renamed Cart::Total in 2 places of 1 file")
}

func TestTheBeginningOfASymbolDoesNotReplaceIt(t *testing.T) {
	var old, seen strings.Builder
	for i := range 90 {
		fmt.Fprintf(&old, "\tregister(\"name %d\", handler%d)\n", i, i)
		if i < 50 {
			fmt.Fprintf(&seen, "\\tregister(\\\"name %d\\\", handler%d)\\n", i, i)
		}
	}
	text := "package a\n\nfunc all() {\n" + old.String() + "}\n"
	code := `"func all() {\n\tlog()\n` + seen.String() + `}"`
	hash := workspaceHash("func all() {\n" + old.String() + "}")
	got := edited(t, "a.go", text,
		applyEdit(`{"file":"a.go","canon":"all","code":`+code+`}`),
		applyEdit(`{"file":"a.go","canon":"all","code":"func all() {\n\tlog()\n\t// ... rest of the function unchanged\n}"}`),
		applyEdit(`{"file":"a.go","canon":"all","code":`+code+`,"expected_hash":"`+hash[:12]+`"}`),
		applyEdit(`{"file":"a.go","canon":"all","code":"func all() {\n\tlog()\n}"}`))
	says(t, got[0], "error: edits[0]: code begins like all, but has nothing of its last 41 lines, 54 to 94; nothing was staged",
		` 54  `+"\tregister(\"name 50\", handler50)\n", "expected_hash "+hash[:12])
	says(t, got[1], "error: edits[0]: line 3 of code stands for code that is left out: // ... rest of the function unchanged")
	says(t, got[2], "lines 3 to 55 in all")
	says(t, got[3], "lines 3 to 5 in all") // written anew
}

func TestOverloadsAreToldApartWithoutHashes(t *testing.T) {
	const text = "class A {\n  int f(int x) { return 1; }\n\n  int f(long x) { return 2; }\n}\n"
	got := edited(t, "A.java", text,
		applyEdit(`{"file":"A.java","canon":"A.f","code":"int f(long x) { return 3; }"}`),
		applyEdit(`{"file":"A.java","canon":"A.f#2","code":"int f(long x) { return 3; }"}`))
	says(t, got[0], "error: ", "A::f int f(int x)", "A::f#2 int f(long x)", "hash "+workspaceHash("int f(long x) { return 2; }")[:12])
	says(t, got[1], "line 4 in A::f#2")
}

func workspaceHash(text string) string { return workspace.Hash([]byte(text)) }
