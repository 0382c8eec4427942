package testbed

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Disks is the environment variable that, set to 1, makes tests mount disks. Only Linux and
// root can do that, and not in each container, so that "make test-disks" does it, and "make test" does not.
const Disks = "PLOKE_TEST_DISKS"

// FoldingDisk mounts a new exFAT disk, which ignores the case of names and has no hard links, and
// returns its folder. It is unmounted when the test ends. The test is skipped without [Disks].
func FoldingDisk(t testing.TB) string {
	t.Helper()
	return newDisk(t, "an exFAT disk, which ignores the case of names", 16<<20, "mkfs.exfat", "mount.exfat-fuse")
}

// CloningDisk mounts a new Btrfs disk of 256 MiB, on which files can share blocks, as [FoldingDisk] does.
func CloningDisk(t testing.TB) string {
	t.Helper()
	return newDisk(t, "a Btrfs disk, on which files share blocks", 256<<20, "mkfs.btrfs", "mount")
}

// newDisk makes a disk of so many bytes with a program, and mounts it with another one.
func newDisk(t testing.TB, what string, bytes int64, mkfs, mount string) string {
	t.Helper()
	if os.Getenv(Disks) != "1" {
		t.Skipf("needs %s; run make test-disks", what)
	}
	dir, err := mountNew(t, bytes, mkfs, mount)
	if err != nil {
		t.Fatalf("mount %s, which needs %s, the right to mount, and for exFAT /dev/fuse: %v", what, mount, err)
	}
	return dir
}

func mountNew(t testing.TB, bytes int64, mkfs, mount string) (dir string, err error) {
	base := t.TempDir()
	image, dir := filepath.Join(base, "image"), filepath.Join(base, "disk")
	err = errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, bytes), os.Mkdir(dir, 0o700))
	if err != nil {
		return "", err
	}
	if _, err = run(mkfs, image); err != nil {
		return "", err
	}
	device, err := run("losetup", "--find", "--show", image)
	if err != nil {
		return "", err
	}
	t.Cleanup(func() {
		if _, err := run("losetup", "--detach", device); err != nil {
			t.Error(err)
		}
	})
	if _, err = run(mount, device, dir); err != nil {
		return "", err
	}
	t.Cleanup(func() {
		if _, err := run("umount", dir); err != nil {
			t.Error(err)
		}
	})
	return dir, nil
}

// run runs a program and returns its output without the line end.
func run(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return strings.TrimSpace(string(out)), err
}
