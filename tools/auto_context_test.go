package tools_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools"
)

// TestAMessageThatNamesNothingReadsNothingEarlier: collecting what was said before takes the longer, the longer the
// conversation is.
func TestAMessageThatNamesNothingReadsNothingEarlier(t *testing.T) {
	w := newWorld(t, map[string]string{"a.go": "package a\n\nfunc Answer() int { return 42 }\n"})
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	for text, want := range map[string]bool{"go on": false, "where is Answer?": true} {
		asked := false
		earlier := func() []string { asked = true; return nil }
		code, _, err := w.deps.AutoContext(t.Context(), tools.Call{}, tools.Question{Text: text, Earlier: earlier, Sent: earlier}, 1000)
		if err != nil || asked != want || (code != "") != want {
			t.Errorf("%q: asked for what is earlier: %v, code %q, error %v", text, asked, code, err)
		}
	}
}

// newZoo has functions with bodies whose words fit many messages.
func newZoo(t *testing.T) *world {
	body := strings.Repeat("\tprintln(\"the keeper feeds an animal at the gate\")\n", 4)
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "// Pen%d is a pen for an animal.\nfunc Pen%d() {\n%s}\n\nfunc (p pen%d) Feed() {}\n\n", i, i, body, i)
	}
	many.WriteString("func feedPens() {\n\tprintln(1)\n}\n")
	w := newWorld(t, map[string]string{
		"animal.go": "package zoo\n\nimport \"fmt\"\n\ntype Keeper struct{ hungry int }\n\n" +
			"// FeedAll feeds each animal at the gate.\nfunc (k Keeper) FeedAll() {\n" + body + "}\n\n" +
			"// Visit shows an animal.\nfunc Visit() {\n" + body + "}\n",
		"gate.py": "def open_gate(animal):\n" + "    print('the gate opens for an animal')\n" + strings.Repeat("    ()\n", 5) +
			"\n\ndef close():\n" + "    print('the gate closes behind an animal')\n" + strings.Repeat("    ()\n", 5),
		"pens.go": "package zoo\n\n" + many.String(),
	})
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	return w
}

// contextOf returns what comes with a message by default, after what was said and sent before.
func (w *world) contextOf(text string, sent ...string) string {
	w.t.Helper()
	code, _, err := w.deps.AutoContext(w.t.Context(), w.Call(),
		tools.Question{Text: text, Earlier: func() []string { return nil }, Sent: func() []string { return sent }}, 400)
	if err != nil {
		w.t.Fatal(err)
	}
	if tokens := o200k.Count(code); tokens > 400 {
		w.t.Errorf("%q came with %d tokens:\n%s", text, tokens, code)
	}
	return code
}

func TestOnlyTheCodeOfNamedSymbolsComesWithAMessage(t *testing.T) {
	w := newZoo(t)
	const visit, feed, open, shut = "func Visit()", "FeedAll()", "def open_gate", "def close"
	for text, want := range map[string][]string{
		"how does the keeper feed an animal at the gate?": nil,
		"feed all animals in their pens":                  nil,
		"Open the gate for an animal":                     nil,
		"why does animal.go print at the gate?":           nil,
		"what does Visit print?":                          {visit},
		"what does `Visit` print at the gate?":            {visit},
		"Visit":                                           {visit},
		"the keeper calls FeedAll at the gate":            {feed},
		"the keeper calls Keeper.FeedAll at the gate":     {feed},
		"open_gate prints the animal":                     {open},
		"what does close() print of an animal?":           {shut},
		"is open_gate the opposite of `close`?":           {open, shut},
		"what is in animal.go:17?":                        {visit},
		"is feedPens the one of all pens, or Pen7?":       {"func feedPens", "func Pen7()"},
		"why is Feed so slow with an animal?":             {") Feed() {}"}, // one of many
	} {
		code := w.contextOf(text)
		bodies := codeIn(code)
		for _, head := range []string{visit, feed, open, shut, "func feedPens", "func Pen7()", ") Feed() {}"} {
			if strings.Contains(bodies, head) != slices.Contains(want, head) {
				t.Errorf("%q: code of %s: %v, in\n%s", text, head, !slices.Contains(want, head), code)
			}
		}
		if want == nil && bodies != "" || strings.Count(code, "\n") < 4 {
			t.Errorf("%q came with\n%s", text, code)
		}
	}
}

// codeIn returns the code in a text.
func codeIn(text string) (code string) {
	for _, part := range scan(text) {
		if part.Code != nil {
			code += part.Code.Text
		}
	}
	return code
}

// A place that the model has read, as code or in a line, is not sent again.
func TestNothingComesTwiceWithMessages(t *testing.T) {
	w := newZoo(t)
	first := w.contextOf("how does `Visit` print an animal at the gate?")
	read := w.set.Text("read_file", w.call("read_file", `{"file":"gate.py"}`).Content)
	second := w.contextOf("how do Visit and the keeper print an animal at the gate?", first, read)
	for line := range strings.Lines(second) {
		if strings.Contains(line, ":") && strings.Contains(first, "\n"+line) {
			t.Errorf("%q came twice", line)
		}
	}
	if third := w.contextOf("print an animal at the gate", read); strings.Contains(third, "gate.py") || !strings.Contains(third, "Pen") {
		t.Errorf("after\n%s\ncame\n%s", read, third)
	}
	if strings.Contains(second, "Visit") || strings.Contains(second, "gate.py") || !strings.Contains(second, "Pen") {
		t.Errorf("after\n%s\n%s\ncame\n%s", first, read, second)
	}
}

// Of a long type that a message names, the members that fit come as places: a few of its lines would be a part of one of
// them. What is left of the budget goes to further places of the file.
func TestALongTypeThatAMessageNamesComesWithItsMembers(t *testing.T) {
	var long strings.Builder
	long.WriteString("class Stable:\n    \"\"\"Keeps horses.\"\"\"\n\n")
	for i := range 12 {
		fmt.Fprintf(&long, "    def feed_horse_%d(self, horse):\n%s\n", i,
			strings.Repeat("        print('feeds a horse in the stable', horse, self)\n", 8))
	}
	w := newWorld(t, map[string]string{"stable.py": long.String(), "other.py": "def walk(horse):\n    print(horse)\n"})
	w.deps.Editor = func(context.Context) index.Editor { return index.Editor{} }
	code := w.contextOf("let Stable feed each horse twice")
	if codeIn(code) != "" || !strings.Contains(code, " Stable class Stable\n") {
		t.Errorf("it came as\n%s", code)
	}
	if n := strings.Count(code, " Stable::feed_horse_"); n < 5 {
		t.Errorf("only %d members came with it:\n%s", n, code)
	}
}
