package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"ploke-lsp/tools/aliases"
	"ploke-lsp/tools/arguments"
)

// schemasOfTools returns the schemas of all tools by name.
func schemasOfTools(t *testing.T) map[string]*arguments.Schema {
	t.Helper()
	all := map[string]*arguments.Schema{}
	for name, make := range map[string]func(arguments.Choices) (*arguments.Schema, error){
		"apply_code_edit": arguments.For[applyCodeEditArgs], "code_item_edges": arguments.For[codeItemEdgesArgs],
		"code_item_lookup": arguments.For[codeItemLookupArgs],
		"create_file":      arguments.For[createFileArgs], "delete_file": arguments.For[deleteFileArgs],
		"get_diagnostics":   arguments.For[getDiagnosticsArgs],
		"get_file_metadata": arguments.For[getFileMetadataArgs], "list_dir": arguments.For[listDirArgs], "read_file": arguments.For[readFileArgs],
		"recall_tool_result": arguments.For[recallToolResultArgs], "rename_file": arguments.For[renameFileArgs],
		"request_code_context": arguments.For[requestCodeContextArgs],
		"project_facts":        arguments.For[projectFactsArgs], "run_check": arguments.For[runCheckArgs],
		"run_command": arguments.For[runCommandArgs],
		"search_text": arguments.For[searchTextArgs],
	} {
		s, err := make(choices)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = s
	}
	for _, tool := range New(Deps{}).All() {
		if s := all[tool.Name]; s == nil || string(s.Source) != string(tool.Schema()) {
			t.Fatalf("no schema of %s", tool.Name)
		}
	}
	return all
}

// slips makes slips in arguments, whose only meaning is the value that it began with.
type slips struct {
	*rand.Rand
	count int
}

var slipTexts = []string{"", " ", "30", "true", "null", "a.go", "[ab].go", `["x"]`, `{"a":1}`, "{", "\"quoted\"", "one\ntwo", "callers"}

// valid returns a random value that fits s.
func (r *slips) valid(s *jsonschema.Schema) any {
	switch s.Type {
	case "object":
		object := map[string]any{}
		for _, key := range s.PropertyOrder {
			if slices.Contains(s.Required, key) || r.IntN(2) == 0 {
				object[key] = r.valid(s.Properties[key])
			}
		}
		return object
	case "array":
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = r.valid(s.Items)
		}
		return list
	case "integer":
		return float64(r.IntN(2000) - 1000)
	case "boolean":
		return r.IntN(2) == 0
	}
	if len(s.Enum) > 0 {
		return s.Enum[r.IntN(len(s.Enum))]
	}
	return slipTexts[r.IntN(len(slipTexts))]
}

// slip returns a value that a model may send instead of value. It may be value itself.
func (r *slips) slip(s *jsonschema.Schema, value any) any {
	slipped := value
	switch v := value.(type) {
	case map[string]any:
		slipped = r.slipObject(s, v)
	case []any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = r.slip(s.Items, v[i])
		}
		slipped = items
		if len(v) == 1 && r.IntN(2) == 0 && !isJSON(fmt.Sprint(v[0])) {
			slipped = items[0]
		}
		if text, ok := slipped.(string); ok && text == "" { // stands for nothing
			slipped = items
		}
	case string:
		if len(s.Enum) > 0 {
			slipped = strings.ToUpper(v) + " "
		} else if r.IntN(4) == 0 {
			slipped = []any{v}
		}
	case float64, bool:
		slipped = fmt.Sprintf(" %v", v)
	}
	if r.IntN(3) > 0 {
		return value
	}
	r.count++
	return slipped
}

// isJSON reports whether a text means something else once it is decoded.
func isJSON(text string) bool {
	var value any
	return json.Unmarshal([]byte(text), &value) == nil && fmt.Sprint(value) != text
}

