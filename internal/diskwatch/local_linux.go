package diskwatch

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// remote are the file systems in which another machine, or a program in place of the system, may change
// files. Their numbers are those of statfs(2).
var remote = map[uint32]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.CIFS_SUPER_MAGIC: "SMB",
	unix.FUSE_SUPER_MAGIC: "FUSE",
	unix.V9FS_MAGIC:       "9P",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
	unix.NCP_SUPER_MAGIC:  "NCP",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	0x786f4256:            "VirtualBox",
}

// checkLocal fails for a folder in a remote file system.
func checkLocal(dir string) error {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return nil // the folder is gone
	}
	if name, is := remote[uint32(stat.Type)]; is {
		return fmt.Errorf("%s is in a file system of the type %s, whose changes the system does not report", dir, name)
	}
	return nil
}
