//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach makes a process outlive this one and its terminal.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
