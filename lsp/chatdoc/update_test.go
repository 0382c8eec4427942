package chatdoc

import (
	"fmt"
	"strings"
	"testing"
)

func conversation(questions ...string) Conversation {
	c := Conversation{ID: "0198-c", Leaf: fmt.Sprintf("0198-m%d", len(questions)), Title: "Title"}
	for i, q := range questions {
		c.Turns = append(c.Turns, Turn{Question: q, Model: "embedded", Answer: fmt.Sprintf("Answer %d.", i+1)})
	}
	return c
}

func TestADocumentHasTheSectionsOfItsConversation(t *testing.T) {
	text := Render(conversation("first", "## You 1\nsecond"))
	want := `<!-- ploke chat 0198-c 0198-m2 -->
# Title

## You 1

first

## ploke 1 · embedded

Answer 1.

## You 2

 ## You 1
second

## ploke 2 · embedded

Answer 2.

## You 3
`
	if text != want {
		t.Errorf("the document is\n%s\nwant\n%s", text, want)
	}
	d := Parse(text)
	if d.Conversation != "0198-c" || d.Leaf != "0198-m2" || !d.IsChat {
		t.Errorf("the first line says %q, %q", d.Conversation, d.Leaf)
	}
	var sections []string
	for _, s := range d.Sections {
		sections = append(sections, fmt.Sprintf("%s %d %q", s.Speaker, s.Number, d.Text(s)))
	}
	got := strings.Join(sections, "; ")
	if want := `You 1 "first"; ploke 1 "Answer 1."; You 2 "## You 1\nsecond"; ploke 2 "Answer 2."; You 3 ""`; got != want {
		t.Errorf("the sections are %s", got)
	}
	if draft, ok := d.Draft(); !ok || draft.Number != 3 {
		t.Errorf("the draft is %+v, %v", draft, ok)
	}
}

func TestUpdatingAddsWhatTheTextLacks(t *testing.T) {
	one, two := conversation("first"), conversation("first", "second")
	tests := []struct {
		name, text, want string
	}{
		{"nothing", Render(two), Render(two)},
		{"a turn", Render(one), Render(two)},
		{"all", Render(Conversation{ID: "0198-c", Title: "Title", Turns: nil}),
			strings.Replace(Render(two), "# Title\n", "# Title\n"+hint, 1)},
		{"an answer to what is written", Render(one) + "\nsecond\n", Render(two) + "\n"},
		{"a turn in front of what is being written", Render(one) + "\nmine\n", Render(two) + "\nmine\n"},
		{"the section for the next message", strings.TrimSuffix(Render(two), "\n## You 3\n"), Render(two)},
		{"the number of a draft", strings.Replace(Render(two), "## You 3", "## You 9 · m", 1), strings.Replace(Render(two), "## You 3", "## You 3 · m", 1)},
		{"the rest of an answer", strings.Replace(Render(two), "2 · embedded\n\nAnswer 2.", "2 · answering\n\nAnsw", 1), Render(two)},
		{"an answer that has only begun", strings.Replace(Render(two), "2 · embedded\n\nAnswer 2.\n", "2 · answering\n", 1), Render(two)},
		{"an answer beside a note", strings.Replace(Render(two), "2 · embedded\n\nAnswer 2.", "2 · answering\n\nA note", 1),
			strings.Replace(Render(two), "Answer 2.", "A note\n\nAnswer 2.", 1)},
		{"no turn that was deleted", strings.Replace(Render(two), "## You 1\n\nfirst\n\n## ploke 1 · embedded\n\nAnswer 1.\n\n", "", 1),
			strings.Replace(Render(two), "## You 1\n\nfirst\n\n## ploke 1 · embedded\n\nAnswer 1.\n\n", "", 1)},
		{"a frame for a text", "What is this?", Render(two) + "\nWhat is this?"},
	}
	for _, tt := range tests {
		got := Apply(tt.text, Update(tt.text, two))
		if got != tt.want {
			t.Errorf("%s: the text is\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		if again := Update(got, two); len(again) > 0 {
			t.Errorf("%s: a second update changes it again: %+v", tt.name, again)
		}
	}
}

func TestAnotherBranchKeepsWhatWasNotSent(t *testing.T) {
	old := conversation("first", "second", "third")
	branch := conversation("first", "other")
	text := Render(old)
	text = strings.Replace(text, "\nsecond\n", "\nother\n", 1)
	text = strings.Replace(text, "Answer 2.", "Answer 2.\n\nA note.", 1)
	text = strings.Replace(text, "\nthird\n", "\nthird, but not sent\n", 1) + "\nA draft."
	want := Render(branch) + "\nA note.\nthird, but not sent\nA draft.\n"
	if got := Apply(text, Rewrite(text, old, branch, 2, "other")); got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
}

// FuzzUpdate checks that an update of any text keeps each of its lines except the headings, and changes nothing
// when it is repeated.
func FuzzUpdate(f *testing.F) {
	for _, seed := range []string{"", "x", Render(conversation()), Render(conversation("first")), "<!-- ploke chat -->\n## ploke 1 · answering", "<!-- ploke chat a b -->\r\n## You 1\r\n\r\nsecond\r\n"} {
		f.Add(seed)
	}
	c := conversation("first", "second")
	f.Fuzz(func(t *testing.T, text string) {
		got := Apply(text, Update(text, c))
		rest := got
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, " \t\r\n")
			if headingLine.MatchString(line) || firstLine.MatchString(line) {
				continue
			}
			_, after, found := strings.Cut(rest, line)
			if !found {
				t.Fatalf("the line %q of %q is not in %q", line, text, got)
			}
			rest = after
		}
		if again := Update(got, c); len(again) > 0 {
			t.Fatalf("a second update of %q changes it again: %+v", got, again)
		}
		Apply(got, Rewrite(got, c, conversation("first"), 2, ""))
	})
}

