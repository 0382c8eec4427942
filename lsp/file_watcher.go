package lsp

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/project"
)

// watchTimeout is how long the client may take to register a watcher.
const watchTimeout = 30 * time.Second

// A watcher asks the client to watch the folders of the workspace, if it offers
// that. One goroutine keeps the registrations up to date with the folders.
type watcher struct {
	client  *client
	project *project.Project
	log     *slog.Logger
}

func newWatcher(c *client, p *project.Project, log *slog.Logger) *watcher {
	return &watcher{client: c, project: p, log: log}
}

// loop keeps the registrations up to date until ctx ends.
func (w *watcher) loop(ctx context.Context) {
	if !w.client.watchesFiles {
		return
	}
	var watched []string
	for ctx.Err() == nil {
		roots, changed := w.project.Roots()
		desired := w.patterns(roots)
		watched = w.register(ctx, watched, desired)
		if len(watched) == len(desired) {
			w.project.SetWatched(roots)
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// register registers and unregisters what has changed, and returns what is
// watched.
func (w *watcher) register(ctx context.Context, watched, desired []string) (now []string) {
	for _, pattern := range watched {
		if !slices.Contains(desired, pattern) {
			w.call(ctx, protocol.MethodClientUnregisterCapability, &protocol.UnregistrationParams{
				Unregisterations: []protocol.Unregistration{{ID: watchID(pattern), Method: protocol.MethodWorkspaceDidChangeWatchedFiles}},
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

// allFolders stands for all folders, if the client can't watch them one by one.
const allFolders = ""

// patterns returns the folders to register.
func (w *watcher) patterns(roots []string) []string {
	if len(roots) > 0 && !w.client.relativePatterns {
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
			RegisterOptions: mustMarshal(&protocol.DidChangeWatchedFilesRegistrationOptions{
				Watchers: []protocol.FileSystemWatcher{{GlobPattern: pattern}},
			}),
		}},
	})
}

func (w *watcher) call(ctx context.Context, method string, params any) bool {
	ctx, cancel := context.WithTimeout(ctx, watchTimeout)
	defer cancel()
	err := protocol.Call(ctx, w.client.conn, method, params, nil)
	if err != nil && ctx.Err() == nil {
		w.log.Warn("the client does not watch files", "error", err)
	}
	return err == nil
}

func (s *Server) didChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	for _, change := range p.Changes {
		paths = append(paths, filePath(change.URI))
	}
	s.project.DiskChanged(paths)
	return nil
}

func (s *Server) didCreateFiles(_ context.Context, p *protocol.CreateFilesParams) error {
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, pathOfURIString(f.URI))
	}
	s.project.DiskChanged(paths)
	return nil
}

func (s *Server) didRenameFiles(_ context.Context, p *protocol.RenameFilesParams) error {
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, pathOfURIString(f.OldURI), pathOfURIString(f.NewURI))
	}
	s.project.DiskChanged(paths)
	return nil
}

func (s *Server) didDeleteFiles(_ context.Context, p *protocol.DeleteFilesParams) error {
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, pathOfURIString(f.URI))
	}
	s.project.DiskChanged(paths)
	return nil
}

// pathOfURIString is filePath for the messages that have a URI as a string.
func pathOfURIString(name string) string {
	u, err := uri.Parse(name)
	if err != nil {
		return ""
	}
	return filePath(u)
}
