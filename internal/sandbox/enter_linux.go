package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// enterName is the name under which this program starts itself again.
const enterName = "ploke-lsp-sandbox"

// The files that this program gets besides the standard ones.
const (
	planAt    = 3 + iota // a plan
	faultsAt             // takes what goes wrong; closed once bubblewrap runs
	reportsAt            // for bubblewrap
	permitAt             // for bubblewrap
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
	Program  string
	Args     []string
	Overlays []Mount
}

// Enter runs a command if this process was started for that, and does not return then. A program
// that runs commands calls it first.
func Enter() {
	if len(os.Args) == 0 || os.Args[0] != enterName {
		return
	}
	for _, fd := range []int{planAt, faultsAt, reportsAt, permitAt, lifeAt} {
		unix.CloseOnExec(fd)
	}
	faults := os.NewFile(faultsAt, "faults")
	if err := enter(faults); err != nil {
		_, _ = io.WriteString(faults, err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// enter makes the mounts, and runs bubblewrap until nothing is left of it.
func enter(faults *os.File) error {
	var p plan
	if err := json.NewDecoder(os.NewFile(planAt, "plan")).Decode(&p); err != nil {
		return err
	}
	if err := p.prepare(); err != nil {
		return err
	}
	filter, err := newFilterFile()
	if err != nil {
		return fmt.Errorf("the filter of system calls: %w", err)
	}
	reports, permit := os.NewFile(reportsAt, "reports"), os.NewFile(permitAt, "permit")
	cmd := exec.Command(p.Program)
	cmd.Args, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = p.Args, os.Stdout, os.Stderr, []*os.File{reports, permit, filter}
	if err := cmd.Start(); err != nil {
		return err
	}
	faults.Close()
	reports.Close()
	permit.Close()
	go func() {
		_, _ = io.Copy(io.Discard, os.NewFile(lifeAt, "life"))
		_ = cmd.Process.Kill()
	}()
	_ = cmd.Wait() // its reports say how it ended
	killChildren()
	return nil
}

// prepare makes what bubblewrap finds.
func (p *plan) prepare() error {
	// What bubblewrap leaves when it is killed comes to this process. Its own way, a signal at the
	// death of the parent, has a moment at its start in which the signal is not set.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("a mount namespace of its own: %w", err)
	}
	for _, m := range p.Overlays {
		if err := mountOverlay(m); err != nil {
			return fmt.Errorf("an overlay of %s: %w", m.At, err)
		}
	}
	return nil
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
		for _, child := range children() {
			_ = unix.Kill(child, unix.SIGKILL)
		}
		if _, err := unix.Wait4(-1, nil, 0, nil); errors.Is(err, unix.ECHILD) {
			return
		}
	}
}

// children returns the ids of this process's children.
func children() (pids []int) {
	entries, _ := os.ReadDir("/proc") // of this process's own namespace of processes
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		text, readErr := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil || readErr != nil {
			continue
		}
		var state string
		var parent int
		_, rest, _ := strings.Cut(string(text), ") ") // behind the name, which may have spaces
		if _, err := fmt.Sscan(rest, &state, &parent); err == nil && parent == os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
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
