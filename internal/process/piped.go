package process

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// PipeGrace is how long a process that has left the group of a [Piped] may keep its standard error open.
const PipeGrace = time.Second

// Piped is a running program that is spoken to over its standard streams, with all that it has started.
type Piped struct {
	Stdin io.WriteCloser
	// Stdout stays open when the program ends, with what it holds.
	Stdout *os.File
	// Exited is closed when the program has ended, with its group. Then Err is why, nil for status 0.
	Exited chan struct{}
	Err    error

	pid   int
	mu    sync.Mutex
	group *Group // nil once it has ended
}

// StartPiped starts a command whose arguments, folder and environment are set. messages takes its standard error.
func StartPiped(cmd *exec.Cmd, messages io.Writer) (*Piped, error) {
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
	p := &Piped{Stdin: stdin, Stdout: out, Exited: make(chan struct{}), group: &Group{Cmd: cmd}}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = in, messages, PipeGrace
	err = p.group.Start()
	in.Close()
	if err != nil {
		stdin.Close()
		out.Close()
		return nil, err
	}
	p.pid = cmd.Process.Pid
	go p.wait(cmd)
	return p, nil
}

// wait waits for the end of the program, and ends what it leaves.
func (p *Piped) wait(cmd *exec.Cmd) {
	p.Err = cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.group.Kill() // leftover processes, if any
	p.group.Close()
	p.group = nil
	close(p.Exited)
}

// Pid is the id of the program's process, and on Unix of its group.
func (p *Piped) Pid() int { return p.pid }

// Kill ends the program with all that it has started, and waits for the end.
func (p *Piped) Kill() {
	p.mu.Lock()
	if p.group != nil {
		_ = p.group.Kill()
	}
	p.mu.Unlock()
	<-p.Exited
}

// EndsWithin reports whether the program ends by itself within a time.
func (p *Piped) EndsWithin(most time.Duration) bool {
	wait := time.NewTimer(most)
	defer wait.Stop()
	select {
	case <-p.Exited:
		return true
	case <-wait.C:
	}
	return p.Ended()
}

// Ended reports whether the program has ended.
func (p *Piped) Ended() bool {
	select {
	case <-p.Exited:
		return true
	default:
		return false
	}
}
