package index

import "testing"

// TestFitCost compares how well names fit what is typed.
func TestFitCost(t *testing.T) {
	for _, c := range []struct{ wanted, better, worse string }{
		{"serve", "Serve", "Server"},
		{"serve", "Server", "ListenAndServe"},
		{"serve", "ListenAndServe", "observer"},
		{"las", "ListenAndServe", "Atlas"},
		{"lats", "ListenAndTLSServe", "flatness"},
		{"sh", "serve_http", "finish_later"},
		{"http2", "isHTTP2", "ihttpa2"},
		{"nr", "NewReader", "unruly"},
	} {
		better, ok := fitCost(c.better, c.wanted)
		worse, alsoOK := fitCost(c.worse, c.wanted)
		if !ok || alsoOK && worse <= better {
			t.Errorf("%q fits %s with %v, and %s with %v", c.wanted, c.better, better, c.worse, worse)
		}
	}
	for _, name := range []string{"", "ser", "evres", "Sever"} {
		if _, ok := fitCost(name, "serve"); ok {
			t.Errorf("%q fits serve", name)
		}
	}
}
