package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const patternText = "a = get(1)\nb = get(22)\n\nc = got(3)\nd = get(get(4))\n"

func TestPatternsAreReplaced(t *testing.T) {
	want := make(map[string]string)
	var cases []editCase
	for _, test := range []struct {
		name string
		edit map[string]any
		want string // after replacing in patternText
	}{
		{"a group", map[string]any{"old": `got\((\d)\)`, "new": "fetch($1, $1)", "is_regexp": true}, strings.Replace(patternText, "got(3)", "fetch(3, 3)", 1)},
		{"all", map[string]any{"old": `get\((\d+)\)`, "new": "set($1)", "is_regexp": true, "replace_all": true}, strings.NewReplacer("get(1)", "set(1)", "get(22)", "set(22)", "get(4)", "set(4)").Replace(patternText)},
		{"so many", map[string]any{"old": `get\((\d+)\)`, "new": "set($1)", "is_regexp": true, "count": 3}, strings.NewReplacer("get(1)", "set(1)", "get(22)", "set(22)", "get(4)", "set(4)").Replace(patternText)},
		{"the nearest", map[string]any{"old": `get\((\d+)\)`, "new": "set($1)", "is_regexp": true, "line": 2}, strings.Replace(patternText, "get(22)", "set(22)", 1)},
		{"by a name", map[string]any{"old": `(?P<n>\w) = got`, "new": "${n}_1 = got", "is_regexp": true}, strings.Replace(patternText, "c =", "c_1 =", 1)},
		{"a dollar sign", map[string]any{"old": `got`, "new": "$$got$", "is_regexp": true}, strings.Replace(patternText, "got", "$got$", 1)},
		{"at the ends of lines", map[string]any{"old": `\)$`, "new": ");", "is_regexp": true, "count": 4}, strings.ReplaceAll(patternText, ")\n", ");\n")},
		{"at the beginnings of lines", map[string]any{"old": `^(\w)`, "new": "- $1", "is_regexp": true, "count": 4}, "- " + strings.NewReplacer("\nb", "\n- b", "\nc", "\n- c", "\nd", "\n- d").Replace(patternText)},
		{"over lines", map[string]any{"old": `\n\nc`, "new": "\nc", "is_regexp": true}, strings.Replace(patternText, "\n\n", "\n", 1)},
		{"whole lines", map[string]any{"old": `^.*get.*\n`, "new": "", "is_regexp": true, "count": 3}, "\nc = got(3)\n"},
		{"a place without bytes", map[string]any{"old": `$`, "new": ";", "is_regexp": true, "line": 3}, strings.Replace(patternText, "\n\n", "\n;\n", 1)},
		{"text as often as expected", map[string]any{"old": "get(", "new": "set(", "count": 4}, strings.ReplaceAll(patternText, "get(", "set(")},
		{"text once", map[string]any{"old": "got(", "new": "set(", "count": 1}, strings.ReplaceAll(patternText, "got(", "set(")},
		{"as another agent says it", map[string]any{"old_string": "get(", "new_string": "set(", "expected_replacements": 4}, strings.ReplaceAll(patternText, "get(", "set(")},
	} {
		want[test.name] = test.want
		cases = append(cases, editCase{test.name, "a.txt", patternText, []map[string]any{test.edit}})
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		if diff := cmp.Diff(strings.ReplaceAll(want[c.name], "\n", ends), after); !ok || diff != "" {
			t.Errorf("%s\n%s", content, diff)
		}
		if count := c.edits[0]["count"]; count == 3 && !strings.Contains(content, "replaced in 3 places") {
			t.Errorf("the count is not told: %s", content)
		}
	})
}

