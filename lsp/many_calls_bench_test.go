package lsp_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"ploke-lsp/session/llm/llmtest"
)

// BenchmarkCreatingFilesInAResponse measures over the wire what one call costs among many.
func BenchmarkCreatingFilesInAResponse(b *testing.B) {
	for _, calls := range []int{200, 2000} {
		b.Run(fmt.Sprint(calls), func(b *testing.B) {
			var spent time.Duration
			for range b.N {
				f := newFixture(b)
				f.Logger = slog.New(slog.DiscardHandler)
				f.useModel(creating(calls), llmtest.Turn{Text: []string{"Done."}})
				f.largeWindow()
				e := f.startIndexed()
				began := time.Now()
				e.Ask("create them")
				spent += time.Since(began)
			}
			b.ReportMetric(spent.Seconds()*1000/float64(b.N*calls), "ms/call")
		})
	}
}
