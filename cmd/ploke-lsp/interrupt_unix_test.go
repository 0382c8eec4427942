//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// TestInterruptWhileThoughtsArrive presses Ctrl-C after the model has sent almost as many characters as an answer of 64 MB has if each
// is in a piece of its own, while more arrive. The question ends within a second.
func TestInterruptWhileThoughtsArrive(t *testing.T) {
	testbed.Long(t)
	for _, field := range []string{"reasoning_content", "content"} {
		t.Run(field, func(t *testing.T) {
			const atOnce, most = 1000, 800_000
			pieces := strings.Repeat(`data: {"choices":[{"index":0,"delta":{"`+field+`":"x"}}]}`+"\n\n", atOnce)
			enough := make(chan struct{})
			arrived := sync.OnceFunc(func() { close(enough) })
			model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for sent := 0; r.Context().Err() == nil; sent += atOnce {
					if _, err := io.WriteString(w, pieces); err != nil {
						return
					}
					if sent >= most {
						arrived()
					}
				}
			}))
			defer model.Close()
			useModel(t, model.URL)
			cmd := program(t, "ask", "--state-dir", t.TempDir(), "--workspace", manyFiles(t, 1), "think")
			cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
			check(t, cmd.Start())
			defer cmd.Process.Kill() // which fails unless the test has
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				cmd.Wait() // how it has ended is in its state
			}()
			testbed.ReceiveWithin(t, time.Minute, enough, "the thoughts")
			began := time.Now()
			check(t, cmd.Process.Signal(os.Interrupt))
			testbed.Receive(t, ended, "the end of the question")
			if took := time.Since(began); took > time.Second {
				t.Errorf("the question ended %v after Ctrl-C", took)
			}
			if code := cmd.ProcessState.ExitCode(); code != interrupted {
				t.Errorf("exit status %d", code)
			}
		})
	}
}
