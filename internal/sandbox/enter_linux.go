package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// enterName is the name under which this program starts itself again.
const enterName = "ploke-lsp-sandbox"

// The files that this program gets besides the standard ones.
const (
	planAt    = 3 + iota // a plan
	outcomeAt            // takes an outcome
	lifeAt               // ends with the process that wants the command
)

// The files that bubblewrap gets.
const (
	statusFile = 3 + iota // takes its reports
	permitFile            // has a byte once the command may begin
	filterFile            // the filter of system calls
)

// plan is what the program does in its namespaces.
type plan struct {
	Program  string // bubblewrap, with Args; "" for none
	Args     []string
	Overlays []Mount
	Forward  bool         // whether servers on this machine's loopback are reached
	Confined *confinement // what runs in place of bubblewrap, without namespaces
	Limits   Limits
}

// outcome is how it ended.
type outcome struct {
	Fault  string // why the command was not started, if that was not for bubblewrap to say
	Ran    bool   // whether the command was started, and Status is its exit status
	Status int
	Limit  string // the limit for which the command was stopped
}

// Enter runs a command if this process was started for that, and does not return then. A program
// that runs commands calls it first.
func Enter() {
	if len(os.Args) == 0 || os.Args[0] != enterName {
		return
	}
	for _, fd := range []int{planAt, outcomeAt, lifeAt} {
		unix.CloseOnExec(fd)
	}
	if len(os.Args) > 1 {
		enterConfined()
	}
	var o outcome
	if err := o.enter(); err != nil {
		o.Fault = err.Error()
	}
	if err := json.NewEncoder(os.NewFile(outcomeAt, "outcome")).Encode(o); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// enter makes the mounts, and runs bubblewrap until nothing is left of it.
func (o *outcome) enter() error {
	var p plan
	if err := json.NewDecoder(os.NewFile(planAt, "plan")).Decode(&p); err != nil {
		return err
	}
	if err := p.prepare(); err != nil {
		return err
	}
	if p.Program == "" && p.Confined == nil {
		o.Ran = true // to make the mounts is all that was wanted
		return nil
	}
	child, err := p.start()
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.NewFile(lifeAt, "life"))
		child.kill()
	}()
	followed := make(chan error, 1)
	go func() { followed <- o.follow(child, p) }()
	_ = child.cmd.Wait() // the reports of bubblewrap say how it ended
	killChildren()
	close(child.done)
	err = <-followed
	child.watching.Wait()
	if p.Confined != nil && err == nil {
		o.Ran, o.Status = true, exitStatus(child.cmd.ProcessState)
	}
	return err
}

// child is bubblewrap as it runs.
type child struct {
	cmd      *exec.Cmd
	reports  *os.File // that it writes
	permit   *os.File // for which it waits before it starts the command
	done     chan struct{}
	watching sync.WaitGroup
}

func (c *child) kill() { _ = c.cmd.Process.Kill() }

// start starts bubblewrap, or what runs in its place.
func (p *plan) start() (*child, error) {
	third, err := p.thirdFile()
	if err != nil {
		return nil, err
	}
	defer third.Close()
	reports, reportsIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reportsIn.Close()
	permitOut, permit, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer permitOut.Close()
	cmd := exec.Command(p.Program)
	cmd.Args = p.Args
	if p.Confined != nil {
		cmd = exec.Command("/proc/self/exe")
		cmd.Args, cmd.SysProcAttr = []string{enterName, "confined"}, &syscall.SysProcAttr{Setsid: true}
	}
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdout, os.Stderr, []*os.File{reportsIn, permitOut, third}
	c := &child{cmd: cmd, reports: reports, permit: permit, done: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if p.Confined != nil {
		_, err = fmt.Fprintf(reportsIn, `{"child-pid":%d}`+"\n", cmd.Process.Pid)
	}
	return c, err
}

// thirdFile returns the file that comes after those for reports and the permit.
func (p *plan) thirdFile() (*os.File, error) {
	if p.Confined != nil {
		return memoryFile("confinement", p.Confined)
	}
	f, err := newFilterFile()
	if err != nil {
		return nil, fmt.Errorf("the filter of system calls: %w", err)
	}
	return f, nil
}

// follow reads bubblewrap's reports until the last: it bounds the first process of the sandbox, and lets it start the
// command.
func (o *outcome) follow(c *child, p plan) (err error) {
	lines := bufio.NewScanner(c.reports)
	for lines.Scan() {
		var report struct {
			ChildPID int    `json:"child-pid"`
			ExitCode *int   `json:"exit-code"`
			Fault    string `json:"fault"`
		}
		if json.Unmarshal(lines.Bytes(), &report) != nil {
			continue
		}
		if report.ExitCode != nil {
			o.Status, o.Ran = *report.ExitCode, true
		}
		if report.Fault != "" {
			err = errors.New(report.Fault)
		}
		if report.ChildPID == 0 {
			continue
		}
		if err = p.admit(report.ChildPID); err != nil {
			c.kill()
			continue
		}
		c.watching.Go(func() {
			p.Limits.watch(c.done, func(reason string) {
				o.Limit = reason
				c.kill()
			})
		})
		_, err = c.permit.Write([]byte{1})
	}
	return err
}

// admit makes what the command's first process needs, and is bound by.
func (p *plan) admit(pid int) error {
	if err := p.Limits.set(pid); err != nil {
		return fmt.Errorf("a limit: %w", err)
	}
	if !p.Forward {
		return nil
	}
	if err := forward(pid); err != nil {
		return fmt.Errorf("the servers of the loopback: %w", err)
	}
	return nil
}

// prepare makes what bubblewrap finds.
func (p *plan) prepare() error {
	// What bubblewrap leaves when it is killed comes to this process. Its own way, a signal at the
	// death of the parent, has a moment at its start in which the signal is not set.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	if p.Confined != nil {
		return nil
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("a mount namespace of its own: %w", err)
	}
	for _, m := range p.Overlays {
		err := mountOverlay(m)
		if err != nil && m.Spare {
			err = mountSpare(m)
		}
		if err != nil {
			return fmt.Errorf("an overlay of %s: %w", m.At, err)
		}
	}
	return nil
}

// mountSpare mounts what a command can do with.
func mountSpare(m Mount) error {
	if m.Empty {
		return unix.Mount(m.Upper, m.At, "", unix.MS_BIND, "")
	}
	if err := unix.Mount(m.From, m.At, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	return unix.MountSetattr(unix.AT_FDCWD, m.At, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}

// killChildren kills what is left of the sandbox. Its first process takes all others with it.
func killChildren() {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if errors.Is(err, unix.ECHILD) {
			return
		}
		if pid != 0 {
			continue
		}
		for child, parent := range parents() {
			if parent == os.Getpid() {
				_ = unix.Kill(child, unix.SIGKILL)
			}
		}
		if _, err := unix.Wait4(-1, nil, 0, nil); errors.Is(err, unix.ECHILD) {
			return
		}
	}
}

// mountOverlay mounts an overlay. The folders are named by open files, since their names may have
// characters that separate options.
func mountOverlay(m Mount) error {
	options, flags := "userxattr", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC
	for _, part := range []struct{ option, dir string }{{"lowerdir", m.From}, {"upperdir", m.Upper}, {"workdir", m.Work}} {
		fd, err := unix.Open(part.dir, flags, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		options += fmt.Sprintf(",%s=/proc/self/fd/%d", part.option, fd)
	}
	return unix.Mount("overlay", m.At, "overlay", unix.MS_NODEV|unix.MS_NOSUID, options)
}
