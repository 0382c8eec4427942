package compiler

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lspclient"
)

// Sharing lets the processes that have a folder open share its servers: one runs a server, and answers the others with
// it. Its functions are called from several goroutines.
type Sharing struct {
	// Folder returns the folder for files that say which process runs a server of a root. It is made if it is missing.
	Folder func(root string) string
	// Reached reports whether others can ask this process about a root. If not, its servers are its own.
	Reached func(root string) bool
	// Ask asks the other processes of a root until one answers. It fails if none does.
	Ask func(ctx context.Context, root string, question []byte) (answer []byte, err error)
}

var (
	// errOther says that another process runs the server.
	errOther = errors.New("another process runs the server")
	// errNotHere says that this process does not run the server that it is asked about.
	errNotHere = errors.New("this process runs no such server")
	// errUnanswered says that no other process answers with the server.
	errUnanswered = errors.New("no other process answers")
)

const (
	// handoverTime is how long a question waits for a process that has a server and does not answer: it may end.
	handoverTime = 3 * time.Second
	// handoverPause is how often it is asked meanwhile, and how often this process tries to have the server.
	handoverPause = 50 * time.Millisecond
	// silentTime is how long questions are not asked any more after that.
	silentTime = 10 * time.Second
	// stateTime is how long a process may take to say how its server is.
	stateTime = time.Second
)

// shared reports whether other processes can have the server of this one.
func (s *server) shared() bool { return s.options.Share != nil && s.options.Share.Reached(s.root) }

// claim makes this process the one that runs the server, until release. ok is false if another one is. The system ends
// the claim of a process that dies.
func (s *server) claim() (release func(), ok bool, err error) {
	if !s.shared() {
		return func() {}, true, nil
	}
	dir := s.options.Share.Folder(s.root)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, false, fmt.Errorf("no process can be the one that runs the language server: %w", err)
	}
	sum := sha256.Sum256([]byte(strings.Join(s.command.Command, "\x00")))
	lock := flock.New(filepath.Join(dir, "server-"+hex.EncodeToString(sum[:8])+".lock"))
	if ok, err = lock.TryLock(); err != nil {
		return nil, false, fmt.Errorf("no process can be the one that runs the language server: %w", err)
	}
	if !ok {
		return nil, false, nil
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			s.options.Log.Warn("a language server can't be left to other processes", "error", err)
		}
	}, true, nil
}

// A request is what a process asks the one that runs a server: about a place of a file, for the problems of files, or
// how the server is.
type request struct {
	Command []string `json:"command"` // of the server, as in the settings of both
	Kind    kind     `json:"kind"`
	Unsaved []Text   `json:"unsaved,omitempty"` // of the process that asks

	Path   string `json:"path,omitempty"`
	Offset int    `json:"offset,omitempty"`
	Hash   string `json:"hash,omitempty"`
	To     string `json:"to,omitempty"` // the new name of a rename

	Files []string `json:"files,omitempty"`
	Laid  []Text   `json:"laid,omitempty"` // over the texts of files
}

// kind says what is asked for.
type kind string

const (
	references      kind = "references"
	implementations kind = "implementations"
	definition      kind = "definition"
	rename          kind = "rename"
	problems        kind = "problems"
	stateOf         kind = "state"
)

// A result is the answer to a request. One of its members is set.
type result struct {
	Answer        *Answer `json:"answer,omitempty"`
	Before, After *Report `json:",omitempty"`
	State         *State  `json:"state,omitempty"`
	Problem       string  `json:"problem,omitempty"` // why there is none of these
	Known         string  `json:"known,omitempty"`   // which of knownErrors the problem is, by its sentence
}

// knownErrors are those that callers tell apart.
var knownErrors = []error{ErrNone, ErrRefused, ErrChanged, ErrUnreported}

// sharedError is an error of another process.
type sharedError struct {
	text  string
	known error // nil unless it is one of knownErrors
}

func (e *sharedError) Error() string { return e.text }
func (e *sharedError) Unwrap() error { return e.known }

// failure is the result of a request that has failed.
func failure(err error) (r result) {
	r.Problem = err.Error()
	for _, known := range knownErrors {
		if errors.Is(err, known) {
			r.Known = known.Error()
		}
	}
	return r
}

// errNames says that a path can't be sent to another process.
var errNames = errors.New("the name of a file is not UTF-8, so that another process can't be asked about it")

// encode returns a request or a result as it is sent. Names that JSON can't hold would arrive as other ones.
func encode(value any, texts []Text, paths ...string) ([]byte, error) {
	for _, t := range texts {
		paths = append(paths, t.Path)
	}
	for _, path := range paths {
		if !utf8.ValidString(path) {
			return nil, errNames
		}
	}
	return json.Marshal(value)
}

