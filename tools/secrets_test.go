package tools_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSecretsOfKnownFiles asks for code again and again. What is known of the secrets of a file from
// earlier calls must not hide what a change on disk, in a buffer or in a proposal brings.
func TestSecretsOfKnownFiles(t *testing.T) {
	const first, second = "ghp_R4nd0mLookingTokenOf36Characters12", "ghp_An0therLookingTokenOf36Characters3"
	code := func(token string) string {
		return "package p\n\n// Token opens the door.\nconst Token = \"" + token + "\"\n"
	}
	w := newWorld(t, map[string]string{"a.go": code(strings.Repeat("-", len(first)))})
	age := 2 * time.Hour
	change := func(token string) {
		t.Helper()
		w.write("a.go", code(token))
		age -= time.Minute
		then := time.Now().Add(-age) // its size is the same, and so is all else that is known but its time
		if err := os.Chtimes(w.path("a.go"), then, then); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(what string, want ...string) {
		t.Helper()
		for range 2 { // the second time from what is known
			result := w.call("request_code_context", `{"hint": "Token opens the door"}`)
			if !slices.Equal(result.Secrets, want) {
				t.Errorf("%s: the result names the secrets %q, want %q", what, result.Secrets, want)
			}
		}
	}
	update := func() {
		t.Helper()
		if _, err := w.deps.Index.Update(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	change(strings.Repeat("-", len(first)))
	update()
	shows("without a secret")
	change(first)
	shows("changed since it was indexed", first)
	update()
	shows("indexed", first)
	change(second)
	update()
	shows("indexed again", second)
	w.deps.Workspace.SetBuffer(w.path("a.go"), 1, []byte(code(first)))
	shows("in a buffer", first)
	w.deps.Workspace.CloseBuffer(w.path("a.go"))
	shows("closed again", second)
	w.call("apply_code_edit", `{"edits": [{"file": "a.go", "old": "`+second+`", "new": "`+first+`"}]}`)
	shows("proposed", first)
}

// TestASecretIsKnownFromElsewhereInItsFile shows functions with values that only another line of their file, which is not
// shown, tells to be secrets.
func TestASecretIsKnownFromElsewhereInItsFile(t *testing.T) {
	filler := strings.Repeat("\nvar _ = 1\n", 1000)
	secrets := []string{strings.Repeat("q8Zr0xT4mB", 4), strings.Repeat("w3Kd7vNy5R", 4)}
	files := map[string]string{}
	for i, secret := range secrets {
		files[fmt.Sprintf("dial%d/dial.go", i)] = "package p\n" + filler + "\n// The file has api_token: '" + secret + "'.\n" + filler +
			"\nfunc DialDoor() { open(\"" + secret + "\") }\n"
	}
	result := newWorld(t, files).call("request_code_context", `{"hint": "DialDoor", "token_budget": 500}`)
	if content := string(result.Content); strings.Count(content, "func DialDoor") != len(files) || strings.Contains(content, "api_token") {
		t.Fatalf("a function is not shown, or what tells a secret is: %s", content)
	}
	if slices.Sort(result.Secrets); !slices.Equal(result.Secrets, secrets) {
		t.Errorf("the result names the secrets %q, want %q", result.Secrets, secrets)
	}
}
