package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/internal/wire/wiretest"
)

// fakeConn is a connection that reads from a reader and collects the written text.
type fakeConn struct {
	io.Reader
	strings.Builder
}

func (*fakeConn) Close() error { return nil }

func TestStreamSurvivesMalformedMessages(t *testing.T) {
	const good = `{"jsonrpc":"2.0","method":"next"}`
	for _, tt := range []struct {
		name, input string
		errors      int
	}{
		{"valid", "", 0},
		{"not JSON", wiretest.Frame(`{"jsonrpc":`), 1},
		{"not an object", wiretest.Frame(`17`), 1},
		{"empty body", "Content-Length: 0\r\n\r\n", 1},
		{"batch", wiretest.Frame(`[` + good + `]`), 1},
		{"deep nesting", wiretest.Frame(strings.Repeat("[", 5_000_000)), 1},
		{"deep nesting in parameters", wiretest.Frame(`{"jsonrpc":"2.0","method":"m","params":` + strings.Repeat(`{"a":`, 100_000)), 1},
		{"lower-case header", "content-length: 34\r\n\r\n" + `{"jsonrpc":"2.0","method":"first"}`, 0},
		{"bare line feeds", "Content-Length: 34\n\n" + `{"jsonrpc":"2.0","method":"first"}`, 0},
		{"blank lines between messages", "\r\n\r\n", 0},
		{"other headers", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 34\r\n\r\n" + `{"jsonrpc":"2.0","method":"first"}`, 0},
		{"no length", "Content-Type: text/plain\r\n\r\n", 1},
		{"a length that is not a number", "Content-Length: many\r\n\r\n", 1},
		{"a negative length", "Content-Length: -1\r\n\r\n", 1},
		{"a header without end", strings.Repeat("x", 1<<20) + "\n\n", 1},
		{"over the limit", wiretest.Frame(strings.Repeat(" ", MaxMessageBytes+1)), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wire := &fakeConn{Reader: strings.NewReader(tt.input + wiretest.Frame(good))}
			s := NewStream(wire, Events{})
			for {
				msg, _, err := s.Read(context.Background())
				if err != nil {
					t.Fatalf("the next message was not read: %v", err)
				}
				if n, ok := msg.(*jsonrpc2.Notification); ok && n.Method() == "next" {
					break
				}
			}
			s.Flush(t.Context())
			if got := strings.Count(wire.String(), `"id":null`); got != tt.errors {
				t.Errorf("%d error replies, want %d: %s", got, tt.errors, wire.String())
			}
		})
	}
}

func TestStreamEnds(t *testing.T) {
	for _, tt := range []struct {
		name, input string
		want        error
	}{
		{"between messages", "", io.EOF},
		{"after blank lines", "\r\n", io.EOF},
		{"in a header", "Content-Length: 5\r\n", io.ErrUnexpectedEOF},
		{"in a body", "Content-Length: 5\r\n\r\n{}", io.ErrUnexpectedEOF},
		{"with a length that nothing follows", "Content-Length: 2147483647\r\n\r\n", io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewStream(&fakeConn{Reader: strings.NewReader(tt.input)}, Events{})
			if _, _, err := s.Read(context.Background()); !errors.Is(err, tt.want) {
				t.Errorf("Read = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestStreamWrites(t *testing.T) {
	wire := &fakeConn{Reader: strings.NewReader("")}
	s := NewStream(wire, Events{})
	if _, err := s.Write(context.Background(), jsonrpc2.NewNotification("m", jsonrpc2.RawMessage(`"é"`))); err != nil {
		t.Fatal(err)
	}
	s.Flush(t.Context())
	if got, want := wire.String(), wiretest.Frame(`{"jsonrpc":"2.0","method":"m","params":"é"}`); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// newPipedStream returns a stream that reads nothing, and what reads each of its writes when it is asked to.
func newPipedStream() (*Stream, *io.PipeReader) {
	reader, writer := io.Pipe()
	return NewStream(struct {
		io.Reader
		io.WriteCloser
	}{strings.NewReader(""), writer}, Events{}), reader
}

func TestSlowReaderBlocksStreamsButNotReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, reader := newPipedStream()
		reply := jsonrpc2.NewNotification("m", jsonrpc2.RawMessage(`"`+strings.Repeat("x", writeQueueLimit)+`"`))
		for range 3 { // Write does not wait, although nothing is read
			if _, err := s.Write(context.Background(), reply); err != nil {
				t.Fatal(err)
			}
		}
		passed := false
		go func() { s.WaitForCapacity(); passed = true }()
		synctest.Wait()
		if passed {
			t.Error("waitForCapacity returned although nothing was read")
		}
		go io.Copy(io.Discard, reader)
		synctest.Wait()
		if !passed {
			t.Error("waitForCapacity did not return although everything was read")
		}
		s.Close()
		if _, err := s.Write(context.Background(), reply); err == nil {
			t.Error("a closed stream accepts messages")
		}
	})
}

// TestWhatFollowsAResponse reads as Emacs 28 does: whatever has come, up to a response, and the rest when more comes.
func TestWhatFollowsAResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, reader := newPipedStream()
		s.SetResponsesApart(30 * time.Millisecond)
		response := jsonrpc2.NewResponse(jsonrpc2.NewNumberID(1), jsonrpc2.RawMessage(`"r"`), nil)
		message := jsonrpc2.NewNotification("m", nil)
		for _, m := range []jsonrpc2.Message{message, message, response, message, message} {
			if _, err := s.Write(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		began, came := time.Now(), []string(nil)
		go func() {
			for buf := make([]byte, 1<<10); ; {
				n, err := reader.Read(buf)
				if err != nil {
					return
				}
				_, body, _ := strings.Cut(string(buf[:n]), "\r\n\r\n")
				came = append(came, fmt.Sprintf("%v %t", time.Since(began), isResponse([]byte(body))))
			}
		}()
		time.Sleep(time.Second)
		synctest.Wait()
		if want := []string{"0s false", "0s false", "0s true", "30ms false", "30ms false"}; !slices.Equal(came, want) {
			t.Errorf("messages came after %q, want %q", came, want)
		}
		for _, m := range []jsonrpc2.Message{response, message} {
			if _, err := s.Write(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		began = time.Now()
		s.Close()
		if waited := time.Since(began); waited > 0 {
			t.Errorf("closing waited %v for the time after a response", waited)
		}
	})
}

// TestOnlyResponsesAreWritten writes messages before and after the stream only responds. The
// context has ended, which must not matter: the library cancels what it has tried to send.
func TestOnlyResponsesAreWritten(t *testing.T) {
	out := &fakeConn{Reader: strings.NewReader("")}
	s := NewStream(out, Events{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	write := func(msg jsonrpc2.Message) {
		if _, err := s.Write(ctx, msg); err != nil {
			t.Error(err)
		}
	}
	write(jsonrpc2.NewCall(jsonrpc2.NewNumberID(1), "first", nil))
	s.OnlyRespond()
	write(jsonrpc2.NewNotification("dropped", nil))
	write(jsonrpc2.NewCall(jsonrpc2.NewNumberID(2), "dropped", nil))
	write(jsonrpc2.NewResponse(jsonrpc2.NewStringID("x"), jsonrpc2.RawMessage(`"answered"`), nil))
	s.Flush(t.Context())
	for text, want := range map[string]bool{"first": true, "dropped": false, "answered": true} {
		if got := strings.Contains(out.String(), text); got != want {
			t.Errorf("%q was written: %v, want %v", text, got, want)
		}
	}
}
