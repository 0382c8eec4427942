package acp_test

import (
	"fmt"
	"io"
	"log/slog"
	"testing"

	"ploke-lsp/acp"
	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
)

// BenchmarkReplay loads a conversation of 1,000 messages, half of them answers with calls and quoted code.
func BenchmarkReplay(b *testing.B) {
	f := &fixture{t: b, root: unpack(b, program)}
	f.Options = acp.Options{StateDir: b.TempDir(), Version: "bench", Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}
	c := f.start(acptest.Options{Unchecked: true})
	id := c.New(f.root)
	for n := range 500 {
		c.Prompt(id, fmt.Sprintf("What calls square? (%d)", n))
	}
	c.Forget()
	for b.Loop() {
		c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
		c.Forget()
	}
	b.ReportMetric(1000, "messages/op")
}
