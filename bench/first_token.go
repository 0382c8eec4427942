package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// firstTokenLatencies measures the time from a model server's first token, sent on loopback, until
// the server's client reads it.
func (b *bench) firstTokenLatencies(ctx context.Context, t *tree) (took []time.Duration, err error) {
	left := make(chan time.Time, 1)
	url, stop, err := startModelServer(streamingModel(left))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	folder, err := b.oneFileTree(t.name)
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, folder, "PLOKE_BASE_URL="+url, "PLOKE_MODEL=m", "PLOKE_API_KEY=")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.shutDown(ctx)) }()
	for range b.sampling.firstTokens {
		params := &ploke.ChatSendParams{Text: "go", PartialResultToken: protocol.LSPAny(`"answer"`)}
		var result ploke.ChatSendResult
		if _, err := s.conn.Call(ctx, ploke.MethodChatSend, params, &result); err != nil {
			return nil, err
		}
		if result.Error != "" || result.Text == "" {
			return nil, fmt.Errorf("the model's answer is %q: %s", result.Text, result.Error)
		}
		select {
		case came := <-s.firstPart:
			took = append(took, came.Sub(<-left))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return took, nil
}

// oneFileTree creates a tree with one small file.
func (b *bench) oneFileTree(name string) (*tree, error) {
	dir, err := os.MkdirTemp(b.temp, "folder-")
	if err != nil {
		return nil, err
	}
	t := &tree{name: name, dir: dir}
	if _, err := b.newState(t); err != nil {
		return nil, err
	}
	return t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o644)
}

// startModelServer serves model on loopback until stop is called.
func startModelServer(model http.Handler) (url string, stop func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: model}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/v1", func() error {
		err := server.Close()
		if end := <-ended; end != http.ErrServerClosed {
			err = errors.Join(err, end)
		}
		return err
	}, nil
}

// modelDelay is the time before the model's first token. It is longer than the interval in which
// the server coalesces parts.
const modelDelay = 60 * time.Millisecond

// streamingModel answers chat completions with a few words, and sends the time of the first one to
// left.
func streamingModel(left chan<- time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		out := http.NewResponseController(w)
		_ = out.Flush() // an error means that the client has gone
		time.Sleep(modelDelay)
		select {
		case left <- time.Now():
		case <-r.Context().Done():
			return
		}
		for _, word := range []string{"It ", "begins ", "here."} {
			fmt.Fprintf(w, "data: %s\n\n", completionChunk(word, ""))
			_ = out.Flush()
		}
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", completionChunk("", "stop"))
	})
}

// completionChunk returns one chunk of a streamed answer in OpenAI's format.
func completionChunk(text, finish string) []byte { return fieldChunk("content", text, finish) }

// fieldChunk is completionChunk with the text in a field of the message.
func fieldChunk(field, text, finish string) []byte {
	type choice struct {
		Index  int               `json:"index"`
		Delta  map[string]string `json:"delta"`
		Finish *string           `json:"finish_reason"`
	}
	c := choice{Delta: map[string]string{field: text}}
	if finish != "" {
		c.Finish = &finish
	}
	chunk, err := json.Marshal(map[string]any{"id": "a", "object": "chat.completion.chunk", "model": "m", "choices": []choice{c}})
	if err != nil {
		panic(err) // plain values
	}
	return chunk
}
