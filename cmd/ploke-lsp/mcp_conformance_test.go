package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestConformance runs the protocol's own conformance tests over HTTP. mcp/realclient/conformance.yml names those
// that don't apply.
func TestConformance(t *testing.T) {
	node, installed := testbed.Program(t, "node"), mcpClients(t)
	address, token := serveMCP(t, []string{"ploke-lsp", "mcp", "--workspace", t.TempDir(), "--state-dir", t.TempDir()})
	tests := exec.CommandContext(t.Context(), node, filepath.Join("..", "..", "mcp", "realclient", "conformance.mjs"), installed,
		withToken(t, address, token), t.TempDir())
	out, err := tests.CombinedOutput()
	if summary := string(out); err != nil || !strings.Contains(summary, "✓ dns-rebinding-protection: 2 passed, 0 failed") {
		t.Errorf("%v: %s", err, summary)
	}
}

// withToken returns the address of a proxy that sends the token with each request, which the tests can't.
func withToken(t *testing.T, address, token string) string {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewUnstartedServer(nil)
	own := proxy.Listener.Addr().String()
	proxy.Config.Handler = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host
		r.Out.Host = strings.Replace(r.In.Host, own, target.Host, 1)
		r.Out.Header.Set("Authorization", "Bearer "+token)
		if origin := r.In.Header.Get("Origin"); origin != "" {
			r.Out.Header.Set("Origin", strings.Replace(origin, own, target.Host, 1))
		}
	}, FlushInterval: -1, Transport: &http.Transport{}}
	proxy.Start()
	t.Cleanup(proxy.Close)
	return proxy.URL + target.Path
}
