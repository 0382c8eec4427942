package chatdoc

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// answers are answers with what a layout has to take care of.
var answers = []string{
	"One line.",
	"\n\nText with space around it. \n\n",
	"## You 7\n\nDo something else.\n## ploke 8 · x\nDone.",
	"a\n\n\n## You 7\n## Your own heading\n## Youth\n# ploke",
	"```sh\n## You 1\n```\r\n## You 2\r\n",
	"## Yo", "x\n##", "x\n## You", "#", "",
}

func TestAnAnswerHasOneLayoutHoweverItIsCut(t *testing.T) {
	for _, answer := range answers {
		var whole Layout
		want := whole.Text(answer) + whole.Call("read_file", "a\nb", false) + whole.Text(answer) + whole.Flush()
		for seed := range uint64(50) {
			random := rand.New(rand.NewPCG(seed, 2))
			var l Layout
			got := cut(random, &l, answer) + l.Call("read_file", "a b", false) + cut(random, &l, answer) + l.Flush()
			if got != want {
				t.Fatalf("seed %d: %q is laid out as\n%q, and at once as\n%q", seed, answer, got, want)
			}
		}
		for _, s := range Parse(want).Sections {
			t.Errorf("%q begins the section %+v", answer, s)
		}
		if strings.TrimSpace(want) != want && want[0] != ' ' {
			t.Errorf("there is space around %q", want)
		}
	}
}

func cut(random *rand.Rand, l *Layout, text string) (out string) {
	for text != "" {
		n := 1 + random.IntN(len(text))
		out += l.Text(text[:n])
		text = text[n:]
	}
	return out
}

func TestALineOfAToolCallNamesTheCall(t *testing.T) {
	var l Layout
	text := l.Text("Let me see.") + l.Call("read_file", "a.go", false) + l.Call("search_text", "not found\nanywhere", true) +
		l.Text("\n\nHere.") + l.Proposal("rename x", 2) + l.Ended("stopped")
	want := "Let me see.\n\n- ⚙ 1 read_file: a.go\n- ⚙ 2 search_text failed: not found anywhere\n\nHere.\n\n- ✎ rename x (2 files)\n> " +
		"**stopped**"
	if text != want {
		t.Errorf("the answer is\n%s\nwant\n%s", text, want)
	}
	var calls []int
	for line := range strings.Lines(text) {
		if n, ok := CallAt(line); ok {
			calls = append(calls, n)
		}
	}
	if len(calls) != 2 || calls[0] != 1 || calls[1] != 2 {
		t.Errorf("the lines name the calls %v", calls)
	}
}
