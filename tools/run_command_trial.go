package tools

import (
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"slices"
	"time"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
	"ploke-lsp/tools/running"
	"ploke-lsp/tools/wording"
	"ploke-lsp/tools/written"
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
	Began   time.Time      // before the command saw a file of the folder, by the clock of [trial.Tick]
	Moved   bool           // whether the folder was changed since, so that the result may be of no version of it
	Took    time.Duration  // the command's own time
}

const outputBytes = 16 << 10 // of a command's output that a model gets

// gitFails matches what git says when it can't write in its folder, with bubblewrap or Landlock.
var gitFails = lazyregexp.New(
	`(?m)(?:/index\.lock|\.git/\S*?)'?: (?:Read-only file system|Permission denied|Operation not permitted)$`)

// gitInstead is how to do without that.
const gitInstead = "the folder of git can only be read there: call git mv, git rm and git restore each as a command " +
	"of its own, and leave commits, branches and stashes to the user"

// ofIndex matches a line with one command of git that changes files and the index, as the user's git has it.
var ofIndex = lazyregexp.New(`^\s*git (?:mv|rm|restore) [^;&|<>$` + "`" + `\n]*$`)

// copiedIndex runs its arguments with a copy of git's index, because the folder of git can't be written.
const copiedIndex = `index=$(mktemp) && cp -- "$(git rev-parse --git-path index)" "$index" && ` +
	`GIT_INDEX_FILE=$index exec "$@"`

// withIndex returns the arguments of a command, so that git can move, remove and restore files: what it writes of
// its index is lost, and what it does to files is proposed.
func withIndex(args []string) []string {
	line := running.Line(args)
	if slices.Equal(args, running.Shell(args[len(args)-1])) {
		line = args[len(args)-1]
	}
	if !ofIndex.MatchString(line) {
		return args
	}
	return append([]string{"sh", "-c", copiedIndex, "sh"}, args...)
}

// inTrial runs the command in the sandbox, and proposes what it has written.
func (c commandCall) inTrial(ctx context.Context) (ran, error) {
	files := c.deps.sources(c.env)
	texts, err := files.Texts(ctx, c.folder)
	if err != nil {
		return ran{}, err
	}
	var result TrialResult
	end, err := c.run(ctx, func(ctx context.Context, args, variables []string, output io.Writer) (string, bool, error) {
		var err error
		result, err = c.deps.RunTrial(ctx, Trial{Turn: c.env.Call().RequestID, Folder: c.folder, Dir: c.Dir,
			Texts: texts, Args: withIndex(args), Env: variables, Output: output, Network: c.network, Skip: c.skips})
		if stopped := (*sandbox.LimitError)(nil); errors.As(err, &stopped) {
			return "stopped: " + stopped.Reason, false, nil
		}
		return running.HowEnded(result.Status), err == nil && result.Status == 0, err
	})
	if err != nil {
		return ran{}, err
	}
	if failure := c.NotStarted(result.Status, end.Output); failure != nil {
		return ran{}, failure
	}
	end.note = "it ran in a sandbox, on a copy with what is proposed and unsaved"
	if gitFails.MatchString(end.Output) {
		end.note += "; " + gitInstead
	}
	err = c.propose(ctx, &end, result.Changes, &written.Copy{Workspace: c.deps.Workspace, Files: files,
		Folder: c.folder, Before: texts, Began: result.Began, Moved: result.Moved, Read: c.readTrial})
	return end, err
}

// outside runs the command in its folder. What it writes is written.
func (c commandCall) outside(ctx context.Context) (ran, error) {
	proposed, err := c.deps.sources(c.env).Touched(ctx)
	if err != nil {
		return ran{}, err
	}
	note := "it ran on the saved files" + c.without("what is proposed for ", proposed) +
		c.without("what is unsaved in ", c.unsaved(ctx))
	end, err := c.run(ctx, running.InFolder(c.Dir))
	end.note = note
	return end, err
}

// unsaved returns the paths of the folder's files whose text in an editor is not saved, sorted.
func (c commandCall) unsaved(ctx context.Context) (paths []string) {
	for rel := range c.deps.Workspace.Unsaved(ctx, c.folder) {
		paths = append(paths, filepath.Join(c.folder, filepath.FromSlash(rel)))
	}
	slices.Sort(paths)
	return paths
}

func (c commandCall) run(ctx context.Context, do running.Runner) (ran, error) {
	end, err := c.Command.Run(ctx, do, c.env.Output, c.deps.budget(c.env).bytes(outputBytes))
	return ran{End: end, title: c.title}, err
}

// without says which files, if any, had text that a command did not see.
func (c commandCall) without(what string, paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	names := c.deps.Workspace.Rel(paths[0])
	if more := len(paths) - 1; more > 0 {
		names += " and " + wording.Plural(more, "more file")
	}
	return ", without " + what + names
}

// skips reports whether a folder of the tree is of no interest: git's, and ignored ones.
func (c commandCall) skips(folder string) bool {
	return path.Base(folder) == ".git" ||
		c.deps.Workspace.Skipped(filepath.Join(c.folder, filepath.FromSlash(folder))) != ""
}

func (c commandCall) readTrial(path string, limit int64) ([]byte, error) {
	return c.deps.ReadTrial(c.env.Call().RequestID, c.folder, path, limit)
}
