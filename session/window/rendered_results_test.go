package window

import (
	"fmt"
	"testing"

	"ploke-lsp/session/records"
)

// TestRenderedResultsAreBounded puts more small results than fit: what they take beside their texts counts, too.
func TestRenderedResultsAreBounded(t *testing.T) {
	var r RenderedResults
	const most = maxRendered / renderedOverhead
	for i := range 2 * most {
		r.put(fmt.Sprint(i), nil, renderedResult{content: []byte("1"), text: "1"})
		r.put(fmt.Sprint(i), nil, renderedResult{content: []byte("12"), text: "12"})
	}
	if n := len(r.ByID); n > most || n < most/2 || len(r.ids) != n {
		t.Errorf("there are %d results and %d ids, at most %d fit", n, len(r.ids), most)
	}
	last := fmt.Sprint(2*most - 1)
	if known, ok := r.get(records.ToolCall{ID: last, Content: []byte("12")}, nil); !ok || known.text != "12" {
		t.Errorf("the last result is %q, %v", known.text, ok)
	}
}
