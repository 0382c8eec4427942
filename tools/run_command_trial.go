package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
	"ploke-lsp/tools/wording"
)

// Trial is a command to run in a sandbox on a folder as a turn would leave it.
type Trial struct {
	Turn    string // all commands of a turn with the same variant see one tree
	Variant string // which of the turn's trees; "" is the one of its proposal
	Folder  string // absolute
	Dir     string // where the command starts, in Folder; "" for Folder itself
	Texts   []trial.Text
	Args    []string
	Env     []string // NAME=value
	Output  io.Writer
	Network sandbox.Network
	// Skip reports whether what commands write in a folder of the tree, such as build products, is of no interest. The
	// folder is relative with slashes. A nil Skip skips none.
	Skip func(folder string) bool
}

// TrialResult is how a command ended, and what has become of the tree.
type TrialResult struct {
	Status  int            // exit status, as of a shell
	Changes []trial.Change // what the commands of the tree have changed so far, by path
	Moved   bool           // whether the folder was changed meanwhile, so that the result may be of no version of it
	Took    time.Duration  // the command's own time
}

// runInTrial runs a command in the sandbox, and proposes what it has written.
func (d Deps) runInTrial(ctx context.Context, env Env, c command) (ran, error) {
	texts, err := d.sources(env).Texts(ctx, c.folder)
	if err != nil {
		return ran{}, err
	}
	began := time.Now()
	var result TrialResult
	end, err := c.run(ctx, env, func(ctx context.Context, args, variables []string, output io.Writer) (string, bool, error) {
		var err error
		result, err = d.RunTrial(ctx, Trial{Turn: env.Call().RequestID, Folder: c.folder, Dir: c.dir, Texts: texts,
			Args: args, Env: variables, Output: output, Network: c.network, Skip: d.skipsIn(c.folder)})
		if stopped := (*sandbox.LimitError)(nil); errors.As(err, &stopped) {
			return "stopped: " + stopped.Reason, false, nil
		}
		return howEnded(result.Status), err == nil && result.Status == 0, err
	}, d.budget(env).bytes(checkBytes))
	if err != nil {
		return ran{}, err
	}
	if failure := c.notStarted(result.Status, end.output); failure != nil {
		return ran{}, failure
	}
	w := d.written(env, c, texts, began, result.Moved)
	if end.writes, err = w.propose(ctx, result.Changes); err != nil {
		return ran{}, err
	}
	end.note = "it ran in a sandbox, on a copy with what is proposed and unsaved"
	if end.writes.note != "" {
		end.note += "; " + end.writes.note
	}
	return end, nil
}

// skipsIn returns what reports whether a folder of a tree is of no interest: git's, and ignored ones.
func (d Deps) skipsIn(folder string) func(rel string) bool {
	return func(rel string) bool {
		return path.Base(rel) == ".git" || d.Workspace.Skipped(filepath.Join(folder, filepath.FromSlash(rel))) != ""
	}
}

const (
	cannotRun    = 127 // a shell's exit status for a program that can't be started
	signalStatus = 128 // and the number of a signal: the status of what that has ended
)

// howEnded returns an exit status in words.
func howEnded(status int) string {
	if status <= signalStatus || status > signalStatus+64 {
		return fmt.Sprintf("exit status %d", status)
	}
	signal := syscall.Signal(status - signalStatus)
	how := fmt.Sprintf("exit status %d (signal: %v)", status, signal)
	switch signal {
	case syscall.SIGKILL:
		return how + ", as what takes too much memory is ended"
	case fileSizeSignal:
		return how + ", since a file became too large"
	}
	return how
}

// notStarted returns why the program of a command did not start, if so.
func (c command) notStarted(status int, output string) error {
	_, reason, ok := strings.Cut(output, ": execvp ")
	if status != cannotRun || !ok {
		return nil
	}
	program := wording.Cut(c.args[0], 200)
	if strings.Contains(reason, "Permission denied") {
		return &wording.Failure{Message: program + " is not executable", Code: "not_executable", Field: "command",
			Hint: "name its interpreter, as in sh " + program + ", or send a line for sh that makes it executable first"}
	}
	return &wording.Failure{Message: "there is no program " + program + " in the sandbox", Code: "no_program", Field: "command",
		Hint: "send one that is installed, a path from the folder on such as ./build.sh, or go on without it"}
}
