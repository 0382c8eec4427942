package acp

import (
	"context"
	"strings"
)

// Reject rejects a proposal as another front end of the same project would.
func (a *Agent) Reject(ctx context.Context, id string) error {
	for _, f := range a.folders.all() {
		p, err := f.project.Edits.Proposals.Get(ctx, id)
		if err != nil {
			return err
		}
		if _, err := f.project.Edits.Reject(ctx, p.Whole(), ""); err != nil {
			return err
		}
	}
	return nil
}

// Roots returns the folders of the project of a working directory.
func (a *Agent) Roots(cwd string) []string {
	for _, f := range a.folders.all() {
		if f.cwd == cwd {
			return f.project.Workspace.Roots()
		}
	}
	return nil
}

// CreateConversation stores a conversation without a message, as earlier versions did for each session.
func (a *Agent) CreateConversation(ctx context.Context, cwd string) error {
	for _, f := range a.folders.all() {
		if f.cwd == cwd {
			_, err := f.project.Engine.Create(ctx, "empty")
			return err
		}
	}
	return nil
}

// AwaitIndex waits until the folder of a working directory is indexed.
func (a *Agent) AwaitIndex(ctx context.Context, cwd string) {
	for _, f := range a.folders.all() {
		if f.cwd == cwd {
			_ = f.project.AwaitIndex(ctx) // the test sees what is not found
		}
	}
}

// AwaitModels waits until the providers of a working directory have listed their models.
func (a *Agent) AwaitModels(cwd string) {
	for _, f := range a.folders.all() {
		if f.cwd == cwd {
			f.listModels(a.baseContext)
		}
	}
}

// Unsaved returns the files of a working directory that the client has not saved.
func (a *Agent) Unsaved(cwd string) []string {
	for _, f := range a.folders.all() {
		if f.cwd == cwd {
			return f.project.Workspace.OpenFiles()
		}
	}
	return nil
}

// For tests of what is shown.
var (
	SplitURI = splitURI
	Diffs    = diffs
)

// ReadPlan returns the steps of a plan.
func ReadPlan(texts ...string) (steps []string, changes int) {
	var p plan
	for _, text := range texts {
		if _, changed := p.read(text); changed {
			changes++
		}
	}
	for _, e := range p.shown {
		steps = append(steps, e.Status+": "+e.Content)
	}
	return steps, changes
}

// Proposes reports whether a proposal that waits would write a text.
func (a *Agent) Proposes(text string) bool {
	for _, f := range a.folders.all() {
		all, _ := f.project.Edits.Proposals.List(context.Background(), "staged")
		for _, p := range all {
			if diff, err := f.project.Edits.Preview.Diff(context.Background(), p); err == nil && strings.Contains(diff, text) {
				return true
			}
		}
	}
	return false
}

// PathLocks are locks by path.
type PathLocks struct{ pathLocks }

// Lock waits for the lock of a path.
func (l *PathLocks) Lock(ctx context.Context, path string) (unlock func(), err error) {
	return l.lock(ctx, path)
}
