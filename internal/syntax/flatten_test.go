package syntax

import (
	"testing"
)

// TestLinked guards against a release of the binding without one of the C functions
// that flatten calls: being weak, it would be missed at run time only.
func TestLinked(t *testing.T) {
	if name := missingFunction(); name != "" {
		t.Errorf("%s is not linked", name)
	}
}
