package mcp_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/mcp"
)

const token = "a token of this test"

// serveHTTP serves a world over HTTP and returns the address and the port.
func (w *world) serveHTTP() (url, port string) {
	w.t.Helper()
	listener, err := mcp.ListenLocal("127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	served := make(chan error, 1)
	go func() { served <- w.server.ServeHTTP(ctx, listener, token) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			w.t.Error(err)
		}
	})
	_, port, _ = strings.Cut(listener.Addr().String(), ":")
	return "http://" + listener.Addr().String() + mcp.Path, port
}

// authorized sends the token with each request.
type authorized struct{}

func (authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

func (w *world) connectHTTP(url string, o *sdk.ClientOptions) *client {
	w.t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).
		Connect(w.t.Context(), &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: authorized{}}}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { session.Close() })
	return newClient(w.t, session)
}

func TestToolsOverHTTP(t *testing.T) {
	w := newWorld(t, applying)
	w.write("Makefile", makefile)
	url, _ := w.serveHTTP()
	c := w.connectHTTP(url, &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: "accept"}, nil
	}})
	text, _ := c.call("symbol", map[string]any{"name": "Hello"})
	contains(t, text, "function Hello")
	text, _ = c.call("edit", edit("Makefile", "echo old", "echo new"))
	contains(t, text, "the person agreed")
	contains(t, w.read("Makefile"), "echo new")
}

// TestRequestsThatAreRefused has requests of a program without the token, and of web pages.
func TestRequestsThatAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	url, port := w.serveHTTP()
	good := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"},
		"Accept": {"application/json, text/event-stream"}}
	for _, tt := range []struct {
		name        string
		host        string
		key, value  string // the header that is changed
		status      int
		method, url string
	}{
		{name: "good", status: 200},
		{name: "localhost", host: "localhost:" + port, status: 200},
		{name: "bearer in other case", key: "Authorization", value: "bearer " + token, status: 200},
		{name: "no token", key: "Authorization", value: "", status: 401},
		{name: "wrong token", key: "Authorization", value: "Bearer " + token + "x", status: 401},
		{name: "beginning of the token", key: "Authorization", value: "Bearer " + token[:5], status: 401},
		{name: "empty token", key: "Authorization", value: "Bearer ", status: 401},
		{name: "other scheme", key: "Authorization", value: "Basic " + token, status: 401},
		{name: "name that leads here", host: "evil.example:" + port, status: 403},
		{name: "name that leads here, no port", host: "evil.example", status: 403},
		{name: "name that begins like ours", host: "127.0.0.1.evil.example:" + port, status: 403},
		{name: "other port", host: "127.0.0.1:1", status: 403},
		{name: "no port", host: "127.0.0.1", status: 403},
		{name: "page", key: "Origin", value: "https://evil.example", status: 403},
		{name: "page of this machine", key: "Origin", value: "http://localhost:3000", status: 403},
		{name: "own address as a page's", key: "Origin", value: "http://127.0.0.1:" + port, status: 200},
		{name: "own address with a path", key: "Origin", value: "http://127.0.0.1:" + port + "/page", status: 403},
		{name: "own port of another machine", key: "Origin", value: "http://evil.example:" + port, status: 403},
		{name: "own address over TLS", key: "Origin", value: "https://127.0.0.1:" + port, status: 403},
		{name: "page in a file", key: "Origin", value: "null", status: 403},
		{name: "other path", url: "/", status: 404},
		{name: "slash at the end", url: "/mcp/", status: 200},
		{name: "slash at the end, no token", url: "/mcp/", key: "Authorization", status: 401},
		{name: "OAuth: resource", method: "GET", url: "/.well-known/oauth-protected-resource", key: "Authorization", status: 404},
		{name: "OAuth: resource of the path", method: "GET", url: "/.well-known/oauth-protected-resource/mcp", key: "Authorization", status: 404},
		{name: "OAuth: below the path", method: "GET", url: "/mcp/.well-known/oauth-protected-resource", key: "Authorization", status: 404},
		{name: "OAuth: server", method: "GET", url: "/.well-known/oauth-authorization-server", key: "Authorization", status: 404},
		{name: "OAuth: OpenID", method: "GET", url: "/.well-known/openid-configuration/mcp", key: "Authorization", status: 404},
		{name: "OAuth: HEAD", method: "HEAD", url: "/.well-known/oauth-authorization-server", key: "Authorization", status: 404},
		{name: "OAuth: register", url: "/register", key: "Authorization", status: 404},
		{name: "OAuth: token", url: "/token", key: "Authorization", status: 404},
		{name: "OAuth: authorize", method: "GET", url: "/authorize?response_type=code", key: "Authorization", status: 404},
		{name: "OAuth: path to clean", method: "GET", url: "//register", key: "Authorization", status: 404},
		{name: "OAuth: page", url: "/register", key: "Origin", value: "https://evil.example", status: 403},
		{name: "list of sessions", method: http.MethodGet, status: 400},
		{name: "preflight", method: http.MethodOptions, key: "Origin", value: "https://evil.example", status: 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			method, at := http.MethodPost, url
			if tt.method != "" {
				method = tt.method
			}
			if tt.url != "" {
				at = strings.TrimSuffix(url, mcp.Path) + tt.url
			}
			const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
				`"clientInfo":{"name":"x","version":"1"}}}`
			r, err := http.NewRequestWithContext(t.Context(), method, at, strings.NewReader(initialize))
			if err != nil {
				t.Fatal(err)
			}
			r.Host, r.Header = tt.host, good.Clone()
			if tt.key != "" {
				r.Header.Set(tt.key, tt.value)
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body, _ := io.ReadAll(answer.Body)
			if answer.StatusCode != tt.status {
				t.Errorf("%d, want %d: %s", answer.StatusCode, tt.status, body)
			}
			if tt.status != 200 && answer.Header.Get("Mcp-Session-Id") != "" {
				t.Error("a session was begun")
			}
			if answer.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("pages are let in")
			}
		})
	}
}

