package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// textCase is a call and what its text has to say.
type textCase struct {
	tool, args string
	failed     bool
	has        []string
}

// textFiles are the files of the world that the table of texts is about.
func textFiles() map[string]string {
	files := map[string]string{
		"pkg/server.go": "package pkg\n\n// Server serves \"quoted\" \\ things.\ntype Server struct{ Name string }\n\nfunc (s *Server) Run() error {\n\treturn run(s.Name, \"a\\tb <&>\")\n}\n",
		"pkg/run.go":    "package pkg\n\nfunc run(name, how string) error { return nil }\n\nfunc init() {}\n\nfunc init() { run(\"x\", \"y\") }\n",
		"pkg/empty.txt": "",
		"README.md":     "# Pkg\n\nIt says </code> and \"run\".\n",
	}
	var long strings.Builder
	long.WriteString("package pkg\n\n")
	for i := range 300 {
		fmt.Fprintf(&long, "// step%[1]d does the step \"%[1]d\".\nfunc step%[1]d() { run(\"%[1]d\", `\\n`) }\n\n", i)
	}
	long.WriteString("func everything() {\n")
	for i := range 1800 {
		fmt.Fprintf(&long, "\tstep%d() // \"%d\"\n", i%300, i)
	}
	long.WriteString("}\n")
	files["pkg/long.go"] = long.String()
	for i := range 5 {
		files[fmt.Sprintf("many/%d.txt", i)] = "run\n"
	}
	return files
}