func (r *slips) slipObject(s *jsonschema.Schema, object map[string]any) any {
	slipped := map[string]any{}
	for key, value := range object {
		name := key
		if others := aliases.OfField(key); len(others) > 0 && r.IntN(2) == 0 {
			if other := others[r.IntN(len(others))]; aliases.Field(s.PropertyOrder, other) == key {
				name = other
			}
		}
		slipped[name] = r.slip(s.Properties[key], value)
	}
	for _, key := range s.PropertyOrder {
		if _, given := object[key]; !given && !slices.Contains(s.Required, key) && r.IntN(4) == 0 {
			slipped[key] = nil
		}
	}
	if r.IntN(6) == 0 {
		text, _ := json.Marshal(slipped)
		return string(text)
	}
	return slipped
}

// TestCoercionNeverChangesAValidCall compares random valid arguments with what is left of them.
func TestCoercionNeverChangesAValidCall(t *testing.T) {
	for name, s := range schemasOfTools(t) {
		r := &slips{Rand: rand.New(rand.NewPCG(1, 2))}
		for range 500 {
			value := r.valid(s.Root)
			if s.Refuses(value) {
				t.Fatalf("%s: %v is not valid", name, value)
			}
			if diff := cmp.Diff(value, s.Coerce(value)); diff != "" {
				t.Fatalf("%s (-sent +used):\n%s", name, diff)
			}
		}
	}
}

