//go:build unix

package tools_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/tools"
)

// TestTheMiddleOfAKeyInACheckIsKnown has a check print a private key that begins before what is shown of its output: the
// lines that are shown are known as secrets.
func TestTheMiddleOfAKeyInACheckIsKnown(t *testing.T) {
	w := checks(t, map[string]tools.Check{"key": sh("seq 2000; cat made.txt")})
	var key strings.Builder
	key.WriteString("-----BEGIN " + "RSA PRIVATE KEY-----\n")
	for range 2000 {
		key.WriteString(strings.Repeat("QUJD", 16) + "\n") // which looks like nothing by itself
	}
	if err := os.WriteFile(w.path("made.txt"), []byte(key.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	result := w.call("run_check", `{"name":"key"}`)
	got := w.check("key")
	if got.Omitted == 0 || strings.Contains(got.Output, "BEGIN") {
		t.Fatalf("the whole key is shown, %d bytes", len(got.Output))
	}
	_, end, _ := strings.Cut(got.Output, "left out…]\n")
	shown := strings.Split(strings.TrimSpace(end), "\n")
	if len(shown) < 50 {
		t.Fatalf("the end has %d lines", len(shown))
	}
	for _, line := range shown[1:] {
		if !slices.ContainsFunc(result.Secrets, func(secret string) bool { return strings.Contains(secret, line) }) {
			t.Fatalf("%s is not known as a secret", line)
		}
	}
}
