package lspclient

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/process"
)

const errorBytes = 4 << 10 // of the beginning of a server's standard error that are kept

// program is the process of a server. It is the connection to it, too.
type program struct {
	*process.Piped
	errors messages
}

func startProgram(o Options) (*program, error) {
	cmd := exec.Command(o.Command[0], o.Command[1:]...)
	cmd.Dir, cmd.Env = o.Dir, o.Environment
	p := &program{errors: messages{kept: process.Head{Limit: errorBytes}}}
	var err error
	if p.Piped, err = process.StartPiped(cmd, &p.errors); err != nil {
		return nil, fmt.Errorf("the language server can't be started: %w", err)
	}
	go func() {
		<-p.Exited
		// a process that has left the group may hold it open
		time.AfterFunc(process.PipeGrace, func() { p.Stdout.Close() })
	}()
	return p, nil
}

// messages keeps what the server writes to its standard error first.
type messages struct {
	mu   sync.Mutex
	kept process.Head
}

func (m *messages) Write(data []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept.Write(data)
}

func (m *messages) String() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.TrimSpace(m.kept.String())
}

// ending says how a program has ended that has.
func (p *program) ending() string {
	how := "exit status 0"
	if p.Err != nil {
		how = p.Err.Error()
	}
	if words := p.errors.String(); words != "" {
		how += ": " + shown(words)
	}
	return how
}

// Read reads what the server says.
func (p *program) Read(data []byte) (int, error) { return p.Stdout.Read(data) }

// Write writes to the server.
func (p *program) Write(data []byte) (int, error) { return p.Stdin.Write(data) }

// Close closes the streams of the server.
func (p *program) Close() error { return errors.Join(p.Stdin.Close(), p.Stdout.Close()) }
