//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// Group is a command and all processes that it starts: a process group.
type Group struct{ Cmd *exec.Cmd }

// Start starts the command in a process group of its own, and without a terminal: in the background of this one's,
// whatever asks for something there would be stopped until its time is over.
func (g *Group) Start() error {
	g.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return g.Cmd.Start()
}

// Kill kills all that remain. It may be the command's Cancel.
func (g *Group) Kill() error { return syscall.Kill(-g.Cmd.Process.Pid, syscall.SIGKILL) }

// Close frees what the system keeps for the group.
func (g *Group) Close() {}
