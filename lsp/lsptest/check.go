package lsptest

import (
	"io"
	"sync"

	"ploke-lsp/lsp/lsptest/lspcheck"
)

// check returns conn, whose messages are checked against LSP and against what the editor has
// declared. A violation fails the test.
func (e *Editor) check(conn io.ReadWriteCloser) io.ReadWriteCloser {
	e.t.Helper()
	var mu sync.Mutex
	ended := false
	session, err := lspcheck.NewSession(func(v lspcheck.Violation) {
		mu.Lock()
		defer mu.Unlock()
		if !ended { // a test that has ended can't fail any more
			e.t.Errorf("the server violates the rule %q of LSP: %s\n%s", v.Rule, v.Problem, v.Message)
		}
	})
	if err != nil {
		e.t.Fatal(err)
	}
	if e.options.CountsCodePoints {
		session.CountCodePoints()
	}
	session.Support(e.options.Undeclared...)
	e.t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
	})
	return session.Watch(conn)
}
