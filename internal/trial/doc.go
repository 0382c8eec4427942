// Package trial makes trees in which commands may write: a folder as it is on disk, with other texts laid over it.
//
// Its promises:
//   - The folder is never written. What a command writes in a tree is kept in a folder of the tree's own.
//   - A tree lives on from one command to the next, so what a build has made serves the next one.
//   - A text that is laid and does not change keeps its modification time, so that a build does not do its work
//     again.
//   - No link that a command has put in a tree is followed.
//
// There are two ways to make one. An [Overlay] costs nothing and is a tree only where it is
// mounted, which package sandbox does. A [Copy] is a folder with a copy of some of the files, for
// systems without overlays.
//
// Paths in a tree are relative and have slashes. Texts are bytes as a file has them.
package trial

import (
	"errors"
	"io/fs"
)

// A Text is what a file of a tree reads instead of what the folder's file reads.
type Text struct {
	Path string
	Data []byte
	Gone bool // the tree has no such file
}

// A Change is a file of a tree that is not as it was laid, nor as the folder has it.
type Change struct {
	Path string
	Mode fs.FileMode // type and permissions; 0 if it is gone
	Size int64       // bytes
}

// Gone reports whether the file was removed.
func (c Change) Gone() bool { return c.Mode == 0 && c.Size == 0 }

// A Tree is an [Overlay] or a [Copy]. A Tree is not safe for concurrent use.
type Tree interface {
	// Lay makes the files read as texts say. A file that an earlier call has laid and this one does not name reads as
	// the folder's again. An error leaves the tree as it is at that point: another call may go on.
	Lay(texts []Text) error
	// Changes returns what commands have changed, by path. Folders for which skip returns true are left out.
	Changes(skip func(folder string) bool) ([]Change, error)
	// Read reads a regular file that was changed, of at most limit bytes.
	Read(path string, limit int64) ([]byte, error)
	// Size returns how many bytes on disk the tree takes.
	Size() (int64, error)
	// Remove removes all that the tree has on disk.
	Remove() error
}

// ErrTooLarge says that a file or a tree has more bytes than it may.
var ErrTooLarge = errors.New("it is too large")
