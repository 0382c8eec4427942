package llm

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestAnEventDoesNotWaitForTheNextByte reads an event as soon as its last line is there.
func TestAnEventDoesNotWaitForTheNextByte(t *testing.T) {
	for _, end := range []string{"\n", "\r", "\r\n"} {
		r, w := io.Pipe()
		s := newEventStream(r)
		for i := range 3 {
			event := fmt.Sprintf("event: e%d%sdata: [%d]%s%s", i, end, i, end, end)
			go io.WriteString(w, event)
			if !s.next() || s.name != fmt.Sprint("e", i) || string(s.data) != fmt.Sprintf("[%d]", i) {
				t.Errorf("%q: %q %q", event, s.name, s.data)
			}
		}
		w.Close()
		if s.next() || s.err() != nil {
			t.Errorf("%q: %q %v behind the end", end, s.data, s.err())
		}
	}
}

// TestABrokenStreamEndsWithItsError has a stream break behind an event, and within one.
func TestABrokenStreamEndsWithItsError(t *testing.T) {
	broken := errors.New("broken")
	s := newEventStream(io.MultiReader(strings.NewReader("data: [1]\n\ndata: [2]\ndata: {\"a\":"), errReader{broken}))
	if !s.next() || string(s.data) != "[1]" || !s.next() || string(s.data) != "[2]" || s.next() || s.err() != broken {
		t.Errorf("%q %v", s.data, s.err())
	}
}

type errReader struct{ error }

func (r errReader) Read([]byte) (int, error) { return 0, r.error }

// TestBoundsOfEvents counts the values of each event, however its lines end.
func TestBoundsOfEvents(t *testing.T) {
	const some, many = 1 << 10, maxValues
	for _, end := range []string{"\n", "\r", "\r\n"} {
		event := "data: [" + strings.Repeat("{},", some) + "{}]" + end
		part := "data: " + strings.Repeat("{},", some) + end
		for name, c := range map[string]struct {
			text     string
			tooLarge bool
		}{
			"many events":                   {strings.Repeat(event+end, 2*many/some), false},
			"many events without a line":    {strings.Repeat(event, 2*many/some), false},
			"an event of few lines":         {"data: [" + end + strings.Repeat(part, 10) + "data: {}]" + end, false},
			"an event of too many":          {"data: [" + end + strings.Repeat(part, 2*many/some) + "data: {}]" + end, true},
			"a body of too many":            {"[" + strings.Repeat("{},", 2*many) + "{}]", true},
			"an event that is never closed": {"data: [" + end + strings.Repeat(part, 2*many/some), true},
		} {
			s := newEventStream(strings.NewReader(c.text))
			for s.next() {
			}
			if (s.err() != nil) != c.tooLarge {
				t.Errorf("%s that end with %q: %v", name, end, s.err())
			}
		}
	}
}

// FuzzEventStream reads the same events whole and byte by byte.
func FuzzEventStream(f *testing.F) {
	for _, seed := range []string{"event: e\ndata: 1\n\n", "data:1\r\rdata\r\n\r\n:\n", "\ufeffdata: {\ndata: }", "{\n\"a\": [1,\n\n2]}\n{}{}\n[DONE]", "data: {\"a\":1}data: {}\nevent: error\ndata: words\n", "event: ping\ndata: 1\n\ndata: [DONE]\n\ndata: 2\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, stream string) {
		read := func(r io.Reader) (all string) {
			for s := newEventStream(r); s.next(); {
				all += fmt.Sprintf("%q %q\n", s.name, s.data)
			}
			return all
		}
		if whole, bytewise := read(strings.NewReader(stream)), read(iotest.OneByteReader(strings.NewReader(stream))); whole != bytewise {
			t.Errorf("%q is read as\n%s\nand byte by byte as\n%s", stream, whole, bytewise)
		}
	})
}