// TestSlipsAreUndone makes random slips in valid arguments and compares what is used with the
// arguments without them.
func TestSlipsAreUndone(t *testing.T) {
	schemas := schemasOfTools(t)
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		s := schemas[name]
		r := &slips{Rand: rand.New(rand.NewPCG(3, 4))}
		for range 600 {
			value := r.valid(s.Root)
			slipped := r.slip(s.Root, value)
			before := asJSON(t, slipped)
			if !s.Refuses(slipped) {
				continue // it means something else
			}
			if diff := cmp.Diff(value, s.Coerce(slipped)); diff != "" {
				t.Fatalf("%s %s (-meant +used):\n%s", name, before, diff)
			}
			if after := asJSON(t, slipped); after != before {
				t.Fatalf("%s: coercion modified its argument %s to %s", name, before, after)
			}
		}
		if r.count < 50 {
			t.Errorf("%s: only %d slips", name, r.count)
		}
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSlipsWithOneMeaning has the slips that models make most often, and some that look like them.
func TestSlipsWithOneMeaning(t *testing.T) {
	schemas := schemasOfTools(t)
	for _, test := range []struct{ tool, sent, used string }{
		{"search_text", `{"pattern":"x","include":"*.go"}`, `{"include":["*.go"],"pattern":"x"}`},
		{"search_text", `{"pattern":"x","include":"[ab].go"}`, `{"include":["[ab].go"],"pattern":"x"}`},
		{"search_text", `{"pattern":"x","include":"[12]"}`, `{"include":["[12]"],"pattern":"x"}`},
		{"search_text", `{"pattern":"x","include":"[\"*.go\",\"*.md\"]"}`, `{"include":["*.go","*.md"],"pattern":"x"}`},
		{"search_text", `{"regex":"x","maxResults":"30","exclude":null}`, `{"limit":30,"pattern":"x"}`},
		{"search_text", `{"pattern":"x","path":"sub","glob":"*.ts","output_mode":"files_with_matches","-i":true,"-n":true,"-A":"2","-B":1,"-C":3,"head_limit":9}`,
			`{"after":2,"before":1,"context":3,"ignore_case":true,"include":["*.ts"],"limit":9,"line_numbers":true,"output_mode":"files_with_matches","path":["sub"],"pattern":"x"}`},
		{"search_text", `{"query":"x","case_insensitive":true,"include_pattern":"*.go","exclude_pattern":"*_test.go"}`, `{"exclude":["*_test.go"],"ignore_case":true,"include":["*.go"],"pattern":"x"}`},
		{"search_text", `{"query":"x","isRegexp":false,"includePattern":"src/**"}`, `{"include":["src/**"],"is_regexp":false,"pattern":"x"}`},
		{"read_file", `{"filePath":"a.go","startLine":"3","endLine":7}`, `{"end_line":7,"file":"a.go","start_line":3}`},
		{"read_file", `"{\"path\":\"a.go\"}"`, `{"file":"a.go"}`},
		{"read_file", `{"file":["a.go"],"max_bytes":""}`, `{"file":"a.go"}`},
		{"list_dir", `{"path":"sub","depth":"2"}`, `{"depth":2,"dir":"sub"}`},
		{"code_item_edges", `{"symbol":"F","direction":"Callers"}`, `{"canon":"F","direction":"callers"}`},
		{"create_file", `{"file_path":"n.go","file_text":"package n\n"}`, `{"content":"package n\n","file":"n.go"}`},
		{"rename_file", `{"old_path":"a.go","new_path":"b.go"}`, `{"file":"a.go","to":"b.go"}`},
		{"apply_code_edit", `{"file_path":"a.go","old_string":"x","new_string":""}`, `{"edits":[{"file":"a.go","new":"","old":"x"}]}`},
		{"apply_code_edit", `{"path":"a.go","edits":[{"old_str":"x","new_str":"y"},{"file":"b.go","old":"x","new":"y"}],"explanation":"why"}`,
			`{"edits":[{"file":"a.go","new":"y","old":"x"},{"file":"b.go","new":"y","old":"x"}],"reason":"why"}`},
		{"apply_code_edit", `{"edits":"[{\"file\":\"a.go\",\"start_byte\":\"1\"}]"}`, `{"edits":[{"file":"a.go","start_byte":1}]}`},
		{"apply_code_edit", `{"edits":{"file":"a.go","canon":"F","code":"func F() {}"}}`, `{"edits":[{"canon":"F","code":"func F() {}","file":"a.go"}]}`},
	} {
		s := schemas[test.tool]
		var sent any
		if err := json.Unmarshal([]byte(test.sent), &sent); err != nil {
			t.Fatal(err)
		}
		used := s.Coerce(sent)
		if got := asJSON(t, used); got != test.used || s.Refuses(used) {
			t.Errorf("%s %s is used as %s, want %s", test.tool, test.sent, got, test.used)
		}
	}
}

// TestUnclearArgumentsAreRefused has arguments with more than one meaning. The answer names the
// field that is probably meant.
func TestUnclearArgumentsAreRefused(t *testing.T) {
	schemas := schemasOfTools(t)
	for _, test := range []struct{ tool, sent, says string }{
		{"read_file", `{"file":"a.go","path":"b.go"}`, "unknown field `path`; did you mean `file`?"},
		{"read_file", `{"file":"a.go","line":10}`, "unknown field `line`; did you mean `start_line`?"},
		{"read_file", `{"file_path":"a.go","filename":"b.go"}`, "unknown field `filename`; did you mean `file`?"},
		{"search_text", `{"pattern":"x","limits":3}`, "unknown field `limits`; did you mean `limit`?"},
		{"search_text", `{"pattern":"x","zebra":3}`, "unknown field `zebra`"},
		{"apply_code_edit", `{"edits":[{"file":"a.go","old":"x","new":"y","dry_run":true}]}`, "unknown field `edits[0].dry_run`"},
		{"apply_code_edit", `{"edits":"not JSON"}`, "edits must be of type array"},
		{"read_file", `{"file":["a.go","b.go"]}`, "file must be of type string"},
		{"read_file", `{"file":"a.go","start_line":"first"}`, "start_line must be of type integer"},
		{"create_file", `{"file":"a.json","content":{"a":1}}`, "content must be of type string"},
	} {
		var args struct{ any }
		err := schemas[test.tool].Decode(json.RawMessage(test.sent), &args)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s %s: %v, want %q", test.tool, test.sent, err, test.says)
		}
	}
}
