package repair

import (
	"strings"
	"testing"
)

// TestArgumentsAreRepaired repairs how arguments are written.
func TestArgumentsAreRepaired(t *testing.T) {
	const object = `{"file":"a.go"}`
	for _, given := range []string{
		object,
		`{"file":"a.go",}`,
		"{\"file\":\"a.go\" ,\n}",
		`{"file":"a.go"} I read it now.`,
		`{"file":"a.go"}}`,
		`{"file":"a.go"}{"file": "a.go"}`,
		`{}{"file":"a.go"}`,
		"```json\n{\"file\":\"a.go\"}\n```",
		"```\n{\"file\":\"a.go\"}```",
		"json\n{\"file\":\"a.go\"}",
		`json{"file":"a.go"}`,
		`arguments: {"file":"a.go"}`,
		`read_file({"file":"a.go"})`,
		`<arguments>{"file":"a.go"}</arguments>`,
		"\uFEFF" + `{"file":"a.go"}`,
		`"{\"file\":\"a.go\"}"`,
		`"\"{\\\"file\\\":\\\"a.go\\\"}\""`,
		`"{'file': 'a.go',}"`,
		`{\"file\": \"a.go\"}`,
		`'{"file":"a.go"}'`,
		`{'file': 'a.go'}`,
		`{'file': "a.go"}`,
		`{file: "a.go"}`,
		`[{"file":"a.go"}]`,
		"[{'file': 'a.go'},]",
	} {
		if got := string(Arguments(given)); got != object {
			t.Errorf("%s\n got %s\nwant %s", given, got, object)
		}
	}
}

func TestRepairedValues(t *testing.T) {
	for given, want := range map[string]string{
		"":                                 `{}`,
		" \n":                              `{}`,
		"null":                             `{}`,
		"None":                             `{}`,
		`""`:                               `{}`,
		`"null"`:                           `{}`,
		"```json\n```":                     `{}`,
		"{,}":                              `{}`,
		`{"a": 1, "b": [true, null,],}`:    `{"a":1,"b":[true,null]}`,
		`{'a': True, 'b': None, 'c': 1.5}`: `{"a":true,"b":null,"c":1.5}`,
		`{'a': 'it\'s "x"', 'b': "it's"}`:  `{"a":"it's \"x\"","b":"it's"}`,
		`{'a': ', }', "b": ",]",}`:         `{"a":", }","b":",]"}`,
		"{\"a\": \"one\n\ttwo\"}":          `{"a":"one\u000a\u0009two"}`,
		`{'a': 'True', 'b': '\u00e9'}`:     `{"a":"True","b":"\u00e9"}`,
		`{'edits': [{'old': 'x', 'new': 'y',},]} `: `{"edits":[{"old":"x","new":"y"}]}`,
		` {"a" : 1} `: ` {"a" : 1} `, // valid as it is
	} {
		if got := string(Arguments(given)); got != want {
			t.Errorf("%s\n got %s\nwant %s", given, got, want)
		}
	}
}

// TestArgumentsAreNotGuessed leaves what has more than one meaning, or none, for the tool to refuse.
func TestArgumentsAreNotGuessed(t *testing.T) {
	for _, given := range []string{
		`{"file": "a.go"`,
		`{"file": "a.go`,
		`{"file": "a.go"}{"file": "b.go"}`,
		`{"file": "a.go", "code": "say "hi""}`,
		`{'text': 'it's'}`,
		`{"limit": 1 2}`,
		`{"pattern": "\d+"}`,
		`{"file" "a.go"}`,
		`{"file": }`,
		`{"file": a.go}`,
		`"file": "a.go"`,
		`file: null`,
		`"a.go"`,
		`a.go`,
		`["a.go"]`,
		`[]`,
		`[{"file":"a.go"},{"file":"b.go"}]`,
		`7`, `true`,
		`Here it is: {"file":"a.go"}`,
		strings.Repeat("[", 20000) + strings.Repeat("]", 20000),
	} {
		got := string(Arguments(given))
		if got != given {
			t.Errorf("%.80s became %.80s", given, got)
		}
		if sent := Object([]byte(got)); !isObject(sent) {
			t.Errorf("%.80s is sent as %.80s", given, sent)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{'a': [1, "b",],}`, `"{\"a\": 1}"`, "```json\n{a: True}\n```", `{\"a\": 1}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		repaired := Arguments(given)
		if string(repaired) != given && !isObject(repaired) {
			t.Errorf("%q became %q", given, repaired)
		}
		if isObject([]byte(given)) && string(repaired) != given {
			t.Errorf("the object %q became %q", given, repaired)
		}
	})
}
