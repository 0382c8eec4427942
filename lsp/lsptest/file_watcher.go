package lsptest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// recordRegistrations notes which folders the server wants to have watched, and
// that it wants to be told of changed settings.
func (e *Editor) recordRegistrations(params []byte) error {
	var p struct {
		Registrations []struct {
			ID, Method      string
			RegisterOptions struct {
				Watchers []struct {
					GlobPattern json.RawMessage
				}
			}
		}
		Unregisterations []struct{ ID, Method string }
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	if len(p.Registrations) == 1 && p.Registrations[0].Method == protocol.MethodWorkspaceDidChangeConfiguration {
		e.configurationRegistered = true
		return nil
	}
	if e.options.OnRegisterWatcher != nil {
		e.options.OnRegisterWatcher()
	}
	for _, r := range p.Registrations {
		if _, known := e.watched[r.ID]; known || r.Method != protocol.MethodWorkspaceDidChangeWatchedFiles || len(r.RegisterOptions.Watchers) != 1 {
			return fmt.Errorf("a registration that is not expected: %s", params)
		}
		var everywhere string
		var relative struct {
			BaseURI uri.URI
			Pattern string
		}
		pattern := r.RegisterOptions.Watchers[0].GlobPattern
		switch {
		case json.Unmarshal(pattern, &everywhere) == nil:
			e.watched[r.ID] = everywhere
		case json.Unmarshal(pattern, &relative) == nil:
			e.watched[r.ID] = relative.BaseURI.FsPath()
		}
	}
	for _, u := range p.Unregisterations {
		if _, known := e.watched[u.ID]; !known {
			return fmt.Errorf("%s was never registered", u.ID)
		}
		delete(e.watched, u.ID)
	}
	return nil
}

// Watches reports whether the server has asked to watch the file or folder.
func (e *Editor) Watches(path string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, where := range e.watched {
		if where == "**/*" || strings.HasPrefix(path, where+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// DiskChanged tells the server, as an editor's watcher does, that files or
// folders were created, changed or deleted, once it has asked to be told.
func (e *Editor) DiskChanged(paths ...string) {
	e.t.Helper()
	e.Await("the server to watch "+paths[0], func() bool { return e.Watches(paths[0]) })
	var p protocol.DidChangeWatchedFilesParams
	for _, path := range paths {
		p.Changes = append(p.Changes, protocol.FileEvent{URI: uri.File(path), Type: protocol.FileChangeTypeChanged})
	}
	e.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &p)
}
