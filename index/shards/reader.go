package shards

import (
	"context"

	"ploke-lsp/internal/workspace"
)

// Reader is how queries read a set. It is safe for concurrent use.
type Reader struct{ x *Set }

// Reader returns the reader of a set.
func (x *Set) Reader() Reader { return Reader{x} }

// OnViews runs fn on the views of the newest generation that any process has committed. It
// repeats if fn fails because a root was removed meanwhile. A damaged segment that fn comes
// upon ends it with ErrDamaged.
func (r Reader) OnViews(ctx context.Context, fn func([]*View) error) error {
	return r.x.onViews(ctx, fn)
}

// Texts returns a reader of current texts that reads each file once.
func (r Reader) Texts() *CurrentTexts {
	return &CurrentTexts{Reader: r, Open: map[string]*CurrentText{}}
}

// NewText returns the source of a text that was read from an absolute path.
func (r Reader) NewText(path, language string, f *workspace.File) *CurrentText {
	return r.x.newText(path, language, f)
}

// UnsavedBuffers returns the unsaved texts, by absolute path.
func (r Reader) UnsavedBuffers() map[string]*Buffer { return r.x.unsavedBuffers() }

// Workspace returns the workspace that the set holds.
func (r Reader) Workspace() *workspace.Workspace { return r.x.ws }

// Canonical returns the form of a path that the set uses: absolute, with symbolic links
// resolved.
func (r Reader) Canonical(path string) string { return r.x.canonical(path) }

// ShardOf returns the shard that a path belongs to, or nil.
func (r Reader) ShardOf(path string) *Shard { return r.x.shardOf(path) }

// Partial reports whether the first indexing of a root has not finished.
func (r Reader) Partial() bool { return r.x.partial() }

// NearestVectors returns the passages near a text. without says why some shard's vectors
// could not be compared; it is empty if all were, or if there are none.
func (r Reader) NearestVectors(ctx context.Context, text string) (near VectorScores, without string, err error) {
	return r.x.nearestVectors(ctx, text)
}
