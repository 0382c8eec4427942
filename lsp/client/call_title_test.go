package client

import "testing"

func TestCallTitles(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"read_file", `{"file":"lib/server.go","start_line":250,"end_line":300}`, "reading lib/server.go, lines 250–300"},
		{"read_file", `{"file":"a.go","start_line":7,"end_line":7}`, "reading a.go, line 7"},
		{"read_file", `{"file":"a.go","start_line":7}`, "reading a.go, from line 7"},
		{"read_file", `{"file":"a.go","start_line":"x"}`, "reading a.go"},
		{"search_text", `{"pattern":"func main"}`, "searching func main"},
		{"run_command", `{"command":["go","test","./..."]}`, "running go test ./..."},
		{"run_command", `{"command":"make all"}`, "running make all"},
		{"run_command", `not JSON`, "running a command"},
		{"apply_code_edit", `{"edits":[{"file":"a.go"}]}`, "editing a.go"},
		{"code_item_lookup", `{"file":"a.go","name":"Run"}`, "looking up Run"},
		{"run_check", `{"name":"tests"}`, "running the check tests"},
		{"of_another_server", `{"name":"x"}`, ""},
	} {
		if got := callTitle(c.tool, []byte(c.arguments)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}
