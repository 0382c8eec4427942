package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/wire/wiretest"
)

// errNoMore is the error of a client that sends nothing more and stays.
var errNoMore = errors.New("the client sends nothing more")

// clientThatSends returns a connection to a client that sends text in pieces of some size, and
// nothing after it.
func clientThatSends(text string, size int) *fakeConn {
	return &fakeConn{Reader: io.MultiReader(&pieces{text, size}, iotest.ErrReader(errNoMore))}
}

// pieces is a reader that returns at most size bytes at once.
type pieces struct {
	text string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.text)
	p.text = p.text[n:]
	return n, nil
}

// readMethods reads notifications until the stream ends, and returns their methods.
func readMethods(s *Stream) (methods []string, err error) {
	for {
		msg, _, err := s.Read(context.Background())
		if err != nil {
			return methods, err
		}
		if n, ok := msg.(*jsonrpc2.Notification); ok {
			methods = append(methods, strings.Clone(n.Method()))
		}
	}
}

// TestEveryMessageAfterAWrongFrameIsServed sends wrong frames with messages right behind
// them, and nothing after these: the server must not wait for more.
func TestEveryMessageAfterAWrongFrameIsServed(t *testing.T) {
	good := func(method string) string { return wiretest.Frame(`{"jsonrpc":"2.0","method":"` + method + `"}`) }
	for _, wrong := range wiretest.WrongFrames() {
		t.Run(wrong.Name, func(t *testing.T) {
			for _, between := range []string{"", "\r\n", "\n\n"} {
				for _, size := range []int{1, 7, 1 << 20} {
					text := good("first") + wrong.Bytes + between + good("second") + strings.ToLower(good("third")) + wrong.Bytes + between +
						good("fourth")
					wire := clientThatSends(text, size)
					s := NewStream(wire, Events{})
					methods, err := readMethods(s)
					if !errors.Is(err, errNoMore) {
						t.Fatal(err)
					}
					if got := strings.Join(methods, " "); got != "first second third fourth" {
						t.Errorf("with %q between and in pieces of %d bytes: served %q", between, size, got)
					}
					s.Flush(t.Context())
					if got := strings.Count(wire.String(), `"id":null`); !wrong.Silent && got < 2 {
						t.Errorf("with %q between and in pieces of %d bytes: %d errors, want one for each wrong frame: %s", between, size, got, wire.String())
					}
				}
			}
		})
	}
}

// TestAMessageWithinAnotherOnesBodyIsServed announces more bytes than there are, by every
// number up to beyond the next message's end.
func TestAMessageWithinAnotherOnesBodyIsServed(t *testing.T) {
	const body = `{"jsonrpc":"2.0","method":"cut"}`
	for extra := 1; extra < 200; extra++ {
		for _, header := range []string{"Content-Length: 33\r\n\r\n", "content-length:33\n\n", "Content-Length: 33\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"} {
			text := strings.Replace(wiretest.Frame(body), "32", strconv.Itoa(len(body)+extra), 1) + header + `{"jsonrpc":"2.0","method":"next"}`
			methods, err := readMethods(NewStream(clientThatSends(text, 5), Events{}))
			if strings.Join(methods, " ") != "next" || !errors.Is(err, errNoMore) {
				t.Errorf("%d bytes too many before %q: served %q, then %v", extra, header, methods, err)
			}
		}
	}
}

// TestValidJSONHoldsNoFrame puts frames into JSON wherever its grammar lets text stand.
func TestValidJSONHoldsNoFrame(t *testing.T) {
	frame := wiretest.Frame(`{"jsonrpc":"2.0","method":"exit"}`)
	for _, inner := range []string{frame, "\n" + frame, strings.ReplaceAll(frame, "\r", ""), "Content-Length: 33", "\nContent-Length: 33\n"} {
		values := map[string]any{"text": inner, inner: []any{inner, map[string]any{inner: inner}}, "Content-Length": 33}
		compact, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		indented, err := json.MarshalIndent(values, "\r\n\r\n", "\r\n")
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range [][]byte{compact, indented} {
			if start, ok := new(frameFinder).find(body); ok {
				t.Errorf("a frame was found at byte %d of %s", start, body)
			}
		}
	}
}

// TestAWrongLengthIsNotAllocated announces lengths that nothing follows.
func TestAWrongLengthIsNotAllocated(t *testing.T) {
	for _, length := range []string{"67108864", "67108865", "2147483647", "9000000000000000000", "99999999999999999999999"} {
		for _, rest := range []string{"", strings.Repeat("x", 1<<20), strings.Repeat("\r\n", 1<<19), strings.Repeat("a: b\n", 1<<18), strings.Repeat("Content-Length: 1\n\n", 1<<15)} {
			r := &frameReader{in: io.MultiReader(strings.NewReader("Content-Length: "+length+"\r\n\r\n"), strings.NewReader(rest))}
			var err error
			for largest := 0; !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF); largest = max(largest, cap(r.buf)) {
				if _, err = r.next(); err == nil {
					r.reject()
				}
				if cap(r.buf) > 4*(len(rest)+readSize) {
					t.Fatalf("after Content-Length %s and %d bytes the buffer holds %d", length, len(rest), cap(r.buf))
				}
			}
		}
	}
}

