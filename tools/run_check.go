package tools

import (
	"context"
	_ "embed"
	"errors"
	"maps"
	"slices"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/running"
	"ploke-lsp/tools/wording"
)

//go:embed run_check.md
var runCheckDescription string

// Check is a command that the user has configured for models to run.
type Check struct {
	Command []string      // program and arguments; run without a shell
	Timeout time.Duration // 0: ten minutes
	Env     []string      // names of environment variables that the command gets besides the usual ones
	// OnProposal runs the command in a sandbox, on a copy of the folder that reads as the turn would leave it.
	OnProposal bool
}

type runCheckArgs struct {
	Name string `json:"name,omitempty"`
}

// namedCheck is a check in the form that a model reads.
type namedCheck struct {
	Name    string `json:"name"`
	Command string `json:"command"`
}

// checkList is the answer to a call without a name.
type checkList struct {
	OK     bool         `json:"ok"`
	Checks []namedCheck `json:"checks"`
}

// runCheckContent is either answer.
type runCheckContent struct {
	Name string `json:"name"`
	runCommandResult
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
	r.runCommandResult.text(w, r.Name)
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
	call := commandCall{d, env, command{title: running.Line(check.Command), folder: dir,
		Command: running.Command{Args: check.Command, Dir: dir, Timeout: check.Timeout, Env: check.Env}}}
	run, permission := call.outside, check.permission(args.Name, dir)
	if check.OnProposal {
		call.network = d.network()
		call.sandbox, _ = d.sandboxFor(dir) // without one, it does not run
		run, permission = call.inTrial, call.permission()
	}
	if err := env.AskPermission(ctx, permission); err != nil {
		return Result{}, err
	}
	end, err := run(ctx)
	var refused *sandbox.LaunchError
	if errors.As(err, &refused) {
		return Result{}, &wording.Failure{Message: refused.Error(), Code: "no_sandbox",
			Hint: "go on without the check, and tell the user why it did not run"}
	}
	if err != nil {
		return Result{}, err
	}
	current.NoteAll(ctx, end.Secrets)
	return OK(runCheckContent{Name: args.Name, runCommandResult: end.content()}, end.summary("ran "+args.Name))
}

// permission asks whether a check may run in a folder, outside of a sandbox.
func (c Check) permission(name, folder string) Permission {
	return Permission{Title: "run the check " + name, Detail: running.Line(c.Command) + "\nin " + folder,
		Key: running.Key("run_check "+name, folder, c.Command)}
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
		list = append(list, namedCheck{name, wording.Cut(running.Line(checks[name].Command), 500)})
	}
	return list
}
