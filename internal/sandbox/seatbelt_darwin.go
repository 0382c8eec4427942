package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// seatbelt runs commands with sandbox-exec, macOS's own program. A command sees folders where they are.
//
// It has been written from the documentation and was never run: no test machine has macOS.
type seatbelt struct{ home string }

// program is where macOS has it; no other folder is asked.
const program = "/usr/bin/sandbox-exec"

// patience is how long the processes of a command may take to be killed.
const patience = 10 * time.Second

// New returns the sandbox of this machine.
func New([]string) (Sandbox, error) {
	if _, err := os.Stat(program); err != nil {
		return nil, fmt.Errorf("sandbox-exec is missing: %w", err)
	}
	home, err := os.UserHomeDir()
	return &seatbelt{home: home}, err
}

// Enter does nothing: sandbox-exec needs no help of this program.
func Enter() {}

// Protection implements [Sandbox].
func (*seatbelt) Protection() Protection {
	return Protection{Way: "sandbox-exec", Lacks: []string{
		"runs in a sandbox that was never tested on macOS",
		"can see your other processes and their arguments",
		"is bound in time and in the size of a file, not in memory, processes or disk",
		"can go on when it should have ended, if it leaves its group of processes",
		"does not write in caches of toolchains, so builds may take longer",
	}}
}

// CanOverlay implements [Sandbox].
func (*seatbelt) CanOverlay(context.Context, Mount) error {
	return &LaunchError{"macOS has no overlays"}
}

// Toolchains implements [Sandbox].
func (s *seatbelt) Toolchains([]string, string) ([]Mount, []string, error) {
	var mounts []Mount
	for _, name := range []string{
		"go/pkg/mod", "go/bin", "sdk", ".cargo/bin", ".cargo/registry", ".rustup", ".nvm", ".volta", ".pyenv", ".rbenv",
		".sdkman/candidates", ".m2/repository", "Library/Java", "Library/Python",
	} {
		folder := s.home + "/" + name
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			mounts = append(mounts, Mount{At: folder, From: folder})
		}
	}
	return mounts, nil, nil
}

// Run implements [Sandbox].
func (s *seatbelt) Run(ctx context.Context, c Command) (status int, err error) {
	if c.Network == HostLoopback {
		return 0, &LaunchError{"it can't let a command reach the machine's loopback and nothing else"}
	}
	limit := ""
	if c.Limits.FileBytes > 0 {
		limit = fmt.Sprintf("ulimit -f %d; ", c.Limits.FileBytes/512)
	}
	cmd := exec.CommandContext(ctx, program, slices.Concat([]string{"-p", s.profile(c), "/bin/sh", "-c",
		limit + `ulimit -c 0; exec "$@"`, "sh"}, c.Args)...)
	cmd.Dir, cmd.Env = c.Dir, slices.Concat(c.Env, []string{"HOME=" + c.Home, "TMPDIR=" + c.Temp})
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Output, c.Output, patience
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	killAll := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = killAll
	if err := cmd.Start(); err != nil {
		return 0, &LaunchError{err.Error()}
	}
	err = cmd.Wait()
	_ = killAll() // leftover processes, if any
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return 0, err
	}
	ended := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ended.Signaled() {
		return 128 + int(ended.Signal()), nil
	}
	return ended.ExitStatus(), nil
}

// profile returns the rules in the language of sandbox-exec; a later rule counts more.
func (s *seatbelt) profile(c Command) string {
	var b strings.Builder
	b.WriteString("(version 1)\n(deny default)\n(allow process-fork)\n(allow process-exec)\n" +
		"(allow signal (target same-sandbox))\n(allow sysctl-read)\n(allow file-read*)\n")
	rule := func(words string, folders ...string) {
		for _, f := range folders {
			fmt.Fprintf(&b, "(%s (subpath %q))\n", words, f)
		}
	}
	rule("deny file-read-data", "/Users", "/Volumes", "/private/tmp", "/private/var/folders", s.home)
	for _, m := range c.Mounts {
		rule("allow file-read*", m.From)
		if m.Writable {
			rule("allow file-write*", m.From)
		}
	}
	rule("allow file-read* file-write*", c.Home, c.Temp)
	b.WriteString(`(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))` + "\n")
	if c.Network == HostNetwork {
		b.WriteString("(allow network*)\n(allow mach-lookup)\n")
	}
	return b.String()
}
