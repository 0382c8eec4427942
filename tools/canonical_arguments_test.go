package tools_test

import (
	"encoding/json"
	"testing"

	"ploke-lsp/tools"
)

// TestCanonicalArguments writes calls that mean the same, and some that don't.
func TestCanonicalArguments(t *testing.T) {
	set := tools.New(tools.Deps{})
	for _, tt := range []struct {
		tool  string
		same  []string // ways to write one call
		other []string // other calls
	}{
		{"search_text", []string{`{"pattern":"a"}`, ` { "pattern" : "\u0061" }`, `{"query":"a"}`, `{"pattern":"a","files_only":false}`, `{"pattern":"a","files_only":"false"}`,
			`{"context":0,"pattern":"a","limit":0}`, `{"pattern":"a","include":[]}`, `{"pattern":"a","name":""}`},
			[]string{`{"pattern":"b"}`, `{"pattern":"a","files_only":true}`, `{"pattern":"a","include":["b"]}`, `{"name":"a"}`, `{}`, `{"pattern":`, `[1]`}},
		{"list_dir", []string{`{}`, ``, `{"dir":""}`, `{"depth":0}`, `{"path":""}`}, []string{`{"dir":"a"}`, `{"depth":2}`}},
		{"read_file", []string{`{"file":"a","start_line":3}`, `{"path":"a","startLine":"3"}`}, []string{`{"file":"a"}`, `{"file":"a","end_line":3}`}},
	} {
		tool, _ := set.Get(tt.tool)
		canonical := func(arguments string) string { return string(tool.Canonical(json.RawMessage(arguments))) }
		want := canonical(tt.same[0])
		for _, arguments := range tt.same {
			if got := canonical(arguments); got != want {
				t.Errorf("%s %s: %s, want %s", tt.tool, arguments, got, want)
			}
		}
		for _, arguments := range tt.other {
			if got := canonical(arguments); got == want {
				t.Errorf("%s %s: %s, as %s", tt.tool, arguments, got, tt.same[0])
			}
		}
	}
}

// TestResultsNameTheirSource compares the results of tools that say so: those of one call are equal however it is written, and
// those of other calls differ.
func TestResultsNameTheirSource(t *testing.T) {
	const text = "package a\n\nfunc One() {}\n"
	w := newWorld(t, map[string]string{"a.go": text, "b.go": text, "one/x": "", "two/x": ""})
	root, err := json.Marshal(w.root)
	if err != nil {
		t.Fatal(err)
	}
	absolute := string(root[1 : len(root)-1])
	calls := map[string][][]string{
		"read_file": {
			{`{"file":"a.go"}`, `{"file":"./a.go"}`, `{"file":"` + absolute + `/a.go"}`, `{"file":"a.go","start_line":1}`, `{"file":"a.go","end_line":3}`, `{"file":"a.go","end_line":99}`,
				`{"file":"a.go","max_bytes":32768}`, `{"file":"one/../a.go"}`},
			{`{"file":"b.go"}`}, {`{"file":"a.go","start_line":2}`}, {`{"file":"a.go","end_line":2}`}, {`{"file":"one/x"}`}, {`{"file":"two/x"}`}},
		"get_file_metadata": {{`{"file":"a.go"}`, `{"file":"./a.go"}`}, {`{"file":"b.go"}`}, {`{"file":"none"}`}, {`{"file":"nothing"}`}},
		"list_dir":          {{`{"dir":"one"}`, `{"dir":"./one/"}`, `{"dir":"one","depth":1}`}, {`{"dir":"two"}`}, {`{}`}},
		"code_item_lookup":  {{`{"name":"One","file":"a.go"}`, `{"name":"One","file":"./a.go"}`}, {`{"name":"One","file":"b.go"}`}},
	}
	for _, tool := range tools.New(tools.Deps{}).All() {
		if tool.NamesSource != (calls[tool.Name] != nil) {
			t.Errorf("%s says that its results name their source: %v", tool.Name, tool.NamesSource)
		}
		seen := map[string]string{} // the first call with each result
		for _, same := range calls[tool.Name] {
			for _, arguments := range same {
				content := string(w.call(tool.Name, arguments).Content)
				if first, known := seen[content]; known && first != same[0] {
					t.Errorf("%s %s has the result of %s", tool.Name, arguments, first)
				} else if !known && arguments != same[0] {
					t.Errorf("%s %s has another result than %s: %s", tool.Name, arguments, same[0], content)
				}
				seen[content] = same[0]
			}
		}
	}
}
