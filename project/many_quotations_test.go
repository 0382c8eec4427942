package project_test

import (
	"context"
	"strings"
	"testing"

	"ploke-lsp/tools/wording"
)

// TestManyQuotationsAreLookedForWithinBounds has an answer that quotes a file again and again. All are shown, and so many are
// looked for as the size of the file lets. After the end of the context none is.
func TestManyQuotationsAreLookedForWithinBounds(t *testing.T) {
	p, file := open(t, &headless{})
	const quotations = 20_000
	answer := strings.Repeat(wording.Snippet(file, 1, "package greet\n")+"\n", quotations)
	links := func(ctx context.Context) int {
		shown := p.Transcripts.Markdown(ctx, "", answer)
		if blocks := strings.Count(shown, "```go"); blocks != quotations {
			t.Errorf("%d of %d are shown", blocks, quotations)
		}
		return strings.Count(shown, "](")
	}
	if n := links(t.Context()); n == 0 || n > 128<<20/(64<<10) {
		t.Errorf("%d are links", n)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if n := links(ended); n != 0 {
		t.Errorf("%d are links after the end of the context", n)
	}
}
