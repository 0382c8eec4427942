package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/running"
	"ploke-lsp/tools/wording"
	"ploke-lsp/tools/written"
)

//go:embed run_command.md
var runCommandDescription string

type runCommandArgs struct {
	Command []string `json:"command" jsonschema:"program and arguments, or one line for sh"`
	runCommandPlace
	Reason  string `json:"reason,omitempty"`
	Timeout int    `json:"timeout,omitempty" jsonschema:"seconds"`
	Network bool   `json:"network,omitempty"`
}

// runCommandPlace has what few calls need.
type runCommandPlace struct {
	Dir string `json:"dir,omitempty"` // of the workspace
}

// command is a program to run for a call.
type command struct {
	running.Command
	title   string // how people write it, or the name of a check
	reason  string // the model's
	folder  string // of the workspace; absolute
	network sandbox.Network
	sandbox sandbox.Protection // in which it runs
}

// commandCall is a call that runs a command.
type commandCall struct {
	deps Deps
	env  Env
	command
}

// maxCommand is how many bytes a command may have: each person is to see all of it, and systems take little more.
const maxCommand = 64 << 10

func (d Deps) runCommand(ctx context.Context, env Env, args runCommandArgs) (Result, error) {
	c, err := d.commandOf(env, args)
	if err != nil {
		return Result{}, err
	}
	var refused *sandbox.LaunchError
	call := commandCall{d, env, c}
	if call.sandbox, refused = d.sandboxFor(c.folder); refused == nil {
		if err := env.AskPermission(ctx, call.permission()); err != nil {
			return Result{}, err
		}
		if ran, err := call.inTrial(ctx); !errors.As(err, &refused) {
			return ran.result(ctx, err)
		}
	}
	if err := env.AskPermission(ctx, call.permissionOutside(refused)); err != nil {
		return Result{}, err
	}
	ran, err := call.outside(ctx)
	return ran.result(ctx, err)
}

// sandboxFor returns what keeps commands on a folder from harm, or why there is nothing.
func (d Deps) sandboxFor(folder string) (sandbox.Protection, *sandbox.LaunchError) {
	if d.RunTrial == nil {
		return sandbox.Protection{}, &sandbox.LaunchError{Reason: "there is none here"}
	}
	box, err := sandbox.New([]string{folder})
	if err != nil {
		return sandbox.Protection{}, &sandbox.LaunchError{Reason: err.Error()}
	}
	return box.Protection(), nil
}

// commandOf checks the arguments of a call.
func (d Deps) commandOf(env Env, args runCommandArgs) (command, error) {
	words := args.Command
	switch {
	case strings.TrimSpace(strings.Join(words, "")) == "" || len(words) > 1 && strings.TrimSpace(words[0]) == "":
		return command{}, wording.BadValue("command", "the command is empty",
			`send a program with its arguments, as in ["go", "test", "./..."]`)
	case strings.Contains(strings.Join(words, ""), "\x00"):
		return command{}, wording.BadValue("command", "the command contains a NUL byte",
			"leave it out: no program can be given one")
	case len(strings.Join(words, "")) > maxCommand:
		return command{}, wording.BadValue("command", fmt.Sprintf("the command has more than %d KB", maxCommand>>10),
			"stage a script with create_file, and run that")
	case args.Timeout < 0 || time.Duration(args.Timeout) > running.MaxTimeout/time.Second:
		return command{}, wording.BadValue("timeout", fmt.Sprintf("%d seconds is not a time that a command may take",
			args.Timeout), fmt.Sprintf("send seconds from 1 to %d, or leave it out for %d", running.MaxTimeout/time.Second,
			running.DefaultTimeout/time.Second))
	}
	folder, dir, err := d.commandFolder(env, args.Dir)
	if err != nil {
		return command{}, err
	}
	c := command{title: running.Line(words), reason: args.Reason, folder: folder,
		Command: running.Command{Args: words, Dir: dir, Timeout: time.Duration(args.Timeout) * time.Second}}
	if len(words) == 1 {
		c.title, c.Args = words[0], running.Shell(words[0])
	}
	if c.network = d.network(); args.Network {
		c.network = sandbox.HostNetwork
	}
	return c, nil
}

// commandFolder returns the folder of the workspace and the folder in it in which a command starts.
func (d Deps) commandFolder(env Env, name string) (folder, dir string, err error) {
	roots := d.Workspace.Roots()
	switch {
	case len(roots) == 0:
		return "", "", &wording.Failure{Message: "no folder is open to run it in", Code: "no_folder",
			Hint: "go on without it"}
	case name == "":
		return roots[0], roots[0], nil
	}
	if dir, err = d.sources(env).Path("dir", name); err != nil {
		return "", "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", "", &wording.Failure{Message: "there is no folder " + d.Workspace.Rel(dir), Code: "not_found",
			Field: "dir", Hint: "send a folder that list_dir shows, or leave dir out"}
	}
	folder, _ = d.Workspace.RootOf(dir)
	return folder, dir, nil
}

// network returns what commands may reach as the user has configured it, each with its own permission.
func (d Deps) network() sandbox.Network {
	if d.Network == nil {
		return sandbox.NoNetwork
	}
	return d.Network()
}

// ran is how a command ended, and what became of what it wrote.
type ran struct {
	running.End
	title    string
	files    []written.Change
	staged   int    // of files
	proposal string // its id, "" if nothing is staged
	note     string
}

type runCommandResult struct {
	OK       bool             `json:"ok"`
	Passed   bool             `json:"passed"`
	Ended    string           `json:"ended"`  // "exit status 1, after 43s"
	Output   string           `json:"output"` // standard output and standard error
	Omitted  int64            `json:"output_bytes_omitted,omitempty"`
	Changed  []written.Change `json:"changed,omitempty"`
	More     int              `json:"changed_omitted,omitempty"`
	Proposal string           `json:"proposal_id,omitempty"`
	Note     string           `json:"note"`
}

// Text writes how the command ended, its output, and what it changed.
func (r runCommandResult) Text(w *wording.Writer) { r.text(w, "") }

// text is Text for a command that has a name, or "".
func (r runCommandResult) text(w *wording.Writer, name string) {
	verdict := "failed"
	if r.Passed {
		verdict = "passed"
	}
	w.Linef("%s: %s", strings.TrimSpace(name+" "+verdict), r.Ended)
	for _, f := range r.Changed {
		w.Line(w.Path(f.File) + ": " + f.Words(w))
	}
	if r.More > 0 {
		w.Linef("and %s more", wording.Plural(r.More, "file"))
	}
	w.Line(r.Note)
	w.Note(r.Output)
}

// longRun is how long a command must take for a model to be told so, which may choose a narrower one then.
const longRun = 10 * time.Second

// content returns what a model gets.
func (r ran) content() runCommandResult {
	ended := r.How
	if r.Took >= longRun {
		ended += fmt.Sprintf(", after %v", r.Took.Round(time.Second))
	}
	return runCommandResult{OK: true, Passed: r.Passed, Ended: ended, Output: r.Output, Omitted: r.Omitted,
		Changed: r.files[:min(len(r.files), shownFiles)], More: max(0, len(r.files)-shownFiles), Proposal: r.proposal,
		Note: r.note}
}

// summary leaves out how long the command took, which front ends show with each call.
func (r ran) summary(title string) string {
	summary := title + ": " + r.How
	if r.proposal != "" {
		summary += ", staged " + wording.Plural(r.staged, "file")
	}
	return summary
}

func (r ran) result(ctx context.Context, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	current.NoteAll(ctx, r.Secrets)
	return OK(r.content(), r.summary(r.title))
}
