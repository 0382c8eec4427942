package compiler

import (
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestMemory ends a server that takes more than it may.
func TestMemory(t *testing.T) {
	t.Parallel()
	f := serve(t, liars(""), map[string]string{"a.go": source}, func(o *Options) {
		one := o.Commands()["go"]
		one.Bytes = 1
		o.Commands = func() map[string]Command { return map[string]Command{"go": one} }
		o.Idle = time.Second // which is how often the memory is looked at, too
	})
	if _, err := f.References(t.Context(), f.at(t, "a.go", "square")); err != nil {
		t.Fatal(err)
	}
	testbed.Eventually(t, func() bool { return strings.Contains(f.States(t.Context())[0].Problem, "MiB of memory") },
		func() string { return f.States(t.Context())[0].String() })
}
