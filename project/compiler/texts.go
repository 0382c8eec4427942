package compiler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

type method func(c *lspclient.Client, ctx context.Context, r request) ([]lspclient.Place, error)

var methods = map[kind]method{
	references: func(c *lspclient.Client, ctx context.Context, r request) ([]lspclient.Place, error) {
		return c.References(ctx, r.Path, r.Offset)
	},
	implementations: func(c *lspclient.Client, ctx context.Context, r request) ([]lspclient.Place, error) {
		return c.Implementations(ctx, r.Path, r.Offset)
	},
	definition: func(c *lspclient.Client, ctx context.Context, r request) ([]lspclient.Place, error) {
		return c.Definition(ctx, r.Path, r.Offset)
	},
	rename: func(c *lspclient.Client, ctx context.Context, r request) ([]lspclient.Place, error) {
		return c.Rename(ctx, r.Path, r.Offset, r.To)
	},
}

// twice asks the server, and once more if that may give a better answer: since a file has changed meanwhile, or since
// the server has read the project by then.
func (s *server) twice(ctx context.Context, client *lspclient.Client, v *view, r request,
	method method) (*Answer, error) {
	for again := false; ; again = true {
		answer, fits, err := s.answer(ctx, client, v, r, method)
		switch {
		case err != nil:
			return nil, err
		case fits && (again || answer.Readiness == Complete || readinessOf(client) != Complete):
			return answer, nil
		case again:
			return nil, ErrChanged
		}
	}
}

// answer asks the server. fits says that the answer holds for the disk as it is now, and as it was asked about.
func (s *server) answer(ctx context.Context, client *lspclient.Client, v *view, r request,
	method method) (answer *Answer, fits bool, err error) {
	if err := s.turns.enter(ctx, v.key); err != nil {
		return nil, false, err
	}
	defer s.turns.leave()
	before, err := s.tellTexts(ctx, client, v, r.Path)
	if err != nil {
		return nil, false, err
	}
	if client.Readiness() == lspclient.Loading {
		client.AwaitComplete(ctx, s.options.loadTime)
	}
	file, err := v.read(ctx, r.Path)
	if err != nil {
		return nil, false, err
	}
	if file.Hash != r.Hash || r.Offset < 0 || r.Offset > len(file.Text) {
		return nil, false, ErrChanged // the offset is one of another text
	}
	answer = &Answer{Source: client.Server(), Hash: r.Hash, Readiness: readinessOf(client)}
	asked := time.Now()
	places, err := method(client, ctx, r)
	answer.Answering = time.Since(asked)
	if refused := (*lspclient.RefusedError)(nil); errors.As(err, &refused) {
		return nil, false, fmt.Errorf("%w by %s: %s", ErrRefused, answer.Source, refused.Reason)
	}
	if err != nil {
		return nil, false, err
	}
	s.answered()
	if answer.Readiness == Unknown && s.young() {
		client.AwaitComplete(ctx, youngWait) // then it is asked again
	}
	if answer.Readiness == Unknown && client.Readiness() == lspclient.Loading { // it has begun meanwhile
		answer.Readiness = Loading
	}
	hashes, unreported := map[string]string{}, before.outdated(r.Path)
	for _, p := range places {
		if _, known := hashes[p.Path]; !known {
			file, err := v.read(ctx, p.Path)
			if err != nil {
				return answer, false, nil // it has gone meanwhile
			}
			hashes[p.Path] = file.Hash
			unreported = unreported || before.outdated(p.Path)
		}
		answer.Places = append(answer.Places, Place{p.Path, p.Start, p.End, hashes[p.Path], p.New})
	}
	if unreported {
		s.known.walked.Store(nil)
	}
	after, err := s.onDisk(ctx)
	if err != nil {
		return nil, false, err
	}
	return answer, after.same(before), nil
}

// text returns the text of a file in the view that the server has.
func (s *server) text(ctx context.Context, path string) ([]byte, error) {
	file, err := s.known.view.Load().read(ctx, path)
	if err != nil {
		return nil, err
	}
	return file.Text, nil
}

// maxAsked is how many files of questions the server keeps as documents.
const maxAsked = 32

// knownTexts are what a server was told of the files.
type knownTexts struct {
	mu    sync.Mutex // held while something is told
	disk  *diskState // nil: not known
	asked []string   // the files of the last questions, which the server has as documents

	view   atomic.Pointer[view]      // whose texts it has
	walked atomic.Pointer[diskState] // the last one
}

// reset notes what is on disk before a server is started, which reads it then.
func (k *knownTexts) reset(s *server) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.disk, k.asked = nil, nil
	if now, err := s.onDisk(s.life); err == nil { // it fails only if the project closes
		k.disk = now
	}
}

// tellTexts gives the server the texts of a view, and tells it what has changed on disk. Some servers answer only about
// a file that is open, so the file of the question is, too.
func (s *server) tellTexts(ctx context.Context, client *lspclient.Client, v *view,
	asked ...string) (*diskState, error) {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	now, err := s.onDisk(ctx)
	if err != nil {
		return nil, err
	}
	s.known.view.Store(v)
	again := func(path string) bool { return slices.Contains(asked, path) }
	s.known.asked = append(slices.DeleteFunc(s.known.asked, again), asked...)
	s.known.asked = s.known.asked[max(0, len(s.known.asked)-maxAsked):]
	files := map[string]*workspace.File{}
	for _, path := range s.known.asked {
		if file, err := v.read(ctx, path); err == nil {
			files[file.Path] = file
		}
	}
	for _, file := range v.unsaved {
		files[file.Path] = file
	}
	var documents []lspclient.Document
	for _, path := range slices.Sorted(maps.Keys(files)) {
		documents = append(documents, documentOf(path, files[path].Text))
	}
	if err := client.SetDocuments(documents); err != nil {
		return nil, fmt.Errorf("the language server can't be told what is not saved: %w", err)
	}
	if err := client.FilesChanged(s.known.disk.changes(now)); err != nil {
		return nil, fmt.Errorf("the language server can't be told what has changed: %w", err)
	}
	s.known.disk = now
	return now, nil
}

func documentOf(path string, text []byte) lspclient.Document {
	return lspclient.Document{Path: path, Language: languageID(syntax.Detect(path, text)), Text: text}
}

// languageID is the name that LSP has for a language.
func languageID(language string) string {
	switch language {
	case "tsx":
		return "typescriptreact"
	case "bash":
		return "shellscript"
	}
	return language
}
