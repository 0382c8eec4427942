package trials

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"ploke-lsp/internal/trial"
)

// probeTime is how long a trial of the sandbox may take.
const probeTime = 10 * time.Second

// Probe runs a command in a sandbox on a small folder below dir, as on a disk for trees. The error says what is
// missing.
func Probe(ctx context.Context, dir string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(dir, "probe-*"+unlocked)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, trial.Remove(scratch)) }()
	folder := filepath.Join(scratch, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return err
	}
	all := New(filepath.Join(scratch, "trials"), "probe", func(context.Context, string) bool { return false })
	result, err := all.Run(ctx, Command{Turn: "probe", Folder: folder, Args: []string{"true"},
		Env: []string{"PATH=" + os.Getenv("PATH")}, Output: io.Discard})
	if err == nil && result.Status != 0 {
		err = errors.New("a command that does nothing fails in it")
	}
	return errors.Join(err, all.Close())
}
