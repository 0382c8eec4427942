package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// mayBeLost is how old text may be and yet be lost by a kill: a second, and as much for a
// busy machine.
const mayBeLost = 2 * time.Second

// TestSIGKILLLosesAboutASecondOfAStream kills a server while a model streams words, each
// of which the editor sees before the next one is sent. After the restart the words are
// there except for those of the last moment, the turn is interrupted, and the model gets
// them with the next message.
func TestSIGKILLLosesAboutASecondOfAStream(t *testing.T) {
	words, after := make(chan string), llmtest.NewScript(llmtest.Turn{Text: []string{"on"}})
	first := true
	model := httptest.NewServer(llmtest.ChatOnly(func(w http.ResponseWriter, r *http.Request) {
		if !first {
			after.ServeHTTP(w, r)
			return
		}
		first = false
		streamWords(w, r, words)
	}))
	t.Cleanup(model.Close)
	useModel(t, model.URL+"/v1")
	state, root := t.TempDir(), manyFiles(t, 1)

	p, e := startServer(t, state, root)
	t.Cleanup(func() { p.Process.Kill() }) // else the model server waits for it after a failure
	var c ploke.ChatCreateResult
	e.Call(ploke.MethodChatCreate, ploke.ChatCreateParams{Title: "stream"}, &c)
	sent := make(chan error, 1)
	go func() {
		sent <- e.Try(t.Context(), ploke.MethodChatSend,
			ploke.ChatSendParams{ConversationID: c.ConversationID, Text: "a", PartialResultToken: []byte(`"partial/0"`)}, nil)
	}()
	visible, old := seeWords(t, e, c.ConversationID, words)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	if err := <-sent; err == nil {
		t.Error("the killed server answered")
	}

	p, e = startServer(t, state, root)
	all := messages(e, c.ConversationID)
	stored, interrupted := strings.CutSuffix(all[len(all)-1], " (interrupted)")
	if !interrupted || !strings.HasPrefix(visible, stored) || !strings.HasPrefix(stored, old) {
		t.Fatalf("%d bytes were visible, %d of them for more than %v; %d are stored: %.100q", len(visible), len(old), mayBeLost, len(stored),
			all[len(all)-1])
	}
	t.Logf("%d of %d visible bytes are stored", len(stored), len(visible))
	if answer := e.Send(t.Context(), ploke.ChatSendParams{ConversationID: c.ConversationID, Text: "b"}); answer.Text != "on" {
		t.Errorf("the conversation does not go on: %+v", answer)
	}
	var told bool
	for _, m := range after.Requests()[0].Messages {
		told = told || m.Role == "assistant" && m.Content == stored
	}
	if !told {
		t.Error("the model does not get what it had streamed")
	}
	stop(t, p, e)
}

// useModel sets the environment of the programs that a test starts.
func useModel(t *testing.T, url string) {
	t.Setenv("PLOKE_BASE_URL", url)
	t.Setenv("PLOKE_API_KEY", "none")
	t.Setenv("PLOKE_MODEL", "m")
}

// streamWords streams words until the client leaves.
func streamWords(w http.ResponseWriter, r *http.Request, words <-chan string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		select {
		case word := <-words:
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", word)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// seeWords has words streamed until some are old and what is stored has grown twice. At
// each moment all old words must be stored. It returns what is visible, and the part of
// it that may not be lost.
func seeWords(t *testing.T, e *lsptest.Editor, conversationID string, words chan<- string) (visible, old string) {
	t.Helper()
	type word struct {
		end  int // in visible
		seen time.Time
	}
	var young []word
	stored, grown := 0, 0
	for i := 0; grown < 2 || old == ""; i++ {
		text := fmt.Sprintf("word%d ", i)
		words <- text
		visible += text
		e.Await("the word", func() bool { return strings.HasSuffix(streamed(e), text) })
		young = append(young, word{len(visible), time.Now()})
		for len(young) > 0 && time.Since(young[0].seen) > mayBeLost {
			old, young = visible[:young[0].end], young[1:]
		}
		all := messages(e, conversationID)
		if now := len(strings.TrimSuffix(all[len(all)-1], " (pending)")); now > stored {
			stored, grown = now, grown+1
		}
		if stored < len(old) {
			t.Fatalf("%d bytes have been visible for more than %v, but only %d are stored", len(old), mayBeLost, stored)
		}
	}
	return visible, old
}

// streamed returns the text of the answer that is streamed to the editor.
func streamed(e *lsptest.Editor) string {
	var text strings.Builder
	for _, part := range e.Parts() {
		if part.Type == ploke.PartMessage {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}
