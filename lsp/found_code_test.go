package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/session/llm/llmtest"
)

// codeReading is a call, and the text that the model reads of its result.
type codeReading struct{ tool, args, text string }

// reads runs a turn with all calls, and compares what the model reads.
func (f *fixture) reads(t *testing.T, all ...codeReading) {
	t.Helper()
	var turn llmtest.Turn
	for i, r := range all {
		turn.Calls = append(turn.Calls, llmtest.Call{ID: fmt.Sprint("call", i), Name: r.tool, Arguments: r.args})
	}
	server := f.useModel(turn, llmtest.Turn{Text: []string{"done"}})
	f.startIndexed().Ask("look")
	requests := server.Requests()
	for i, r := range all {
		if got := toolResult(&requests[len(requests)-1], fmt.Sprint("call", i)); got != strings.TrimSpace(r.text) {
			t.Errorf("%s %s:\n%s\nwant:\n%s", r.tool, r.args, got, strings.TrimSpace(r.text))
		}
	}
}

func TestAModelReadsFoundLinesOnceUnderTheirFileAndSourceBeforeTests(t *testing.T) {
	f := newFixture(t)
	f.write("a_test.go", "package a\n\nfunc TestWidget() {}\n")
	f.write("lib/widget.go", "package lib\n\ntype Widget struct{}\n\n// first\n// second\nvar _ Widget\n")
	f.write("lib/zz_generated.go", "package lib\n\nvar w Widget\n")
	f.reads(t,
		codeReading{"search_text", `{"pattern":"Widget"}`, `
lib/widget.go
3: type Widget struct{}
7: var _ Widget
a_test.go
3: func TestWidget() {}
lib/zz_generated.go
3: var w Widget`},
		codeReading{"search_text", `{"pattern":"Widget","path":"lib","context":1,"exclude":"zz_*"}`, `
lib/widget.go
2- ` + `
3: type Widget struct{}
4- ` + `
--
6- // second
7: var _ Widget`},
		codeReading{"search_text", `{"query":"widget","-i":true,"output_mode":"files_with_matches"}`, `
lib/widget.go: 2
a_test.go: 1
lib/zz_generated.go: 1`},
		codeReading{"search_text", `{"name":"*_test.go"}`, `a_test.go`},
		codeReading{"search_text", `{"name":"lib/w"}`, `lib/widget.go`})
}

func TestAModelReadsWhyNothingWasFound(t *testing.T) {
	f := newFixture(t)
	f.write("words/one.txt", "alpha\nbravo\n")
	f.write("words/two.txt", "Alpha\n")
	f.reads(t,
		codeReading{"search_text", `{"pattern":"ALPHA","path":"words"}`,
			"0 lines in 2 files\n2 lines with another case: begin the pattern with (?i)"},
		codeReading{"search_text", `{"pattern":"alpha\nbravo","path":"words"}`,
			"0 lines in 2 files\na pattern matches within one line: search for one of its lines"},
		codeReading{"search_text", `{"pattern":"alpha[\\s\\S]*bravo","path":"words"}`,
			"0 lines in 2 files\na pattern matches within one line: search for one of its lines"},
		codeReading{"search_text", `{"name":"wrods/one.txt"}`,
			"no file has such a name\nsimilar: words/one.txt\nsimilar: words/two.txt\nsend a part of the path, or a glob such as *.go; list_dir " +
				"lists folders"})
}

