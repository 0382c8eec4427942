package syntax

import (
	"testing"
)

// TestLinked fails if a release of the binding lacks a C function that flatten calls. The
// functions are weak, so that this would otherwise show at run time only.
func TestLinked(t *testing.T) {
	if name := missingFunction(); name != "" {
		t.Errorf("%s is not linked", name)
	}
}
