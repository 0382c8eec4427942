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

// answer asks the server. fits says that the answer holds for the texts as they are now, and as they were asked about.
func (s *server) answer(ctx context.Context, client *lspclient.Client, q Question,
	method method) (answer *Answer, fits bool, err error) {
	s.alone.RLock()
	defer s.alone.RUnlock()
	before, err := s.tellTexts(ctx, client, q.Path)
	if err != nil {
		return nil, false, err
	}
	if client.Readiness() == lspclient.Loading {
		client.AwaitComplete(ctx, s.options.loadTime)
	}
	file, err := s.options.Workspace.Read(ctx, q.Path)
	if err != nil {
		return nil, false, err
	}
	if file.Hash != q.Hash {
		return nil, false, ErrChanged // the offset is one of another text
	}
	answer = &Answer{Source: client.Server(), Hash: q.Hash, Readiness: readinessOf(client)}
	asked := time.Now()
	places, err := method(client, ctx, q.Path, q.Offset)
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
	hashes, unreported := map[string]string{}, before.disk.outdated(q.Path)
	for _, p := range places {
		if _, known := hashes[p.Path]; !known {
			file, err := s.options.Workspace.Read(ctx, p.Path)
			if err != nil {
				return answer, false, nil // it has gone meanwhile
			}
			hashes[p.Path] = file.Hash
			unreported = unreported || before.disk.outdated(p.Path)
		}
		answer.Places = append(answer.Places, Place{p.Path, p.Start, p.End, hashes[p.Path], p.New})
	}
	if unreported {
		s.known.walked.Store(nil)
	}
	after, err := s.present(ctx)
	if err != nil {
		return nil, false, err
	}
	return answer, after.same(before), nil
}

// text returns the present text of a file of the workspace.
func (s *server) text(ctx context.Context, path string) ([]byte, error) {
	file, err := s.options.Workspace.Read(ctx, path)
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

	walked atomic.Pointer[diskState] // the last one
}

// reset notes what is on disk before a server is started, which reads it then.
func (k *knownTexts) reset(s *server) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.disk, k.asked = nil, nil
	if now, err := s.present(s.life); err == nil { // it fails only if the project closes
		k.disk = now.disk
	}
}

// tellTexts tells the server what has changed since it was told last: unsaved texts, and files on disk. Some servers
// answer only about a file that is open, so the file of the question is, too.
func (s *server) tellTexts(ctx context.Context, client *lspclient.Client, asked ...string) (folderState, error) {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	now, err := s.present(ctx)
	if err != nil {
		return now, err
	}
	again := func(path string) bool { return slices.Contains(asked, path) }
	s.known.asked = append(slices.DeleteFunc(s.known.asked, again), asked...)
	s.known.asked = s.known.asked[max(0, len(s.known.asked)-maxAsked):]
	var documents []lspclient.Document
	add := func(file *workspace.File) { documents = append(documents, documentOf(file.Path, file.Text)) }
	for _, path := range s.known.asked {
		if file, err := s.options.Workspace.Read(ctx, path); err == nil && now.unsaved[path] == "" {
			add(file)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now.unsaved)) {
		if file, open := s.options.Workspace.Buffer(path); open {
			add(file)
		}
	}
	if err := client.SetDocuments(documents); err != nil {
		return now, fmt.Errorf("the language server can't be told what is not saved: %w", err)
	}
	if err := client.FilesChanged(s.known.disk.changes(now.disk)); err != nil {
		return now, fmt.Errorf("the language server can't be told what has changed: %w", err)
	}
	s.known.disk = now.disk
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
