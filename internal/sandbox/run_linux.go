package sandbox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Sandbox runs commands in bubblewrap.
type Sandbox struct {
	bubblewrap string
	home       string // the user's, without links; "" for none
}

// New returns the sandbox of this machine. The roots are folders that must not bring the program of
// the sandbox. The error says in a sentence what is missing.
func New(roots []string) (*Sandbox, error) {
	file, err := findBubblewrap(os.Getenv("PATH"), roots)
	if err != nil {
		return nil, err
	}
	return &Sandbox{bubblewrap: file, home: homeFolder()}, nil
}

// Run runs a command until it and all its processes have ended. It returns the exit status, as a
// shell would: 128 and the number of the signal that ended the command. The error is that of ctx if
// ctx ends first, and a [*LimitError] if the command took more than it may; all processes are killed
// then. It is a [*LaunchError] if the command was not started.
func (s *Sandbox) Run(ctx context.Context, c Command) (status int, err error) {
	if c.Network == HostLoopback {
		return 0, &LaunchError{"it can't let a command reach the machine's loopback and nothing else"}
	}
	plan, err := s.planFile(c)
	if err != nil {
		return 0, err
	}
	defer plan.Close()
	pipes, err := newPipes()
	if err != nil {
		return 0, err
	}
	defer pipes.close()
	said := &beginning{}
	output := io.MultiWriter(said, c.Output)
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.SysProcAttr = []string{enterName}, namespaces()
	cmd.Env = slices.Concat(c.Env, []string{"HOME=" + cmp.Or(s.home, "/tmp"), "TMPDIR=/tmp"})
	cmd.Stdout, cmd.Stderr = output, output // one pipe, so that nothing is out of order
	cmd.ExtraFiles = []*os.File{plan, pipes.outcomeIn, pipes.lifeOut}
	cmd.Cancel, cmd.WaitDelay = pipes.life.Close, patience
	err = cmd.Start()
	pipes.closeTheirs()
	if err != nil {
		return 0, &LaunchError{"a user namespace: " + err.Error()}
	}
	var o outcome
	readErr := json.NewDecoder(pipes.outcome).Decode(&o)
	_ = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case readErr != nil:
		return 128 + int(unix.SIGKILL), nil // what runs the sandbox was killed, and the command with it
	}
	return o.result(said.String())
}

// result returns what a command's end means. The sandbox has said the words if it did not start the command.
func (o outcome) result(words string) (status int, err error) {
	switch {
	case o.Fault != "":
		return 0, &LaunchError{o.Fault}
	case o.Limit != "":
		return 0, &LimitError{o.Limit}
	case !o.Ran && strings.HasPrefix(words, program+": execvp "):
		return notFound, nil // the sandbox was made, and the command is none; the output says so
	case !o.Ran && words == "":
		return 128 + int(unix.SIGKILL), nil // bubblewrap itself was killed
	case !o.Ran:
		return 0, &LaunchError{strings.TrimSpace(words)}
	}
	return o.Status, nil
}

// notFound is a shell's exit status for a command that can't be started.
const notFound = 127

// patience is how long the processes of a command may take to be killed.
const patience = 10 * time.Second

// pipes connect this process with the one that makes the sandbox.
type pipes struct {
	outcome, outcomeIn *os.File
	lifeOut, life      *os.File // whose end, however it comes, ends the command
}

func newPipes() (p *pipes, err error) {
	p = &pipes{}
	if p.outcome, p.outcomeIn, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.lifeOut, p.life, err = os.Pipe(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// closeTheirs closes the ends that are the other process's.
func (p *pipes) closeTheirs() {
	p.outcomeIn.Close() // again is no harm, and nil is none
	p.lifeOut.Close()
}

func (p *pipes) close() {
	p.closeTheirs()
	p.outcome.Close()
	p.life.Close()
}

// namespaces returns what the program starts in: as root of a user namespace, so that it may mount.
func namespaces() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setpgid: true, Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// planFile returns a file with the plan of the run.
func (s *Sandbox) planFile(c Command) (*os.File, error) {
	p := plan{Program: s.bubblewrap, Args: c.arguments(s.home), Limits: c.Limits}
	for _, m := range c.Mounts {
		if m.Upper != "" {
			p.Overlays = append(p.Overlays, m)
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("plan", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "plan")
	if _, err := f.WriteAt(text, 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// beginning keeps the beginning of what is written to it: the words of bubblewrap if it starts nothing.
type beginning struct{ kept []byte }

func (b *beginning) Write(p []byte) (int, error) {
	const most = 1 << 10
	b.kept = append(b.kept, p[:min(len(p), most-len(b.kept))]...)
	return len(p), nil
}

func (b *beginning) String() string { return string(b.kept) }
