package embedded_test

import (
	"slices"
	"strings"
	"testing"
)

// TestValuesAreSet changes the one line with a value, and asks where several may be meant or none is surely.
func TestValuesAreSet(t *testing.T) {
	const staged = `{"ok":true,"files":[{"file":"/w/ring.py","hunks":[{}]}]}`
	line := func(file, text string) string {
		return `{"file":"/w/` + file + `","line":3,"text":"` + text + `","before":["","class Ring:"]}`
	}
	tests := []struct {
		name, message string
		lines         []string
		call          string // that changes it, "" for none
		says          []string
	}{
		{"from one to another", "change the default concurrency of Ring from 25 to 10", []string{line("ring.py", "    concurrency = 25")},
			`"line":3,"mode":"replace","new":"    concurrency = 10","old":"    concurrency = 25"`, []string{"propose to set `concurrency` to `10`"}},
		{"another value", "change the default concurrency of Ring from 20 to 10", []string{line("ring.py", "    concurrency = 25")}, "",
			[]string{"I can't do that"}},
		{"to a value", "set the max number of hops to 8", []string{line("ring.py", "MAX_HOPS = 5")},
			`"new":"MAX_HOPS = 8"`, []string{"to set `MAX_HOPS` to `8`"}},
		{"several", "set the max number of hops to 8", []string{line("ring.py", "MAX_HOPS = 5"), line("wheel.py", "MAX_HOPS = 4")}, "",
			[]string{"Which one do you mean?", "ring.py:3: `MAX_HOPS = 5` becomes `MAX_HOPS = 8`", "wheel.py:3: `MAX_HOPS = 4`"}},
		{"by its name", "set MAX_HOPS to 8", []string{line("ring.py", "MAX_HOPS = 5"), line("wheel.py", "MAX_HOPS_2 = 4")},
			`"new":"MAX_HOPS = 8"`, nil},
		{"a word more", "set the max hops to 8", []string{line("ring.py", "MAX_OLD_HOPS = 5")}, "", []string{"Which one do you mean?"}},
		{"a secret", "set the max hops to 8", []string{line(".env", "MAX_HOPS=5")}, "", []string{"it holds secrets"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			calls, answer := dialog(t, tt.message, map[string][]string{"given": {`{"ok":true,"matches":[` + strings.Join(tt.lines, ",") + `]}`},
				"apply_code_edit": {staged}, "request_code_context": {`{"ok":true,"results":[]}`}})
			edits := slices.DeleteFunc(calls, func(c string) bool { return !strings.HasPrefix(c, "apply") })
			if len(edits) != len(strings.Fields(strings.SplitN(tt.call, " ", 2)[0])) || tt.call != "" && !strings.Contains(edits[0], tt.call) {
				t.Errorf("%s", edits)
			}
			for _, want := range tt.says {
				if !strings.Contains(answer, want) {
					t.Errorf("%q is missing in:\n%s", want, answer)
				}
			}
		})
	}
}
