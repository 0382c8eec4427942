package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch      = unix.AUDIT_ARCH_X86_64
	otherNumbering = 0x40000000 // from here on are the numbers of x32
)
