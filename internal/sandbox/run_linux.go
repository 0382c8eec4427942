package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// New returns the sandbox of this machine: bubblewrap, or else Landlock. The roots are folders that must not bring the
// program of the sandbox. The error says in a sentence what is missing.
func New(roots []string) (Sandbox, error) {
	file, err := findBubblewrap(os.Getenv("PATH"), roots)
	if err == nil {
		return &bubblewrap{program: file, home: homeFolder()}, nil
	}
	version, landlockErr := landlockVersion()
	if landlockErr != nil {
		return nil, fmt.Errorf("%w, and %w", err, landlockErr)
	}
	return &landlock{version: version, home: homeFolder()}, nil
}

// run runs a plan in a process of its own, which starts with attributes and the variables env.
func run(ctx context.Context, p plan, env []string, attributes *syscall.SysProcAttr, into io.Writer) (int, error) {
	plan, err := memoryFile("plan", p)
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
	output := io.MultiWriter(said, into)
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.Env, cmd.SysProcAttr = []string{enterName}, env, attributes
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

// memoryFile returns a file in memory with a value in JSON.
func memoryFile(name string, value any) (*os.File, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), name)
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