// TestSkippedBytesAreNotKept skips a body over the limit, in which a frame may begin that
// never does.
func TestSkippedBytesAreNotKept(t *testing.T) {
	testbed.Long(t)
	for _, begin := range []string{"", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r\n"} {
		for _, line := range []string{"x", " ", "\r\n", "a: b\r\n", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r\n"} {
			r := &frameReader{in: &pieces{"Content-Length: 9000000000000000000\r\n\r\n" + begin + strings.Repeat(line, 1<<18), 4096}}
			if _, err := r.next(); err == nil {
				t.Fatal("the length was not refused")
			}
			if _, err := r.next(); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatal(err)
			}
			if cap(r.buf) > 2*readSize {
				t.Errorf("the buffer has %d bytes after %q and lines of %q", cap(r.buf), begin, line)
			}
		}
	}
}

// TestBodiesStayAsTheyWere reads on while earlier bodies are in use.
func TestBodiesStayAsTheyWere(t *testing.T) {
	var text strings.Builder
	var want [][]byte
	for i := range 3000 {
		body := bytes.Repeat([]byte{byte('a' + i%26)}, i*7%500+1)
		if i%1000 == 0 {
			body = bytes.Repeat(body, 100_000)
		}
		want = append(want, body)
		text.WriteString(wiretest.Frame(string(body)))
	}
	r := &frameReader{in: &pieces{text.String(), 10_000}}
	var got [][]byte
	for range want {
		body, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, body)
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Fatalf("the body %d has changed", i)
		}
	}
}

// TestAClientThatCountsCharactersIsNoticedOnce serves what the client sends without
// accents, and does not blame it for other mistakes.
func TestAClientThatCountsCharactersIsNoticedOnce(t *testing.T) {
	const next = `{"jsonrpc":"2.0","method":"next"}`
	cut := "Content-Length: 46\r\n\r\n" + `{"jsonrpc":"2.0","method":"m","params":["ééé"]}`
	for text, want := range map[string]int{
		cut + cut + wiretest.Frame(next):                                            1,
		wiretest.Frame(`{"jsonrpc":"2.0","method":"é" "é"}`) + wiretest.Frame(next): 0,
		wiretest.Frame(`{"jsonrpc":"2.0","method":"e`) + wiretest.Frame(next):       0,
	} {
		noticed := 0
		methods, _ := readMethods(NewStream(clientThatSends(text, 1<<20), Events{Miscounts: func() { noticed++ }}))
		if strings.Join(methods, " ") != "next" || noticed != want {
			t.Errorf("served %q and noticed %d times, want %d: %s", methods, noticed, want, text)
		}
	}
}

// FuzzWire sends arbitrary bytes before and between messages. Each message, after a line
// break, is served, and nothing is held but what was sent.
func FuzzWire(f *testing.F) {
	for _, wrong := range wiretest.WrongFrames() {
		if len(wrong.Bytes) < 1<<10 {
			f.Add([]byte(wrong.Bytes), []byte(wrong.Bytes[len(wrong.Bytes)/2:]), 3)
		}
	}
	f.Fuzz(func(t *testing.T, before, between []byte, size int) {
		text := string(before) + "\r\n" + wiretest.Frame(`{"jsonrpc":"2.0","method":"fuzz/first"}`) + string(between) + "\r\n" +
			wiretest.Frame(`{"jsonrpc":"2.0","method":"fuzz/second"}`)
		s := NewStream(clientThatSends(text, max(size, 1)), Events{})
		methods, err := readMethods(s)
		if !errors.Is(err, errNoMore) {
			t.Fatal(err)
		}
		served := " " + strings.Join(methods, " ") + " "
		if first := strings.Index(served, " fuzz/first "); first < 0 || !strings.HasSuffix(served, " fuzz/second ") {
			t.Errorf("served %q of %q", served, text)
		}
		if c := cap(s.in.buf); c > 2*(readSize+len(text)) {
			t.Errorf("the buffer has %d bytes for %d", c, len(text))
		}
	})
}

func BenchmarkReadLargeMessage(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","method":"m","params":["` + strings.Repeat(`\n\tContent-Length: 5\r\n`, 60<<20/24) + `"]}`)
	text := wiretest.Frame(string(body))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s := NewStream(&fakeConn{Reader: strings.NewReader(text)}, Events{})
		if _, _, err := s.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
