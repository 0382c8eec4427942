package llmtest

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

func post(t *testing.T, url, body string) (status int, answer string) {
	t.Helper()
	r, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestScriptRefusesWhatItDoesNotExpect(t *testing.T) {
	script := NewScript(
		Turn{Text: []string{"ok"}},
		Turn{Check: func(r *Request) error {
			if r.Last().Content != "right" {
				return errors.New("wrong question")
			}
			return nil
		}},
	)
	server := httptest.NewServer(script)
	defer server.Close()
	const request = `{"model":"m","messages":[{"role":"user","content":"wrong"}]}`
	if status, answer := post(t, server.URL, request); status != 200 || !strings.Contains(answer, `"content":"ok"`) || script.Err() != nil {
		t.Errorf("%d %s %v", status, answer, script.Err())
	}
	if status, answer := post(t, server.URL, request); status != 400 || !strings.Contains(answer, "wrong question") {
		t.Errorf("refused by Check: %d %s", status, answer)
	}
	if status, answer := post(t, server.URL, request); status != 400 || !strings.Contains(answer, "the script has 2 turns") {
		t.Errorf("beyond the end: %d %s", status, answer)
	}
	if status, _ := post(t, server.URL, "{"); status != 400 {
		t.Errorf("no JSON: %d", status)
	}
	for _, want := range []string{"wrong question", "2 turns", "not a chat completions request"} {
		if err := script.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Err lacks %q: %v", want, err)
		}
	}
}

func TestGateHoldsTheStream(t *testing.T) {
	gate := NewGate()
	server := httptest.NewServer(NewScript(Turn{Text: []string{"one"}, Hold: gate}))
	defer server.Close()
	r, err := http.Post(server.URL+"/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"go"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), `"one"`) {
	}
	testbed.Receive(t, gate.Reached(), "the stream to come to the gate")
	gate.Open()
	gate.Open()
	rest := ""
	for lines.Scan() {
		rest += lines.Text()
	}
	if !strings.Contains(rest, "[DONE]") {
		t.Errorf("the stream did not go on to its end: %s", rest)
	}
}
