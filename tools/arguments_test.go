package tools_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// asJSON is the content of a tool that shows it to models as it is.
type asJSON struct{ json.RawMessage }

func (c asJSON) Text(w *wording.Writer) { w.Line(string(c.RawMessage)) }

// Wrong arguments are reported with their field before the tool runs.
func TestInvalidArguments(t *testing.T) {
	type args struct {
		Name  string `json:"name" jsonschema:"a name"`
		Count int    `json:"count,omitempty"`
		Start *int   `json:"start,omitempty"`
		Items []struct {
			On bool `json:"on"`
		} `json:"items,omitempty"`
	}
	tool := tools.Define[asJSON]("test", "words", tools.Short, func(_ context.Context, _ tools.Env, a args) (tools.Result, error) {
		return tools.OK(map[string]any{"ok": true, "name": a.Name}, "done")
	})
	for _, test := range []struct{ args, field, mentions string }{
		{`{"name":"x"}`, "", ""},
		{`{"name":"x","count":2.0,"start":0,"items":[]}`, "", ""},
		{``, "name", "missing"},
		{`null`, "", "object"},
		{`[]`, "", "object"},
		{`{`, "", "not JSON"},
		{`{"name":"x"} {}`, "", "not JSON"},
		{`{"count":1}`, "name", "missing"},
		{`{"name":1}`, "name", "string"},
		{`{"name":null}`, "name", "string"},
		{`{"name":"x","start":"null"}`, "start", "integer"},
		{`{"name":"x","count":1.5}`, "count", "integer"},
		{`{"name":"x","count":"one"}`, "count", "integer"},
		{`{"name":"x","count":1e30}`, "count", "range"},
		{`{"name":"x","Name":"y"}`, "Name", "unknown field `Name`; did you mean `name`?"},
		{`{"name":"x","other":[1]}`, "other", "unknown field"},
		{`{"name":"x","items":{}}`, "items[0].on", "missing"},
		{`{"name":"x","items":7}`, "items", "array"},
		{`{"name":"x","items":[{"on":true},{}]}`, "items[1].on", "missing"},
		{`{"name":"x","items":[{"on":true,"off":1}]}`, "items[0].off", "unknown field"},
		{`{"name":"x","items":[{"on":"yes"}]}`, "items[0].on", "boolean"},
		{`{"name":"x","items":[null]}`, "items[0]", "object"},
	} {
		result, err := tool.Run(t.Context(), nil, json.RawMessage(test.args))
		if err != nil {
			t.Errorf("%s: %v", test.args, err)
			continue
		}
		var got struct {
			OK                       bool
			Error, Code, Field, Hint string
		}
		if err := json.Unmarshal(result.Content, &got); err != nil {
			t.Fatal(err)
		}
		if test.mentions == "" {
			if !result.OK || !got.OK {
				t.Errorf("%s is refused: %s", test.args, result.Content)
			}
			continue
		}
		if result.OK || got.OK || got.Code != "invalid_arguments" || got.Hint == "" {
			t.Errorf("%s: %s, want a failure invalid_arguments with a hint", test.args, result.Content)
		}
		if got.Field != test.field || !strings.Contains(got.Error, test.mentions) {
			t.Errorf("%s: field %q, error %q; want field %q and an error with %q", test.args, got.Field, got.Error, test.field, test.mentions)
		}
	}
}

// Arguments that don't fit the schema make an invalid call. What only the tool can see, such as a
// field that one form requires, is a result that says what to do.
func TestInvalidArgumentsOfTools(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n"})
	for _, test := range []struct{ tool, args, field, code string }{
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"patch","file":"a.go"}]}`, "edits[0].mode", "invalid_arguments"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"canonical","file":"a.go","at":"inside"}]}`, "edits[0].at", "invalid_arguments"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"canonical","file":"a.go","canon":"x","at":"delete","code":"y"}]}`, "edits[0].code", "bad_value"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"replace","file":"a.go","new":"x"}]}`, "edits[0].old", "bad_value"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"replace","file":"a.go","old":"x"}]}`, "edits[0].new", "bad_value"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"splice","file":"a.go","end_byte":1,"replacement":""}]}`, "edits[0].start_byte", "bad_value"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"splice","file":"a.go","start_byte":0,"replacement":""}]}`, "edits[0].end_byte", "bad_value"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"splice","file":"a.go","start_byte":0,"end_byte":1}]}`, "edits[0].replacement", "bad_value"},
		{"apply_code_edit", `{"reason":"r","edits":[{"mode":"splice","file":"a.go","start_byte":0,"end_byte":1,"replacement":""}]}`, "edits[0].expected_file_hash", "bad_value"},
		{"apply_code_edit", `{"edits":[]}`, "edits", "bad_value"},
		{"code_item_edges", `{"canon":"x","direction":"up"}`, "direction", "invalid_arguments"},
		{"code_item_lookup", `{}`, "name", "bad_value"},
		{"request_code_context", `{}`, "hint", "bad_value"},
		{"recall_tool_result", `{}`, "call_id", "invalid_arguments"},
		{"search_text", `{"pattern":""}`, "pattern", "bad_value"},
	} {
		result := w.call(test.tool, test.args)
		var got struct{ Code, Field string }
		if err := json.Unmarshal(result.Content, &got); err != nil {
			t.Fatal(err)
		}
		if got.Code != test.code || got.Field != test.field {
			t.Errorf("%s %s: %s, want %s in %s", test.tool, test.args, result.Content, test.code, test.field)
		}
	}
}

