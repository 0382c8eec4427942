package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// program is bubblewrap's name.
const program = "bwrap"

// bubblewrap runs commands in bubblewrap.
type bubblewrap struct {
	program string // its path
	home    string // the user's home folder, without links; "" for none
}

// Protection implements [Sandbox].
func (*bubblewrap) Protection() Protection { return Protection{Way: "bubblewrap", Mounts: true} }

// Run implements [Sandbox].
func (s *bubblewrap) Run(ctx context.Context, c Command) (status int, err error) {
	p := plan{Program: s.program, Args: c.arguments(s.home), Limits: c.Limits, Forward: c.Network == HostLoopback}
	for _, m := range c.Mounts {
		if m.Upper != "" {
			p.Overlays = append(p.Overlays, m)
		}
	}
	env := slices.Concat(c.Env, []string{"HOME=" + cmp.Or(s.home, "/tmp"), "TMPDIR=/tmp"})
	return run(ctx, p, env, namespaces(), c.Output)
}

// CanOverlay implements [Sandbox].
func (s *bubblewrap) CanOverlay(ctx context.Context, m Mount) error {
	_, err := run(ctx, plan{Overlays: []Mount{m}}, nil, namespaces(), io.Discard)
	return err
}

// namespaces returns what the program starts in: as root of a user namespace, so that it may mount.
func namespaces() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Setpgid: true, Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// findBubblewrap returns the path of bubblewrap in the folders of path ($PATH). A folder that is
// below one of the roots, or that is not absolute, does not count: a workspace must not bring its
// own.
func findBubblewrap(path string, roots []string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file, err := filepath.EvalSymlinks(filepath.Join(dir, program))
		if err != nil || slices.ContainsFunc(roots, func(root string) bool { return below(root, file) || below(root, dir) }) {
			continue
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", errNoBubblewrap
}

var errNoBubblewrap = errors.New("bubblewrap (bwrap) is not installed")

// sharedBytes is how much a command may have in /dev/shm, which is in memory.
const sharedBytes = 1 << 30

// below reports whether a path is a folder or lies in it.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// arguments returns the command line of bubblewrap. It runs as root of a user namespace, where the
// overlays are mounted already. The command keeps the control groups' namespace, in which their files are where
// /proc says: Java looks there for how much memory it has, and fails if they are not. They can only be read.
func (c Command) arguments(home string) []string {
	args := []string{
		program, "--unshare-user", "--uid", strconv.Itoa(os.Getuid()), "--gid", strconv.Itoa(os.Getgid()), "--disable-userns",
		"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session",
		"--cap-drop", "ALL", "--json-status-fd", strconv.Itoa(statusFile), "--block-fd", strconv.Itoa(permitFile),
		"--seccomp", strconv.Itoa(filterFile),
		"--ro-bind", "/", "/", "--dev", "/dev", "--size", strconv.Itoa(sharedBytes), "--tmpfs", "/dev/shm", "--proc", "/proc",
		"--ro-bind", "/proc/sys", "/proc/sys", "--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger",
	}
	if c.Network != HostNetwork {
		args = append(args, "--unshare-net")
	}
	hidden := c.hidden(home)
	for _, dir := range hidden {
		args = append(args, "--tmpfs", dir)
	}
	args = append(args, "--bind", c.Temp, "/tmp", "--bind", c.Temp, "/var/tmp")
	if home != "" {
		args = append(args, "--bind", c.Home, home)
	}
	for _, m := range c.Mounts {
		how, from := "--ro-bind", m.From
		if m.Writable || m.Upper != "" {
			how = "--bind"
		}
		if m.Upper != "" {
			from = m.At // the overlay
		}
		args = append(args, how, from, m.At)
	}
	if resolver, err := filepath.EvalSymlinks("/etc/resolv.conf"); err == nil && c.Network == HostNetwork {
		args = append(args, "--ro-bind", resolver, resolver) // which may be in /run
	}
	for _, socket := range sockets() {
		if c.sees(socket, home) {
			args = append(args, "--ro-bind", os.DevNull, socket)
		}
	}
	for _, dir := range append(hidden, "/dev") {
		if dir != home && !slices.ContainsFunc(c.Mounts, func(m Mount) bool { return m.At == dir }) {
			args = append(args, "--remount-ro", dir) // what is written there would be in memory
		}
	}
	return append(append(args, "--chdir", c.Dir, "--"), c.Args...)
}

// hidden returns the folders that are empty for the command: those of services' sockets and of other users.
func (c Command) hidden(home string) (dirs []string) {
	for _, dir := range slices.Concat([]string{"/run", "/home", "/root", "/media", "/mnt"}, c.Hidden) {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// homeFolder returns the user's home folder, without links.
func homeFolder() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if home, err = filepath.EvalSymlinks(home); err != nil || home == "/" {
		return ""
	}
	return home
}
