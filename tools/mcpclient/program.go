package mcpclient

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/process"
)

const (
	stopGrace  = 2 * time.Second // for a program to end by itself
	pipeGrace  = time.Second     // for a leftover process to close the output
	errorBytes = 4 << 10         // of the end of a program's standard error that are kept
)

// program is an MCP server that this process has started.
type program struct {
	stdin  io.WriteCloser
	stdout *messageReader
	errors *lastBytes
	exited chan struct{} // closed when it has ended, with all that it has started
	how    string        // it ended; once exited is closed

	mu    sync.Mutex
	group *process.Group // nil once it has ended
}

// startProgram starts the program of a server, which may send floodBytes bytes at once. The end of its
// standard error is kept for messages.
func startProgram(s Server, floodBytes int64) (*program, error) {
	cmd := exec.Command(s.Command, s.Args...)
	dir, err := folder(s)
	if err != nil {
		return nil, err
	}
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, environment(s, dir), pipeGrace
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// A pipe of our own: that of the library is closed when the program ends, with what it holds.
	out, in, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	p := &program{stdin: stdin, stdout: newMessageReader(out, floodBytes), errors: &lastBytes{limit: errorBytes},
		exited: make(chan struct{}),
		group:  &process.Group{Cmd: cmd}}
	cmd.Stdout, cmd.Stderr = in, p.errors
	err = p.group.Start()
	in.Close()
	if err != nil {
		stdin.Close()
		out.Close()
		return nil, fmt.Errorf("it can't be started: %w", err)
	}
	go p.wait(cmd)
	return p, nil
}

// folder returns the folder that a server's program runs in.
func folder(s Server) (dir string, err error) {
	if dir = s.Dir; dir == "" {
		dir, err = os.UserHomeDir()
	}
	if err == nil {
		_, err = os.Stat(dir) // else the system would say that the program does not exist
	}
	if err != nil {
		return "", fmt.Errorf("there is no folder to run it in: %w", err)
	}
	return dir, nil
}

// environment returns the environment variables of a server's program, which runs in dir.
func environment(s Server, dir string) []string {
	all := process.Environment(dir, s.EnvKeep)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		all = append(all, name+"="+s.Env[name])
	}
	return all
}

// wait waits for the end of the program, and ends what it leaves.
func (p *program) wait(cmd *exec.Cmd) {
	err := cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.group.Kill() // leftover processes, if any
	p.group.Close()
	p.group = nil
	p.how = "it ended"
	if cmd.ProcessState != nil {
		p.how += ": " + cmd.ProcessState.String()
	} else if err != nil {
		p.how += ": " + err.Error()
	}
	close(p.exited)
}

// stop lets the program end by itself, and ends it if it does not. It waits for the end.
func (p *program) stop() {
	p.stdin.Close()
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-p.exited:
	case <-grace.C:
		p.kill()
	}
}

// kill ends the program with all that it has started, and waits for the end.
func (p *program) kill() {
	p.mu.Lock()
	if p.group != nil {
		_ = p.group.Kill()
	}
	p.mu.Unlock()
	<-p.exited
}

// lastWords returns the last line that the program wrote to its standard error.
func (p *program) lastWords() string {
	lines := strings.Split(strings.TrimSpace(p.errors.String()), "\n")
	return shorten(lines[len(lines)-1], 300)
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct {
	limit int

	mu   sync.Mutex
	kept []byte
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, p[max(0, len(p)-l.limit):]...)
	l.kept = append(l.kept[:0], l.kept[max(0, len(l.kept)-l.limit):]...)
	return len(p), nil
}

func (l *lastBytes) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ToValidUTF8(string(l.kept), "")
}
