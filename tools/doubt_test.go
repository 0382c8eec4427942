package tools_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/tools"
)

// newMuseum has rooms in several folders, which share few words.
func newMuseum(t *testing.T) *world {
	files := map[string]string{
		"art/paint.go":   "package art\n\n// HangPainting hangs a painting on a wall of the gallery.\nfunc HangPainting() {}\n\nfunc lightPainting() {}\n",
		"tour/guide.go":  "package tour\n\n// LeadTour leads visitors through the gallery.\nfunc LeadTour() {}\n",
		"cash/ticket.go": "package cash\n\n// SellTicket sells a ticket to visitors.\nfunc SellTicket() {}\n",
	}
	for n := range 12 {
		files[fmt.Sprintf("room%d/room.go", n)] = fmt.Sprintf("package room\n\n// Open%d opens a door of number %d.\nfunc Open%d() {}\n", n, n, n)
	}
	w := newWorld(t, files)
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	return w
}

const aboutPenguins = "how do penguins balance eggs between their feet during antarctic storms near the gallery of a painting for visitors"

// TestWhatHardlyFitsIsDoubted: a model is told that perhaps nothing fits, before the nearest places.
func TestWhatHardlyFitsIsDoubted(t *testing.T) {
	w := newMuseum(t)
	shown := func(hint string) string {
		return w.set.Text("request_code_context", w.call("request_code_context", fmt.Sprintf(`{"hint":%q}`, hint)).Content)
	}
	const doubt = "perhaps nothing fits: no file has most of the words\n"
	text := shown(aboutPenguins)
	if !strings.HasPrefix(text, doubt) || !strings.Contains(text, "func HangPainting() {}") {
		t.Errorf("it came as\n%s", text)
	}
	for _, hint := range []string{"hang a painting on a wall", "HangPainting", "why does HangPainting lay penguin eggs during antarctic storms"} {
		if text := shown(hint); strings.Contains(text, "perhaps") || !strings.Contains(text, "func HangPainting() {}") {
			t.Errorf("%q: it came as\n%s", hint, text)
		}
	}
}

// TestNothingComesWithAMessageThatHardlyFits, but with what it names, and with what it asks now, whatever was said before.
func TestNothingComesWithAMessageThatHardlyFits(t *testing.T) {
	w := newMuseum(t)
	comes := func(text string, earlier ...string) bool {
		t.Helper()
		code, _, err := w.deps.AutoContext(t.Context(), w.Call(), tools.Question{Text: text,
			Earlier: func() []string { return earlier }, Sent: func() []string { return nil }}, 400)
		if err != nil {
			t.Fatal(err)
		}
		return code != ""
	}
	storms := slices.Repeat([]string{"penguins balance eggs between feet, antarctic storms blow icebergs over glaciers"}, 2)
	for text, want := range map[string]bool{
		"hang a painting on a wall of the gallery": true,
		aboutPenguins: false,
		"penguins lay eggs\nand HangPainting is broken": true,
	} {
		if comes(text) != want {
			t.Errorf("%q: something comes: %v", text, !want)
		}
	}
	if !comes("do you sell a ticket to old penguins", storms...) {
		t.Error("a message is doubted for what was said before")
	}
	if comes("do storms sell antarctic eggs, icebergs or glaciers to visitors", storms...) {
		t.Error("something comes with a message that hardly fits behind others")
	}
}
