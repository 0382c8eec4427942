package arguments_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"ploke-lsp/tools/arguments"
	"ploke-lsp/tools/wording"
)

type color string

// paint are the arguments of a tool that does not exist.
type paint struct {
	File  string `json:"file" secrets:"named" jsonschema:"path of the picture"`
	Color color  `json:"color,omitempty"`
	Limit int    `json:"limit,omitempty"`
	Edits []struct {
		Old string `json:"old"`
		New string `json:"new"`
	} `json:"edits,omitempty" secrets:"written"`
	hiddenArgs
}

// hiddenArgs are accepted, and not described.
type hiddenArgs struct {
	Depth int `json:"depth,omitempty"`
}

func schemaOfPaint(t *testing.T) *arguments.Schema {
	t.Helper()
	s, err := arguments.For[paint](arguments.Choices{reflect.TypeFor[color](): arguments.OneOf[color]("red", "blue")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDecode fills the arguments from what models write, or says which field is wrong.
func TestDecode(t *testing.T) {
	s := schemaOfPaint(t)
	for _, tt := range []struct{ raw, want string }{
		{`{"file":"a","color":"red","limit":2}`, `{a red 2 [] {0}}`},
		{`{"path":"a","depth":3}`, `{a  0 [] {3}}`},
		{`{"file":"a","color":"RED ","limit":"2"}`, `{a red 2 [] {0}}`},
		{`{"file":"a","limit":null,"explanation":"why"}`, `{a  0 [] {0}}`},
		{`{"file":"a","edits":{"old_string":"b","new":"c"}}`, `{a  0 [{b c}] {0}}`},
		{`{"file":"a","old":"b","new":"c"}`, `{a  0 [{b c}] {0}}`},
		{`{"file":"a","edits":"[{\"old\":\"b\",\"new\":\"c\"}]"}`, `{a  0 [{b c}] {0}}`},
		{``, `file: file is missing`},
		{`{"file":"a","color":"green"}`, `color: color is "green"`},
		{`{"file":"a","limit":"many"}`, `limit: limit must be of type integer, not "many"`},
		{`{"file":"a","colour":"red"}`, "colour: unknown field `colour`; did you mean `color`?"},
		{`{"file":"a","edits":[{"old":"b"}]}`, `edits[0].new: edits[0].new is missing`},
		{`{"file":`, `: the arguments are not JSON: unexpected end of JSON input`},
	} {
		var args paint
		got := ""
		err := s.Decode(json.RawMessage(tt.raw), &args)
		var failure *wording.Failure
		switch {
		case errors.As(err, &failure):
			got = failure.Field + ": " + failure.Message
		case err != nil:
			t.Fatal(err)
		default:
			got = fmt.Sprint(args)
		}
		if got != tt.want {
			t.Errorf("%s is %s, want %s", tt.raw, got, tt.want)
		}
	}
}

// TestWhatIsDescribed checks that a model is told of the fields of the struct, but not of those of embedded ones.
func TestWhatIsDescribed(t *testing.T) {
	var told struct{ Properties map[string]any }
	if err := json.Unmarshal(schemaOfPaint(t).Source, &told); err != nil {
		t.Fatal(err)
	}
	if told.Properties["depth"] != nil || told.Properties["edits"] == nil || len(told.Properties) != 4 {
		t.Errorf("a model is told of %v", told.Properties)
	}
}

// TestCanonical compares calls that mean the same.
func TestCanonical(t *testing.T) {
	s := schemaOfPaint(t)
	want := string(s.Canonical(json.RawMessage(`{"file":"a","limit":2}`)))
	for _, same := range []string{`{"limit":"2","path":"a"}`, `{"file":"a","limit":2,"depth":0,"color":null,"edits":[]}`} {
		if got := string(s.Canonical(json.RawMessage(same))); got != want {
			t.Errorf("%s is %s, want %s", same, got, want)
		}
	}
}

// TestUnknownSecretsTag checks that a tool can't be made with a declaration that means nothing.
func TestUnknownSecretsTag(t *testing.T) {
	type args struct {
		File string `json:"file" secrets:"yes"`
	}
	if all, err := arguments.RestoredIn(reflect.TypeFor[args]()); err == nil {
		t.Errorf("the tag is taken: %v", all)
	}
	if all, err := arguments.RestoredIn(reflect.TypeFor[paint]()); err != nil || len(all) != 2 || !all[1].Written {
		t.Errorf("%v, %v", all, err)
	}
}
