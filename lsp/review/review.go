package review

import (
	"log/slog"

	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
)

// Deps are what a review is about, and how it is shown.
type Deps struct {
	Project    *project.Project
	Client     *client.Client
	Documents  *document.Table
	Views      *document.Views
	Published  *document.Published
	Applier    *document.Applier
	Background *client.Background
	Log        *slog.Logger
}

// A Review lets the person decide on the proposals of a project, in any client.
type Review struct {
	Deps
	queue *Queue
	diffs *diffs
}

// New returns the review of what is in a queue.
func New(q *Queue, d Deps) *Review {
	return &Review{Deps: d, queue: q, diffs: &diffs{Deps: d, queue: q}}
}

// FoldersChanged notes that other folders may be open.
func (r *Review) FoldersChanged() { r.queue.foldersChanged() }

// TextChanged notes that the text of a file may be another one.
func (r *Review) TextChanged(path string) { r.queue.textChanged(path) }
