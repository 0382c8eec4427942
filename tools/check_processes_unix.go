//go:build unix

package tools

import (
	"os/exec"
	"syscall"
)

// processes are a check's command and all that it starts: a process group.
type processes struct{ cmd *exec.Cmd }

// start starts the command in a process group of its own.
func (p *processes) start() error {
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return p.cmd.Start()
}

// kill kills all that remain. It also is the command's Cancel.
func (p *processes) kill() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

func (p *processes) close() {}
