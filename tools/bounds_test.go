package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// Every result has a bound and says what is missing, whatever the workspace and the arguments.
func TestResultsAreBounded(t *testing.T) {
	files := map[string]string{}
	var big strings.Builder
	big.WriteString("package a\n\n")
	for i := range 1200 {
		fmt.Fprintf(&big, "func Same%d() { target(%d) } // %s\n", i, i, strings.Repeat("long ", 20))
		fmt.Fprintf(&big, "type T%d struct{ field int }\nfunc (t T%d) Namesake() { t.field++ }\n", i, i)
	}
	files["big.go"] = big.String() + "func target(int) {}\n"
	for i := range 1100 {
		files[fmt.Sprintf("many/%04d.txt", i)] = ""
	}
	w := newWorld(t, files)
	w.said = strings.Repeat("same target namesake ", 2000)
	const limit = 440 << 10
	for _, test := range []struct{ tool, args, says string }{
		{"request_code_context", `{}`, `"omitted":`},
		{"code_item_lookup", `{"name":"Namesake"}`, `"omitted":1162`},
		{"code_item_edges", `{"canon":"target","limit":100000}`, `"omitted":200`},
		{"code_item_edges", `{"canon":"target","direction":"occurrences","limit":100000}`, `"omitted":201`},
		{"get_file_metadata", `{"file":"big.go"}`, `"outline_omitted":`},
		{"read_file", `{"file":"big.go","max_bytes":100000000}`, `"cut":`},
		{"read_file", `{"file":"big.go"}`, `read on with start_line`},
		{"list_dir", `{"depth":100,"limit":100000}`, `"omitted":102`},
		{"search_text", `{"pattern":"a","limit":100000}`, `"omitted":`},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"replace","file":"big.go","old":"long ","new":"short "}]}`, `more than 10000 places`},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"canonical","file":"big.go","canon":"Same","code":"x"}]}`, `"candidates":`},
	} {
		content := string(w.call(test.tool, test.args).Content)
		if len(content) > limit {
			t.Errorf("%s %s: %d bytes", test.tool, test.args, len(content))
		}
		if !strings.Contains(content, test.says) {
			t.Errorf("%s %s does not say %s: %s … %s", test.tool, test.args, test.says, content[:min(len(content), 200)],
				content[max(0, len(content)-200):])
		}
	}
}
