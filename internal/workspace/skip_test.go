package workspace

import (
	"strings"
	"testing"
)

// TestEachRefusalHasAReason has a reason in words for each way in which a file is skipped.
func TestEachRefusalHasAReason(t *testing.T) {
	for _, skip := range []Skip{Binary, Minified, TooLarge, Unreadable, Secret, Symlink, Ignored, OutOfStep} {
		text := (&SkippedError{Rel: "a.txt", Skip: skip}).Error()
		reason, said := strings.CutPrefix(text, "a.txt is not served: ")
		if !said || len(strings.Fields(reason)) < 3 {
			t.Errorf("%s: %q", skip, text)
		}
	}
}
