// Package diskwatch reports which files and folders change on disk, for programs whose client does not.
//
// Its promises:
//   - Nothing that changes in a folder that it watches goes unnoticed. Where the system has lost
//     events, or folders have come, or moved, [Run] ends, and what is watched has to be found out again.
//   - It takes at most a quarter of the watches that the system allows the user, and none if that is
//     too few.
//   - It watches no folder in which another machine may change files: the system need not report them.
//
// It works on Linux, with a watch for each folder, and on Windows, where the system reports what changes in
// a whole tree to one handle. The handle keeps the folders around the tree from being renamed. It does not say
// that the tree itself is renamed or removed. On macOS nothing is watched: the system's calls for single folders
// need an open file for each file in them, and those for trees (FSEvents) can't be tested without a Mac.
package diskwatch

import (
	"context"
	"errors"
)

// ErrOutdated says that something is not watched any more, or not yet.
var ErrOutdated = errors.New("the folders have changed")

// Options are those of [Run]. All are required.
type Options struct {
	// Folders calls enter with each folder to watch, before it looks what is in it and before the folders in
	// it. It must return the error of enter.
	Folders func(ctx context.Context, enter func(dir string) error) error
	// Ready is called once everything is watched.
	Ready func()
	// Changed takes the path of a file or folder that may have changed. It must not wait.
	Changed func(path string)
	// Decides reports whether a file with this name says which folders are watched.
	Decides func(name string) bool
}

// Run watches folders until ctx ends. It returns [ErrOutdated] if it should be called again after a moment,
// and any other error if the folders can't be watched.
func Run(ctx context.Context, o Options) error { return run(ctx, o) }
