package embedded_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestUsesThatTheIndexDoesNotKnow looks in the text for what uses a function, before it says that nothing does.
func TestUsesThatTheIndexDoesNotKnow(t *testing.T) {
	tests := []struct {
		name, file, line string
		use              bool
	}{
		{"through a qualified name", "t/b.php", `assertSame($x, A\X($y));`, true},
		{"a string with the qualified name", "b.php", `if (!function_exists('A\X')) {`, true},
		{"a string with the name", "b.php", `array_map('X', $all);`, true},
		{"a string of another language", "b.yaml", `call: "app.X"`, true},
		{"a call after a keyword", "b.java", "return X(1);", true},
		{"a comment", "b.php", "  // X(1) is old", false},
		{"a line of a comment", "b.php", "   * X(1) is old", false},
		{"a longer name", "b.php", "myX(1)", false},
		{"a sentence", "b.php", `"say X to it"`, false},
		{"its own line", "a.php", "X(1)", false},
		{"another language", "b.js", "X(1)", false},
		{"the declaration of another", "b.php", "function X($y)", false},
		{"a declaration with its type first", "b.java", "private List<T> X(int y) {", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := "a.php"
			if strings.HasSuffix(tt.file, ".java") {
				at = "a.java"
			}
			line := fmt.Sprintf(`{"ok":true,"matches":[{"file":"/w/%s","line":7,"text":%q}]}`, tt.file, tt.line)
			for _, message := range []string{"delete X", "who calls X", "who uses X"} {
				_, answer := dialog(t, message, map[string][]string{"code_item_lookup": {lookedUp([]string{"X function " + at})},
					"code_item_edges": {noEdges}, "search_text": {line}, "apply_code_edit": {placed}})
				begins := map[bool]string{true: "**It may still be used.** ", false: "I propose to delete"}[tt.use]
				switch {
				case strings.Contains(answer, "This line looks like a use of `X`, though the index does not connect it with it:\n\n- /w/"+
					tt.file+":7: `"+strings.TrimSpace(tt.line)+"`\n") != tt.use,
					message == "delete X" && !strings.HasPrefix(answer, begins),
					message == "delete X" && strings.Contains(answer, "No uses of") == tt.use:
					t.Errorf("%s: the answer is\n%s", message, answer)
				}
			}
		})
	}
}
