//go:build !unix

package tools

import "os/exec"

// ownGroup does nothing, since there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills only cmd.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
