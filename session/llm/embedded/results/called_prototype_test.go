package results

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPrototypesThatADeletionLeaves has the declaration of a function of C, and no call and no other language.
func TestPrototypesThatADeletionLeaves(t *testing.T) {
	found := ToolResult{Content: json.RawMessage(`{"ok":true,"matches":[{"file":"/w/a.c","line":1,"text":"void* spin(int n) {"},` +
		`{"file":"/w/a.h","line":9,"text":"void* spin(int);"},{"file":"/w/b.c","line":2,"text":"  x = spin(4);"},` +
		`{"file":"/w/b.c","line":3,"text":"  return spin(4);"}]}`)}
	for file, want := range map[string]string{"/w/a.c": "/w/a.h:9: `void* spin(int);`", "/w/a.go": ""} {
		got := Folders{}.Prototypes(Symbol{ID: file + "#1:3", File: file, Name: "spin"}, []ToolResult{found})
		if want == "" && got != "" || !strings.Contains(got, want) || strings.Contains(got, "b.c") {
			t.Errorf("%s: %s", file, got)
		}
	}
}