// No tool reads or proposes anything outside the workspace.
func TestConfinement(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n"})
	outside := filepath.Join(t.TempDir(), "secret.go")
	if err := os.WriteFile(outside, []byte("package secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"file.go": outside, "dir": filepath.Dir(outside)} {
		if err := os.Symlink(target, w.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{outside, outside + ":1", "dir/secret.go:1", "file://" + outside, "../" + filepath.Base(filepath.Dir(outside)) + "/secret.go", "sub/../../x.go", "file.go", "dir/secret.go", "/etc/passwd"}
	calls := map[string]string{
		"read_file":         `{"file":PATH}`,
		"get_file_metadata": `{"file":PATH}`,
		"code_item_lookup":  `{"name":"x","file":PATH}`,
		"code_item_edges":   `{"canon":"x","file":PATH}`,
		"list_dir":          `{"dir":PATH}`,
		"apply_code_edit":   `{"reason":"r","edits":[{"mode":"replace","file":PATH,"old":"package","new":"x"}]}`,
		"create_file":       `{"file":PATH,"content":"x"}`,
		"delete_file":       `{"file":PATH}`,
		"get_diagnostics":   `{"file":PATH}`,
		"rename_file":       `{"file":PATH,"to":"new.go"}`,
	}
	for tool, args := range calls {
		for _, path := range paths {
			quoted, err := json.Marshal(path)
			if err != nil {
				t.Fatal(err)
			}
			result := w.call(tool, strings.Replace(args, "PATH", string(quoted), 1))
			if !strings.Contains(string(result.Content), `"code":"outside_workspace"`) {
				t.Errorf("%s of %s: %s, want outside_workspace", tool, path, result.Content)
			}
		}
	}
	if result := w.call("search_text", `{"pattern":"secret"}`); !strings.Contains(string(result.Content), `"matches":[]`) {
		t.Errorf("search_text follows links out of the workspace: %s", result.Content)
	}
	if proposals, err := w.deps.Edits.Proposals.List(t.Context(), ""); err != nil || len(proposals) > 0 {
		t.Errorf("%d proposals were staged (%v)", len(proposals), err)
	}
}

// The order of the tools is part of the beginning of every request, which providers cache.
func TestToolsAreInOrder(t *testing.T) {
	var names []string
	for _, tool := range tools.New(tools.Deps{}).All() {
		names = append(names, tool.Name)
	}
	want := []string{"request_code_context", "code_item_lookup", "code_item_edges", "get_file_metadata", "read_file", "list_dir",
		"search_text", "get_diagnostics", "apply_code_edit", "create_file", "rename_file", "delete_file", "recall_tool_result", "run_command", "run_check", "project_facts"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the tools (-want +got):\n%s", diff)
	}
}

func TestRecall(t *testing.T) {
	w := newWorld(t, nil)
	w.calls["good"] = tools.Record{Tool: "read_file", Arguments: json.RawMessage(`{"file":"a"}`),
		Content: json.RawMessage(`{"ok":true,"a":"<b>"}`), Summary: "read a"}
	w.calls["bad"] = tools.Record{Tool: "read_file", Arguments: json.RawMessage(`{"file":`), Error: "it broke"}
	for id, want := range map[string]string{
		"good": `{"ok":true,"call_id":"good","tool":"read_file","arguments":{"file":"a"},"summary":"read a","content":{"ok":true,"a":"<b>"}}`,
		"bad":  `{"ok":true,"call_id":"bad","tool":"read_file","arguments":"{\"file\":","error":"it broke"}`,
		"none": `{"ok":false,"error":"there is no stored call none","code":"not_found","field":"call_id","hint":"use the id of a call of this conversation, or call the tool again"}`,
	} {
		if diff := cmp.Diff(want, string(w.call("recall_tool_result", `{"call_id":"`+id+`"}`).Content)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}
