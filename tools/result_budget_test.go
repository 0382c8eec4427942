package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/tools"
)

// TestResultsFillTheRoom calls tools with little room for their results: they show as much as there is room for, and say how
// to get the rest.
func TestResultsFillTheRoom(t *testing.T) {
	files := map[string]string{"long.go": "package a\n\nfunc Long() {\n" + strings.Repeat("\tprintln(\"a line of code\")\n", 400) + "}\n"}
	for i := range 300 {
		files[fmt.Sprintf("folder/file%03d.txt", i)] = "a word\n"
	}
	w := newWorld(t, files)
	w.deps.Checks = func() map[string]tools.Check {
		return map[string]tools.Check{"much": {Command: []string{"seq", "20000"}}}
	}
	w.set, w.grant = tools.New(w.deps), true
	w.calls["read"] = w.record("read_file", `{"file":"long.go"}`)
	for _, tt := range []struct{ tool, args, want string }{
		{"read_file", `{"file":"long.go"}`, "read on with start_line"},
		{"read_file", `{"file":"long.go","start_line":200}`, "read on with start_line"},
		{"code_item_lookup", `{"name":"Long","view":"full"}`, "read_file has them"},
		{"search_text", `{"pattern":"word","limit":500}`, "narrow the pattern"},
		{"search_text", `{"pattern":"line of","limit":500}`, "narrow the pattern"},
		{"search_text", `{"name":"*.txt"}`, "narrow the name"},
		{"list_dir", `{"dir":"folder","limit":500}`, "raise limit"},
		{"run_check", `{"name":"much"}`, "bytes of output left out"},
		{"recall_tool_result", `{"call_id":"read"}`, "go on with start_line"},
		{"recall_tool_result", `{"call_id":"read","start_line":200}`, "go on with start_line"},
	} {
		for _, room := range []int{1200, 2500, 4000} {
			w.room = room
			text := w.set.Text(tt.tool, w.call(tt.tool, tt.args).Content)
			if len(text) > room || len(text) < room/2 || !strings.Contains(text, tt.want) {
				t.Errorf("%s %s with room for %d bytes has %d: … %s", tt.tool, tt.args, room, len(text), text[max(0, len(text)-300):])
			}
		}
	}
}

// TestReadingOnShowsAll reads a file, and recalls a result, as far as there is room, and then as the result says.
func TestReadingOnShowsAll(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "line %d of the file\n", i)
	}
	w := newWorld(t, map[string]string{"a.txt": text.String()})
	w.calls["read"] = w.record("read_file", `{"file":"a.txt"}`)
	w.room = 1000
	for tool, first := range map[string]string{"read_file": `"file":"a.txt"`, "recall_tool_result": `"call_id":"read"`} {
		var all strings.Builder
		start := 1
		for range 50 {
			var result struct {
				EndLine int    `json:"end_line"`
				Cut     string `json:"cut"`
			}
			content := w.call(tool, fmt.Sprintf(`{%s,"start_line":%d}`, first, start)).Content
			if err := json.Unmarshal(content, &result); err != nil {
				t.Fatal(err)
			}
			all.WriteString(w.set.Text(tool, content))
			if start = result.EndLine + 1; result.Cut == "" {
				break
			}
			if !strings.HasSuffix(result.Cut, fmt.Sprintf("start_line %d", start)) {
				t.Fatalf("%s: %q behind line %d", tool, result.Cut, result.EndLine)
			}
		}
		for i := range 200 {
			if n := strings.Count(all.String(), fmt.Sprintf("line %d of the file\n", i)); n != 1 {
				t.Errorf("%s shows line %d %d times", tool, i, n)
			}
		}
	}
}
