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

// FoldingDisk mounts a new exFAT disk, which ignores the case of names, and returns its folder.
// It is unmounted when the test ends. Only Linux and root can mount one.
func FoldingDisk(t testing.TB) string {
	t.Helper()
	dir, err := mountExFAT(t)
	Need(t, "an exFAT disk (exfat-fuse, exfatprogs, /dev/fuse, and the right to mount)", err)
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
