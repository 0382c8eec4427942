package trials

import (
	"context"
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
)

// overlay makes the tree an overlay. It fails if the kernel refuses one, as it does on some disks.
func (t *tree) overlay(ctx context.Context, box sandbox.Sandbox, folder string) error {
	o, err := trial.NewOverlay(folder, filepath.Join(t.dir, "tree"))
	if err != nil {
		return err
	}
	mount := sandbox.Mount{At: folder, From: o.Lower(), Upper: o.Upper(), Work: o.Work()}
	if err := box.CanOverlay(ctx, mount); err != nil {
		return errors.Join(err, o.Remove())
	}
	t.Tree, t.mounts = o, []sandbox.Mount{mount}
	return nil
}

// maxMemory returns how many bytes of memory the processes of a command may take: three quarters of the machine's.
func maxMemory() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit) / 4 * 3
}
