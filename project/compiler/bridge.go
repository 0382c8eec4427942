package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/workspace"
)

// BridgeOptions are what a bridge is made with. The first three are required.
type BridgeOptions struct {
	Editor    Editor
	Workspace *workspace.Workspace
	// Notice tells the person something. It does not wait.
	Notice func(text string)
	Log    *slog.Logger // nil discards
	// CallTime is how long the editor may take for an answer; Pause is for how long it is not asked after it has
	// taken longer for the first time. 0 is the default.
	CallTime, Pause time.Duration
}

const (
	callTime  = 14 * time.Second // below the time for which a tool waits
	callPause = time.Minute
	maxPause  = time.Hour
)

// A Bridge asks the language servers of an editor. It implements [Source].
type Bridge struct {
	options BridgeOptions

	mu    sync.Mutex
	pause time.Duration        // after the next failure
	until time.Time            // not asked before
	told  bool                 // the person knows that the editor does not answer
	seen  map[string]Readiness // how far the servers were when they answered last, by their names
}

var _ Source = (*Bridge)(nil)

// NewBridge returns a bridge that has asked nothing yet.
func NewBridge(o BridgeOptions) *Bridge {
	o.CallTime, o.Pause = cmp.Or(o.CallTime, callTime), cmp.Or(o.Pause, callPause)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Bridge{options: o, pause: o.Pause}
}

// References implements [Source].
func (b *Bridge) References(ctx context.Context, q Question) (*Answer, error) {
	return b.ask(ctx, q, lspclient.MethodReferences, "")
}

// Implementations implements [Source].
func (b *Bridge) Implementations(ctx context.Context, q Question) (*Answer, error) {
	return b.ask(ctx, q, lspclient.MethodImplementations, "")
}

// Definition implements [Source].
func (b *Bridge) Definition(ctx context.Context, q Question) (*Answer, error) {
	return b.ask(ctx, q, lspclient.MethodDefinition, "")
}

// Rename implements [Source].
func (b *Bridge) Rename(ctx context.Context, q Question, to string) (*Answer, error) {
	return b.ask(ctx, q, lspclient.MethodRename, to)
}

// ask asks the editor, and once more if that may give a better answer: since a text has changed meanwhile, or since the
// server has read the project by then.
func (b *Bridge) ask(ctx context.Context, q Question, method, to string) (*Answer, error) {
	if b.pausing() {
		return nil, ErrNone
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, b.options.CallTime)
	defer cancel()
	for again := false; ; again = true {
		exchange := &exchange{bridge: b, question: q, method: method, to: to, versions: b.options.Editor.Versions(),
			files: map[string]*workspace.File{}}
		answer, later, err := exchange.run(limited)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case limited.Err() != nil:
			return nil, b.failed()
		case errors.Is(err, ErrChanged) && !again:
		case err != nil:
			b.spare(began)
			return nil, err
		case again || answer.Readiness == Complete || later != Complete:
			b.answered(answer)
			answer.Took = time.Since(began)
			return answer, nil
		}
	}
}

func (b *Bridge) pausing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Before(b.until)
}

func (b *Bridge) answered(a *Answer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pause = b.options.Pause
	if b.seen == nil {
		b.seen = map[string]Readiness{}
	}
	if _, known := b.seen[a.Source]; known || len(b.seen) < maxSeen {
		b.seen[a.Source] = a.Readiness
	}
}

// maxSeen is how many servers of an editor are kept in mind.
const maxSeen = 32

// States returns how the servers of the editor were when they answered last, in a line each.
func (b *Bridge) States() (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(b.seen)) {
		lines = append(lines, name+": "+b.seen[name].words())
	}
	return lines
}

// spare leaves a server alone for a while that has needed long for nothing, so that the next questions need not wait,
// too.
func (b *Bridge) spare(began time.Time) {
	if time.Since(began) < b.options.CallTime/2 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until = time.Now().Add(b.options.CallTime)
}

