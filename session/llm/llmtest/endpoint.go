package llmtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// NewEndpoint starts a server with one fixed JSON answer for each "METHOD /path";
// it answers 404 to other requests. It returns the server's URL, without a slash
// at its end, and the list of requests, which is complete only between requests.
// The server ends with the test.
func NewEndpoint(t testing.TB, answers map[string]string) (url string, requests *[]string) {
	requests = new([]string)
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := r.Method + " " + r.URL.Path
		mu.Lock()
		*requests = append(*requests, request)
		mu.Unlock()
		answer, ok := answers[request]
		if !ok {
			http.NotFound(w, r)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

// ChatOnly returns a server that answers requests for a chat by serve, and describes no
// models.
func ChatOnly(serve http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		serve(w, r)
	})
}