// textCases are calls in this order: each tool succeeds, fails, and shows less than there is, if it
// can.
var textCases = []textCase{
	{"read_file", `{"file":"pkg/server.go"}`, false, []string{"<code=\"pkg/server.go\" #1:8>\n  1  package pkg\n  2  \n", "  7  \treturn run(s.Name, \"a\\tb <&>\")\n", "</code>\n8 lines in the file, hash "}},
	{"read_file", `{"file":"pkg/empty.txt"}`, false, []string{"#1:0>\n</code>\n0 lines"}},
	{"read_file", `{"file":"README.md","start_line":3}`, false, []string{"#3:3>\n  3  It says </code> and \"run\".\n</code>\n3 lines"}},
	{"read_file", `{"file":"pkg/long.go"}`, false, []string{"more bytes up to line", "read on with start_line"}},
	{"read_file", `{"file":"pkg/sever.go"}`, true, []string{"there is no file pkg/sever.go\nfile: use one of", "\npkg/server.go\n"}},
	{"read_file", `{"file":"/etc/passwd"}`, true, []string{"outside the workspace"}},
	{"read_file", `{}`, true, []string{"file is missing"}},
	{"list_dir", `{"dir":"pkg"}`, false, []string{"pkg/\n  empty.txt\n", "\n  server.go 149"}},
	{"list_dir", `{"depth":2}`, false, []string{"./\n  README.md 34\n  many/\n  pkg/\nmany/\n  0.txt 4\n"}},
	{"list_dir", `{"dir":"many","limit":2}`, false, []string{"3 paths more: raise limit"}},
	{"list_dir", `{"dir":"pgk"}`, true, []string{"there is no folder pgk", "\npkg"}},
	{"get_file_metadata", `{"file":"pkg/server.go"}`, false, []string{"pkg/server.go: go, 8 lines, 149 bytes, hash ", "\n6-8 method Server::Run"}},
	{"get_file_metadata", `{"file":"pkg/long.go"}`, false, []string{"101 symbols more: find"}},
	{"get_file_metadata", `{"file":"pkg/serve.go"}`, false, []string{"pkg/serve.go does not exist\nsimilar: pkg/server.go"}},
	{"get_file_metadata", `{"file":""}`, true, []string{"the path is empty"}},
	{"get_diagnostics", `{}`, false, []string{"pkg/server.go\n  7  \treturn run(s.Name, \"a\\tb <&>\")\n     error: undefined: run (compiler Undeclared)\n", "  1  (the text has changed since)\n", "diagnostics more"}},
	{"get_diagnostics", `{"file":"nothing.go"}`, true, []string{"there is no file nothing.go"}},
	{"search_text", `{"pattern":"a.tb"}`, false, []string{"pkg/server.go\n", "return run(s.Name, \"a\\tb <&>\")"}},
	{"search_text", `{"pattern":"step","limit":2}`, false, []string{"pkg/long.go\n3: // step0 does the step \"0\".\n4: func step0() ", "2398 more here\nnarrow"}},
	{"search_text", `{"pattern":"step","limit":500}`, false, []string{" more here\n"}},
	{"search_text", `{"pattern":"init\\(","context":1}`, false, []string{"4- \n5: func init() {}\n6- \n7: func init()"}},
	{"search_text", `{"pattern":"run","files_only":true}`, false, []string{"many/0.txt: 1\n"}},
	{"search_text", `{"name":"*.md"}`, false, []string{"README.md"}},
	{"search_text", `{"name":"REDME.md"}`, false, []string{"no file has such a name\nsimilar: README.md\n"}},
	{"search_text", `{"pattern":"SERVES"}`, false, []string{"0 lines in ", "1 line with another case: begin the pattern with (?i)"}},
	{"search_text", `{"pattern":"a\nb"}`, false, []string{"a pattern matches within one line"}},
	{"search_text", `{"pattern":"root","path":"/etc"}`, true, []string{"outside the workspace"}},
	{"search_text", `{"pattern":"run","path":"pgk"}`, true, []string{"no file to search is in pgk", "\npkg"}},
	{"search_text", `{"pattern":"("}`, true, []string{"missing closing )"}},
	{"code_item_lookup", `{"name":"Server"}`, false, []string{"<code=\"pkg/server.go\" #3:4>\n  3  // Server serves \"quoted\" \\ things.\n  4  type Server struct"}},
	{"code_item_lookup", `{"name":"everything"}`, false, []string{"\n 903  func everything", "are not shown: read_file has them"}},
	{"code_item_lookup", `{"name":"Server","view":"outline"}`, false, []string{"struct Server, hash ", "type Server struct{ Name string }"}},
	{"code_item_lookup", `{"name":"Server::Run","view":"signature"}`, false, []string{"method Server::Run\n<code=\"pkg/server.go\" #6:6>\n", "lines 7 to 8 are not shown"}},
	{"code_item_lookup", `{"name":"Serve"}`, true, []string{"no symbol Serve", "pkg/server.go#4:4 struct Server"}},
	{"code_item_edges", `{"canon":"run"}`, false, []string{"pkg/long.go\n4: func step0()"}},
	{"code_item_edges", `{"canon":"run","limit":1000}`, false, []string{"pkg/server.go\nin Server::Run\n7: return run("}},
	{"code_item_edges", `{"canon":"everything","direction":"callees"}`, false, []string{"pkg/long.go\n4: func step0() (at 904"}},
	{"code_item_edges", `{"canon":"Server"}`, false, []string{"0 calls, 1 reference, as a type: use direction references"}},
	{"code_item_edges", `{"canon":"run","limit":1}`, false, []string{"more"}},
	{"code_item_edges", `{"canon":"init","direction":"callees"}`, true, []string{"several symbols", "pkg/run.go#5:5 function init"}},
	{"request_code_context", `{"hint":"run the server"}`, false, []string{"<code=\"pkg/server.go\" #"}},
	{"request_code_context", `{"hint":"step","token_budget":400}`, false, []string{"step7"}},
	{"request_code_context", `{"token_budget":-1}`, true, []string{"token_budget is -1"}},
	{"apply_code_edit", `{"edits":[{"file":"pkg/server.go","old":"Name string","new":"Name, Path string"}]}`, false, []string{"pkg/server.go, file hash ", "\nline 4 in Server (4)\n", "\n  4  type Server struct{ Name, Path string }\n", "</code>\nstaged, not written"}},
	{"apply_code_edit", `{"edits":[{"file":"pkg/run.go","old":"func run(","new":"func run(("}]}`, false, []string{"syntax error"}},
	{"apply_code_edit", `{"edits":[{"file":"pkg/run.go","old":"func runs(name, how string)","new":"x"}]}`, true, []string{"<code=\"pkg/run.go\" #3:3>", "\nline 3: old has: func runs("}},
	{"apply_code_edit", `{"edits":[{"file":"pkg/long.go","old":"does the step","new":"x"}]}`, true, []string{"pkg/long.go\n3: // step0 does the step \"0\"."}},
	{"apply_code_edit", `{"edits":[{"file":"pkg/run.go","canon":"init","code":"func init() { }"}]}`, true, []string{"function init"}},
	{"create_file", `{"file":"pkg/new.go","content":"package pkg\n"}`, false, []string{"pkg/new.go\nstaged"}},
	{"create_file", `{"file":"pkg/server.go","content":""}`, true, []string{"pkg/server.go exists"}},
	{"rename_file", `{"file":"README.md","to":"docs/README.md"}`, false, []string{"README.md renamed to docs/README.md\nstaged"}},
	{"rename_file", `{"file":"README.md","to":"x.md"}`, true, []string{"README.md is renamed by your proposal", "\ndocs/README.md"}},
	{"delete_file", `{"file":"many/0.txt"}`, false, []string{"many/0.txt: deleted\nstaged"}},
	{"delete_file", `{"file":"many/0.txt"}`, true, []string{"many/0.txt is deleted by your proposal"}},
	{"list_dir", `{"dir":"."}`, false, []string{"README.md"}},
	{"project_facts", `{"about":"lines","path":"pkg/server.go"}`, false, []string{"go: 8 lines in 1 file"}},
	{"project_facts", `{"about":"nothing"}`, true, []string{"about is"}},
	{"run_command", `{"command":["echo","it"]}`, false, []string{"passed: exit status 0\n", "it ran on the saved files", "\nit"}},
	{"run_command", `{"command":[]}`, true, []string{"the command is empty"}},
	{"run_check", `{}`, false, []string{"fine: echo 'it is \"fine\"'\n"}},
	{"run_check", `{"name":"fine"}`, false, []string{"fine passed: exit status 0\n", "\nit is \"fine\""}},
	{"run_check", `{"name":"bad"}`, false, []string{"bad failed: exit status 1\n"}},
	{"run_check", `{"name":"much"}`, false, []string{"bytes of output left out", "\n20000"}},
	{"run_check", `{"name":"fime"}`, true, []string{"there is no check fime", "\nfine: echo"}},
	{"recall_tool_result", `{"call_id":"read"}`, false, []string{"read_file {\"file\":\"many/1.txt\"}\n<code=\"many/1.txt\" #1:1>\n  1  run\n"}},
	{"recall_tool_result", `{"call_id":"read","start_line":2,"end_line":2}`, false, []string{"read_file {\"file\":\"many/1.txt\"}\nline 2 of 4:\n  1  run"}},
	{"recall_tool_result", `{"call_id":"read","start_line":9}`, true, []string{"the result has no line 9", "it has 4 lines"}},
	{"recall_tool_result", `{"call_id":"failed"}`, false, []string{"read_file {\"file\":\"x\"}\nerror: there is no file x"}},
	{"recall_tool_result", `{"call_id":"never"}`, true, []string{"there is no stored call never"}},
}