// The text has at most 16 KB, and says which files it leaves out.
func TestAModelReadsWhichFoundLinesAreLeftOut(t *testing.T) {
	f := newFixture(t)
	for i := range 9 {
		f.write(fmt.Sprintf("many/%d.txt", i), strings.Repeat(strings.Repeat("needle ", 10)+"\n", 50))
	}
	server := f.useModel(llmtest.Turn{Calls: []llmtest.Call{
		{ID: "all", Name: "search_text", Arguments: `{"pattern":"needle","limit":500}`},
		{ID: "few", Name: "search_text", Arguments: `{"pattern":"needle","limit":60}`},
	}}, llmtest.Turn{Text: []string{"done"}})
	f.startIndexed().Ask("look")
	requests := server.Requests()
	for id, parts := range map[string][]string{
		"all": {"many/8.txt\n1: ", " more here\n", "\ninclude some of these files, or narrow the pattern"},
		"few": {"many/0.txt\n1: ", "\n12: ", "\n38 more here\nmany/1.txt\n", "many/8.txt\n1: ", "\n6: ", "\n44 more here\nnarrow the pattern or include fewer files, or raise limit"},
	} {
		text := toolResult(&requests[len(requests)-1], id)
		if says(t, text, parts...); len(text) > 17<<10 {
			t.Errorf("%s: %d bytes", id, len(text))
		}
	}
}

// Code comes first, then tests, then documentation and data, whatever their names and sizes. Each
// file has its turn.
func TestAModelReadsLinesOfEachFileCodeFirst(t *testing.T) {
	f := newFixture(t)
	f.write("lib/a.csv", strings.Repeat("needle,"+strings.Repeat("1,", 200)+"\n", 1000))
	f.write("lib/README.md", strings.Repeat("A needle.\n\n", 40))
	f.write("lib/src/one.go", "package src\n"+strings.Repeat("// needle one\n", 15))
	f.write("lib/src/two.go", "package src\n"+strings.Repeat("// needle two\n", 10))
	f.write("lib/src/two_test.go", "package src\n"+strings.Repeat("// needle three\n", 9))
	server := f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "a", Name: "search_text", Arguments: `{"pattern":"needle","path":"lib"}`}}}, llmtest.Turn{Text: []string{"done"}})
	f.startIndexed().Ask("look")
	requests := server.Requests()
	text := toolResult(&requests[len(requests)-1], "a")
	at := -1
	for _, path := range []string{"lib/src/one.go\n", "lib/src/two.go\n", "lib/src/two_test.go\n", "lib/README.md\n", "lib/a.csv\n"} {
		next := strings.Index(text, path)
		if next <= at {
			t.Errorf("%q is not behind the files before it:\n%.3000s", path, text)
		}
		at = next
	}
	if one, two := strings.Count(text, "needle one"), strings.Count(text, "needle two"); one != 15 || two < 8 {
		t.Errorf("%d and %d lines of the code:\n%.3000s", one, two, text)
	}
	if says(t, text, " more here\n"); len(text) > 17<<10 {
		t.Errorf("%d bytes", len(text))
	}
}

func TestAModelReadsPlacesUnderTheirFileAndSymbolCallsFirst(t *testing.T) {
	f := newFixture(t)
	f.write("shop/shop.go",
		"package shop\n\nfunc price() int { return 1 }\n\nvar pricing = price\n\nfunc total() int {\n\tn := price()\n\treturn n + price()\n}\n"+
			"\nfunc unused() {}\n\nfunc handler() {}\n\nvar on = handler\n")
	f.write("shop/shop_test.go", "package shop\n\nfunc TestPrice() {\n\tprice()\n}\n")
	f.reads(t,
		codeReading{"code_item_edges", `{"canon":"price"}`, `
shop/shop.go
in total
8: n := price()
9: return n + price()
shop/shop_test.go
in TestPrice
4: price()`},
		codeReading{"code_item_edges", `{"canon":"price","direction":"references","limit":4}`, `
shop/shop.go
in total
8: n := price()
9: return n + price()
shop/shop_test.go
in TestPrice
4: price()
not calls:
shop/shop.go
5: var pricing = price`},
		codeReading{"code_item_edges", `{"canon":"handler"}`, `0 calls, 1 reference, as a value: use direction references`},
		codeReading{"code_item_edges", `{"canon":"unused"}`, `0 calls, 0 references`},
		codeReading{"code_item_edges", `{"canon":"total","direction":"callees"}`, `
shop/shop.go
3: func price() int (at 8, 9)`})
}

