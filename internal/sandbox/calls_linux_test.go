package sandbox_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/testbed"
)

// keyName is the name of a key that this process has, sharedMemory the number of a piece of memory that all processes
// of the user may attach.
var (
	keyName      = "ploke-test-" + strconv.Itoa(os.Getpid())
	sharedMemory int
)

// shareWithAll makes what a command in a sandbox must not see.
func shareWithAll() {
	runtime.LockOSThread() // a thread may have a session of keys of its own
	defer runtime.UnlockOSThread()
	_, _ = unix.AddKey("user", keyName, []byte("secret"), unix.KEY_SPEC_USER_KEYRING)
	sharedMemory, _ = unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o600)
}

func stopSharing() {
	_, _ = unix.SysvShmCtl(sharedMemory, unix.IPC_RMID, nil)
	if id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", keyName, 0); err == nil {
		_, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0)
	}
}

// copyProgram makes this program callable in a tree.
func copyProgram(t *testing.T, as string) {
	t.Helper()
	if err := os.Link("/proc/self/exe", as); err == nil {
		return
	}
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	testbed.WriteProgram(t, as, from)
}

// call makes a call of [calls] and ends the process: with 0 if it succeeds.
func call(args []string) {
	do, ok := calls[args[0]]
	if !ok {
		fmt.Println("there is no call", args[0])
		os.Exit(0) // which fails the test: an attack must fail for what it does
	}
	if err := do(args[1:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// calls are attacks that a shell can't make.
var calls = map[string]func(args []string) error{
	"map": func(args []string) error {
		f, err := os.OpenFile(args[0], os.O_RDWR, 0)
		if err != nil {
			return err
		}
		text, err := unix.Mmap(int(f.Fd()), 0, 5, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err == nil {
			copy(text, "owned")
		}
		return err
	},
	"tmpfile": func(args []string) error {
		fd, err := unix.Open(args[0], unix.O_TMPFILE|unix.O_RDWR, 0o600)
		if err != nil {
			return err
		}
		return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, filepath.Join(args[0], "new"),
			unix.AT_SYMLINK_FOLLOW)
	},
	"listen": func(args []string) error {
		if err := os.Chdir(filepath.Dir(args[0])); err != nil {
			return err
		}
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Base(args[0]), Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
		}
		return err
	},
	"setxattr": func(args []string) error { return unix.Setxattr(args[0], "user.owned", []byte("1"), 0) },
	"chroot":   func(args []string) error { return unix.Chroot(args[0]) },
	"handle": func(args []string) error {
		handle, mount, err := unix.NameToHandleAt(unix.AT_FDCWD, args[0], 0)
		if err != nil {
			return err
		}
		_ = mount
		dir, err := unix.Open(filepath.Dir(args[0]), unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		_, err = unix.OpenByHandleAt(dir, handle, unix.O_RDONLY)
		return err
	},
	"namespace": func([]string) error {
		cmd := exec.Command("true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
		return cmd.Run()
	},
	"namespace3": func([]string) error {
		arguments := [8]uint64{0: unix.CLONE_NEWUSER, 4: uint64(unix.SIGCHLD)}
		pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), unsafe.Sizeof(arguments), 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		_, err := unix.Wait4(int(pid), nil, 0, nil)
		return err
	},
	"fsopen": func([]string) error { _, err := unix.Fsopen("tmpfs", 0); return err },
	"peek": func(args []string) error {
		pid, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
		if err != nil {
			return err
		}
		return f.Close()
	},
	"steal": func(args []string) error {
		pid, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(fd, 5, 0)
		return err
	},
	"trace": func(args []string) error {
		pid, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		runtime.LockOSThread()
		if err := unix.PtraceSeize(pid); err != nil {
			return err
		}
		return nil
	},
	"pin": func(args []string) error {
		pid, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		var set unix.CPUSet
		set.Set(0)
		return unix.SchedSetaffinity(pid, &set)
	},
	"dial": func(args []string) error {
		name := args[1]
		if args[0] == "unix" && name[0] != '@' { // by a short name
			if err := os.Chdir(filepath.Dir(name)); err != nil {
				return err
			}
			name = filepath.Base(name)
		}
		c, err := net.DialTimeout(args[0], name, 10*time.Second)
		if err != nil {
			return err
		}
		_, err = io.ReadFull(c, make([]byte, 1))
		return err
	},
	"send": func(args []string) error {
		c, err := net.Dial("udp", args[0])
		if err != nil {
			return err
		}
		if _, err := c.Write([]byte{1}); err != nil {
			return err
		}
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		_, err = c.Read(make([]byte, 1))
		return err
	},
	"socket": func(args []string) error {
		family := map[string][3]int{
			"packet": {unix.AF_PACKET, unix.SOCK_RAW, 0}, "raw": {unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP},
			"vsock": {unix.AF_VSOCK, unix.SOCK_STREAM, 0}, "alg": {unix.AF_ALG, unix.SOCK_SEQPACKET, 0},
		}[args[0]]
		_, err := unix.Socket(family[0], family[1], family[2])
		return err
	},
	"searchkey": func(args []string) error {
		runtime.LockOSThread()
		_, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", args[0], 0)
		return err
	},
	"addkey": func([]string) error {
		_, err := unix.AddKey("user", keyName, []byte("owned"), unix.KEY_SPEC_PROCESS_KEYRING)
		return err
	},
	"shm": func(args []string) error {
		id, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		_, err = unix.SysvShmAttach(id, 0, 0)
		return err
	},
	"type": typeIntoTerminal,
	"bpf": func([]string) error {
		attributes := [16]uint32{1, 4, 4, 1} // an array of one number
		return number(unix.Syscall(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes)))
	},
	"perf": func([]string) error {
		_, err := unix.PerfEventOpen(&unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
			Config: unix.PERF_COUNT_SW_TASK_CLOCK}, 0, -1, -1, 0)
		return err
	},
	"userfaultfd": func([]string) error { return number(unix.Syscall(unix.SYS_USERFAULTFD, 1, 0, 0)) },
	"io_uring": func([]string) error {
		var parameters [128]byte
		return number(unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)), 0))
	},
}

func number(_, _ uintptr, errno syscall.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

// typeIntoTerminal types a character into the terminal that controls this process. If there is none, it makes one,
// which needs the same call to be of use.
func typeIntoTerminal([]string) error {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
		if err != nil {
			return err
		}
		_, _ = unix.Setsid() // which fails if this process leads a session
		if terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR, 0); err != nil {
			return err
		}
	}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, terminal.Fd(), unix.TIOCSTI, uintptr(unsafe.Pointer(&[]byte("x")[0])))
	if errno != 0 {
		return errno
	}
	return nil
}