// newTextWorld returns the world of the table, with an editor, checks and stored calls.
func newTextWorld(t *testing.T) *world {
	w := newWorld(t, textFiles())
	w.grant = true
	w.deps.Checks = func() map[string]tools.Check {
		return map[string]tools.Check{"fine": {Command: []string{"echo", `it is "fine"`}}, "bad": {Command: []string{"false"}}, "much": {Command: []string{"seq", "20000"}}}
	}
	w.deps.Diagnostics = func(ctx context.Context, path string) (tools.Diagnostics, error) {
		file, err := w.deps.Workspace.Read(ctx, w.path("pkg/server.go"))
		if err != nil {
			return tools.Diagnostics{}, err
		}
		at := strings.Index(string(file.Text), "run(s")
		d := tools.Diagnostic{Path: file.Path, Hash: file.Hash, StartLine: 7, EndLine: 7, StartByte: at, EndByte: at + 3,
			Severity: tools.SeverityError, Source: "compiler", Code: "Undeclared", Message: "undefined: run", SeenAt: time.Now()}
		old := d
		old.Hash, old.StartLine, old.EndLine, old.Severity = "old", 1, 1, tools.SeverityHint
		list := []tools.Diagnostic{d, old}
		for range 120 {
			list = append(list, old)
		}
		return tools.Diagnostics{List: list}, nil
	}
	w.set = tools.New(w.deps)
	w.calls["read"] = w.record("read_file", `{"file":"many/1.txt"}`)
	w.calls["failed"] = w.record("read_file", `{"file":"x"}`)
	return w
}

