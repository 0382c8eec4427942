package main

import (
	"context"
	"fmt"
	"io"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/project"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/tools"
)

// A frontEnd is the command line's [project.FrontEnd]: it prints messages to standard
// error, rejects every permission and has no editor.
type frontEnd struct {
	stderr   io.Writer
	indexing *progressLine // shows how far the index is; nil if nothing waits for it
}

// ShowMessage implements [project.FrontEnd].
func (f *frontEnd) ShowMessage(_ project.Severity, text string) {
	fmt.Fprintf(f.stderr, "ploke-lsp: %s\n", text)
}

// BeginProgress implements [project.FrontEnd]: commands show their own progress.
func (f *frontEnd) BeginProgress(context.Context, project.Task) project.Progress {
	return hiddenProgress{}
}

// Notify implements [project.FrontEnd].
func (f *frontEnd) Notify(part project.Part) {
	if f.indexing != nil && part.Index != nil {
		f.indexing.showStatus(part.Index.Progress)
	}
}

// ReviewReady implements [project.FrontEnd]: a person reviews in an editor, or with the command
// proposals.
func (f *frontEnd) ReviewReady(string) {}

// Diagnostics implements [project.FrontEnd].
func (f *frontEnd) Diagnostics(context.Context, string) (tools.Diagnostics, error) {
	return tools.Diagnostics{Partial: true}, nil
}

// EditorState implements [project.FrontEnd].
func (f *frontEnd) EditorState(context.Context) index.Editor { return index.Editor{} }

// AskPermission implements [project.FrontEnd].
func (f *frontEnd) AskPermission(context.Context, bus.PermissionAsked) session.Answer {
	return session.RejectOnce
}

// ShowsQuestions implements [project.FrontEnd].
func (f *frontEnd) ShowsQuestions() bool { return false }

// CanApply implements [project.FrontEnd].
func (f *frontEnd) CanApply(*edits.Plan) bool { return false }

// Apply implements [project.FrontEnd]. It is never called.
func (f *frontEnd) Apply(context.Context, *edits.Plan) error {
	panic("a plan was passed to a front end that can't apply one")
}

// hiddenProgress is progress that is not shown.
type hiddenProgress struct{}

func (hiddenProgress) Report(string, int) {}
func (hiddenProgress) End(string)         {}
