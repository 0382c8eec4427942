// Package servers_test runs ploke-lsp against servers that others wrote: llama.cpp's, Ollama, LiteLLM, servers of the Model Context
// Protocol, and one that makes vectors. scripts/install-real-servers.sh installs them, and "make test" runs these tests in a
// phase of their own.
//
// What a model says comes from a script, since small models say nothing of use: a [relay] shows each request to a real server
// first, which must accept it and begin an answer.
package servers_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"ploke-lsp/internal/testbed"
)

// installed returns the path of something that scripts/install-real-servers.sh installed. Its folder is in
// PLOKE_TEST_SERVERS, or is the one that make uses.
func installed(t *testing.T, elements ...string) string {
	t.Helper()
	dir, err := filepath.Abs(cmp.Or(os.Getenv("PLOKE_TEST_SERVERS"), filepath.Join("..", "..", "build", "real-servers")))
	if err != nil {
		t.Fatal(err)
	}
	return testbed.File(t, "the real servers", filepath.Join(append([]string{dir}, elements...)...))
}

// nowhere is a proxy that is not there, which keeps servers from the network.
const nowhere = "http://127.0.0.1:9"

// environment is what a server gets: nothing of who runs the tests, an empty home, and no network.
func environment(t *testing.T, more ...string) []string {
	own := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8", "TERM=dumb",
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere, "NO_PROXY=127.0.0.1,localhost"}
	return append(own, more...)
}

// output is what a process has printed.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// startServer runs a server until the test ends, and waits until a GET of ready returns 200. What it printed is shown if the
// test fails.
func startServer(t *testing.T, ready string, cmd *exec.Cmd) {
	t.Helper()
	printed, ended := &output{}, make(chan error, 1)
	cmd.Stdout, cmd.Stderr = printed, printed
	if cmd.Env == nil {
		cmd.Env = environment(t)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if t.Failed() {
			t.Logf("%s printed:\n%s", filepath.Base(cmd.Path), lastBytes(printed.String(), 4000))
		}
	})
	testbed.EventuallyWithin(t, starting, func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v", cmd.Path, err)
		default:
		}
		return get(t, ready) == http.StatusOK
	}, func() string { return ready + " does not answer" })
}

// starting is how long a server may take to start, on a busy machine.
const starting = 3 * time.Minute

func lastBytes(s string, n int) string { return s[max(len(s)-n, 0):] }

// get returns the status of a GET, or 0.
func get(t *testing.T, url string) int {
	ctx, cancel := context.WithTimeout(t.Context(), testbed.Soon)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// freePort returns a port of this machine that nothing listened on just now.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// startLlama starts llama.cpp's server with a model of the installed ones, and returns its address. It has one thread for each of
// its two slots, since the machine has other work.
func startLlama(t *testing.T, model string, flags ...string) string {
	t.Helper()
	port := freePort(t)
	args := append([]string{"--model", installed(t, "gguf", model), "--host", "127.0.0.1", "--port", port, "--threads", "1",
		"--threads-batch", "1", "--poll", "0", "--no-warmup", "--jinja", "--offline", "--no-ui", "--parallel", "2"}, flags...)
	address := fmt.Sprintf("http://127.0.0.1:%s", port)
	startServer(t, address+"/health", exec.Command(installed(t, "bin", "llama-server"), args...))
	return address
}
