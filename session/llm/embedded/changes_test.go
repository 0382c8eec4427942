package embedded_test

import (
	"strings"
	"testing"
)

// TestADiffIsAnsweredFromTheDiff sends a diff with words that a search would take for others.
func TestADiffIsAnsweredFromTheDiff(t *testing.T) {
	const diff = "```diff\n" + `diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -3,3 +3,4 @@ package a
 func (S) X() {
-	one()
+	two()
+	three()
 }
@@ -20 +21,0 @@ var y
-var y = 1
--- a/gone.go
+++ /dev/null
@@ -1 +0,0 @@
-package gone
\ No newline at end of file
--- /dev/null
+++ b/new.md
@@ -0,0 +1,2 @@
+# Title
+text
` + "```"
	outline := `{"ok":true,"file":"/w/a.go","exists":true,"outline":[{"canon":"S","kind":"struct","start_line":1,"end_line":1},` +
		`{"canon":"S::X","kind":"method","start_line":3,"end_line":6},{"canon":"S::Y","kind":"method","start_line":9,"end_line":12}]}`
	absent := `{"ok":true,"file":"/w/gone.go","exists":false,"candidates":[]}`
	title := `{"ok":true,"file":"/w/new.md","exists":true,"outline":[{"canon":"Title","kind":"section","start_line":1,"end_line":2}]}`
	edges := `{"ok":true,"edges":[{"kind":"call","file":"/w/a.go","line":4,"from":"S::X","text":"x"},` +
		`{"kind":"call","file":"/w/b.go","line":9,"from":"main","text":"s.X()"},{"kind":"call","file":"/w/b.go","line":10,"from":"main"},` +
		`{"kind":"call","file":"/w/a_test.go","line":7,"from":"TestX"}],"omitted":0}`
	for _, message := range []string{"review this", "Write the message of a commit for the changes below.", "where is the bug in this?"} {
		calls, answer := dialog(t, message+"\n\n"+diff, map[string][]string{
			"get_file_metadata": {outline, absent, title}, "code_item_edges": {edges}})
		for _, want := range []string{"The diff changes 3 files:\n\n- a.go — 2 lines added and 2 lines removed: `S::X`\n" +
			"- gone.go — deleted, 1 line removed\n- new.md — new, 2 lines added: `Title`\n",
			"- `S::X`: `main` (/w/b.go:9); tests: `TestX` (/w/a_test.go:7)\n", "ploke-lsp setup"} {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: the answer lacks %q:\n%s", message, want, answer)
			}
		}
		if len(calls) != 4 {
			t.Errorf("%s: the calls are %q", message, calls)
		}
	}
}
