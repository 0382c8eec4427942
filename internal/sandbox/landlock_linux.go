package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// landlock runs commands that the kernel confines by itself. A command sees folders where they are.
type landlock struct {
	version int    // of the kernel's interface
	home    string // the user's home folder, without links; "" for none
}

// Versions of the kernel's interface.
const (
	withTruncate = 3 // without it, a command could empty the files of the user
	withDevices  = 5
	withScopes   = 6
)

// landlockVersion returns the version of the kernel's interface if that suffices.
func landlockVersion() (int, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 || version < withTruncate {
		return 0, errors.New("the kernel has no Landlock that keeps a command from emptying files (Linux 6.2 has)")
	}
	return int(version), nil
}

// Protection implements [Sandbox].
func (s *landlock) Protection() Protection {
	lacks := []string{
		"can change permissions and times of your files (not their text)",
		"can learn whether a file exists that it can't read",
		"can see your other processes and their arguments, and the names of the machine's networks",
		"can slow down your other processes",
		"has no network of its own, so tests that start servers fail",
		"does not write in caches of toolchains, so builds may take longer",
	}
	if s.version < withScopes {
		lacks = append(lacks, "can end your other processes, and go on when it should have ended")
	}
	return Protection{Way: "Landlock", Lacks: lacks}
}

// CanOverlay implements [Sandbox].
func (*landlock) CanOverlay(context.Context, Mount) error {
	return &LaunchError{"overlays need bubblewrap"}
}

// Toolchains implements [Sandbox].
func (s *landlock) Toolchains(env []string, dir string) (mounts []Mount, variables []string, err error) {
	for i, t := range toolchains {
		folder := t.folder(env, s.home)
		switch {
		case folder == "":
		case t.access == asProducts && t.variable != "":
			own := t.kept(dir, i, "own")
			if err := makeAll(own); err != nil {
				return nil, nil, err
			}
			mounts = append(mounts, Mount{At: own, From: own, Writable: true})
			variables = append(variables, t.variable+"="+own)
		default:
			mounts = append(mounts, withoutSecrets(folder, t.secrets(folder))...)
			// The home folder is another one. GOROOT and JAVA_HOME name one of several folders in it.
			if t.variable != "" && t.variable != "GOROOT" && t.variable != "JAVA_HOME" {
				variables = append(variables, t.variable+"="+folder)
			}
		}
	}
	return mounts, variables, nil
}

// withoutSecrets returns mounts of a folder, or of all that is in it but secrets: Landlock can allow, not take away. A
// link is no way to what it names.
func withoutSecrets(folder string, secrets []string) (mounts []Mount) {
	if !slices.ContainsFunc(secrets, func(secret string) bool { return below(folder, secret) }) {
		return []Mount{{At: folder, From: folder}}
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if path := filepath.Join(folder, e.Name()); e.Type() != os.ModeSymlink && !slices.Contains(secrets, path) {
			mounts = append(mounts, withoutSecrets(path, secrets)...)
		}
	}
	return mounts
}

// Run implements [Sandbox].
func (s *landlock) Run(ctx context.Context, c Command) (status int, err error) {
	if c.Network == HostLoopback {
		return 0, &LaunchError{"to let a command reach the machine's loopback and nothing else needs bubblewrap"}
	}
	in := &confinement{Version: s.version, Args: c.Args, Dir: c.Dir, Sockets: c.Network == HostNetwork,
		Read: s.readable(c), Write: []string{c.Home, c.Temp}}
	for _, m := range c.Mounts {
		if m.Writable {
			in.Write = append(in.Write, m.From)
		} else {
			in.Read = append(in.Read, m.From)
		}
	}
	env := slices.Concat(c.Env, []string{"HOME=" + c.Home, "TMPDIR=" + c.Temp})
	return run(ctx, plan{Confined: in, Limits: c.Limits}, env, &syscall.SysProcAttr{Setpgid: true}, c.Output)
}

// readable returns the folders of the system that a command may read: all but those of users, services, devices, shared
// memory and temporary files.
func (s *landlock) readable(c Command) (dirs []string) {
	hidden := slices.Concat(c.hidden(s.home), []string{"/dev", "/tmp", "/var/tmp", "/run", "/var/run", s.home})
	hides := func(dir string) bool {
		return slices.ContainsFunc(hidden, func(h string) bool { return h != "" && (below(h, dir) || below(dir, h)) })
	}
	for _, parent := range []string{"/", "/var"} {
		entries, _ := os.ReadDir(parent)
		for _, e := range entries {
			if dir := filepath.Join(parent, e.Name()); !hides(dir) && e.Type() != os.ModeSymlink {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// Rights of a folder or a file.
const (
	mayRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	ofFiles = mayRead&^unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE
	handled  = 1<<15 - 1 // all of version 3
	mayWrite = handled &^ (unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK)
)

// lookUp returns the path of a program, as a shell in dir would find it.
func lookUp(name, dir string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(dir, folder)
		}
		file := filepath.Join(folder, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", unix.ENOENT
}
