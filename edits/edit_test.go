package edits

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestApply(t *testing.T) {
	tests := map[string]struct {
		text  string
		edits []Edit
		want  string
		fails string // "overlap", "range"
	}{
		"none":                       {"abc", nil, "abc", ""},
		"replace":                    {"abcdef", []Edit{{1, 3, "XYZ"}}, "aXYZdef", ""},
		"insert at both ends":        {"abc", []Edit{{0, 0, "<"}, {3, 3, ">"}}, "<abc>", ""},
		"delete all":                 {"abc", []Edit{{0, 3, ""}}, "", ""},
		"into nothing":               {"", []Edit{{0, 0, "abc"}}, "abc", ""},
		"touching":                   {"abcdef", []Edit{{0, 2, "X"}, {2, 2, "-"}, {2, 4, "Y"}}, "X-Yef", ""},
		"insertions at one place":    {"ab", []Edit{{1, 1, "1"}, {1, 1, "2"}}, "a12b", ""},
		"overlapping":                {"abcdef", []Edit{{0, 3, "X"}, {2, 4, "Y"}}, "", "overlap"},
		"the same":                   {"abcdef", []Edit{{0, 3, "X"}, {0, 3, "X"}}, "", "overlap"},
		"inside":                     {"abcdef", []Edit{{0, 6, "X"}, {2, 2, "Y"}}, "", "overlap"},
		"not sorted":                 {"abcdef", []Edit{{4, 5, "X"}, {0, 1, "Y"}}, "", "overlap"},
		"beyond the end":             {"abc", []Edit{{2, 4, ""}}, "", "range"},
		"before the beginning":       {"abc", []Edit{{-1, 0, ""}}, "", "range"},
		"backwards":                  {"abc", []Edit{{2, 1, ""}}, "", "range"},
		"bytes that are not UTF-8":   {"a\xe9b", []Edit{{1, 2, "\xe8"}}, "a\xe8b", ""},
		"line ends are bytes too":    {"a\r\nb\r\n", []Edit{{3, 4, "c"}}, "a\r\nc\r\n", ""},
		"insertion before a replace": {"abc", []Edit{{1, 1, "<"}, {1, 2, "B"}}, "a<Bc", ""},
	}
	for name, tt := range tests {
		text := []byte(tt.text)
		got, err := Apply(text, tt.edits)
		var overlap *OverlapError
		switch {
		case tt.fails == "" && (err != nil || string(got) != tt.want):
			t.Errorf("%s: Apply = %q, %v; want %q", name, got, err, tt.want)
		case tt.fails != "" && (err == nil || errors.As(err, &overlap) != (tt.fails == "overlap")):
			t.Errorf("%s: Apply = %q, %v; want it to fail by %s", name, got, err, tt.fails)
		case string(text) != tt.text:
			t.Errorf("%s: the text itself was changed", name)
		}
	}
}

func TestEditKeepsItsBytesInJSON(t *testing.T) {
	for _, text := range []string{"", "plain", "caf\xe9", "\xff\x00\"<>&\u2028"} {
		want := Edit{Start: 3, End: 7, New: text}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Edit
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%q came back as %q, %v", want.New, got.New, err)
		}
	}
}
