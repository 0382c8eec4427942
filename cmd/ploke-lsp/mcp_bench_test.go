package main

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// BenchmarkListTools measures how long an agent waits for the list of tools: from the start of the
// program, in a folder of 2,000 files that was never indexed.
func BenchmarkListTools(b *testing.B) {
	root := b.TempDir()
	if err := writeFiles(root, 2000); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		server := exec.Command("ploke-lsp", "mcp", "--workspace", root, "--state-dir", b.TempDir())
		server.Env = ofMCPClient(b)
		in, err := server.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := server.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := server.Start(); err != nil {
			b.Fatal(err)
		}
		for _, message := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		} {
			if _, err := io.WriteString(in, message+"\n"); err != nil {
				b.Fatal(err)
			}
		}
		answers := bufio.NewReader(out)
		for id := ""; id != "2"; {
			line, err := answers.ReadString('\n')
			if err != nil {
				b.Fatal(err)
			}
			_, id, _ = strings.Cut(line, `"id":`)
			id = id[:1]
		}
		b.StopTimer()
		in.Close()
		if err := server.Wait(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
