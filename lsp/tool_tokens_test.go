package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/o200k"
	"ploke-lsp/session/llm/llmtest"
)

// TestASmallerTokenLimitGivesSmallerResults sets limits.toolTokens. The results and the code that is
// sent with the message stay within it, and still say something.
func TestASmallerTokenLimitGivesSmallerResults(t *testing.T) {
	t.Parallel()
	calls := []llmtest.Call{
		{ID: "read", Name: "read_file", Arguments: `{"file":"big.go"}`},
		{ID: "list", Name: "list_dir", Arguments: `{"dir":"many","limit":1000}`},
		{ID: "search", Name: "search_text", Arguments: `{"pattern":"handle","limit":500}`},
		{ID: "lookup", Name: "code_item_lookup", Arguments: `{"name":"handleEverything"}`},
		{ID: "found", Name: "request_code_context", Arguments: `{"token_budget":8192}`},
		{ID: "outline", Name: "get_file_metadata", Arguments: `{"file":"big.go"}`},
	}
	run := func(t *testing.T, settings string) (results map[string]string, context string) {
		f := newFixture(t)
		var big strings.Builder
		big.WriteString("package big\n\nfunc handleEverything() {\n")
		for i := range 900 {
			fmt.Fprintf(&big, "\tprintln(\"step\", %d)\n", i)
		}
		big.WriteString("}\n\n")
		for i := range 300 {
			fmt.Fprintf(&big, "// handle%d handles the request with the number %d.\nfunc handle%d(request string) { println(request, %d) }\n\n", i,
				i, i, i)
			f.write(fmt.Sprintf("many/file%d.txt", i), "")
		}
		f.write("big.go", big.String())
		server := llmtest.NewServer(t, llmtest.Turn{Calls: calls}, llmtest.Turn{Text: []string{"Done."}})
		f.Config = []config.Layer{config.FromJSON("the test", fmt.Appendf(nil, `{"model": "scripted/model", %s
			"providers": {"scripted": {"type": "openai", "baseUrl": %q, "models": {"model": {"contextTokens": 1000000}}}}}`, settings, server.URL))}
		f.startIndexed().Ask("how does handleEverything work with a request?")
		results = map[string]string{}
		for _, c := range calls {
			results[c.ID] = toolResult(&server.Requests()[1], c.ID)
		}
		return results, server.Requests()[0].Last().Content
	}
	usual, usualContext := run(t, `"limits": {"autoContext": 4000},`)
	for _, limit := range []int{1000, 3000} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			results, context := run(t, fmt.Sprintf(`"limits": {"toolTokens": %d, "autoContext": 4000},`, limit))
			for id, result := range results {
				tokens := o200k.Count(result)
				cut := o200k.Count(usual[id]) > limit
				if tokens > limit || tokens > o200k.Count(usual[id]) {
					t.Errorf("%s has %d tokens; without a limit %d", id, tokens, o200k.Count(usual[id]))
				}
				if failed := strings.HasPrefix(result, "error: the result has"); failed != (cut && id == "outline") {
					t.Errorf("%s: %s", id, result)
				}
				least := limit / 3
				if id == "found" { // lists only a few of the symbols of one file
					least = limit / 4
				}
				if cut && id != "outline" && tokens < least {
					t.Errorf("%s has only %d tokens", id, tokens)
				}
			}
			const around = 50 // tokens of the message and the words before the code
			if n := o200k.Count(context); n > limit/2+around || n >= o200k.Count(usualContext) || !strings.Contains(context, "handle") {
				t.Errorf("the message has %d tokens; without a limit %d", n, o200k.Count(usualContext))
			}
		})
	}
}
