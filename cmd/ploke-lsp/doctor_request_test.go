package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/session/llm/llmtest"
)

// TestDoctorSendsOneSentence looks at the request with which doctor tries the model, in a folder with code: it holds the
// same sentence in each folder, and is in no ledger.
func TestDoctorSendsOneSentence(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.Turn{Text: []string{"OK"}}, llmtest.Turn{Text: []string{"OK"}})
	state := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := program(t, append(args[:1:1], append([]string{"--state-dir", state}, args[1:]...)...)...)
		cmd.Env = append(cmd.Env, "PLOKE_BASE_URL="+server.URL, "PLOKE_MODEL=m", "PLOKE_API_KEY=secret-of-the-test")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	var folders []string
	for _, name := range []string{"apples", "pears"} {
		dir := filepath.Join(t.TempDir(), name)
		check(t, os.MkdirAll(dir, 0o700))
		check(t, os.WriteFile(filepath.Join(dir, name+".go"), []byte("package "+name+"\n"), 0o600))
		folders = append(folders, dir)
		run("doctor", "--workspace", dir)
	}
	requests := server.Requests()
	if len(requests) != 2 || string(requests[0].Body) != string(requests[1].Body) {
		t.Fatalf("%d requests, or two that differ", len(requests))
	}
	if body := string(requests[0].Body); strings.Contains(body, "apples") || strings.Contains(body, "secret-of-the-test") ||
		len(body) > 1000 {
		t.Errorf("the request is %s", body)
	}
	if out := run("ledger", "--workspace", folders[0]); strings.Contains(out, "env/m") || strings.Contains(out, "127.0.0.1") {
		t.Errorf("the ledger has %s", out)
	}
}
