package tools_test

import "testing"

func TestLinesAsOtherAgentsNameThem(t *testing.T) {
	w := newWorld(t, map[string]string{"a.txt": "1\n2\n3\n4\n5\n6\n"})
	w.calls["1"] = w.record("read_file", `{"file":"a.txt"}`) // 8 lines with what is around them
	w.checkSlips([]slip{
		{"recall_tool_result", `{"call_id":"1","start_line":3,"end_line":4}`, `"start_line":3,"end_line":4,"line_count":9`},
		{"recall_tool_result", `{"call_id":"1","offset":3,"limit":2}`, `"start_line":3,"end_line":5,"line_count":9`},
		{"recall_tool_result", `{"call_id":"1","view_range":[8,-1]}`, `"start_line":8,"end_line":9,"line_count":9`},
		{"recall_tool_result", `{"call_id":"1","start_line":8}`, `"start_line":8,"end_line":9,"line_count":9`},
		{"recall_tool_result", `{"call_id":"1","start_line":2,"limit":2}`, `"start_line":2,"end_line":3,"line_count":9`},
		{"read_file", `{"file":"a.txt","offset":0,"limit":2}`, `"start_line":1,"end_line":2`},
		{"read_file", `{"file":"a.txt","offset":3,"limit":2}`, `"start_line":3,"end_line":5`}, // of 0-based lines 4 and 5
		{"read_file", `{"file":"a.txt","offset":5,"limit":2000}`, `"start_line":5,"end_line":6`},
		{"read_file", `{"file":"a.txt","offset":4}`, `"start_line":4,"end_line":6`},
		{"read_file", `{"file":"a.txt","view_range":[2,3]}`, `"start_line":2,"end_line":3`},
		{"read_file", `{"file":"a.txt","view_range":"[2, -1]"}`, `"start_line":2,"end_line":6`},
		{"read_file", `{"file":"a.txt","view_range":[]}`, `"start_line":1,"end_line":6`},
		{"read_file", `{"file":"a.txt:2-3"}`, `"start_line":2,"end_line":3`},
		{"read_file", `{"file":"a.txt","start_line":2,"limit":2}`, `"start_line":2,"end_line":3`},
		{"read_file", `{"file":"a.txt","should_read_entire_file":true}`, `"start_line":1,"end_line":6`},
	})
}