// TestWhatIsKnownIsBroughtUpToDate below each proposal, and nothing else is touched.
func TestWhatIsKnownIsBroughtUpToDate(t *testing.T) {
	const answer = "Done.\n\n- ✎ one (1 file)\n  go vet: passed (1.2 s)\n  go test: 3 tests passed\n- ✎ two (2 files)\n  go vet: running"
	now := strings.NewReplacer("passed (1.2 s)", "stale: the files have changed since", "3 tests passed", "1 new problem; 1 of 3 tests failed",
		"running", "unknown: no tests ran").Replace(answer)
	for name, tt := range map[string]struct{ shown, now, want string }{
		"all":                {answer, now, now},
		"one source is new":  {answer, strings.Replace(answer, "  go vet: passed (1.2 s)\n", "  cargo: passed\n  go vet: passed\n", 1), strings.Replace(answer, "  go vet: passed (1.2 s)\n", "  cargo: passed\n  go vet: passed\n", 1)},
		"none has gone":      {answer, answer, answer},
		"removed":            {strings.Replace(answer, "\n  go vet: running", "", 1), now, strings.Replace(now, "\n  go vet: unknown: no tests ran", "", 1)},
		"noted between":      {strings.Replace(answer, "  go test", "my: own\n  go test", 1), now, strings.NewReplacer("  go vet: passed (1.2 s)\nmy: own", "  go vet: stale: the files have changed since\n  go test: 1 new problem; 1 of 3 tests failed\nmy: own", "running", "unknown: no tests ran").Replace(strings.Replace(answer, "  go test", "my: own\n  go test", 1))},
		"indented by hand":   {answer + "\n  my note", now, now + "\n  my note"},
		"a proposal removed": {strings.Replace(answer, "- ✎ two (2 files)\n  go vet: running", "", 1), now, strings.Replace(answer, "- ✎ two (2 files)\n  go vet: running", "", 1)},
		"one more by hand":   {answer + "\n- ✎ three (1 file)\n  go vet: passed", now, answer + "\n- ✎ three (1 file)\n  go vet: passed"},
		"renamed by hand":    {strings.Replace(answer, "- ✎ one", "- ✎ uno", 1), now, strings.NewReplacer("running", "unknown: no tests ran", "- ✎ one", "- ✎ uno").Replace(answer)},
	} {
		shown := conversation("first")
		shown.Turns[0].Answer = tt.shown
		current := conversation("first")
		current.Turns[0].Answer = tt.now
		text := Render(shown)
		got := Apply(text, Update(text, current))
		shown.Turns[0].Answer = tt.want
		if want := Render(shown); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		crlf := strings.ReplaceAll(text, "\n", "\r\n")
		if got := strings.ReplaceAll(Apply(crlf, Update(crlf, current)), "\r\n", "\n"); got != Render(shown) {
			t.Errorf("%s with CRLF: got\n%s", name, got)
		}
	}
}