// Tests of a Java class are in its package, but in another folder. Other packages have a class of
// that name.
func TestAModelReadsWhoMakesAClassOfTheSamePackageInAnotherSourceRoot(t *testing.T) {
	f := newFixture(t)
	f.write("src/main/java/shop/Cart.java", "package shop;\n\nclass Cart {\n    Cart() {}\n}\n")
	f.write("src/test/java/shop/CartTest.java",
		"package shop;\n\nclass CartTest {\n    void adds() {\n        var cart = new Cart();\n    }\n}\n")
	f.write("src/main/java/toys/Cart.java", "package toys;\n\nclass Cart {\n}\n")
	f.reads(t,
		codeReading{"code_item_edges", `{"canon":"Cart","file":"src/main/java/shop/Cart.java","kind":"class"}`, `
src/test/java/shop/CartTest.java
in CartTest::adds
5: var cart = new Cart();`},
		codeReading{"code_item_edges", `{"canon":"Cart","file":"src/main/java/toys/Cart.java"}`,
			`0 calls, 0 references, 3 other places with that name: use direction occurrences`})
}

func TestAModelReadsAsMuchOfASymbolAsItNeeds(t *testing.T) {
	f := newFixture(t)
	f.write("big/big.go",
		"package big\n\n// Big is big.\ntype Big struct {\n"+strings.Repeat("\t// a field\n\tX int\n", 2)+strings.Repeat("\t// filler\n", 300)+
			"}\n\n// Do does.\nfunc (b *Big) Do() {\n"+
			strings.Repeat("\tb.Do()\n", 1500)+"}\n")
	f.write("big/some.go",
		"package big\n\nfunc hundred() {\n"+strings.Repeat("\tstep()\n", 98)+"}\n\nfunc eighty() {\n"+strings.Repeat("\tstep()\n", 78)+"}\n")
	numbered := func(first, last int, line string) (text string) {
		for n := first; n <= last; n++ {
			text += fmt.Sprintf("%3d  %s\n", n, line)
		}
		return text
	}
	f.reads(t,
		codeReading{"code_item_lookup", `{"canon":"Big"}`, `
struct Big
<code="big/big.go" #3:4>
  3  // Big is big.
  4  type Big struct {
</code>
6 X int
8 X int
312-1813 func (b *Big) Do()
lines 5 to 309 are not shown: read_file has them`},
		codeReading{"code_item_lookup", `{"canon":"Big::Do","view":"signature"}`, `
method Big::Do
<code="big/big.go" #311:312>
311  // Do does.
312  func (b *Big) Do() {
</code>
lines 313 to 1813 are not shown: read_file has them`},
		codeReading{"code_item_lookup", `{"canon":"Big::Do"}`, `
method Big::Do
<code="big/big.go" #311:708>
311  // Do does.
312  func (b *Big) Do() {
` + numbered(313, 708, "\tb.Do()") + `</code>
lines 709 to 1813 are not shown: read_file has them; the name FILE:LINE shows those around a line`},
		codeReading{"code_item_lookup", `{"canon":"hundred"}`, fmt.Sprintf(`
function hundred, hash %.12s
<code="big/some.go" #3:102>
  3  func hundred() {
%s102  }
</code>`, workspaceHash("func hundred() {\n"+strings.Repeat("\tstep()\n", 98)+"}"), numbered(4, 101, "\tstep()"))},
		codeReading{"code_item_lookup", `{"canon":"eighty"}`, fmt.Sprintf(`
function eighty, hash %.12s
<code="big/some.go" #104:183>
104  func eighty() {
%s183  }
</code>`, workspaceHash("func eighty() {\n"+strings.Repeat("\tstep()\n", 78)+"}"), numbered(105, 182, "\tstep()"))})
}
