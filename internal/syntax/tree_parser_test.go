package syntax

import (
	"bytes"
	"testing"
	"time"
)

// TestLimit stops parsing a text that takes too long; the next text is parsed from its
// beginning.
func TestLimit(t *testing.T) {
	s := newTreeParser(time.Millisecond)
	hard := bytes.Repeat([]byte(`"'{([`+"`"), 1<<18)
	if err := s.flatten(grammars["javascript"](), hard); err == nil {
		t.Fatal("the hard text was parsed within a millisecond")
	}
	s.parser.SetOperationLimit(0)
	if err := s.flatten(grammars["javascript"](), []byte("f()")); err != nil || len(s.nodes) != 5 {
		t.Errorf("the next text has %d nodes, want 5: %v", len(s.nodes), err)
	}
}
