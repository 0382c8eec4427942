// Package sandbox runs commands that can read the tools of a machine and write only in folders that they were given.
//
// Its promises, where [New] finds what they need:
//   - A command writes only below its trees, its home folder and its temporary folder. Everything else is read-only
//     or not there.
//   - The user's home folder is not there, but for the toolchains that [Sandbox.Toolchains] names; of these, files
//     and folders with credentials have nothing in them, and what is written in a cache is kept apart from it.
//   - It sees no process of the machine, no socket of a service, no keyring and no terminal. It gets no privilege by
//     a program.
//   - Without a network it has a loopback of its own, so that a project's test servers work.
//   - All its processes end with it, and with this process.
//
// On Linux it uses bubblewrap. This process starts itself again in new user and mount namespaces
// ([Enter]), makes the mounts that bubblewrap can't, and runs bubblewrap. Where that is missing, Landlock keeps a part
// of the promises, and on macOS sandbox-exec does: [Protection] says which are not kept.
package sandbox

import (
	"context"
	"fmt"
	"io"
)

// A Sandbox is a way to run commands.
type Sandbox interface {
	// Run runs a command until it and all its processes have ended. It returns the exit status, as a
	// shell would: 128 and the number of the signal that ended the command. The error is that of ctx if
	// ctx ends first, and a [*LimitError] if the command took more than it may; all processes are killed
	// then. It is a [*LaunchError] if the command was not started.
	Run(ctx context.Context, c Command) (status int, err error)
	// CanOverlay returns a [*LaunchError] if the kernel refuses an overlay with these folders.
	CanOverlay(ctx context.Context, m Mount) error
	// Toolchains returns what of the toolchains of a home folder a command with the variables env gets, and variables
	// that it needs besides. What is written in a cache is kept below dir. Files with credentials have no settings, or
	// can't be read.
	Toolchains(env []string, dir string) (mounts []Mount, variables []string, err error)
	Protection() Protection
}

// Protection says what a sandbox does.
type Protection struct {
	Way    string   // its name
	Mounts bool     // whether a command sees a folder where [Mount.At] says; else it sees it where it is
	Lacks  []string // which promises of the package it does not keep, in words that follow "a command"
}

// A Command is a program with what it may reach. Paths are absolute.
type Command struct {
	Args   []string  // program and arguments
	Dir    string    // where it starts, as the command sees it
	Env    []string  // all variables but HOME and TMPDIR
	Output io.Writer // takes both outputs

	Mounts []Mount // in this order: a later one may lie in an earlier one
	Home   string  // a folder that is the command's home folder
	Temp   string  // a folder that is its /tmp
	Hidden []string

	Network Network
	Limits  Limits
}

// A Mount puts a folder where the command sees it.
type Mount struct {
	At       string // where the command sees it; a folder or file that exists, or is made in a mount before
	From     string // what it sees
	Writable bool
	Upper    string // a folder that takes what is written instead of From; "" for none
	Work     string // a folder that the kernel needs for that, on the disk of Upper
	// Spare says that a command can do with From as it is, read-only, if the kernel refuses an overlay, or if Empty is
	// true, with Upper alone.
	Spare, Empty bool
}

// Network is what a command can reach.
type Network int

// The networks.
const (
	NoNetwork    Network = iota // a loopback of its own
	HostLoopback                // also TCP servers that listen on the machine's loopback when the command starts
	HostNetwork                 // all that the machine reaches
)

// Limits bound what all processes of a command take together. 0 is no bound. Processes, memory and disk are measured
// four times a second, since the kernel bounds none of them for root, nor memory in a form that holds for programs
// that reserve much more than they use (Go's race detector, sanitizers).
type Limits struct {
	Processes int
	Memory    int64    // bytes, without files that are mapped
	FileBytes int64    // of each file
	Disk      []string // folders of this machine
	DiskBytes int64    // that these may have
}

// LaunchError says why a command was not started.
type LaunchError struct{ Reason string }

func (e *LaunchError) Error() string { return fmt.Sprintf("the sandbox can't be made: %s", e.Reason) }

// LimitError says which limit a command has reached, for which it was stopped.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return fmt.Sprintf("the command was stopped: %s", e.Reason) }
