package mcpclient

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/tools/mcpclient/mcptest"
)

// TestServerOverHTTP sends the headers with each request, and hides them in what the server repeats. A server that
// refuses them, one that is not there and one that sends too much cost one message each.
func TestServerOverHTTP(t *testing.T) {
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return mcptest.Good() }, nil)
	var refused atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer the-key-of-the-test" {
			refused.Add(1)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for range 1 << 20 {
			if _, err := w.Write([]byte(strings.Repeat(" ", 1<<16))); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	key := map[string]string{"Authorization": "Bearer the-key-of-the-test"}
	w := newWorld(t, Options{floodBytes: 1 << 20},
		Server{Name: "web", URL: server.URL, Headers: key},
		Server{Name: "stranger", URL: server.URL},
		Server{Name: "endless", URL: endless.URL},
		Server{Name: "gone", URL: gone.URL + "/?key=secret-in-the-address"},
		Server{Name: "short", URL: gone.URL + "/?in"})
	set, notices := w.turn()
	w.expect(set, "web__say", `{"text":"hello"}`, "web"+says+"you said: hello")
	w.expect(set, "web__fail", `{}`, "error: web"+says+"no such page")
	if _, result := w.call(set, "web__say", `{"text":"it is the-key-of-the-test"}`); len(result.Secrets) != 1 ||
		result.Secrets[0] != "the-key-of-the-test" {
		t.Errorf("the secrets are %q", result.Secrets)
	}
	if detail := w.asked[0].Detail; !strings.HasSuffix(detail, "\nof "+server.URL) {
		t.Errorf("asked about %s", detail)
	}
	if len(notices) != 4 || refused.Load() == 0 {
		t.Fatalf("%d requests were refused; notices: %q", refused.Load(), notices)
	}
	for i, want := range []string{"stranger can't be used now: ", "endless can't be used now: ", "gone can't be used now: calling \"initialize\": ", "short can't be used now: calling \"initialize\": "} {
		if !strings.HasPrefix(notices[i], "the MCP server "+want) || strings.Contains(notices[i], "secret-in-the-address") ||
			strings.Contains(notices[i], "?in") {
			t.Errorf("notice: %s", notices[i])
		}
	}
	if _, notices := w.turn(); len(notices) > 0 {
		t.Errorf("told again: %q", notices)
	}
}
