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
	if os.Getenv(Disks) != "1" {
		t.Skipf("needs a disk that ignores the case of names; run make test-disks")
	}
	dir, err := mountExFAT(t)
	if err != nil {
		t.Fatalf("mount an exFAT disk with exfat-fuse, which needs /dev/fuse and the right to mount: %v", err)
	}
	return dir
}

func mountExFAT(t testing.TB) (dir string, err error) {
	base := t.TempDir()
	image, dir := filepath.Join(base, "image"), filepath.Join(base, "disk")
	err = errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 16<<20), os.Mkdir(dir, 0o700))
	if err != nil {
		return "", err
	}
	if _, err = run("mkfs.exfat", image); err != nil {
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
	if _, err = run("mount.exfat-fuse", device, dir); err != nil {
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