func decode(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// askOther asks the process that runs the server. It returns errUnanswered if none answers.
func (s *server) askOther(ctx context.Context, v *view, r request) (result, error) {
	r.Command, r.Unsaved = s.command.Command, v.texts()
	question, err := encode(r, append(r.Unsaved, r.Laid...), append(r.Files, r.Path)...)
	if err != nil {
		return result{}, err
	}
	answer, err := s.options.Share.Ask(ctx, s.root, question)
	if err != nil {
		s.options.Log.Debug("no other process answers with a language server", "folder", s.root, "error", err)
		return result{}, cmp.Or(ctx.Err(), errUnanswered)
	}
	var given result
	if err := decode(answer, &given); err != nil {
		return result{}, errors.New("the process that runs the language server sends what this one does not know: restart it")
	}
	return given, given.err()
}

// err returns why a result is none. What another process says is shown as a line of limited length.
func (r *result) err() error {
	if r.Problem == "" {
		return nil
	}
	e := &sharedError{text: display.Clip(display.Name(r.Problem), 2*maxProblem)}
	for _, known := range knownErrors {
		if r.Known == known.Error() {
			e.known = known
		}
	}
	return e
}

// maxProblem is how many characters of an error of another process are shown at least.
const maxProblem = 500

// answerOf checks the answer of another process against this one's view.
func (s *server) answerOf(ctx context.Context, v *view, r request, given result) (*Answer, error) {
	a := given.Answer
	if a == nil || a.Hash != r.Hash {
		return nil, errOtherAnswer
	}
	for _, p := range a.Places {
		if _, inside := s.options.Workspace.RootOf(p.Path); !inside || v.changed(ctx, p) {
			return nil, ErrChanged
		}
	}
	a.Source, a.Readiness = shownSource(a.Source), a.Readiness.known()
	return a, nil
}

// errOtherAnswer says that another process has not answered what it was asked.
var errOtherAnswer = errors.New("the process that runs the language server answers another question: restart it")

// shownSource is the name of a server as another process sends it.
func shownSource(name string) string { return display.Name(display.Clip(name, maxSource)) }

// maxSource is how many characters of the name of a server are shown.
const maxSource = 100

// known is a readiness that another process has sent.
func (r Readiness) known() Readiness {
	if r == Complete || r == Loading {
		return r
	}
	return Unknown
}

// Answer answers what another process asks about a folder by [Sharing.Ask]. It starts nothing. An error says that this
// process does not run the server.
func (s *Servers) Answer(ctx context.Context, root string, question []byte) ([]byte, error) {
	var r request
	if err := decode(question, &r); err != nil {
		return nil, err
	}
	s.mu.Lock()
	serving := s.all[keyOf(root, Command{Command: r.Command})]
	s.mu.Unlock()
	if serving == nil {
		return nil, errNotHere
	}
	given, err := serving.answerOther(ctx, r)
	if errors.Is(err, errNotHere) || serving.life.Err() != nil { // it ends: then another one may start a server
		return nil, errNotHere
	}
	var paths []string
	switch {
	case err != nil:
		given = failure(err)
	case given.Answer != nil:
		for _, p := range given.Answer.Places {
			paths = append(paths, p.Path)
		}
	}
	data, err := encode(given, nil, paths...)
	if err != nil {
		return encode(failure(err), nil)
	}
	return data, nil
}

// answerOther answers the request of another process.
func (s *server) answerOther(ctx context.Context, r request) (given result, err error) {
	if r.Kind == stateOf {
		state := s.state()
		if state.Name == "" {
			return given, errNotHere
		}
		return result{State: &state}, nil
	}
	client, release, err := s.useRunning(ctx)
	if err != nil {
		return given, err
	}
	defer release()
	v, err := s.viewOf(r.Unsaved)
	if err != nil {
		return given, err
	}
	asked := slices.Clone(r.Files)
	for _, t := range r.Laid {
		asked = append(asked, t.Path)
	}
	if r.Kind != problems {
		asked = append(asked, r.Path)
	}
	for _, path := range asked {
		if err := s.check(Text{Path: path}); err != nil {
			return given, err
		}
	}
	return s.do(ctx, client, v, r)
}

// do does what a request asks for.
func (s *server) do(ctx context.Context, client *lspclient.Client, v *view, r request) (given result, err error) {
	if r.Kind == problems {
		given.Before, given.After, err = s.twiceReport(ctx, client, v, r)
		return given, err
	}
	method := methods[r.Kind]
	if method == nil {
		return given, fmt.Errorf("a language server is not asked for %q", r.Kind)
	}
	given.Answer, err = s.twice(ctx, client, v, r, method)
	return given, err
}

// ask has the process that runs the server answer, which may be this one.
func (s *server) ask(ctx context.Context, v *view, r request) (given result, err error) {
	var since time.Time // when nobody answered first
	for {
		client, release, err := s.use(ctx)
		if err == nil {
			defer release()
			return s.do(ctx, client, v, r)
		}
		if !errors.Is(err, errOther) {
			return given, err
		}
		if err = s.silence(); err != nil {
			return given, err
		}
		given, err = s.askOther(ctx, v, r)
		if !errors.Is(err, errUnanswered) {
			return given, err
		}
		switch {
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > handoverTime:
			return given, s.noteSilence()
		}
		pause := time.NewTimer(handoverPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return given, ctx.Err()
		}
	}
}

// noteSilence notes that the process that runs the server does not answer. The person is told once.
func (s *server) noteSilence() error {
	err := fmt.Errorf("%s for %s is run by another process of ploke-lsp, which does not answer: end it",
		s.command.Command[0], s.root)
	s.mu.Lock()
	s.silent, s.silentError = time.Now(), err
	tell := !s.told
	s.told = true
	s.mu.Unlock()
	s.tell(err, tell)
	return err
}

// silence returns an error if the process that runs the server has not answered a short time ago.
func (s *server) silence() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.silent) < silentTime {
		return s.silentError
	}
	return nil
}
