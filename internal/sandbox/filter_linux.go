package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are the system calls that a command has no use for, and that reach past its namespaces or
// widen what the kernel can be attacked by: keyrings, other namespaces, tracing the kernel, the
// clock, and modules.
var refused = []uint32{
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_SETNS, unix.SYS_UNSHARE, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSCONFIG, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_QUOTACTL, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_REBOOT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_ACCT,
	unix.SYS_SYSLOG,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_IO_URING_SETUP,
	unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_FANOTIFY_INIT, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_VHANGUP,
}

// shared are the calls that reach memory and queues that all processes of a user share, for a command that has no
// namespace of its own for these.
var shared = []uint32{
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_SEMGET, unix.SYS_SEMOP,
	unix.SYS_SEMTIMEDOP, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}

// Offsets in the kernel's struct seccomp_data, in bytes.
const (
	atNumber   = 0
	atSystem   = 4
	atArgument = 16 // of the first argument; each has 8 bytes
)

// families are the kinds of socket that a command may have. Of the others, some reach past a network namespace
// (vsock).
var families = []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}

// namespaced are the flags of clone that put a process in a namespace of its own. In one of users it would have all
// capabilities.
const namespaced = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// withoutNamespaces returns instructions that refuse such processes, with the number of a call loaded. The flags of
// clone3 are in memory, where a filter can't see them; without it the C library takes clone.
func withoutNamespaces() []unix.SockFilter {
	refuse := func(err unix.Errno) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(err)}
	}
	return []unix.SockFilter{
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_CLONE3, Jf: 1}, refuse(unix.ENOSYS),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_CLONE, Jf: 4},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: atArgument},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: namespaced, Jf: 1}, refuse(unix.EPERM),
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: atNumber},
	}
}

// filter returns a program for the kernel that refuses with EPERM these calls, sockets of other families, the ioctl
// TIOCSTI, which types into a terminal, and TIOCLINUX. It kills a process that calls by another numbering of system
// calls than this program's. The instructions more come before that, with the number of the call loaded.
func filter(calls, families []uint32, more ...unix.SockFilter) []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	end := func(result uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: result}
	}
	refuse := end(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	equal := func(value uint32, jt, jf uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jt: jt, Jf: jf}
	}
	program := []unix.SockFilter{
		load(atSystem), equal(auditArch, 1, 0), end(unix.SECCOMP_RET_KILL_PROCESS),
		load(atNumber),
	}
	if otherNumbering != 0 {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: otherNumbering, Jf: 1},
			end(unix.SECCOMP_RET_KILL_PROCESS))
	}
	program = append(program, more...)
	for _, number := range calls {
		program = append(program, equal(number, 0, 1), refuse)
	}
	program = append(program, equal(unix.SYS_SOCKET, 0, uint8(len(families)+2)), load(atArgument))
	for i, family := range families {
		program = append(program, equal(family, uint8(len(families)-i), 0))
	}
	program = append(program, refuse, load(atNumber))
	return append(program,
		equal(unix.SYS_IOCTL, 0, 4), load(atArgument+8), equal(unix.TIOCSTI, 1, 0), equal(unix.TIOCLINUX, 0, 1), refuse,
		end(unix.SECCOMP_RET_ALLOW))
}

// newFilterFile returns a file with the filter in the form that bubblewrap reads.
func newFilterFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("filter", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "filter")
	var b bytes.Buffer
	for _, instruction := range filter(refused, families) {
		if err := binary.Write(&b, binary.NativeEndian, instruction); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	if _, err := f.WriteAt(b.Bytes(), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// The size of an instruction is what the kernel takes.
var _ [8]byte = [unsafe.Sizeof(unix.SockFilter{})]byte{}
