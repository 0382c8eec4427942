package lspclient

import (
	"context"
	"sync"
	"time"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/wake"
)

// Readiness says whether a server has read the whole project.
type Readiness int

// Unknown is the readiness of a server that does not say how far it is.
const (
	Unknown Readiness = iota
	Loading
	Complete
)

// maxProgress is how many tasks of a server are followed at once.
const maxProgress = 256

// loadTitle matches the titles of the tasks by which servers read a project: "Setting up workspace" of gopls,
// "Initializing JS/TS language features…", "Indexing", "Roots Scanned", "Building CrateGraph", "Fetching" and so on.
var loadTitle = lazyregexp.New(`(?i)set(ting)? ?up|load|index|initializ|scan|building|fetch|import|analyz`)

// listedFiles matches what pyright logs once it has listed the files of the project, all of which it looks at for an
// answer. It lists them again when files come and go.
var listedFiles = lazyregexp.New(`^(?:Found \d+ source files?|No source files found\.)$`)

// pythonFile matches the paths of the files that pyright lists.
var pythonFile = lazyregexp.New(`\.pyi?$`)

// readiness follows what a server says of its progress.
type readiness struct {
	mu        sync.Mutex
	changed   wake.Broadcast
	running   map[string]bool // tokens of the tasks that read the project
	loaded    bool            // such a task has ended
	quiescent *bool           // what the server says itself, nil if it doesn't
	listed    bool            // see listedFiles
}

func (r *readiness) init() { r.running = map[string]bool{} }

func (r *readiness) reported(token, kind, title string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case kind == "begin" && loadTitle.MatchString(title) && len(r.running) < maxProgress:
		r.running[token] = true
	case kind == "end" && r.running[token]:
		delete(r.running, token)
		r.loaded = true
	default:
		return
	}
	r.changed.Announce()
}

func (r *readiness) setQuiescent(now bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.quiescent = &now
	r.changed.Announce()
}

func (r *readiness) setListed(now bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listed = now
	r.changed.Announce()
}

func (r *readiness) now() Readiness {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.quiescent != nil && *r.quiescent, r.quiescent == nil && (r.loaded || r.listed) && len(r.running) == 0:
		return Complete
	case r.quiescent != nil, len(r.running) > 0:
		return Loading
	}
	return Unknown
}

// Readiness returns how far the server is.
func (c *Client) Readiness() Readiness { return c.progress.now() }

// AwaitComplete waits until the server has read the project, for most at the longest, and returns how far it is then.
func (c *Client) AwaitComplete(ctx context.Context, most time.Duration) Readiness {
	c.progress.changed.Await(ctx, most, func() bool { return c.progress.now() == Complete || c.program.Ended() })
	return c.progress.now()
}
