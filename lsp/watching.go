package lsp

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/workspace"
)

// watchPatience is how long the client may take to register a watcher.
const watchPatience = 30 * time.Second

// A watcher asks the client to watch the folders of the workspace, if it offers
// that. One goroutine keeps the registrations to the folders.
type watcher struct {
	client    *client
	workspace *workspace.Workspace
	log       *slog.Logger
	begun     func()        // called when more is watched; what changed before was not seen
	changed   chan struct{} // there may be other folders

	watching atomic.Bool // every folder is
}

func newWatcher(c *client, w *workspace.Workspace, log *slog.Logger, begun func()) *watcher {
	return &watcher{client: c, workspace: w, log: log, begun: begun, changed: make(chan struct{}, 1)}
}

// update makes the watcher look at the folders of the workspace again.
func (w *watcher) update() {
	w.watching.Store(false)
	signal(w.changed)
}

// loop keeps the registrations until ctx ends.
func (w *watcher) loop(ctx context.Context) {
	if !w.client.watchesFiles {
		return
	}
	signal(w.changed)
	var watched []string
	for {
		select {
		case <-w.changed:
		case <-ctx.Done():
			return
		}
		watched = w.follow(ctx, watched)
	}
}

// follow registers and unregisters what has changed and returns what is watched.
func (w *watcher) follow(ctx context.Context, watched []string) []string {
	wanted := w.wanted()
	for _, pattern := range watched {
		if !slices.Contains(wanted, pattern) {
			w.call(ctx, protocol.MethodClientUnregisterCapability, &protocol.UnregistrationParams{
				Unregisterations: []protocol.Unregistration{{ID: watchID(pattern), Method: protocol.MethodWorkspaceDidChangeWatchedFiles}},
			})
		}
	}
	var now []string
	more := false
	for _, pattern := range wanted {
		known := slices.Contains(watched, pattern)
		if known || w.register(ctx, pattern) {
			now, more = append(now, pattern), more || !known
		}
	}
	w.watching.Store(len(wanted) > 0 && len(now) == len(wanted))
	if more {
		w.begun()
	}
	return now
}

// everywhere stands for all folders, where the client can't watch one by one.
const everywhere = ""

// wanted are the folders to watch.
func (w *watcher) wanted() []string {
	roots := w.workspace.Roots()
	if len(roots) > 0 && !w.client.relativePatterns {
		return []string{everywhere}
	}
	return roots
}

func watchID(folder string) string { return "ploke/watch " + folder }

func (w *watcher) register(ctx context.Context, folder string) bool {
	var pattern protocol.GlobPattern = protocol.Pattern("**/*")
	if folder != everywhere {
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
	ctx, cancel := context.WithTimeout(ctx, watchPatience)
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
	s.project.diskChanged(paths)
	return nil
}

func (s *Server) didCreateFiles(_ context.Context, p *protocol.CreateFilesParams) error {
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, namedPath(f.URI))
	}
	s.project.diskChanged(paths)
	return nil
}

func (s *Server) didRenameFiles(_ context.Context, p *protocol.RenameFilesParams) error {
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, namedPath(f.OldURI), namedPath(f.NewURI))
	}
	s.project.diskChanged(paths)
	return nil
}

func (s *Server) didDeleteFiles(_ context.Context, p *protocol.DeleteFilesParams) error {
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, namedPath(f.URI))
	}
	s.project.diskChanged(paths)
	return nil
}

// namedPath is filePath for the messages that have a URI as a string.
func namedPath(name string) string {
	u, err := uri.Parse(name)
	if err != nil {
		return ""
	}
	return filePath(u)
}
