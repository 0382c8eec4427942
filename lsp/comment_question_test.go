package lsp

import (
	"strings"
	"testing"
)

// TestCommentsThatAsk lists comments of many languages. | is where the cursor is.
func TestCommentsThatAsk(t *testing.T) {
	tests := []struct {
		text, want string // want is the question, "" if there is none
		answers    bool
		left       string // of the text without the comment
	}{
		{"a()\n\t// ploke: add a test|\nb()\n", "add a test", false, "a()\nb()\n"},
		{"a()\n\t// ploke: add|\n\t// a test\n\t//go:embed x\nb()\n", "add\na test", false, "a()\n\t//go:embed x\nb()\n"},
		{"\t// ploke: add\n\t// a test|\n", "add\na test", false, ""},
		{"// ploke: one\n// ploke: two|\n", "two", false, "// ploke: one\n"},
		{"x = f(y)  # make it faster AI!|\nz\n", "make it faster", false, "x = f(y)\nz\n"},
		{"x = 1 # why 1? AI?|", "why 1?", true, "x = 1"},
		{"-- drop the index AI!|\r\nSELECT 1;\r\n", "drop the index", false, "SELECT 1;\r\n"},
		{"|-- what is this AI?\n", "what is this", true, ""},
		{"/* ploke: explain this? |*/\n", "explain this?", true, ""},
		{"/**\n * x\n */\n/* ploke: use\n * a map\n| */\nint a;\n", "use\na map", false, "/**\n * x\n */\nint a;\n"},
		{"f(a, /* ploke: name| it */ b)", "name it", false, "f(a,  b)"},
		{"<!-- ploke: translate| -->\n<p>\n", "translate", false, "<p>\n"},
		{"(* ploke: rename x to y| *)", "rename x to y", false, ""},
		{"{- make it total AI!| -}\n", "make it total", false, ""},
		{"; ploke: tail-call|\n", "tail-call", false, ""},
		{"% ploke: cite|\n", "cite", false, ""},
		{"\" ploke: map it|\n", "map it", false, ""},
		{"REM ploke: loop|\n", "loop", false, ""},
		{"' ploke: loop|\n", "loop", false, ""},
		{"u := \"http://x\" // is it right AI?|\n", "is it right", true, "u := \"http://x\"\n"},

		{"// ploke:|\n", "", false, ""},
		{"// AI!|\n", "", false, ""},
		{"// we use AI|\n", "", false, ""},
		{"s := \"is it AI?|\"\n", "", false, ""},
		{"http://ploke: x|\n", "", false, ""},
		{"/* ploke: never closed|\nx\n", "never closed", false, "x\n"},
		{"// ploke: a\n\nb|\n", "", false, ""},
		{"|", "", false, ""},
	}
	for _, tt := range tests {
		text := strings.Replace(tt.text, "|", "", 1)
		q, ok := commentQuestionAt([]byte(text), strings.Index(tt.text, "|"))
		if ok != (tt.want != "") || ok && (q.text != tt.want || q.answerOnly != tt.answers) {
			t.Errorf("%q asks %q, %v, %v", tt.text, q.text, q.answerOnly, ok)
			continue
		}
		if left := text[:q.start] + text[q.end:]; ok && left != tt.left {
			t.Errorf("without the comment, %q is %q", tt.text, left)
		}
	}
}

// FuzzCommentQuestions looks for questions in any text.
func FuzzCommentQuestions(f *testing.F) {
	f.Add("/* ploke: x */ b // c AI?", 3)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		if offset < 0 || offset > len(text) {
			return
		}
		q, ok := commentQuestionAt([]byte(text), offset)
		if ok && (q.start < 0 || q.end <= q.start || q.end > len(text)) {
			t.Fatalf("%q at %d is %+v", text, offset, q)
		}
	})
}
