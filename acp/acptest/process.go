package acptest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ploke-lsp/internal/testbed"
)

// StartProcess starts an agent as a process of its own and connects the protocol's TypeScript SDK to it, whose
// client this is. env are the agent's environment variables. It ends with the test.
func StartProcess(t testing.TB, options Options, env []string, command ...string) *Client {
	t.Helper()
	node := testbed.Program(t, "node")
	c := newClient(t, options)
	script := filepath.Join(root(), "acp", "acptest", "client", "client.mjs")
	cmd := exec.Command(node, append([]string{script, filepath.Join(installed(), "node_modules")}, command...)...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	in, err := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	c.connect(pipes{out, in})
	t.Cleanup(func() {
		c.leave()
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the client ended with: %v", err)
		}
		c.conn.Close()
	})
	c.Await("the agent's process", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.PID > 0
	})
	return c
}

// Kill ends the agent's process at once, and waits for its end.
func (c *Client) Kill() {
	c.t.Helper()
	agent, err := os.FindProcess(c.PID)
	if err == nil {
		err = agent.Kill()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.Await("the end of the agent", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.ended
	})
}

// pipes join a process's standard streams to one connection.
type pipes struct {
	io.ReadCloser
	in io.WriteCloser
}

func (p pipes) Write(data []byte) (int, error) { return p.in.Write(data) }

func (p pipes) Close() error { return errors.Join(p.in.Close(), p.ReadCloser.Close()) }
