package acp_test

import (
	"context"
	"errors"
	"testing"

	"ploke-lsp/acp"
	"ploke-lsp/internal/testbed"
)

// TestOnePathIsLockedAndOthersAreNot takes locks of two paths. Who waits for one gives up with its context.
func TestOnePathIsLockedAndOthersAreNot(t *testing.T) {
	testbed.Watch(t)
	var locks acp.PathLocks
	unlock, err := locks.Lock(t.Context(), "/a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := locks.Lock(t.Context(), "/b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := locks.Lock(ended, "/a"); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	taken := make(chan func())
	go func() {
		again, _ := locks.Lock(t.Context(), "/a")
		taken <- again
	}()
	unlock()
	(<-taken)()
	if again, err := locks.Lock(t.Context(), "/a"); err != nil {
		t.Error(err)
	} else {
		again()
	}
}