// record returns the stored record of a call that is made now.
func (w *world) record(tool, args string) tools.Record {
	result := w.call(tool, args)
	return tools.Record{Tool: tool, Arguments: json.RawMessage(args), Content: result.Content, Summary: result.Summary}
}

var (
	longHash   = regexp.MustCompile(`[0-9a-f]{64}`)
	jsonEscape = regexp.MustCompile(`\\u00|\\"`)
)

// TestEachToolHasATextThatIsAFunctionOfItsJSON walks all tools. A tool without calls that succeed
// and fail fails the test.
func TestEachToolHasATextThatIsAFunctionOfItsJSON(t *testing.T) {
	w := newTextWorld(t)
	other := tools.New(w.deps)
	seen := map[string]map[bool]bool{}
	for _, c := range textCases {
		result := w.call(c.tool, c.args)
		name := c.tool + " " + c.args
		stored := append(json.RawMessage{}, result.Content...)
		text := w.set.Text(c.tool, stored)
		if again := other.Text(c.tool, stored); again != text {
			t.Errorf("%s: the text is not a function of the JSON:\n%s\n%s", name, text, again)
		}
		if result.OK == c.failed || strings.HasPrefix(text, "error: ") != c.failed {
			t.Errorf("%s: failed is %v, and the text is\n%s", name, !result.OK, text)
		}
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%.3000s", name, want, text)
			}
		}
		w.checkText(name, text)
		if seen[c.tool] == nil {
			seen[c.tool] = map[bool]bool{}
		}
		seen[c.tool][c.failed] = true
	}
	for _, tool := range w.set.All() {
		if !seen[tool.Name][true] || !seen[tool.Name][false] {
			t.Errorf("%s has no call in the table that succeeds, or none that fails", tool.Name)
		}
	}
}

// checkText checks what no text may have: JSON, absolute paths, long hashes, or code outside of
// numbered lines.
func (w *world) checkText(name, text string) {
	w.t.Helper()
	if strings.HasPrefix(text, "{") || strings.Contains(text, `{"ok":`) {
		w.t.Errorf("%s: the text is JSON: %s", name, text)
	}
	if strings.Contains(text, w.root) {
		w.t.Errorf("%s: the text has an absolute path:\n%.2000s", name, text)
	}
	if hash := longHash.FindString(text); hash != "" {
		w.t.Errorf("%s: the text has the long hash %s", name, hash)
	}
	if strings.HasSuffix(text, "\n") {
		w.t.Errorf("%s: the text ends with an empty line", name)
	}
	plain := ""
	for _, part := range scan(text) {
		if part.Code == nil {
			plain += part.Text
			continue
		}
		code := *part.Code
		unnumbered, first, ok := wording.Unnumbered(code.Text)
		if code.Text != "" && (!ok || first != code.StartLine) {
			w.t.Errorf("%s: the lines of %s from %d have no numbers:\n%s", name, code.Path, code.StartLine, code.Text)
		}
		path, err := w.deps.Workspace.Resolve(code.Path)
		if err != nil {
			w.t.Errorf("%s: no tool takes the path %s: %v", name, code.Path, err)
			continue
		}
		code.Path, code.Text = path, unnumbered
		w.checkCode(name, &code)
	}
	if escape := jsonEscape.FindString(plain); escape != "" && !strings.HasPrefix(name, "recall") {
		w.t.Errorf("%s: the text has the escape %s:\n%s", name, escape, plain)
	}
}

