package lsptest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// recordRegistrations records what the server registers.
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
	if len(p.Registrations) > 0 && p.Registrations[0].Method != protocol.MethodWorkspaceDidChangeWatchedFiles {
		for _, r := range p.Registrations {
			e.registered[r.Method] = true
		}
		return nil
	}
	if e.options.OnRegisterWatcher != nil {
		e.options.OnRegisterWatcher()
	}
	for _, r := range p.Registrations {
		if _, known := e.watched[r.ID]; known || r.Method != protocol.MethodWorkspaceDidChangeWatchedFiles ||
			len(r.RegisterOptions.Watchers) != 1 {
			return fmt.Errorf("unexpected registration: %s", params)
		}
		var allFolders string
		var relative struct {
			BaseURI uri.URI
			Pattern string
		}
		pattern := r.RegisterOptions.Watchers[0].GlobPattern
		switch {
		case json.Unmarshal(pattern, &allFolders) == nil:
			e.watched[r.ID] = allFolders
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

// Registered reports whether the server has registered a method, other than for file watchers.
func (e *Editor) Registered(method string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.registered[method]
}

// Watches reports whether the server has registered a watcher for the file or folder.
func (e *Editor) Watches(path string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	path = uri.File(path).FsPath() // as URIs spell the drive
	for _, where := range e.watched {
		if where == "**/*" || strings.HasPrefix(path, where+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// DiskChanged notifies the server, as a file watcher does, that files or folders have
// changed. It first waits until the server has registered a watcher for paths[0].
func (e *Editor) DiskChanged(paths ...string) {
	e.t.Helper()
	e.Await("the server to watch "+paths[0], func() bool { return e.Watches(paths[0]) })
	var p protocol.DidChangeWatchedFilesParams
	for _, path := range paths {
		p.Changes = append(p.Changes, protocol.FileEvent{URI: uri.File(path), Type: protocol.FileChangeTypeChanged})
	}
	e.Notify(protocol.MethodWorkspaceDidChangeWatchedFiles, &p)
}
