package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"ploke-lsp/tools"
)

// checks is a world whose user has configured the commands, and permits them.
func checks(t *testing.T, configured map[string]tools.Check) *world {
	t.Helper()
	w := newWorld(t, map[string]string{"a.go": "package a\n"})
	w.deps.Checks = func() map[string]tools.Check { return configured }
	w.set = tools.New(w.deps)
	w.grant = true
	return w
}

// ran is the result of run_check.
type ran struct {
	Passed  bool
	Ended   string
	Output  string
	Omitted int64 `json:"output_bytes_omitted"`
}

func (w *world) check(name string) (got ran) {
	w.t.Helper()
	result := w.call("run_check", `{"name":"`+name+`"}`)
	if !result.OK {
		w.t.Fatalf("%s", result.Content)
	}
	if err := json.Unmarshal(result.Content, &got); err != nil {
		w.t.Fatal(err)
	}
	return got
}

// The test binary is a check, or a process that the check has started, if these are set.
const (
	checkRole    = "PLOKE_TEST_CHECK_ROLE"
	checkAddress = "PLOKE_TEST_CHECK_ADDRESS" // where the started process connects to
)

func init() {
	switch os.Getenv(checkRole) {
	case "waits", "leaves":
		started := exec.Command(os.Args[0])
		started.Env = append(os.Environ(), checkRole+"=started")
		out, err := started.StdoutPipe()
		if err == nil {
			err = started.Start()
		}
		if err == nil {
			_, err = out.Read(make([]byte, 1)) // it is connected
		}
		if err != nil {
			panic(err)
		}
		if os.Getenv(checkRole) == "waits" {
			started.Wait()
		}
		os.Exit(0)
	case "started":
		connection, err := net.Dial("tcp", os.Getenv(checkAddress))
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString("connected\n")
		io.Copy(io.Discard, connection)
		os.Exit(0)
	}
}

// TestWhatACheckHasStartedEndsWithIt has a check that starts another process, on each system.
func TestWhatACheckHasStartedEndsWithIt(t *testing.T) {
	for _, role := range []string{"waits", "leaves"} {
		t.Run(role, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			t.Setenv(checkRole, role)
			t.Setenv(checkAddress, listener.Addr().String())
			w := checks(t, map[string]tools.Check{"it": {Command: []string{os.Args[0]}, Env: []string{checkRole, checkAddress}}})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			gone := make(chan error, 1)
			go func() { // the connection ends with the process
				connection, err := listener.Accept()
				if err == nil {
					if role == "waits" {
						cancel()
					}
					_, err = connection.Read(make([]byte, 1))
				}
				gone <- err
			}()
			tool, _ := w.set.Get("run_check")
			_, err = tool.Run(ctx, w, json.RawMessage(`{"name":"it"}`))
			if want := map[string]error{"waits": context.Canceled}[role]; !errors.Is(err, want) {
				t.Errorf("the call ended with %v, want %v", err, want)
			}
			select {
			case <-gone: // however the connection was closed
			case <-time.After(30 * time.Second):
				t.Error("a process of the check still runs")
			}
		})
	}
}
