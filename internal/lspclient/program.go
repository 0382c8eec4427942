package lspclient

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/process"
)

const (
	pipeGrace  = time.Second // for a process that has left the group to close the output
	errorBytes = 4 << 10     // of the beginning of a server's standard error that are kept
)

// program is the process of a server. It is the connection to it, too.
type program struct {
	stdin  io.WriteCloser
	stdout *os.File
	exited chan struct{} // closed when it has ended, with its process group
	pid    int

	mu     sync.Mutex
	group  *process.Group // nil once it has ended
	errors process.Head
	how    string // it ended
}

func startProgram(o Options) (*program, error) {
	cmd := exec.Command(o.Command[0], o.Command[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = o.Dir, o.Environment, pipeGrace
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
	p := &program{stdin: stdin, stdout: out, exited: make(chan struct{}), group: &process.Group{Cmd: cmd},
		errors: process.Head{Limit: errorBytes}}
	cmd.Stdout, cmd.Stderr = in, messages{p}
	err = p.group.Start()
	in.Close()
	if err != nil {
		stdin.Close()
		out.Close()
		return nil, fmt.Errorf("the language server can't be started: %w", err)
	}
	p.pid = cmd.Process.Pid
	go p.wait(cmd)
	return p, nil
}

// messages takes what the server writes to its standard error.
type messages struct{ p *program }

func (m messages) Write(data []byte) (int, error) {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	return m.p.errors.Write(data)
}

// wait waits for the end of the server, and ends what it leaves.
func (p *program) wait(cmd *exec.Cmd) {
	err := cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.group.Kill() // leftover processes, if any
	p.group.Close()
	p.group = nil
	p.how = "exit status 0"
	if err != nil {
		p.how = err.Error()
	}
	if words := strings.TrimSpace(p.errors.String()); words != "" {
		p.how += ": " + shown(words)
	}
	time.AfterFunc(pipeGrace, func() { p.stdout.Close() }) // which a process that has left the group may hold open
	close(p.exited)
}

func (p *program) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// endsWithin waits for the end of a server whose connection has ended.
func (p *program) endsWithin(most time.Duration) bool {
	wait := time.NewTimer(most)
	defer wait.Stop()
	select {
	case <-p.exited:
	case <-wait.C:
	}
	return p.ended()
}

// ending says how it has ended.
func (p *program) ending() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.how
}

// kill ends the server with its process group, and waits for the end.
func (p *program) kill() {
	p.mu.Lock()
	if p.group != nil {
		_ = p.group.Kill()
	}
	p.mu.Unlock()
	<-p.exited
}

// Read reads what the server says.
func (p *program) Read(data []byte) (int, error) { return p.stdout.Read(data) }

// Write writes to the server.
func (p *program) Write(data []byte) (int, error) { return p.stdin.Write(data) }

// Close closes the streams of the server.
func (p *program) Close() error { return errors.Join(p.stdin.Close(), p.stdout.Close()) }
