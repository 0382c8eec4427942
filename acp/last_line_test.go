package acp

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// finished is a connection whose other end has sent all.
type finished struct{ io.Reader }

func (finished) Write(p []byte) (int, error) { return len(p), nil }

func (finished) Close() error { return nil }

// TestTheLastLineMayHaveNoEnd reads a message that the end of the input ends. Half a message there is passed over.
func TestTheLastLineMayHaveNoEnd(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":7,"method":"initialize"}`
	for sent, messages := range map[string]int{ping: 1, ping + "\n" + ping: 2, ping[:20]: 0, "": 0} {
		s, read := newStream(finished{strings.NewReader(sent)}), 0
		_, _, err := s.Read(t.Context())
		for ; err == nil; _, _, err = s.Read(t.Context()) {
			read++
		}
		if read != messages || !errors.Is(err, io.EOF) {
			t.Errorf("%q: %d messages, and then %v", sent, read, err)
		}
	}
}
