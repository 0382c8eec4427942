package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
)

// BenchmarkCodeAction requests code actions in a Go file of 200 KB: of a text that stays, and
// after each keystroke. It reports the median and the 99th percentile in milliseconds.
func BenchmarkCodeAction(b *testing.B) {
	for _, typing := range []bool{false, true} {
		b.Run(fmt.Sprintf("typing=%v", typing), func(b *testing.B) {
			f := newFixture(b)
			e := f.start(lsptest.Options{})
			path := f.path("shapes/large.go")
			text := largeFile(200 << 10)
			e.OpenText(path, text)
			e.AwaitIndex()
			at := strings.Index(text, "return a + 500") + len("return a + ")
			params := &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: fileURI(path)}, Range: e.Range(path, at, at)}
			var times []time.Duration
			for b.Loop() {
				if typing {
					b.StopTimer()
					e.Type(path, at, at, "1")
					b.StartTimer()
				}
				start := time.Now()
				var actions []protocol.CodeAction
				e.Call(protocol.MethodTextDocumentCodeAction, params, &actions)
				times = append(times, time.Since(start))
				if len(actions) == 0 {
					b.Fatal("there are no actions")
				}
			}
			slices.Sort(times)
			b.ReportMetric(milliseconds(times[len(times)/2]), "p50-ms")
			b.ReportMetric(milliseconds(times[len(times)*99/100]), "p99-ms")
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// largeFile returns a Go file of at least so many bytes, of functions of five lines.
func largeFile(size int) string {
	var out strings.Builder
	out.WriteString("package shapes\n")
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, "\n// add%d adds a number.\nfunc add%d(a int) int {\n\treturn a + %d\n}\n", i, i, i)
	}
	return out.String()
}
