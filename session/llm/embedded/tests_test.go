package embedded_test

import (
	"strings"
	"testing"
)

// TestTestsByNameNeedACompleteIndex: while the index is built, a test may be missing in it, so the answer does not say that there is none.
func TestTestsByNameNeedACompleteIndex(t *testing.T) {
	const none = `{"ok":true,"canon":"S::X","edges":[],"partial":true}`
	calls, answer := dialog(t, "which tests cover X?", map[string][]string{"code_item_lookup": {oneX}, "code_item_edges": {none}})
	if len(calls) != 2 || !strings.Contains(answer, "The index is still being built") {
		t.Errorf("the calls are %q, the answer is\n%s", calls, answer)
	}
}
