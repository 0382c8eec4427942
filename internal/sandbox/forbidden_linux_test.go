package sandbox_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A prohibition is why a system forbids an attack without a sandbox, too.
type prohibition struct {
	why  string
	here func() bool // whether that is so on this system; nil: nothing forbids it
}

func (p prohibition) holds() bool { return p.here != nil && p.here() }

// forbidden are the attacks that some systems forbid anyway. All others must succeed outside of the sandbox.
var forbidden = map[string]prohibition{
	"mounting":                          without(unix.CAP_SYS_ADMIN),
	"mounting over it":                  without(unix.CAP_SYS_ADMIN),
	"making it writable":                without(unix.CAP_SYS_ADMIN),
	"the namespaces of another process": without(unix.CAP_SYS_ADMIN),
	"a new file system":                 without(unix.CAP_SYS_ADMIN),
	"another root":                      without(unix.CAP_SYS_CHROOT),
	"a file by its handle":              without(unix.CAP_DAC_READ_SEARCH),
	"a device":                          without(unix.CAP_MKNOD),
	"another name of the machine":       without(unix.CAP_SYS_ADMIN),
	"raw packets":                       without(unix.CAP_NET_RAW),
	"raw IP":                            without(unix.CAP_NET_RAW),
	"rights":                            {"an ordinary user has none", func() bool { return capabilities("self") == 0 }},

	"programs of the kernel": either(without(unix.CAP_BPF), setTo("kernel/unprivileged_bpf_disabled", 1)),
	"counters of the kernel": either(without(unix.CAP_PERFMON), setTo("kernel/perf_event_paranoid", 1)),
	"the kernel's log":       either(without(unix.CAP_SYSLOG), setTo("kernel/dmesg_restrict", 1)),
	"memory of the machine":  either(without(unix.CAP_SYSLOG), setTo("kernel/dmesg_restrict", 1)),

	"settings of the kernel": closed("/proc/sys/vm/swappiness", unix.W_OK),
	"keys of the kernel":     closed("/proc/sysrq-trigger", unix.W_OK),
	"control groups":         closed("/sys/fs/cgroup", unix.W_OK),
	"fuse":                   closed("/dev/fuse", unix.R_OK|unix.W_OK),

	"a disk that is there": {"there is none that this user can read", func() bool {
		for _, pattern := range strings.Fields(disks) {
			found, _ := filepath.Glob(pattern)
			if slices.ContainsFunc(found, func(disk string) bool { return !closed(disk, unix.R_OK).here() }) {
				return false
			}
		}
		return true
	}},
	"what a service has in /run": closed("/run", unix.W_OK),
	"another home folder":        closed("/home", unix.W_OK),
	"the home folder of root":    closed("/root", unix.W_OK),
	"a disk in /media":           closed("/media", unix.W_OK),
	"a disk in /mnt":             closed("/mnt", unix.W_OK),

	"a disk": {"it needs CAP_MKNOD, a folder on a disk of its own, and a container may open no disk", func() bool {
		return without(unix.CAP_MKNOD).here() || !onDisk(os.TempDir()) || closed("/dev/mem", unix.F_OK).here()
	}},
	"the root of the first process": {"that has more rights than this one", func() bool {
		return capabilities("1")&^capabilities("self") != 0
	}},
	"the kernel's ciphers": {"the kernel has none for programs", func() bool {
		text, err := os.ReadFile("/proc/net/protocols")
		return err != nil || !strings.Contains(string(text), "\nALG ")
	}},
	"typing into a terminal": {"dev.tty.legacy_tiocsti is 0, and it needs CAP_SYS_ADMIN then", func() bool {
		return number32("/proc/sys/dev/tty/legacy_tiocsti") == 0 && without(unix.CAP_SYS_ADMIN).here()
	}},
	"faults of memory": {"vm.unprivileged_userfaultfd is 0, and it needs CAP_SYS_PTRACE then", func() bool {
		return number32("/proc/sys/vm/unprivileged_userfaultfd") == 0 && without(unix.CAP_SYS_PTRACE).here()
	}},
	"queues of the kernel": {"kernel.io_uring_disabled is set", func() bool {
		return number32("/proc/sys/kernel/io_uring_disabled") > 0
	}},
	"a socket of virtual machines": {"the kernel has none", func() bool {
		text, err := os.ReadFile("/proc/net/protocols")
		return err != nil || !strings.Contains(string(text), "\nAF_VSOCK ")
	}},
}

// without is a prohibition for processes that lack a capability.
func without(capability int) prohibition {
	return prohibition{fmt.Sprintf("it needs the capability %d", capability), func() bool {
		return capabilities("self")>>capability&1 == 0
	}}
}

// setTo is a prohibition by a setting of the kernel that is at least so high.
func setTo(name string, least int) prohibition {
	return prohibition{fmt.Sprintf("%s is %d or more", name, least), func() bool { return number32("/proc/sys/"+name) >= least }}
}

// either holds where both do: the setting forbids what the capability would allow.
func either(capability, setting prohibition) prohibition {
	return prohibition{capability.why + ", since " + setting.why, func() bool { return capability.here() && setting.here() }}
}

// closed is a prohibition where this user has no such access to a file.
func closed(file string, mode uint32) prohibition {
	return prohibition{"it is not there, or not for this user", func() bool { return unix.Access(file, mode) != nil }}
}

// capabilities returns those in force of a process.
func capabilities(process string) uint64 {
	f, err := os.Open("/proc/" + process + "/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if digits, ok := strings.CutPrefix(lines.Text(), "CapEff:\t"); ok {
			set, _ := strconv.ParseUint(digits, 16, 64)
			return set
		}
	}
	return 0
}

// number32 returns the number in a file, or 0.
func number32(file string) int {
	text, _ := os.ReadFile(file)
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n
}

// onDisk reports whether a folder is on a device of its own, not in memory or in layers.
func onDisk(folder string) bool {
	var stat unix.Stat_t
	return unix.Stat(folder, &stat) == nil && unix.Major(stat.Dev) != 0
}

// TestTheListOfAttacks is long, has no name twice, and what is forbidden is among it.
func TestTheListOfAttacks(t *testing.T) {
	names := map[string]bool{}
	for _, a := range attacks {
		if names[a.name] {
			t.Errorf("%s is there twice", a.name)
		}
		names[a.name] = true
	}
	if len(names) < 80 {
		t.Errorf("there are %d attacks", len(names))
	}
	for name, p := range forbidden {
		if !names[name] || p.why == "" {
			t.Errorf("%s is no attack, or lacks a reason", name)
		}
	}
}
