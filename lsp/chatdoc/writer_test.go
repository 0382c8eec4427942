package chatdoc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// An editorModel is an editor and the connection to it: each message arrives after a while, and those of one
// direction in order. It is a person, too, who types at random places.
type editorModel struct {
	random  *rand.Rand
	text    string
	version int
	typed   int // characters so far

	toEditor []request
	toServer []func()

	server  string // the text as the server knows it
	known   int    // its version
	w       *Writer
	habits  habits
	stalled bool // the editor said that it applied an edit that it refused
}

type request struct {
	version int
	edits   []Edit
}

// habits are how editors differ.
type habits struct {
	wholeText  bool // sends the whole text after each change
	replyFirst bool // replies before it sends the change
	shifts     bool // reports an insertion at the last place that gives the same text
	claims     bool // says that it applied an edit for an old version, which it did not
}

// typing is the characters that the person types. No answer has them.
const typing = "ABCDEFGHIJ\nKLMNOPQRSTUVWXYZ"

func (m *editorModel) change(c Edit) {
	before := m.text
	m.text = before[:c.Start] + c.New + before[c.End:]
	m.version++
	version, text := m.version, m.text
	switch {
	case m.habits.wholeText:
		c = Edit{0, len(before), text}
	case m.habits.shifts && c.Start == c.End && c.New != "":
		for c.Start < len(before) && before[c.Start] == c.New[0] {
			c = Edit{c.Start + 1, c.End + 1, c.New[1:] + c.New[:1]}
		}
	}
	m.toServer = append(m.toServer, func() {
		m.w.Changed(m.server, []Edit{c})
		m.server, m.known = text, version
	})
}

func (m *editorModel) typeSomething() {
	at := m.random.IntN(len(m.text) + 1)
	text := string(typing[m.typed%len(typing)])
	m.typed++
	m.change(Edit{at, at, text})
}

func (m *editorModel) receive() {
	if len(m.toEditor) == 0 {
		return
	}
	r := m.toEditor[0]
	m.toEditor = m.toEditor[1:]
	applied := r.version == m.version
	reply := func() { m.w.Answered(applied || m.habits.claims) }
	if m.stalled = !applied && m.habits.claims; m.stalled {
		m.toServer = append(m.toServer, reply)
		return
	}
	if m.habits.replyFirst {
		m.toServer = append(m.toServer, reply)
	}
	if applied {
		for i := len(r.edits) - 1; i >= 0; i-- {
			m.change(r.edits[i])
		}
	}
	if !m.habits.replyFirst {
		m.toServer = append(m.toServer, reply)
	}
}

func (m *editorModel) step() {
	switch m.random.IntN(4) {
	case 0:
		m.receive()
	case 1:
		if len(m.toServer) > 0 {
			m.toServer[0]()
			m.toServer = m.toServer[1:]
		}
	case 2:
		if edits := m.w.Next(m.server); edits != nil {
			m.toEditor = append(m.toEditor, request{m.known, edits})
		}
	}
	if m.stalled && len(m.toServer) == 0 && len(m.toEditor) == 0 {
		m.stalled = false
		m.w.GiveUp() // as a server does after a while
	}
}

func (m *editorModel) done() bool {
	return m.w.Idle() && len(m.toServer) == 0 && len(m.toEditor) == 0
}

// only returns the characters of a text that satisfy keep.
func only(text string, keep func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if keep(r) {
			return r
		}
		return -1
	}, text)
}

func ofPerson(r rune) bool { return r >= 'A' && r <= 'Z' }

func ofAnswer(r rune) bool { return r >= 'a' && r <= 'z' || r == ' ' }

// TestTypingAndStreamingDoNotDisturbEachOther types at random places while an answer streams in, with editors
// that differ in what they report and when.
func TestTypingAndStreamingDoNotDisturbEachOther(t *testing.T) {
	all := map[string]habits{
		"plain": {}, "whole text": {wholeText: true}, "reply first": {replyFirst: true}, "shifted": {shifts: true},
		"whole text, reply first": {wholeText: true, replyFirst: true}, "claims": {claims: true, replyFirst: true},
	}
	for name, habits := range all {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(300) {
				if err := stream(seed, habits); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

func stream(seed uint64, h habits) error {
	random := rand.New(rand.NewPCG(seed, 1))
	start := "0123456789"
	m := &editorModel{random: random, text: start, server: start, w: NewWriter(random.IntN(len(start))), habits: h}
	var answer strings.Builder
	m.w.Frame("<>", 1)
	taken := 0
	for i := range 30 {
		piece := strings.Repeat(string(rune('a'+i%26)), 1+random.IntN(3)) + " "
		if random.IntN(20) == 0 && taken < 2 {
			taken++
			m.w.Erase()
			answer.Reset()
		}
		m.w.Write(piece)
		answer.WriteString(piece)
		for range random.IntN(6) {
			if random.IntN(3) == 0 {
				m.typeSomething()
			}
			m.step()
		}
	}
	typed := m.typed
	for range 100_000 {
		if m.done() {
			break
		}
		m.step()
	}
	if !m.done() {
		return fmt.Errorf("it never ends: %+v", m.w)
	}
	if got := only(m.text, ofAnswer); got != answer.String() {
		return fmt.Errorf("the answer is %q, want %q", got, answer.String())
	}
	if got := len(only(m.text, ofPerson)) + strings.Count(m.text, "\n"); got != typed {
		return fmt.Errorf("%d characters of %d that were typed are left in %q", got, typed, m.text)
	}
	if got := only(m.text, func(r rune) bool { return strings.ContainsRune("<>0123456789", r) }); len(got) != len(start)+2 {
		return fmt.Errorf("the text around is damaged: %q", m.text)
	}
	if inner := m.text[strings.Index(m.text, "<"):strings.Index(m.text, ">")]; only(inner, ofAnswer) != answer.String() {
		return fmt.Errorf("the answer is not in its frame: %q", m.text)
	}
	return nil
}

// TestChangesOfSeveralPlacesAtOnce changes lines before and behind the end of an answer, as an editor reports it that sends the
// whole text. The answer goes on where it ended.
func TestChangesOfSeveralPlacesAtOnce(t *testing.T) {
	const before = "<!-- chat 1a76d3 -->\nfirst\nOne.\n## You 2\n\nsecond\n"
	const after = "<!-- chat 1a7b97 -->\nfirst\nOne.\n## You 2\n\nsecond\n## answer 2\n## You 3\n"
	w := NewWriter(strings.Index(before, "One."))
	text := before[:strings.Index(before, "One.")] + before[strings.Index(before, "## You 2"):]
	w.Write("One.\n")
	edits := w.Next(text)
	w.Changed(text, edits)
	w.Answered(true)
	w.Write("Un.\n")
	w.Changed(before, []Edit{{0, len(before), after}})
	want := strings.Index(after, "## You 2")
	if got := w.Next(after); len(got) != 1 || got[0] != (Edit{want, want, "Un.\n"}) {
		t.Errorf("the answer goes on with %v, want it at %d", got, want)
	}
	w.GiveUp()
	w.pending = nil
	w.Erase()
	erased := w.Next(after)
	if len(erased) != 1 || after[erased[0].Start:erased[0].End] != "One.\n" {
		t.Errorf("%v takes back what was written", erased)
	}
}
