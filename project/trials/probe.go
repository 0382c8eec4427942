package trials

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
)

// probeTime is how long a trial of the sandbox may take.
const probeTime = 10 * time.Second

// Found is what a trial on this machine has.
type Found struct {
	sandbox.Protection
	Refused error // why trees are copies; nil if they are overlays
}

// Protection returns what the sandbox for a folder does. The error says what is missing if there is none.
func Protection(folder string) (sandbox.Protection, error) {
	box, err := sandbox.New([]string{folder})
	if err != nil {
		return sandbox.Protection{}, err
	}
	return box.Protection(), nil
}

// Probe runs a command in a sandbox on a small folder below dir, as on a disk for trees. The error says what is
// missing.
func Probe(ctx context.Context, dir string) (found Found, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Found{}, err
	}
	scratch, err := os.MkdirTemp(dir, "probe-*"+unlocked)
	if err != nil {
		return Found{}, err
	}
	defer func() { err = errors.Join(err, trial.Remove(scratch)) }()
	folder := filepath.Join(scratch, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return Found{}, err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return Found{}, err
	}
	if found.Protection, err = Protection(folder); err != nil {
		return Found{}, err
	}
	all := New(filepath.Join(scratch, "trials"), "probe", func(context.Context, string) bool { return false })
	result, err := all.Run(ctx, Command{Turn: "probe", Folder: folder, Args: []string{"true"},
		Env: []string{"PATH=" + os.Getenv("PATH")}, Output: io.Discard})
	if err == nil && result.Status != 0 {
		err = errors.New("a command that does nothing fails in it")
	}
	for _, tree := range all.trees {
		found.Refused = tree.refused
	}
	return found, errors.Join(err, all.Close())
}
