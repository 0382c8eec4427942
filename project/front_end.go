package project

import (
	"context"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/project/compiler"
	"ploke-lsp/project/indexing"
	"ploke-lsp/session"
	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// A FrontEnd is the program between a project and the person: an editor's
// language server or the command line. Its methods are called from several
// goroutines at once.
type FrontEnd interface {
	// ShowMessage shows a sentence to the person. It does not wait.
	ShowMessage(severity Severity, text string)
	// BeginProgress shows that work has begun. It never returns nil, and it may
	// wait for a client that is slow to read, as the methods of the result may.
	BeginProgress(ctx context.Context, task Task) Progress
	// Notify takes a part that belongs to no turn: the state of the index or of a
	// proposal, a notice. It may wait for a client that is slow to read.
	Notify(part Part)
	// ReviewReady notes that a turn has ended, and that what waits of its proposals
	// is ready for the person's decision. An editor is told of the turns of other processes, too.
	// It does not wait.
	ReviewReady(turnID string)
	// Diagnostics returns what other language servers report for the file at
	// path, or for all files if path is empty.
	Diagnostics(ctx context.Context, path string) (tools.Diagnostics, error)
	// EditorState returns where the person is. The zero value means unknown.
	EditorState(ctx context.Context) index.Editor
	// AskPermission asks the person and waits for the answer, or until ctx ends.
	// Anything but an explicit answer must be returned as a rejection.
	AskPermission(ctx context.Context, question bus.PermissionAsked) session.Answer
	// ShowsQuestions reports whether the person sees a question where they can answer it at once. Where they don't,
	// nothing asks by itself.
	ShowsQuestions() bool
	// CanApply reports whether the front end can carry out a plan. A plan that it
	// can't carry out is written to disk.
	CanApply(plan *edits.Plan) bool
	// Apply has the editor carry out a plan. It returns nil if the editor says that
	// it has, else why it has not. The texts that result arrive through
	// [Project.Changed]; they decide, not the return value.
	Apply(ctx context.Context, plan *edits.Plan) error
}

// A TextSource is a front end whose editor tells texts only when it is asked for them, so that the editor may be one
// that another process serves, too.
type TextSource interface {
	// HasText reports whether the editor had this text of a file when it was last asked for it. The path is
	// absolute.
	HasText(path string, text []byte) bool
}

// A ModelSource is a front end whose editor may have models of its own.
type ModelSource interface {
	// EditorModelSource returns them; nil if there are none.
	EditorModelSource() llm.EditorModels
}

// A ServerSource is a front end whose editor may have language servers, which it asks for us.
type ServerSource interface {
	// EditorServers returns them; nil if the editor does not ask them.
	EditorServers() compiler.Editor
}

// A Decider is a front end that knows how a person decides on a proposal in it. The verb is reject or undo. It returns
// "" if that is on the command line.
type Decider interface {
	HowToDecide(verb, id string) string
}

// decides returns how a person decides on a proposal in a front end; nil for the command line.
func decides(f FrontEnd) func(verb, id string) string {
	if d, ok := f.(Decider); ok && d.HowToDecide("reject", "") != "" {
		return d.HowToDecide
	}
	return nil
}

// indexingMessages is a front end as an indexer sees it.
type indexingMessages struct{ FrontEnd }

func (m indexingMessages) ShowError(text string) { m.ShowMessage(Error, text) }
func (m indexingMessages) ShowInfo(text string)  { m.ShowMessage(Info, text) }

func (m indexingMessages) BeginProgress(ctx context.Context, title string, cancel func()) indexing.Progress {
	return m.FrontEnd.BeginProgress(ctx, Task{Title: title, Cancel: cancel})
}

// Severity is how urgent a message is.
type Severity int

// The severities, the most urgent first.
const (
	Error Severity = iota
	Warning
	Info
)

// A Task is work whose progress is shown.
type Task struct {
	Title  string
	Cancel func() // called when the person cancels the work; it does not wait
}

// Progress is the display of one running task.
type Progress interface {
	// Report shows how far the work is; percent is from 0 to 100.
	Report(message string, percent int)
	// End takes the display away, with a last message.
	End(message string)
}
