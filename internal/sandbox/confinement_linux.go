package sandbox

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confinement is what a command may do.
type confinement struct {
	Version     int
	Args        []string
	Dir         string
	Read, Write []string // folders and files
	Sockets     bool
}

// devices are those that a command may write.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// restrict confines this thread, and what it becomes, for good.
func (c *confinement) restrict() error {
	rules := unix.LandlockRulesetAttr{Access_fs: handled}
	size := unsafe.Sizeof(rules.Access_fs)
	if c.Version >= withDevices {
		rules.Access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if c.Version >= withScopes {
		rules.Scoped, size = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET|unix.LANDLOCK_SCOPE_SIGNAL, unsafe.Sizeof(rules)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if errno != 0 {
		return fmt.Errorf("Landlock: %w", errno)
	}
	defer unix.Close(int(fd))
	for rights, paths := range map[uint64][]string{
		mayRead: c.Read, mayWrite: c.Write, unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE: devices,
	} {
		for _, path := range paths {
			if err := allow(int(fd), path, rights); err != nil && !errors.Is(err, unix.ENOENT) && !errors.Is(err, unix.EACCES) {
				return fmt.Errorf("Landlock: %s: %w", path, err)
			}
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("Landlock: %w", errno)
	}
	return nil
}

// allow adds the rights to what is below a path to a set of rules.
func allow(rules int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
