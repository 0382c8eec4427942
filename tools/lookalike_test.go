package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestLookalikes checks that an edit is found by characters that look the same, that the file keeps its own where
// new has what old had, and that the result says so.
func TestLookalikes(t *testing.T) {
	for name, test := range map[string]struct{ text, old, new, want string }{
		"no-break space in the file":       {"a\u00a0= 1\n", "a = 1", "a = 2", "a\u00a0= 2\n"},
		"no-break space in old":            {"a = 1\n", "a\u00a0= 1", "a\u00a0= 2", "a = 2\n"},
		"narrow no-break space":            {"x 9\u202fAM\n", "9 AM", "8 AM", "x 8\u202fAM\n"},
		"ideographic space":                {"名\u3000前\n", "名 前", "名 後", "名\u3000後\n"},
		"different ones in both":           {"a\u00a0=\u202f1\n", "a\u202f=\u00a01", "a\u202f=\u00a02", "a\u00a0=\u202f2\n"},
		"zero width in the file":           {"fo\u200bo()\nb\n", "foo()", "foo(1)", "fo\u200bo(1)\nb\n"},
		"zero width in old":                {"foo()\n", "\ufefffo\u200do()", "\ufefffo\u200do(1)", "foo(1)\n"},
		"soft hyphen":                      {"co\u00adoperate now\n", "cooperate now", "cooperate later", "co\u00adoperate later\n"},
		"curly quotes in the file":         {"say \u201chi\u201d it\u2019s\n", `say "hi" it's`, `say "ho" it's`, "say \u201cho\u201d it\u2019s\n"},
		"curly quotes in old":              {"say \"hi\"\n", "say \u201chi\u201d", "say \u201cho\u201d", "say \"ho\"\n"},
		"other quotes":                     {"say \u2039hi\u203a \u301dho\u301e 5\u2035\n", `say 'hi' "ho" 5'`, `say 'hi' "hm" 5'`, "say \u2039hi\u203a \u301dhm\u301e 5\u2035\n"},
		"operators":                        {"a \u2215 b \u2236 c \u2217 d \u22ef\n", "a / b : c * d ...", "a / b : c * e ...", "a \u2215 b \u2236 c \u2217 e \u22ef\n"},
		"a blank of Braille":               {"a\u2800= 1\n", "a = 1", "a = 2", "a\u2800= 2\n"},
		"a hyphen that does not break":     {"x\u2011y = 1\n", "x-y = 1", "x-y = 2", "x\u2011y = 2\n"},
		"dashes":                           {"a \u2013 b \u2014 c \u2212 d\n", "a - b - c - d", "a - b - c - e", "a \u2013 b \u2014 c \u2212 e\n"},
		"ellipsis in the file":             {"wait\u2026 now\n", "wait... now", "wait... later", "wait\u2026 later\n"},
		"ellipsis in old":                  {"wait... now\n", "wait\u2026 now", "wait\u2026 later", "wait... later\n"},
		"ellipsis cut by new":              {"wait\u2026 now\n", "wait... now", "wait.. now", "wait.. now\n"},
		"full-width forms":                 {"ｆ（１）；\n", "f(1);", "f(2);", "ｆ（2）；\n"},
		"decomposed in the file":           {"cafe\u0301 = 1\n", "caf\u00e9 = 1", "caf\u00e9 = 2", "cafe\u0301 = 2\n"},
		"decomposed in old":                {"caf\u00e9 = 1\n", "cafe\u0301 = 1", "cafe\u0301 = 2", "caf\u00e9 = 2\n"},
		"Hangul":                           {"\u1112\u1161\u11ab = 1\n", "\ud55c = 1", "\ud55c = 2", "\u1112\u1161\u11ab = 2\n"},
		"a new character as it was sent":   {"a\u00a0b\n", "a b", "a b\u201cc\u201d", "a\u00a0b\u201cc\u201d\n"},
		"in lines with carriage returns":   {"a\u00a0b\r\nc\r\n", "a b\nc", "a b\nd", "a\u00a0b\r\nd\r\n"},
		"with another indentation":         {"\tif\u00a0x {\n\t\ty()\n\t}\n", "if x {\n    y()\n}", "if x {\n    z()\n}", "\tif\u00a0x {\n\t\tz()\n\t}\n"},
		"next to what must not be touched": {"\u200ba\u00a0b\u200b \u00a0x\n", "a b", "c b", "\u200bc\u00a0b\u200b \u00a0x\n"},
		"deleted":                          {"x\na\u00a0b\ny\n", "a b\n", "", "x\ny\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.txt": test.text})
			result := w.edit("a.txt", test.old, test.new)
			if got := w.read("a.txt"); !result.OK || got != test.want {
				t.Errorf("%+q, want %+q: %s", got, test.want, result.Content)
			}
			if !strings.Contains(string(result.Content), "found by characters that look the same: the file has ") {
				t.Errorf("the result doesn't say how the place was found: %s", result.Content)
			}
		})
	}
}

// edit stages one replacement.
func (w *world) edit(file, old, new string) (result struct {
	OK      bool
	Content string
}) {
	w.t.Helper()
	args, err := json.Marshal(map[string]any{"edits": []any{map[string]any{"file": file, "old": old, "new": new}}})
	if err != nil {
		w.t.Fatal(err)
	}
	r := w.call("apply_code_edit", string(args))
	result.OK, result.Content = r.OK, string(r.Content)
	return result
}

// TestLookalikesRefused checks what a refusal says about characters that look the same.
func TestLookalikesRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, old, want string }{
		"two places":           {"a\u00a0b\nc\na\u202fb\n", "a b", "old occurs in 2 places"},
		"half of an ellipsis":  {"wait\u2026 now\n", "wait..", "old is not in the file"},
		"a letter of Cyrillic": {"p\u0430th = 1\n", "path = 1", "U+0430 where old has U+0061"},
		"a space with a real difference": {"total\u00a0= first + second\nnext = other\n", "total = first + second\nnext = another thing",
			"U+00A0 where old has U+0020"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a.txt": test.text})
			if result := w.edit("a.txt", test.old, "x"); result.OK || !strings.Contains(result.Content, test.want) {
				t.Errorf("%s, want %q", result.Content, test.want)
			}
		})
	}
}

// TestNamesThatLookTheSame checks that a file is found by a name that looks the same, if it is the only one.
func TestNamesThatLookTheSame(t *testing.T) {
	for name, test := range map[string]struct {
		files []string
		name  string
		found bool
	}{
		"decomposed on disk": {[]string{"cafe\u0301.txt"}, "caf\u00e9.txt", true},
		"composed on disk":   {[]string{"d/caf\u00e9.txt"}, "d/cafe\u0301.txt", true},
		"narrow space":       {[]string{"shot 9.41\u202fAM.txt"}, "shot 9.41 AM.txt", true},
		"two of them":        {[]string{"a\u00a0b.txt", "a\u202fb.txt"}, "a b.txt", false},
	} {
		t.Run(name, func(t *testing.T) {
			files := make(map[string]string)
			for _, file := range test.files {
				files[file] = "one\n"
			}
			w := newWorld(t, files)
			if result := w.edit(test.name, "one", "two"); result.OK != test.found {
				t.Errorf("%s", result.Content)
			}
		})
	}
}
