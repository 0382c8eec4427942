package chat

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ploke-lsp/lsp/chatdoc"
)

// TestKnownTexts remembers the newest texts of a path, in another process, too.
func TestKnownTexts(t *testing.T) {
	k := &knownTexts{file: filepath.Join(t.TempDir(), "state", "known.json")}
	if k.has("/chat.ploke.md", "a") {
		t.Error("a text is known that nobody wrote")
	}
	for n := range maxKnownTexts + 1 {
		if err := k.add("/chat.ploke.md", fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	other := &knownTexts{file: k.file}
	for text, want := range map[string]bool{"0": false, "1": true, fmt.Sprint(maxKnownTexts): true, "never": false} {
		if got := other.has("/chat.ploke.md", text); got != want {
			t.Errorf("the text %s: known %t, want %t", text, got, want)
		}
	}
	if other.has("/other.ploke.md", "1") {
		t.Error("a text is known at another path")
	}
}

// TestUpdate brings a document up to date, but not while the next message is on its way: in an editor that asks the
// person before each edit, that message and all before it are one edit.
func TestUpdate(t *testing.T) {
	view := chatdoc.Conversation{ID: "c", Leaf: "b", Turns: []chatdoc.Turn{{Question: "Why?", Model: "m", Answer: "So."}}}
	for _, tt := range []struct {
		name     string
		document *openDocument
		updated  bool
	}{
		{"as it was read", &openDocument{conversation: "c", leaf: "b"}, true},
		{"another conversation", &openDocument{conversation: "d", leaf: "b"}, false},
		{"the next message is sent", &openDocument{conversation: "c", leaf: "d"}, false},
		{"the next message is being sent", &openDocument{conversation: "c", leaf: "b", starting: true}, false},
	} {
		if edits := tt.document.update("", view, "b"); (len(edits) > 0) != tt.updated {
			t.Errorf("%s: updated with %+v", tt.name, edits)
		}
	}
}

// TestTextRange reads a text in pages of any size. No page cuts a character.
func TestTextRange(t *testing.T) {
	const text = "größer 😀, 日本"
	for limit := range 2 * len(text) {
		var read strings.Builder
		for at := 0; at < len(text); {
			start, end := textRange(text, at, limit)
			if start != at || end <= start || !utf8.ValidString(text[start:end]) || end-start > max(limit, utf8.UTFMax) {
				t.Fatalf("from %d at most %d bytes: %d to %d", at, limit, start, end)
			}
			read.WriteString(text[start:end])
			at = end
		}
		if read.String() != text {
			t.Errorf("in pages of %d bytes it reads %q", limit, read.String())
		}
	}
	if start, _ := textRange(text, strings.Index(text, "😀")+2, 4); text[start:start+4] != "😀" {
		t.Errorf("a page inside of a character begins at %d", start)
	}
}

// TestLinkedPlace follows links, and links to quoted code of which a later line is meant.
func TestLinkedPlace(t *testing.T) {
	for _, tt := range []struct {
		target string
		offset int
		want   string
	}{
		{"file:///w/a.go#L10", 0, "file:///w/a.go 9"},
		{"file:///w/a.go#L10", 3, "file:///w/a.go 12"},
		{"file:///w/a.go#L0", 0, "file:///w/a.go 0"},
		{"file:///w/a%20b.go", 2, "file:///w/a%20b.go 0"},
		{"file:///w/a.go#L12345678901", 0, "file:///w/a.go 0"},
		{"https://example.org/#L1", 0, ""},
		{"%zz", 0, ""},
	} {
		got := ""
		for _, l := range linkedPlace(tt.target, tt.offset) {
			got += fmt.Sprint(l.URI, " ", l.Range.Start.Line)
		}
		if got != tt.want {
			t.Errorf("%s, %d lines further down: %q, want %q", tt.target, tt.offset, got, tt.want)
		}
	}
}

// TestCallLines puts the lines of calls into the order of the calls, in whatever order they end.
func TestCallLines(t *testing.T) {
	var l callLines
	for _, id := range []string{"a", "b", "c", "d"} {
		l.begin(id)
	}
	var got []string
	for _, id := range []string{"b", "a", "d", "c"} {
		got = append(got, l.end(id, func() string { return id }))
	}
	if want := []string{"", "ab", "", "cd"}; !slices.Equal(got, want) {
		t.Errorf("the lines are written as %q, want %q", got, want)
	}
}
