package trials

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
)

// Command is a program to run on a folder as a turn would leave it.
type Command struct {
	Turn    string // whose tree it is
	Variant string // which of the turn's trees; "" is the one of its proposal
	Folder  string // absolute, without links
	Dir     string // where it starts, in Folder; "" for Folder itself
	Texts   []trial.Text
	Args    []string
	Env     []string // NAME=value
	Output  io.Writer
	Network sandbox.Network
	// Skip reports whether what commands write in a folder of the tree, such as build products, is of no interest. The
	// folder is relative with slashes. A nil Skip skips none.
	Skip func(folder string) bool
}

// Result is how a command ended, and what has become of the tree.
type Result struct {
	Status  int            // exit status, as of a shell
	Changes []trial.Change // what the commands of the tree have changed so far, by path
	Began   time.Time      // before the command saw a file of the folder, by the clock of [trial.Tick]
	Moved   bool           // whether the folder was changed since, as [trial.Moved] knows it
	Took    time.Duration  // the command's own time
}

// Run runs a command. An error of type [*sandbox.LaunchError] says why it did not start. If ctx ends first, the error
// is that of ctx, and if the command took more than it may, it is a [*sandbox.LimitError]; the result says what was
// changed until then.
func (t *Trials) Run(ctx context.Context, c Command) (Result, error) {
	if c.Skip == nil {
		c.Skip = func(string) bool { return false }
	}
	box, err := t.box([]string{c.Folder})
	if err != nil {
		return Result{}, &sandbox.LaunchError{Reason: err.Error()}
	}
	tree, err := t.take(ctx, box, c)
	if err != nil {
		return Result{}, err
	}
	defer t.release(tree)
	select {
	case <-tree.busy:
		defer func() { tree.busy <- struct{}{} }()
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
	return tree.run(ctx, box, c, t.bytes())
}

func (t *tree) run(ctx context.Context, box sandbox.Sandbox, c Command, maxBytes int64) (r Result, err error) {
	began := trial.Tick()
	if t.copied == nil && !box.Protection().Mounts {
		return Result{}, &sandbox.LaunchError{Reason: "bubblewrap has gone since an earlier command of the turn"}
	}
	if err := t.refresh(ctx, box, c, maxBytes); err != nil {
		return Result{}, err
	}
	if err := t.Lay(c.Texts); err != nil {
		return Result{}, err
	}
	command, err := t.command(box, c)
	if err != nil {
		return Result{}, err
	}
	command.Limits = sandbox.Limits{Processes: maxProcesses, Memory: maxMemory(), FileBytes: maxFile,
		Disk: []string{t.dir}, DiskBytes: maxBytes}
	named := &renamer{to: c.Output, old: []byte(t.seenAt(box, c.Folder)), new: []byte(c.Folder)}
	command.Output = named
	started := time.Now()
	status, runErr := box.Run(ctx, command)
	r = Result{Status: status, Began: began, Took: time.Since(started)}
	if r.Changes, err = t.Changes(c.Skip); err == nil {
		r.Moved, err = trial.Moved(c.Folder, began, c.Skip)
	}
	if runErr = cmp.Or(runErr, named.end()); runErr != nil {
		err = runErr
	}
	return r, err
}

// Read returns the text of a file of the tree of a turn's proposal that a command has changed. It fails with
// [trial.ErrTooLarge] if that has more than limit bytes, and with [fs.ErrNotExist] if there is no such file or tree.
func (t *Trials) Read(turn, folder, path string, limit int64) ([]byte, error) {
	t.mu.Lock()
	tree := t.trees[key{turn: turn, folder: folder}]
	if tree == nil {
		t.mu.Unlock()
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	tree.uses++
	t.mu.Unlock()
	defer t.release(tree)
	return tree.Read(path, limit)
}