func TestPatternsThatDoNotFitAreRefused(t *testing.T) {
	want := make(map[string]string)
	var cases []editCase
	for _, test := range []struct {
		name string
		edit map[string]any
		want string
	}{
		{"more places", map[string]any{"old": `get\(\d`, "new": "set", "is_regexp": true, "count": 2}, `"edits[0]: old occurs in 3 places, not in 2; nothing was staged"`},
		{"the places", map[string]any{"old": `get\(\d`, "new": "set", "is_regexp": true, "count": 2}, `"text":"b = get(22)"`},
		{"fewer places", map[string]any{"old": "get(", "new": "set", "count": 5}, "old occurs in 4 places, not in 5"},
		{"fewer places with other white space", map[string]any{"old": "=  get(", "new": "= set(", "count": 5}, "old occurs in 3 places, not in 5"},
		{"one place", map[string]any{"old": "got", "new": "set", "count": 2}, "old occurs in 1 place, not in 2"},
		{"many places", map[string]any{"old": `.`, "new": "x", "is_regexp": true, "count": 2}, "the first 5 are listed"},
		{"a negative count", map[string]any{"old": "got", "new": "set", "count": -1}, "count is -1"},
		{"several places", map[string]any{"old": `get`, "new": "set", "is_regexp": true}, `"code":"ambiguous"`},
		{"no place", map[string]any{"old": `git`, "new": "set", "is_regexp": true, "count": 1}, "matches nothing"},
		{"text at no place", map[string]any{"old": "git(", "new": "set", "count": 1}, "old is not in the file"},
		{"no pattern", map[string]any{"old": `get(`, "new": "set", "is_regexp": true}, "use RE2 syntax"},
		{"look-ahead", map[string]any{"old": `get(?=x)`, "new": "set", "is_regexp": true}, "use RE2 syntax"},
		{"a large pattern", map[string]any{"old": `(get.{1,90}){1,9}`, "new": "set", "is_regexp": true}, "too large"},
		{"a group that is not there", map[string]any{"old": `got`, "new": "$1", "is_regexp": true}, "a group 1,"},
		{"a group with letters behind it", map[string]any{"old": `(got)`, "new": "$1x", "is_regexp": true}, "${1}"},
		{"a group of another language", map[string]any{"old": `(got)`, "new": `\1x`, "is_regexp": true}, "write $1"},
	} {
		want[test.name] = test.want
		cases = append(cases, editCase{test.name, "a.txt", patternText, []map[string]any{test.edit}})
	}
	runEdits(t, cases, func(t *testing.T, c editCase, ends string, ok bool, content, after string) {
		if ok || !strings.Contains(content, want[c.name]) || after != strings.ReplaceAll(c.text, "\n", ends) {
			t.Errorf("%s\n%s", content, after)
		}
	})
}

// TestPatternsSpareSecrets has patterns that match a part of a secret, all of it, and none.
func TestPatternsSpareSecrets(t *testing.T) {
	const secret = "ghp_R4nd0mLookingTokenOf36Characters12"
	const text = "token: " + secret + "\nother: Token\n"
	for _, test := range []struct{ name, old, new, want string }{
		{"a part", "Token", "Coin", "token: " + secret + "\nother: Coin\n"},
		{"letters", `[a-z]+`, "x", "x: " + secret + "\nx: Tx\n"},
		{"all", `: ghp_\w+`, ": none", "token: none\nother: Token\n"},
		{"a group with a part", `n: (....)(\w+)`, "n: $1 $2", text},
		{"a group with all", `: (\w+)$`, ": <$1>", "token: <" + secret + ">\nother: <Token>\n"},
		{"within", `(?:)`, "-", ""},
		{"literally", "To", "Do", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.txt": text})
			args, err := json.Marshal(map[string]any{"edits": []any{map[string]any{"file": "a.txt", "old": test.old, "new": test.new, "is_regexp": test.name != "literally", "replace_all": true}}})
			if err != nil {
				t.Fatal(err)
			}
			result := w.call("apply_code_edit", string(args))
			after := w.read("a.txt")
			if test.name == "literally" && !strings.Contains(string(result.Content), "1 place within secrets left") {
				t.Errorf("%s", result.Content)
			}
			if kept := strings.Contains(after, secret); test.name != "all" && !kept || test.want != "" && after != test.want {
				t.Errorf("%s\n%s", after, result.Content)
			}
		})
	}
}
