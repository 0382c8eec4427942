package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/lsp/lsptest"
)

// TestMenuWhileTyping requests code actions of a large text after each of several changes. The
// symbols move along with the text; what was added or removed is known once the person pauses.
func TestMenuWhileTyping(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.start(lsptest.Options{})
	path := f.path("shapes/large.go")
	e.OpenText(path, strings.ReplaceAll(largeFile(100<<10), "\n// add7 ", "\n// é漢😀 add7 "))
	change := func(old, new string) {
		at := strings.Index(e.Text(path), old)
		e.Type(path, at, at+len(old), new)
	}
	wants := func(at, title string) {
		t.Helper()
		if offered := titles(t, e, path, at); !slices.Contains(offered, title) {
			t.Errorf("at %q there is no action %q, but %q", at, title, offered)
		}
	}
	wants("return a + 500\n", "ploke: explain add500")
	change("package shapes\n", "package shapes\n\n// é漢😀\r\nvar a = 1\r\n")
	wants("return a + 5\n", "ploke: explain add5")
	wants("// add500 adds", "ploke: explain add500")
	change("return a + 500\n", "return a + 500 +\n\t\tx.y(a)\n")
	wants("x.y(a)", "ploke: explain add500")
	wants("return a + 501\n", "ploke: explain add501")
	change("return a + 500 +\n\t\tx.y(a)\n", "return a + 500\n")
	change("func add2(a int) int {\n\treturn a + 2\n}\n", "")
	wants("return a + 1\n", "ploke: explain add1")
	wants("return a + 3\n", "ploke: explain add3")
	change("func add3(", "func added(")
	awaitAction(t, e, path, "return a + 3\n", "ploke: explain added")
	if offered := titles(t, e, path, "// add2 adds"); slices.Contains(offered, "ploke: explain add2") {
		t.Errorf("a function that is gone has the actions %q", offered)
	}
}

// TestClosingADocumentBeingParsed closes documents whose text is about to be parsed.
func TestClosingADocumentBeingParsed(t *testing.T) {
	f := newFixture(t)
	e := f.start(lsptest.Options{})
	path := f.path("shapes/large.go")
	for range 5 {
		e.OpenText(path, largeFile(100<<10))
		if offered := titles(t, e, path, "return a + 500\n"); !slices.Contains(offered, "ploke: explain add500") {
			t.Errorf("the actions are %q", offered)
		}
		e.Type(path, 0, 0, "// a comment\n")
		e.CloseDocument(path)
	}
}
