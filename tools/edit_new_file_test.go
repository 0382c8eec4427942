package tools_test

import (
	"strings"
	"testing"

	"ploke-lsp/tools/wording"
)

// TestAnEditWithTheTextOfANewFileCreatesIt has edits that name nothing but a file and its text.
func TestAnEditWithTheTextOfANewFileCreatesIt(t *testing.T) {
	for name, tt := range map[string]struct {
		edits string
		want  map[string]string // by file; nil if the call is refused
	}{
		"two": {`[{"file":"x.go","code":"package x\n"},{"file":"y/z.go","body":"package y\n","create":true}]`,
			map[string]string{"x.go": "package x\n", "y/z.go": "package y\n"}},
		"an empty one": {`[{"file":"x.txt","new":""}]`, map[string]string{"x.txt": ""}},
		"with an edit": {`[{"file":"a.go","old":"One","new":"Three"},{"file":"x.go","code":"package x\n"}]`,
			map[string]string{"a.go": "package a\n\nfunc Three() {}\n\nfunc Two() {}\n", "x.go": "package x\n"}},
		"with copied numbers": {`[{"file":"x.txt","code":"` + strings.ReplaceAll(wording.Numbered(1, "a\nb\n"), "\n", `\n`) + `"}]`,
			map[string]string{"x.txt": "a\nb\n"}},
		"that this turn deletes":   {`[{"file":"gone.txt","code":"new\n"}]`, map[string]string{"gone.txt": "new\n"}},
		"that this turn has made":  {`[{"file":"made.txt","code":"new\n"}]`, nil},
		"that exists":              {`[{"file":"a.go","code":"package x\n"}]`, nil},
		"with a symbol":            {`[{"file":"x.go","canon":"X","code":"func X() {}\n"}]`, nil},
		"of which text is missing": {`[{"file":"x.go","old":"x","new":"y"}]`, nil},
		"with two texts":           {`[{"file":"x.go","code":"x\n","new":"y\n"}]`, nil},
		"without a text":           {`[{"file":"x.go"}]`, nil},
		"that is left out":         {`[{"file":"ignored.txt/x.txt","code":"x\n"},{"file":".env.local","code":"KEY=2\n"}]`, nil},
		"with a deceptive name":    {`[{"file":"x\u202e.txt","code":"x\n"}]`, nil},
		"outside":                  {`[{"file":"../x.txt","code":"x\n"}]`, nil},
		"twice":                    {`[{"file":"x.txt","code":"x\n"},{"file":"x.txt","code":"y\n"}]`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newOverwriteWorld(t)
			w.call("create_file", `{"file":"gone.txt","content":"x\n"}`)
			w.call("delete_file", `{"file":"gone.txt"}`)
			w.call("create_file", `{"file":"made.txt","content":"x\n"}`)
			result := w.call("apply_code_edit", `{"edits":`+tt.edits+`}`)
			if result.OK != (tt.want != nil) {
				t.Fatalf("%s", result.Content)
			}
			for file, want := range tt.want {
				if got := w.read(file); got != want {
					t.Errorf("%s is %q, want %q", file, got, want)
				}
			}
		})
	}
}