func TestOnlyThisMachineIsListenedTo(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.168.0.1:0", "example.com:80", "127.0.0.1", ""} {
		if l, err := mcp.ListenLocal(address); err == nil {
			l.Close()
			t.Errorf("%q is listened to", address)
		}
	}
}

func TestToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "mcp-token")
	tokens := make([]string, 8)
	var all sync.WaitGroup
	for i := range tokens {
		all.Go(func() {
			var err error
			if tokens[i], err = mcp.ReadToken(path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, got := range tokens {
		if got != tokens[0] || len(got) < 20 {
			t.Errorf("the tokens are %q", tokens)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := mcp.ReadToken(path); err == nil || !strings.Contains(err.Error(), "fewer than") {
		t.Errorf("a short token: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := mcp.ReadToken(path); err == nil || !strings.Contains(err.Error(), "others can read") {
		t.Errorf("a token that others can read: %v", err)
	}
}

// TestClientsWithoutSessionsAreApart has two clients that nothing tells apart edit the same file, one of them twice.
func TestClientsWithoutSessionsAreApart(t *testing.T) {
	w := newWorld(t, nil)
	url, _ := w.serveHTTP()
	one, other := w.connectHTTP(url, nil), w.connectHTTP(url, nil)
	if version := one.InitializeResult().ProtocolVersion; version < "2026-07-28" {
		t.Fatalf("the version is %s", version)
	}
	text, first := one.call("edit", edit("greet.go", `"hello "`, `"hi "`))
	contains(t, text, "name its proposal_id in later calls")
	text, _ = other.call("read", map[string]any{"file": "greet.go"})
	contains(t, text, `"hello "`)
	_, second := other.call("edit", edit("greet.go", `"hello "`, `"hey "`))
	if first["proposal_id"] == second["proposal_id"] {
		t.Error("the second client amended the proposal of the first")
	}
	text, _ = one.call("read", map[string]any{"file": "greet.go", "proposal_id": first["proposal_id"]})
	contains(t, text, `"hi "`, "proposed, not saved")
	again := edit("greet.go", `"hi "`, `"hello, "`)
	again["proposal_id"] = first["proposal_id"]
	if _, amended := one.call("edit", again); amended["proposal_id"] != first["proposal_id"] {
		t.Errorf("the proposal was not amended: %v", amended)
	}
	again["proposal_id"] = "01a20257-4a89-713d-bc4f-72be749473a0"
	if text, _, failed := one.try("edit", again); !failed {
		t.Errorf("another proposal was amended: %s", text)
	}
	if got := w.read("greet.go"); got != greet {
		t.Errorf("the file was written: %s", got)
	}
}

// TestABrokenProposalIsNotTheNextClients has clients that nothing tells apart edit one file, while their edits are applied. That of the
// first one waits for its syntax error: only a call that names it sees it, and mends it.
func TestABrokenProposalIsNotTheNextClients(t *testing.T) {
	w := newWorld(t, applying)
	url, _ := w.serveHTTP()
	one, other := w.connectHTTP(url, nil), w.connectHTTP(url, nil)
	text, broken := one.call("edit", edit("greet.go", `{ return Hello("all") }`, `{ return Hello("all" }`))
	contains(t, text, "not written: the result has new syntax errors", "name its proposal_id in later calls")
	for _, c := range []*client{other, one, w.connectHTTP(url, nil)} {
		text, _ := c.call("read", map[string]any{"file": "greet.go"})
		if strings.Contains(text, `Hello("all" }`) {
			t.Errorf("another call sees what waits:\n%s", text)
		}
	}
	text, applied := other.call("edit", edit("greet.go", `"hello "`, `"hi "`))
	contains(t, text, "\nwritten")
	if applied["proposal_id"] == broken["proposal_id"] {
		t.Error("the second client amended the proposal of the first")
	}
	if got := w.read("greet.go"); !strings.Contains(got, `"hi "`) || !strings.Contains(got, `{ return Hello("all") }`) {
		t.Errorf("the file is %s", got)
	}
	mend := edit("greet.go", `Hello("all" }`, `Hello("everybody") }`)
	mend["proposal_id"] = broken["proposal_id"]
	text, mended := one.call("edit", mend)
	contains(t, text, "\nwritten")
	if got := w.read("greet.go"); mended["proposal_id"] != broken["proposal_id"] || !strings.Contains(got, `Hello("everybody") }`) ||
		!strings.Contains(got, `"hi "`) {
		t.Errorf("%v, and the file is %s", mended, got)
	}
}
