package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const rustNamesakes = `struct Ignore {
    no_ignore: bool,
    depth: usize,
}

impl Ignore {
    fn no_ignore(&self) -> bool {
        self.no_ignore
    }
}
`

func TestTheCodeTellsWhichNamesakeIsMeant(t *testing.T) {
	for _, test := range []struct {
		name, file, text string
		edit             edit
		old, new         string
	}{
		{"a function after a method, not a field", "a.rs", rustNamesakes, edit{"canon": "Ignore::no_ignore", "at": "after", "code": "fn is_deep(&self) -> bool {\n    self.depth > 9\n}"},
			"        self.no_ignore\n    }\n", "        self.no_ignore\n    }\n\n    fn is_deep(&self) -> bool {\n        self.depth > 9\n    }\n"},
		{"a field before a field, not a method", "a.rs", rustNamesakes, edit{"canon": "Ignore::no_ignore", "at": "before", "code": "hidden: bool,"},
			"    no_ignore: bool,\n", "    hidden: bool,\n    no_ignore: bool,\n"},
		{"a method for a method", "a.rs", rustNamesakes, edit{"canon": "Ignore::no_ignore", "code": "fn no_ignore(&self) -> bool {\n    !self.no_ignore\n}"},
			"        self.no_ignore\n", "        !self.no_ignore\n"},
		{"a field for a field", "a.rs", rustNamesakes, edit{"canon": "Ignore::no_ignore", "code": "no_ignore: u8"}, "no_ignore: bool", "no_ignore: u8"},
		{"a method in an impl, not in the struct", "a.rs", rustNamesakes, edit{"canon": "Ignore", "at": "last", "code": "fn two(&self) {}"},
			"        self.no_ignore\n    }\n", "        self.no_ignore\n    }\n\n    fn two(&self) {}\n"},
		{"a field in the struct, not in its impl", "a.rs", rustNamesakes, edit{"canon": "Ignore", "at": "first", "code": "two: u8,"},
			"    no_ignore: bool,\n", "    two: u8,\n    no_ignore: bool,\n"},
		{"a method for a method, not a field in a language that takes both", "A.java", "class A {\n    int size;\n    int size() { return size; }\n}\n", edit{"canon": "A::size", "code": "int size() { return 1; }"},
			"{ return size; }", "{ return 1; }"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{test.file: test.text})
			test.edit["file"] = test.file
			args, err := json.Marshal(map[string]any{"edits": []any{test.edit}})
			if err != nil {
				t.Fatal(err)
			}
			if result := w.call("apply_code_edit", string(args)); !result.OK {
				t.Fatalf("%s", result.Content)
			}
			if want, got := strings.Replace(test.text, test.old, test.new, 1), w.read(test.file); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// What the code does not tell, the call has to.
func TestNamesakesThatTheCodeDoesNotTellApartAreRefused(t *testing.T) {
	w := newWorld(t, map[string]string{"a.rs": rustNamesakes})
	for _, rest := range []string{`"at":"delete"`, `"at":"after","code":"fn ("`} {
		result := w.call("apply_code_edit", `{"edits":[{"file":"a.rs","canon":"Ignore::no_ignore",`+rest+`}]}`)
		if text := string(result.Content); result.OK || !strings.Contains(text, "several symbols") || !strings.Contains(text, `"kind":"method"`) {
			t.Errorf("%s: %s", rest, text)
		}
	}
}
