package sandbox

import (
	"bufio"
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
// ctx ends first; all processes are killed then. It is a [*LaunchError] if the command was not
// started.
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
	cmd.Env = slices.Concat(c.Env, []string{"HOME=" + s.home, "TMPDIR=/tmp"})
	cmd.Stdout, cmd.Stderr = output, output // one pipe, so that nothing is out of order
	cmd.ExtraFiles = []*os.File{plan, pipes.faultsIn, pipes.reportsIn, pipes.permitOut, pipes.lifeOut}
	cmd.Cancel, cmd.WaitDelay = pipes.life.Close, patience
	err = cmd.Start()
	pipes.closeTheirs()
	if err != nil {
		return 0, &LaunchError{"a user namespace: " + err.Error()}
	}
	fault, _ := io.ReadAll(pipes.faults)
	status, ran, limitErr := pipes.follow(c.Limits)
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case limitErr != nil:
		return 0, &LaunchError{"a limit: " + limitErr.Error()}
	case len(fault) > 0:
		return 0, &LaunchError{string(fault)}
	case !ran && strings.HasPrefix(said.String(), program+": execvp "):
		return notFound, nil // the sandbox was made, and the command is none; the output says so
	case !ran && said.String() == "":
		return 128 + int(unix.SIGKILL), nil // bubblewrap itself was killed
	case !ran:
		return 0, &LaunchError{strings.TrimSpace(said.String())}
	}
	return status, nil
}

// notFound is a shell's exit status for a command that can't be started.
const notFound = 127

// patience is how long the processes of a command may take to be killed.
const patience = 10 * time.Second

// pipes connect this process with the one that makes the sandbox.
type pipes struct {
	faults, faultsIn   *os.File // what went wrong before bubblewrap ran
	reports, reportsIn *os.File // bubblewrap's
	permitOut, permit  *os.File // for which it waits before it starts the command
	lifeOut, life      *os.File // whose end, however it comes, ends the command
}

func newPipes() (p *pipes, err error) {
	p = &pipes{}
	for _, ends := range []struct{ r, w **os.File }{
		{&p.faults, &p.faultsIn}, {&p.reports, &p.reportsIn}, {&p.permitOut, &p.permit}, {&p.lifeOut, &p.life},
	} {
		if *ends.r, *ends.w, err = os.Pipe(); err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

// closeTheirs closes the ends that are the other process's.
func (p *pipes) closeTheirs() {
	for _, f := range []*os.File{p.faultsIn, p.reportsIn, p.permitOut, p.lifeOut} {
		f.Close() // again is no harm, and nil is none
	}
}

func (p *pipes) close() {
	p.closeTheirs()
	for _, f := range []*os.File{p.faults, p.reports, p.permit, p.life} {
		f.Close()
	}
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
	p := plan{Program: s.bubblewrap, Args: c.arguments(s.home)}
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

// follow reads bubblewrap's reports until the last: it bounds the first process of the sandbox, and lets it start the
// command. ran is false if there is no report of the command's end: it was not started.
func (p *pipes) follow(limits Limits) (status int, ran bool, err error) {
	lines := bufio.NewScanner(p.reports)
	for lines.Scan() {
		var report struct {
			ChildPID int  `json:"child-pid"`
			ExitCode *int `json:"exit-code"`
		}
		if json.Unmarshal(lines.Bytes(), &report) != nil {
			continue
		}
		if report.ExitCode != nil {
			status, ran = *report.ExitCode, true
		}
		if report.ChildPID == 0 {
			continue
		}
		if err = limits.set(report.ChildPID); err != nil {
			p.life.Close()
		} else {
			_, err = p.permit.Write([]byte{1})
		}
	}
	return status, ran, err
}

// set bounds a process and those that it will start. (This process could not bound itself first: the limits are for
// good.)
func (l Limits) set(pid int) error {
	for resource, most := range map[int]int64{
		unix.RLIMIT_NPROC: int64(l.Processes), unix.RLIMIT_DATA: l.Memory, unix.RLIMIT_FSIZE: l.FileBytes, unix.RLIMIT_CORE: 0,
	} {
		if most == 0 && resource != unix.RLIMIT_CORE {
			continue
		}
		if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}, nil); err != nil {
			return err
		}
	}
	return nil
}

// beginning keeps the beginning of what is written to it: the words of bubblewrap if it starts nothing.
type beginning struct{ kept []byte }

func (b *beginning) Write(p []byte) (int, error) {
	const most = 1 << 10
	b.kept = append(b.kept, p[:min(len(p), most-len(b.kept))]...)
	return len(p), nil
}

func (b *beginning) String() string { return string(b.kept) }
