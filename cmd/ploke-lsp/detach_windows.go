package main

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach makes a process outlive this one and its console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
