package lsp

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	"ploke-lsp/project"
)

// watchTimeout is how long the server waits for the client to register a watcher.
const watchTimeout = 30 * time.Second

// A watcher registers file watchers for the folders of the workspace, if the client
// supports that. One goroutine keeps the registrations up to date with the folders.
type watcher struct {
	client  *client.Client
	project *project.Project
	log     *slog.Logger
}

func newWatcher(c *client.Client, p *project.Project, log *slog.Logger) *watcher {
	return &watcher{client: c, project: p, log: log}
}

// loop keeps the registrations up to date until ctx ends.
func (w *watcher) loop(ctx context.Context) {
	if !w.client.WatchesFiles {
		return
	}
	var watched []string
	for ctx.Err() == nil {
		roots, changed := w.project.Indexer.Roots()
		desired := w.patterns(roots)
		watched = w.register(ctx, watched, desired)
		if len(watched) == len(desired) {
			w.project.Indexer.SetWatched(roots)
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// register makes the registrations match the desired patterns and returns the
// patterns that are watched.
func (w *watcher) register(ctx context.Context, watched, desired []string) (now []string) {
	for _, pattern := range watched {
		if !slices.Contains(desired, pattern) {
			w.call(ctx, protocol.MethodClientUnregisterCapability, &protocol.UnregistrationParams{
				Unregisterations: []protocol.Unregistration{
					{ID: watchID(pattern), Method: protocol.MethodWorkspaceDidChangeWatchedFiles}},
			})
		}
	}
	for _, pattern := range desired {
		if slices.Contains(watched, pattern) || w.registerFolder(ctx, pattern) {
			now = append(now, pattern)
		}
	}
	return now
}

// allFolders is the pattern of all folders, for clients without relative patterns.
const allFolders = ""

// patterns returns the folders to register, or allFolders.
func (w *watcher) patterns(roots []string) []string {
	if len(roots) > 0 && !w.client.RelativePatterns {
		return []string{allFolders}
	}
	return roots
}

func watchID(folder string) string { return "ploke/watch " + folder }

func (w *watcher) registerFolder(ctx context.Context, folder string) bool {
	var pattern protocol.GlobPattern = protocol.Pattern("**/*")
	if folder != allFolders {
		pattern = &protocol.RelativePattern{BaseURI: protocol.URI(uri.File(folder)), Pattern: "**/*"}
	}
	return w.call(ctx, protocol.MethodClientRegisterCapability, &protocol.RegistrationParams{
		Registrations: []protocol.Registration{{
			ID:     watchID(folder),
			Method: protocol.MethodWorkspaceDidChangeWatchedFiles,
			RegisterOptions: client.MustMarshal(&protocol.DidChangeWatchedFilesRegistrationOptions{
				Watchers: []protocol.FileSystemWatcher{{GlobPattern: pattern}},
			}),
		}},
	})
}

func (w *watcher) call(ctx context.Context, method string, params any) bool {
	ctx, cancel := context.WithTimeout(ctx, watchTimeout)
	defer cancel()
	err := w.client.Call(ctx, method, params, nil)
	if err != nil && ctx.Err() == nil {
		w.log.Warn("the client does not watch files", "error", err)
	}
	return err == nil
}

func (s *service) didChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	paths := pathsOf(p.Changes, func(c protocol.FileEvent) []string { return []string{string(c.URI)} })
	s.project.WatcherReported(paths)
	s.changedOnDisk(paths)
	return nil
}

func (s *service) didCreateFiles(_ context.Context, p *protocol.CreateFilesParams) error {
	return s.filesChanged(pathsOf(p.Files, func(f protocol.FileCreate) []string { return []string{f.URI} }))
}

func (s *service) didRenameFiles(_ context.Context, p *protocol.RenameFilesParams) error {
	return s.filesChanged(pathsOf(p.Files, func(f protocol.FileRename) []string { return []string{f.OldURI, f.NewURI} }))
}

func (s *service) didDeleteFiles(_ context.Context, p *protocol.DeleteFilesParams) error {
	return s.filesChanged(pathsOf(p.Files, func(f protocol.FileDelete) []string { return []string{f.URI} }))
}

// filesChanged notes what the person did with files in the editor.
func (s *service) filesChanged(paths []string) error {
	s.project.DiskChanged(paths)
	s.changedOnDisk(paths)
	return nil
}

// changedOnDisk notes that what the review shows of files may have changed.
func (s *service) changedOnDisk(paths []string) {
	s.texts.notebooks.DiskChanged(paths)
	for _, path := range paths {
		s.review.TextChanged(path)
	}
}

// pathsOf returns the paths of all URIs of a list of changes. It skips URIs that are not
// files.
func pathsOf[T any](changes []T, uris func(T) []string) (paths []string) {
	for _, change := range changes {
		for _, text := range uris(change) {
			if u, err := uri.Parse(text); err == nil {
				paths = append(paths, document.FilePath(u))
			}
		}
	}
	return paths
}
