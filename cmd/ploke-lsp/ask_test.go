package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// TestAskFailsIfItsAnswerIsNotStored removes the state folder while the model answers.
func TestAskFailsIfItsAnswerIsNotStored(t *testing.T) {
	for _, flags := range [][]string{nil, {"--json"}} {
		gate := llmtest.NewGate()
		model := llmtest.NewServer(t, llmtest.Turn{Text: []string{"the answer"}, Hold: gate})
		variables := map[string]string{"PLOKE_BASE_URL": model.URL, "PLOKE_API_KEY": "none", "PLOKE_MODEL": "m"}
		state, root := t.TempDir(), manyFiles(t, 1)
		var out, errors bytes.Buffer
		ended := make(chan int)
		go func() {
			args := append([]string{"ask", "--state-dir", state, "--workspace", root}, flags...)
			ended <- run(t.Context(), append(args, "x"), environment{stdin: io.NopCloser(strings.NewReader("")), stdout: &out, stderr: &errors,
				getenv: func(name string) string { return variables[name] }})
		}()
		<-gate.Reached()
		if err := os.RemoveAll(state); err != nil {
			t.Fatal(err)
		}
		gate.Open()
		if code := <-ended; code != 1 || !strings.Contains(errors.String(), "the state folder "+state) || !strings.Contains(out.String(), "the answer") {
			t.Errorf("%v: exit status %d: %s%s", flags, code, out.String(), errors.String())
		}
		var result ploke.ChatSendResult
		if flags != nil && (json.Unmarshal(out.Bytes(), &result) != nil || result.StopReason != ploke.StopError) {
			t.Errorf("%v: %s", flags, out.String())
		}
	}
}
