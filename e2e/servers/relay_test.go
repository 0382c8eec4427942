package servers_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"ploke-lsp/session/llm/llmtest"
)

// relay is a model server whose answers come from a script. Each request for an answer goes to a real server first, byte for
// byte. Questions about models are answered by the real server.
type relay struct {
	script *llmtest.Script
	real   *url.URL

	mu      sync.Mutex
	refused []error
	shown   int // requests
}

// reverseProxy passes requests on to an address.
func reverseProxy(to *url.URL) http.Handler {
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	return proxy
}

// newRelay starts a relay, and returns it with its address. It speaks chat completions below /v1, and Ollama's protocol.
func newRelay(t *testing.T, real string, turns ...llmtest.Turn) (*relay, string) {
	t.Helper()
	address, err := url.Parse(real)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{script: llmtest.NewScript(turns...), real: address}
	server := httptest.NewServer(r)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return r, server.URL
}

// ServeHTTP answers a request.
func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodGet || req.URL.Path == "/api/show" {
		reverseProxy(r.real).ServeHTTP(w, req)
		return
	}
	body, err := io.ReadAll(req.Body)
	if err == nil {
		err = r.show(req.Context(), req.URL.Path, body)
	}
	if err != nil {
		r.mu.Lock()
		r.refused = append(r.refused, err)
		r.mu.Unlock()
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	if strings.HasPrefix(req.URL.Path, "/api/") {
		fromOllama(r.script).ServeHTTP(w, req)
		return
	}
	r.script.ServeHTTP(w, req)
}

// errors returns what the real server refused, and what did not fit the script.
func (r *relay) errors() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(append(r.refused, r.script.Err())...)
}

// show sends a request to the real server and waits for the beginning of its answer, which it stops then.
func (r *relay) show(ctx context.Context, path string, body []byte) error {
	resp, err := post(ctx, r.real.JoinPath(path).String(), body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	r.mu.Lock()
	r.shown++
	n := r.shown
	r.mu.Unlock()
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("request %d is refused: %s: %s", n, resp.Status, said)
	}
	first, err := firstEvent(resp.Body)
	if err != nil || !strings.Contains(first, `"choices"`) && !strings.Contains(first, `"message"`) {
		return fmt.Errorf("request %d has no token in its answer: %q, %v", n, first, err)
	}
	return nil
}

// firstEvent returns the first event of a stream, or its first line of JSON.
func firstEvent(stream io.Reader) (string, error) {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data := strings.TrimPrefix(lines.Text(), "data: "); strings.HasPrefix(data, "{") {
			return data, nil
		}
	}
	return "", errors.Join(errors.New("the stream has no event"), lines.Err())
}

func post(ctx context.Context, to string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(req)
}
