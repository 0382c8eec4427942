package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/trial"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed run_check.md
var runCheckDescription string

const (
	checkTimeout = 10 * time.Minute // default time limit of a check
	longestCheck = 24 * time.Hour   // maximum time limit of a check
	checkBytes   = 16 << 10         // of a check's output that are shown
	scannedBytes = 256 << 10        // of its end that are scanned for secrets, at least
)

// Check is a command that the user has configured for models to run.
type Check struct {
	Command []string      // program and arguments; run without a shell
	Timeout time.Duration // 0: ten minutes
	Env     []string      // names of environment variables that the command gets besides the usual ones
	// OnProposal runs the command in a sandbox, on a copy of the folder that reads as the turn would leave it.
	OnProposal bool
}

// Trial is a command to run in a sandbox on a folder as a turn would leave it.
type Trial struct {
	Turn    string // all commands of a turn with the same variant see one tree
	Variant string // which of the turn's trees; "" is the one of its proposal
	Folder  string // absolute
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

type runCheckArgs struct {
	Name string `json:"name,omitempty"`
}

// namedCheck is a check in the form that a model reads.
type namedCheck struct {
	Name    string `json:"name"`
	Command string `json:"command"`
}

type runCheckResult struct {
	OK      bool   `json:"ok"`
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Ended   string `json:"ended"`  // "exit status 1"
	Output  string `json:"output"` // end of standard output and standard error
	Omitted int64  `json:"output_bytes_omitted,omitempty"`
	Note    string `json:"note"`
}

// checkList is the answer to a call without a name.
type checkList struct {
	OK     bool         `json:"ok"`
	Checks []namedCheck `json:"checks"`
}

// runCheckContent is either answer.
type runCheckContent struct {
	runCheckResult
	Checks []namedCheck `json:"checks"`
}

// Text writes how the check ended, then its output.
func (r runCheckContent) Text(w *wording.Writer) {
	for _, c := range r.Checks {
		w.Linef("%s: %s", c.Name, c.Command)
	}
	if r.Name == "" {
		return
	}
	verdict := "failed"
	if r.Passed {
		verdict = "passed"
	}
	w.Linef("%s %s: %s", r.Name, verdict, r.Ended)
	w.Line(r.Note)
	if r.Omitted > 0 {
		w.Linef("%s of output left out here", wording.Plural(int(r.Omitted), "byte"))
	}
	w.Note(r.Output)
}

func (d Deps) runCheck(ctx context.Context, env Env, args runCheckArgs) (Result, error) {
	checks := d.Checks()
	check, ok := checks[args.Name]
	switch {
	case len(checks) == 0:
		return Result{}, &wording.Failure{Message: "no check is configured", Code: "not_found", Field: "name",
			Hint: `go on without one; the user can add one to the settings of ploke-lsp, ` +
				`as in checks.test.command = ["go", "test", "./..."]`}
	case args.Name == "":
		return listChecks(checks)
	case !ok:
		return Result{}, noSuchCheck(checks, args.Name)
	case len(d.Workspace.Roots()) == 0:
		return Result{}, &wording.Failure{Message: "no folder is open to run the check in", Code: "no_folder",
			Hint: "go on without it"}
	}
	dir := d.Workspace.Roots()[0]
	err := env.AskPermission(ctx, check.permission(args.Name, dir))
	if err != nil {
		return Result{}, err
	}
	proposed, err := d.sources(env).Touched(ctx)
	if err != nil {
		return Result{}, err
	}
	end, err := check.run(ctx, dir, d.runner(env, check, dir), d.budget(env).bytes(checkBytes))
	if err != nil {
		return Result{}, err
	}
	current.NoteAll(ctx, end.secrets)
	result := runCheckResult{OK: true, Name: args.Name, Passed: end.passed, Ended: end.how, Output: end.output,
		Omitted: end.omitted,
		Note:    "it ran on the saved files" + d.without(proposed)}
	if check.OnProposal {
		result.Note = "it ran in a sandbox, on a copy with what is proposed and unsaved; what it wrote there is not proposed"
	}
	if end.omitted > 0 {
		result.Note += "; only the end of its output is shown"
	}
	return OK(result, fmt.Sprintf("ran %s: %s in %v", args.Name, end.how, end.took.Round(100*time.Millisecond)))
}

// permission asks whether a check may run in a folder.
func (c Check) permission(name, folder string) Permission {
	if c.OnProposal {
		return SandboxPermission(folder, c.Command)
	}
	return Permission{Title: "run the check " + name, Detail: commandLine(c.Command) + "\nin " + folder,
		Key: exactKey("run_check "+name, folder, c.Command)}
}

// runner returns what runs a check of a call in a folder.
func (d Deps) runner(env Env, check Check, dir string) runner {
	if !check.OnProposal {
		return runIn(dir)
	}
	return func(ctx context.Context, args, variables []string, output io.Writer) (string, bool, error) {
		texts, err := d.sources(env).Texts(ctx, dir)
		if err != nil {
			return "", false, err
		}
		result, err := d.RunTrial(ctx, Trial{Turn: env.Call().RequestID, Folder: dir, Texts: texts, Args: args,
			Env: variables, Output: output})
		var refused *sandbox.LaunchError
		if errors.As(err, &refused) {
			return "", false, &wording.Failure{Message: refused.Error(), Code: "no_sandbox",
				Hint: "go on without the check, and tell the user why it did not run"}
		}
		if stopped := (*sandbox.LimitError)(nil); errors.As(err, &stopped) {
			return "stopped: " + stopped.Reason, false, nil
		}
		return fmt.Sprintf("exit status %d", result.Status), result.Status == 0, err
	}
}

// without says which files have proposed changes, if any, that a check did not see.
func (d Deps) without(proposed []string) string {
	if len(proposed) == 0 {
		return ""
	}
	names := d.Workspace.Rel(proposed[0])
	if more := len(proposed) - 1; more > 0 {
		names += " and " + wording.Plural(more, "more file")
	}
	return ", without what is proposed for " + names
}

func listChecks(checks map[string]Check) (Result, error) {
	return OK(checkList{true, namedChecks(checks, slices.Sorted(maps.Keys(checks)))},
		"listed "+wording.Plural(len(checks), "check"))
}

func noSuchCheck(checks map[string]Check, name string) *wording.Failure {
	near := wording.Nearest(slices.Sorted(maps.Keys(checks)),
		func(other string) float64 { return wording.NameSimilarity(name, other) }, wording.Candidates)
	return &wording.Failure{Message: "there is no check " + name, Code: "not_found", Field: "name",
		Hint:       "use one of the candidates, or leave name out to list all",
		Candidates: wording.AsCandidates(namedChecks(checks, near))}
}

func namedChecks(checks map[string]Check, names []string) []namedCheck {
	list := []namedCheck{}
	for _, name := range names {
		list = append(list, namedCheck{name, wording.Cut(commandLine(checks[name].Command), 500)})
	}
	return list
}
