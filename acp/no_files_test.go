package acp_test

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// TestACallThatNamesNoFileDelaysNoOther has a model read a pipe, what is too large and what is not served. The client is not asked
// for it, and the next turns of the folder run.
func TestACallThatNamesNoFileDelaysNoOther(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(f.path("pipe.go")))
	write(t, f.path("sparse.go"), "package shapes\n")
	if err := os.Truncate(f.path("sparse.go"), 3<<30); err != nil {
		t.Fatal(err)
	}
	write(t, f.path(".env"), "KEY=secret\n")
	write(t, f.path("folder.go/a.txt"), "a\n")
	var mu sync.Mutex
	var asked []string
	names := []string{"pipe.go", "sparse.go", ".env", "folder.go", "shapes/circle.go"}
	var turns []llmtest.Turn
	for _, name := range names {
		turns = append(turns, call("read "+name, "read_file", fmt.Sprintf(`{"file":%q}`, name)), say("done"))
	}
	f.useModel(turns...)
	c := f.start(acptest.Options{Capabilities: files, OnRead: func(path string) error {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, path)
		return nil
	}})
	for range names {
		c.Prompt(c.New(f.root), "Read it.")
	}
	if want := []string{f.path("shapes/circle.go")}; !slices.Equal(asked, want) {
		t.Errorf("the client is asked for %q, want %q", asked, want)
	}
}
