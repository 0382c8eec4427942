package acp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/uri"

	"ploke-lsp/project"
)

// A folder is what is open for the sessions of one working directory. Its conversations are those
// that an editor on the same folder has.
type folder struct {
	cwd      string
	project  *project.Project
	settings *project.Settings
	frontEnd *frontEnd

	askModels sync.Once
	models    []project.ListedModel // set by askModels

	mu       sync.Mutex // held while roots change
	sessions map[*openSession]bool
}

// openFolder opens the project of a working directory, which must exist.
func (a *Agent) openFolder(cwd string) (*folder, error) {
	f := &folder{cwd: cwd, settings: project.NewSettings(a.options.Config...), sessions: map[*openSession]bool{}}
	f.frontEnd = newFrontEnd(a, f)
	p, err := project.Open(a.baseContext, project.Options{
		StateDir: a.options.StateDir, Version: a.options.Version, Settings: f.settings, Logger: a.log,
		HTTPClient: a.options.HTTPClient, Getenv: a.options.Getenv, WatchDisk: a.options.WatchDisk,
		Hooks: project.Hooks{
			Link:       func(c project.Citation) string { return fmt.Sprintf("%s#L%d", uri.File(c.Path), c.StartLine) },
			BeforeCall: f.frontEnd.beforeCall, Answer: a.options.Answer,
		},
	}, []string{cwd}, f.frontEnd)
	if err != nil {
		return nil, fmt.Errorf("the folder %s could not be opened: %w", cwd, err)
	}
	f.project = p
	return f, nil
}

// check returns an error unless a path is absolute and names a folder that can be a project. A client may
// start a session in the home folder if no project is open in it.
func (f *folders) check(path string) error {
	if !filepath.IsAbs(path) {
		return invalidParams("%q is not an absolute path", path)
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return invalidParams("there is no folder %s", path)
	}
	if err := project.CheckFolder(path, f.home); err != nil {
		return invalidParams("%v: open the folder of a project in the editor", err)
	}
	return nil
}

// enter adds a session, with the roots that it needs.
func (f *folder) enter(s *openSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sessions[s] = true
	f.syncRoots()
}

// leave removes a session, with the roots that no other session needs.
func (f *folder) leave(s *openSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.sessions, s)
	f.syncRoots()
	if len(f.sessions) == 0 {
		f.frontEnd.files.forget()
	}
}

// wantedRoots returns the folders that some session needs, as the workspace names them. The lock is held.
func (f *folder) wantedRoots() []string {
	wanted := []string{f.project.Workspace.Canonical(f.cwd)}
	for s := range f.sessions {
		for _, dir := range s.directories {
			wanted = append(wanted, f.project.Workspace.Canonical(dir))
		}
	}
	return wanted
}

// syncRoots opens the additional directories of all sessions, and closes those of none. The lock
// is held.
func (f *folder) syncRoots() {
	wanted, open := f.wantedRoots(), f.project.Workspace.Roots()
	var missing []string
	for _, dir := range wanted {
		if !slices.Contains(open, dir) && !slices.Contains(missing, dir) {
			missing = append(missing, dir)
		}
	}
	if len(missing) > 0 {
		f.project.Folders.Add(missing)
	}
	for _, root := range open {
		if !slices.Contains(wanted, root) {
			f.project.Folders.Remove(root)
		}
	}
}

// folders are the open folders by working directory. They stay open until the agent stops.
type folders struct {
	open func(cwd string) (*folder, error)
	home string // the person's home folder; "" if it is not known

	mu   sync.Mutex
	byID map[string]*opening
}

// opening is a folder that is being opened, or is open.
type opening struct {
	done   chan struct{}
	folder *folder
	err    error
}

// get returns the folder of a working directory, which it opens if needed.
func (f *folders) get(ctx context.Context, cwd string) (*folder, error) {
	cwd = filepath.Clean(cwd)
	if err := f.check(cwd); err != nil {
		return nil, err
	}
	f.mu.Lock()
	o := f.byID[cwd]
	if o == nil {
		o = &opening{done: make(chan struct{})}
		if f.byID == nil {
			f.byID = map[string]*opening{}
		}
		f.byID[cwd] = o
		go func() {
			defer close(o.done)
			if o.folder, o.err = f.open(cwd); o.err != nil {
				f.forget(cwd)
			}
		}()
	}
	f.mu.Unlock()
	select {
	case <-o.done:
		return o.folder, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// forget makes the next get try again.
func (f *folders) forget(cwd string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.byID, cwd)
}

// all returns the folders that are open.
func (f *folders) all() (open []*folder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, o := range f.byID {
		select {
		case <-o.done:
			if o.err == nil {
				open = append(open, o.folder)
			}
		default:
		}
	}
	return open
}

// close closes all folders. No other method may be called any more.
func (f *folders) close() {
	f.mu.Lock()
	all := f.byID
	f.byID = nil
	f.mu.Unlock()
	for _, o := range all {
		<-o.done
		if o.err == nil {
			o.folder.project.Close()
		}
	}
}
