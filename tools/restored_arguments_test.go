package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ploke-lsp/tools"
)

// TestOnlyDeclaredArgumentsGetSecrets walks all tools. Whoever adds an argument decides here
// whether it may have a secret: never one that is sent elsewhere.
func TestOnlyDeclaredArgumentsGetSecrets(t *testing.T) {
	restored := map[string]string{
		"request_code_context": "", "recall_tool_result": "", "run_check": "", "run_command": "", "project_facts": "path",
		"code_item_lookup": "canon file name", "code_item_edges": "canon file",
		"get_file_metadata": "file", "read_file": "file", "list_dir": "dir", "get_diagnostics": "file",
		"search_text":     "exclude include name pattern",
		"apply_code_edit": "edits", "create_file": "content file", "rename_file": "file to", "delete_file": "file",
	}
	for _, tool := range tools.New(tools.Deps{}).All() {
		want, listed := restored[tool.Name]
		if !listed {
			t.Errorf("%s is not listed", tool.Name)
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(tool.Schema(), &schema); err != nil {
			t.Fatal(err)
		}
		arguments := map[string]string{}
		for name := range schema.Properties {
			arguments[name] = "PLACEHOLDER"
		}
		raw, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		raw, err = tool.RestoreArguments(raw, func(value json.RawMessage, write func(string) string) (json.RawMessage, error) {
			return json.Marshal(write("a+b"))
		})
		var values map[string]any
		if err != nil || json.Unmarshal(raw, &values) != nil {
			t.Fatalf("%s: %s, %v", tool.Name, raw, err)
		}
		for name, got := range values {
			if list, ok := got.([]any); ok { // a string for a list is corrected
				got = list[0]
			}
			expected := "PLACEHOLDER"
			switch {
			case name == "pattern":
				expected = `a\+b`
			case strings.Contains(" "+want+" ", " "+name+" "):
				expected = "a+b"
			}
			if got != expected {
				t.Errorf("%s gets %s as %s; want %s", tool.Name, name, got, expected)
			}
		}
	}
}

// TestSlipsDoNotKeepSecretsOut restores arguments that the model wrote in another form.
func TestSlipsDoNotKeepSecretsOut(t *testing.T) {
	tool, _ := tools.New(tools.Deps{}).Get("apply_code_edit")
	for what, arguments := range map[string]string{
		"edits as a string":   `{"edits":"[{\"mode\":\"replace\",\"file\":\"a.go\",\"old\":\"PLACEHOLDER\",\"new\":\"x\"}]"}`,
		"an edit by itself":   `{"file":"a.go","old":"PLACEHOLDER","new":"x"}`,
		"fields as elsewhere": `{"file_path":"a.go","old_string":"PLACEHOLDER","new_string":"x"}`,
	} {
		got, err := tool.RestoreArguments(json.RawMessage(arguments),
			func(value json.RawMessage, write func(string) string) (json.RawMessage, error) {
				return json.RawMessage(strings.ReplaceAll(string(value), "PLACEHOLDER", `a\"b`)), nil
			})
		var decoded struct{ Edits []struct{ Old string } }
		if err != nil || json.Unmarshal(got, &decoded) != nil || len(decoded.Edits) != 1 || decoded.Edits[0].Old != `a"b` {
			t.Errorf("%s: %s, %v", what, got, err)
		}
	}
}

// TestSecretsInPatternsAreQuoted restores a secret in edits whose old is a regular expression, and in one whose old is not.
func TestSecretsInPatternsAreQuoted(t *testing.T) {
	tool, _ := tools.New(tools.Deps{}).Get("apply_code_edit")
	restored, err := tool.RestoreArguments(json.RawMessage(`{"edits": [{"old": "HIDDEN.", "new": "HIDDEN", "is_regexp": true}, `+
		`{"old": "HIDDEN."}]}`),
		func(value json.RawMessage, write func(string) string) (json.RawMessage, error) {
			secret, err := json.Marshal(write("a+$b"))
			return json.RawMessage(strings.ReplaceAll(string(value), "HIDDEN", strings.Trim(string(secret), `"`))), err
		})
	var got struct{ Edits []struct{ Old, New string } }
	if err != nil || json.Unmarshal(restored, &got) != nil || len(got.Edits) != 2 {
		t.Fatalf("%s, %v", restored, err)
	}
	if a, b := got.Edits[0], got.Edits[1]; a.Old != `a\+\$b.` || a.New != "a+$$b" || b.Old != "a+$b." {
		t.Errorf("%+v", got)
	}
}