// failed notes that the editor does not answer. Each time in a row doubles the pause before it is asked again.
func (b *Bridge) failed() error {
	b.mu.Lock()
	b.until = time.Now().Add(b.pause)
	b.pause = min(2*b.pause, maxPause)
	tell := !b.told
	b.told = true
	b.mu.Unlock()
	err := fmt.Errorf("%s has not answered within %v", b.options.Editor.Name(), b.options.CallTime)
	b.options.Log.Warn("the editor does not ask its language servers", "error", err)
	if tell {
		b.options.Notice(fmt.Sprintf("%s can't be asked about the code, which is searched by name instead: it has not "+
			"answered within %v", b.options.Editor.Name(), b.options.CallTime))
	}
	return err
}

// exchange is one question with its answer.
type exchange struct {
	bridge   *Bridge
	question Question
	method   string
	to       string                     // the new name of a rename
	versions map[string]int32           // of what is open, at the beginning
	files    map[string]*workspace.File // that were read, by the paths of the server
	outside  bool                       // a file that it names is not in the workspace
	problem  error                      // why a file that is there can't be told of
}

// run asks. later is how far the server was when it answered.
func (e *exchange) run(ctx context.Context) (answer *Answer, later Readiness, err error) {
	b, q := e.bridge, e.question
	server, err := e.server(ctx)
	if err != nil {
		return nil, Unknown, err
	}
	if _, err := e.text(ctx, q.Path); err != nil {
		return nil, Unknown, err
	}
	if e.files[q.Path].Hash != q.Hash {
		return nil, Unknown, ErrChanged // the offset is one of another text
	}
	source := lspclient.NameOf(server.Name, server.Version) + " in " + b.options.Editor.Name()
	answer = &Answer{Source: source, Hash: q.Hash, Readiness: server.readiness()}
	later = answer.Readiness
	asked := lspclient.Foreign{Encoding: server.Encoding, Text: e.text,
		Ask: func(ctx context.Context, method string, params []byte) ([]byte, error) {
			a, err := b.options.Editor.Ask(ctx, EditorRequest{Server: server.ID, Path: q.Path, Method: method, Params: params})
			if err != nil {
				return nil, err
			}
			if a.Server != nil {
				later = a.Server.readiness()
			}
			return a.Result, nil
		}}
	var places []lspclient.Place
	if e.method == lspclient.MethodRename {
		places, err = asked.Rename(ctx, q.Path, q.Offset, e.to)
	} else {
		places, err = asked.Places(ctx, e.method, q.Path, q.Offset)
	}
	if reason, refused := lspclient.IsRefused(err); refused {
		return nil, Unknown, fmt.Errorf("%w by %s: %s", ErrRefused, source, reason)
	}
	if err != nil {
		return nil, Unknown, err
	}
	if answer.Readiness == Unknown && later == Loading { // it has begun meanwhile
		answer.Readiness = Loading
	}
	answer.Outside = e.outside
	answer.Places, err = e.places(places)
	return answer, later, err
}

// server returns the first server that answers such a question.
func (e *exchange) server(ctx context.Context) (*EditorServer, error) {
	if _, inside := e.bridge.options.Workspace.RootOf(e.question.Path); !inside {
		return nil, ErrNone
	}
	servers, err := e.bridge.options.Editor.Servers(ctx, e.question.Path)
	if err != nil {
		return nil, err
	}
	for _, s := range servers {
		if slices.Contains(s.Methods, e.method) {
			return &s, nil
		}
	}
	return nil, ErrNone
}

// readiness is how far a server is, by what it has told the editor.
func (s EditorServer) readiness() Readiness {
	return readinesses[lspclient.ReadinessAfter(s.Running, s.Ended)]
}

var readinesses = map[lspclient.Readiness]Readiness{lspclient.Complete: Complete, lspclient.Loading: Loading,
	lspclient.Unknown: Unknown}
