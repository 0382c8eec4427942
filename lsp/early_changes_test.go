package lsp_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/lsp/lsptest"
)

// shuffled sends the keystrokes of a word, of which that with number i makes version i+1, in an order.
func shuffled(e *lsptest.Editor, path, word string, order []int) {
	for _, i := range order {
		at := fmt.Sprintf(`{"line":0,"character":%d}`, i-1)
		sendChange(e, path, strconv.Itoa(i+1), fmt.Sprintf(`[{"range":{"start":%s,"end":%s},"text":%q}]`, at, at, word[i-1:i]))
	}
}

// TestChangesThatHelixShufflesAreAppliedInOrder sends a burst of keystrokes as Helix 25.01 does.
func TestChangesThatHelixShufflesAreAppliedInOrder(t *testing.T) {
	f := newFixture(t)
	e := f.startAs(t, "helix-25.01")
	path := f.path("a.txt")
	const word = "orderly"
	for name, order := range map[string][]int{
		"in order":            {1, 2, 3, 4, 5, 6, 7},
		"backwards":           {7, 6, 5, 4, 3, 2, 1},
		"two exchanged":       {1, 2, 4, 3, 5, 6, 7},
		"as it was seen once": {1, 2, 6, 3, 7, 4, 5},
	} {
		e.OpenText(path, "\n")
		shuffled(e, path, word, order)
		settle(e)
		if text, outOfStep, _ := f.server.Document(fileURI(path)); text != word+"\n" || outOfStep != "" {
			t.Errorf("%s: the text is %q, out of step because %q", name, text, outOfStep)
		}
		e.CloseDocument(path)
	}
	shuffled(e, path, word, []int{2, 1, 3})
	e.OpenText(path, "\n")
	settle(e)
	if text, _, _ := f.server.Document(fileURI(path)); text != word[:3]+"\n" {
		t.Errorf("after changes that came before the document the text is %q", text)
	}
	if m := e.Messages(); len(m) > 0 {
		t.Errorf("the person was told %v", m)
	}
}

// TestAChangeDoesNotWaitForeverForAnother leaves out a version, as Helix does after a completion
// was only looked at, and sends it too late.
func TestAChangeDoesNotWaitForeverForAnother(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.startAs(t, "helix-25.01")
	path := f.path("a.txt")
	e.OpenText(path, "\n\n")
	sendChange(e, path, "3", insertAt("1", "0"))
	sendChange(e, path, "4", insertAt("1", "0"))
	sendChange(e, path, "6", insertAt("1", "0"))
	text := ""
	testbed.Eventually(t, func() bool { text, _, _ = f.server.Document(fileURI(path)); return text == "\nxxx\n" },
		func() string { return fmt.Sprintf("the text is %q", text) })
	sendChange(e, path, "5", insertAt("0", "0"))
	settle(e)
	if _, outOfStep, _ := f.server.Document(fileURI(path)); !strings.Contains(outOfStep, "goes back") {
		t.Errorf("after a change that came too late, it is out of step because %q", outOfStep)
	}
}

// TestOnlyKnownClientsShuffle checks that a client may leave out versions, and that no change of it waits.
func TestOnlyKnownClientsShuffle(t *testing.T) {
	t.Parallel()
	for name := range clientProfiles {
		f := newFixture(t)
		e := f.startAs(t, name)
		path := f.path("a.txt")
		e.OpenText(path, "\n")
		sendChange(e, path, "9", insertAt("0", "0"))
		settle(e)
		text, _, _ := f.server.Document(fileURI(path))
		if waits := text == "\n"; waits != (name == "helix-25.01") {
			t.Errorf("%s: the change waits: %v", name, waits)
		}
	}
}
