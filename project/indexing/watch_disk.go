package indexing

import (
	"context"
	"errors"
	"time"

	"ploke-lsp/internal/diskwatch"
	"ploke-lsp/internal/workspace"
)

// watchAgainPause is how long the folders stay unwatched once some have come or moved, as many do when
// a branch is switched.
const watchAgainPause = 500 * time.Millisecond

// WatchDisk reports changes of the folders in place of a front end that does not, until ctx ends. Folders
// that can't be watched are scanned before each turn, as [freshness] says. It begins after the first scan,
// which it would slow down: the scan that follows finds what has changed since.
func (i *Indexer) WatchDisk(ctx context.Context) {
	await(ctx, i.firstScan)
	for ctx.Err() == nil {
		roots, changed := i.Roots()
		err := i.watchFolders(ctx, roots, changed)
		i.SetWatched(nil)
		if errors.Is(err, diskwatch.ErrOutdated) {
			await(ctx, time.After(watchAgainPause))
			continue
		}
		if err != nil && ctx.Err() == nil {
			i.Log.Info("the folders are not watched, so each turn looks at the disk", "reason", err)
		}
		await(ctx, changed)
	}
}

// await waits until a channel has something or is closed, or ctx ends.
func await[T any](ctx context.Context, c <-chan T) {
	select {
	case <-c:
	case <-ctx.Done():
	}
}

// eachFolder calls enter with all folders of roots.
func (i *Indexer) eachFolder(ctx context.Context, roots []string, enter func(string) error) error {
	for _, root := range roots {
		if err := i.Workspace.EachFolder(ctx, root, enter); err != nil {
			return err
		}
	}
	return nil
}

// watchFolders watches folders until there are others, or ctx ends.
func (i *Indexer) watchFolders(ctx context.Context, roots []string, changed <-chan struct{}) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	i.done.Go(func() {
		select {
		case <-changed:
			stop()
		case <-ctx.Done():
		}
	})
	return diskwatch.Run(ctx, diskwatch.Options{
		Folders: func(ctx context.Context, enter func(string) error) error {
			return i.eachFolder(ctx, roots, enter)
		},
		Ready:   func() { i.SetWatched(roots) },
		Changed: func(path string) { i.WatcherReported([]string{path}) },
		Decides: workspace.IsIgnoreFile,
	})
}