// TestPathsInTextsAreAcceptedByTools reads each file by the path that a listing of folders shows,
// with one root and with several of the same name.
func TestPathsInTextsAreAcceptedByTools(t *testing.T) {
	for _, roots := range [][]string{{"app"}, {"app", "lib"}, {"one/app", "two/app"}} {
		t.Run(strings.Join(roots, " "), func(t *testing.T) {
			files := map[string]string{}
			for _, root := range roots {
				files[root+"/src/main.go"] = "package " + strings.ReplaceAll(root, "/", "") + "\n"
				files[root+"/file:a.txt"] = "of " + root + "\n"
			}
			w := newWorldWithRoots(t, roots, files)
			listed := w.set.Text("list_dir", w.call("list_dir", `{"depth":3}`).Content)
			folder, read := "", ""
			for line := range strings.Lines(listed) {
				name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				if !strings.HasPrefix(line, " ") {
					folder = strings.TrimSuffix(strings.TrimSpace(line), "/")
				} else if !strings.HasSuffix(name, "/") {
					args, _ := json.Marshal(map[string]string{"file": folder + "/" + name})
					result := w.call("read_file", string(args))
					read += w.set.Text("read_file", result.Content) + "\n"
				}
			}
			for name, text := range files {
				if !strings.Contains(read, "  1  "+text) {
					t.Errorf("%s was not read:\n%s\n%s", name, listed, read)
				}
			}
			if strings.Contains(listed+read, "error: ") || strings.Contains(listed+read, w.root) {
				t.Errorf("%s\n%s", listed, read)
			}
		})
	}
}

// TestWhatATextDoesNotKnowIsShownInJSON has results of another version, of an unknown tool, and of
// the engine.
func TestWhatATextDoesNotKnowIsShownInJSON(t *testing.T) {
	w := newWorld(t, nil)
	for _, c := range []struct{ tool, content, text string }{
		{"read_file", `{"ok":true,"file":"a","later":1}`, `{"ok":true,"file":"a","later":1}`},
		{"read_file", `{"ok":true,"file":["a"]}`, `{"ok":true,"file":["a"]}`},
		{"paint", `{"ok":true,"color":"red"}`, `{"ok":true,"color":"red"}`},
		{"paint", `{"ok":false,"error":"no tool paint","code":"unknown_tool","hint":"call one of the candidates","candidates":["read_file"]}`,
			"error: no tool paint\ncall one of the candidates\ncandidates:\nread_file"},
		{"read_file", `{"ok":false,"error":"too slow","code":"timeout","hint":"ask for less","repeated":"this has failed 3 times"}`,
			"error: too slow\nask for less\nthis has failed 3 times"},
		{"read_file", `{"ok":false,"error":"x","code":"y","hint":"z","candidates":[{"later":1}]}`, "error: x\nz\ncandidates:\n{\"later\":1}"},
		{"read_file", ``, ""},
		{"read_file", `{"ok":false,"error":"open ` + w.root + `/a.go: no, (` + w.root + `/b.go) but not /x` + w.root + `/c.go","code":"x","hint":""}`,
			"error: open a.go: no, (b.go) but not /x" + w.root + "/c.go"},
	} {
		if got := w.set.Text(c.tool, json.RawMessage(c.content)); got != c.text {
			t.Errorf("%s %s: %q", c.tool, c.content, got)
		}
	}
}
