package acp_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestAClientThatDoesNotReadCostsLittle sends many lines and reads no answer. The goroutines are counted.
func TestAClientThatDoesNotReadCostsLittle(t *testing.T) {
	for _, tt := range []struct {
		name  string
		line  func(n int) string
		lines int
		most  int // goroutines
	}{
		{"no messages", func(int) string { return "{\n" }, 100_000, 100},
		{"no requests", func(int) string { return "[]\n" }, 100_000, 100},
		{"unknown notices", func(int) string { return `{"jsonrpc":"2.0","method":"x/y"}` + "\n" }, 30_000, 100},
		{"unasked responses", func(n int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", n) }, 30_000, 100},
		// The last, since its goroutines may outlive it.
		{"unknown calls", func(n int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"x/y"}`+"\n", n) }, 30_000, 10_100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn, _, ended := dial(t, newFixture(t))
			before := runtime.NumGoroutine()
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				for n := 0; n < tt.lines; {
					var some strings.Builder
					for range 1000 {
						some.WriteString(tt.line(n))
						n++
					}
					if _, err := conn.Write([]byte(some.String())); err != nil {
						return
					}
				}
			}()
			most := 0
			testbed.Eventually(t, func() bool {
				most = max(most, runtime.NumGoroutine()-before)
				select {
				case <-sent:
					return true
				default:
					return most >= 10_000 // nothing more is read until the client reads
				}
			}, func() string { return fmt.Sprint(most, " goroutines") })
			if most > tt.most {
				t.Errorf("%d goroutines, want at most %d", most, tt.most)
			}
			conn.Close()
			<-ended
		})
	}
}
