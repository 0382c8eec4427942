package compiler

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// A Command says how a language's server is started, and how much memory it may take.
type Command struct {
	Command []string
	Bytes   int64 // of memory, of all of its processes; 0 is the default
}

// DefaultBytes is how much memory a server may take.
const DefaultBytes = 4 << 30

// Options are what servers are started with. Workspace, Commands and Notice are required.
type Options struct {
	Workspace *workspace.Workspace
	Version   string // of this program
	// Commands returns the servers of the settings by language, see [syntax.Detect].
	Commands func() map[string]Command
	// Notice tells the person something. It does not wait.
	Notice func(text string)
	// Disk returns a number that grows with each change on disk that is reported, and whether all are. It may be nil:
	// then each question looks at the files.
	Disk func() (stamp uint64, all bool)
	// Share is how the processes that have a folder open share its servers; nil: this one starts those that it needs.
	Share *Sharing
	Log   *slog.Logger // nil discards

	// Idle is how long a server may be idle; Pause is how long the first pause before another start is. 0 is the default.
	Idle, Pause time.Duration
	// StartTime and CallTime are those of [lspclient.Options].
	StartTime, CallTime time.Duration

	loadTime time.Duration // for tests
}

const (
	idleTime    = 10 * time.Minute
	firstPause  = time.Second
	maxFailures = 5                      // in a row
	stableTime  = time.Minute            // after which a failure counts as the first one
	loadTime    = 15 * time.Second       // for which a question waits if the server says that it is reading the project
	youngWait   = 300 * time.Millisecond // for which an answer waits until a new server says how far it is
	checkEvery  = 5 * time.Second        // of the memory that a server takes
)

// Servers are the language servers of a project. They implement [Source].
type Servers struct {
	options Options

	mu     sync.Mutex
	all    map[key]*server
	closed bool
}

var _ Source = (*Servers)(nil)

// key tells servers apart: each serves a folder by a command, which several languages may share.
type key struct{ root, command string }

func keyOf(root string, c Command) key { return key{root, strings.Join(c.Command, "\x00")} }

// NewServers returns servers of which none is started.
func NewServers(o Options) *Servers {
	o.Idle, o.Pause = cmp.Or(o.Idle, idleTime), cmp.Or(o.Pause, firstPause)
	o.loadTime = cmp.Or(o.loadTime, loadTime)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Servers{options: o, all: map[key]*server{}}
}

// References implements [Source].
func (s *Servers) References(ctx context.Context, q Question) (*Answer, error) {
	return s.ask(ctx, q, request{Kind: references})
}

// Implementations implements [Source].
func (s *Servers) Implementations(ctx context.Context, q Question) (*Answer, error) {
	return s.ask(ctx, q, request{Kind: implementations})
}

// Definition implements [Source].
func (s *Servers) Definition(ctx context.Context, q Question) (*Answer, error) {
	return s.ask(ctx, q, request{Kind: definition})
}

// Rename implements [Source].
func (s *Servers) Rename(ctx context.Context, q Question, to string) (*Answer, error) {
	return s.ask(ctx, q, request{Kind: rename, To: to})
}

// ask asks the server of a file, in whichever process it runs, and once more if a text of this one changes meanwhile.
func (s *Servers) ask(ctx context.Context, q Question, r request) (*Answer, error) {
	began := time.Now()
	serving, err := s.of(ctx, q.Path, nil)
	if err != nil {
		return nil, err
	}
	r.Path, r.Offset, r.Hash = q.Path, q.Offset, q.Hash
	for again := false; ; again = true {
		view := serving.own()
		given, err := serving.ask(ctx, view, r)
		if err != nil {
			return nil, err
		}
		answer, err := serving.answerOf(ctx, view, r, given)
		switch fits := err == nil && view.key == serving.own().key; {
		case fits:
			answer.Took = time.Since(began)
			return answer, nil
		case err != nil && !errors.Is(err, ErrChanged):
			return nil, err
		case again:
			return nil, ErrChanged
		}
	}
}

// of returns the server of a file, which need not run. The file may be one of texts, and new.
func (s *Servers) of(ctx context.Context, path string, texts []Text) (*server, error) {
	root, ok := s.options.Workspace.RootOf(path)
	if !ok {
		return nil, ErrNone
	}
	commands := s.options.Commands()
	if len(commands) == 0 {
		return nil, ErrNone
	}
	var text []byte
	if at := slices.IndexFunc(texts, func(t Text) bool { return t.Path == path }); at >= 0 {
		text = texts[at].Data
	} else {
		file, err := s.options.Workspace.Read(ctx, path)
		if err != nil {
			return nil, err
		}
		text = file.Text
	}
	command, ok := commands[syntax.Detect(path, text)]
	if !ok || len(command.Command) == 0 {
		return nil, ErrNone
	}
	k := keyOf(root, command)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrNone
	}
	if s.all[k] == nil {
		s.all[k] = newServer(s.options, root, command)
	}
	return s.all[k], nil
}

// Close ends all servers, those that are being started included, and waits for that.
func (s *Servers) Close() {
	s.mu.Lock()
	s.closed = true
	all := slices.Collect(maps.Values(s.all))
	s.mu.Unlock()
	var ending sync.WaitGroup
	for _, serving := range all {
		ending.Go(serving.close)
	}
	ending.Wait()
}

func readinessOf(c *lspclient.Client) Readiness {
	return map[lspclient.Readiness]Readiness{lspclient.Complete: Complete, lspclient.Loading: Loading,
		lspclient.Unknown: Unknown}[c.Readiness()]
}
