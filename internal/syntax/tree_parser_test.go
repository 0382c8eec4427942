package syntax

import (
	"bytes"
	"testing"
	"time"
)

// TestLimit gives up on a text that takes too long, and parses the next one afresh
// instead of going on with this one.
func TestLimit(t *testing.T) {
	s := newTreeParser(time.Millisecond)
	hard := bytes.Repeat([]byte(`"'{([`+"`"), 1<<18)
	if err := s.flatten(grammars["javascript"](), hard); err == nil {
		t.Fatal("the hard text was parsed within a millisecond")
	}
	s.parser.SetOperationLimit(0)
	if err := s.flatten(grammars["go"](), []byte("package p")); err != nil || len(s.nodes) != 3 {
		t.Errorf("the next text has %d nodes, want 3: %v", len(s.nodes), err)
	}
}
