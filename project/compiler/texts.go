package compiler

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"ploke-lsp/internal/lspclient"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// answer asks the server. fits says that the answer holds for the texts as they are now, and as they were asked about.
func (s *server) answer(ctx context.Context, client *lspclient.Client, q Question,
	method method) (answer *Answer, fits bool, err error) {
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
	if answer.Readiness == Unknown && client.Readiness() == lspclient.Loading { // it has begun meanwhile
		answer.Readiness = Loading
	}
	after, err := s.present(ctx)
	if err != nil {
		return nil, false, err
	}
	hashes := map[string]string{}
	for _, p := range places {
		if _, known := hashes[p.Path]; !known {
			file, err := s.options.Workspace.Read(ctx, p.Path)
			if err != nil {
				return answer, false, nil // it has gone meanwhile
			}
			hashes[p.Path] = file.Hash
		}
		answer.Places = append(answer.Places, Place{p.Path, p.Start, p.End, hashes[p.Path], p.New})
	}
	return answer, maps.Equal(before, after), nil
}

// text returns the present text of a file of the workspace.
func (s *server) text(ctx context.Context, path string) ([]byte, error) {
	file, err := s.options.Workspace.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	return file.Text, nil
}

// fileStates are the files of a folder by path, as they are on disk or in an editor.
type fileStates map[string]fileState

type fileState struct {
	size    int64
	time    int64  // of the last change
	unsaved string // the hash of the text if it is an editor's
}

// maxAsked is how many files of questions the server keeps as documents.
const maxAsked = 32

// knownTexts are what a server was told of the files.
type knownTexts struct {
	mu    sync.Mutex // held while something is told
	files fileStates
	asked []string // the files of the last questions, which the server has as documents
}

// reset notes what is on disk before a server is started, which reads it then.
func (k *knownTexts) reset(s *server) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.files, _ = s.present(s.life) // it fails only if the project closes
	k.asked = nil
}

// tellTexts tells the server what has changed since it was told last: unsaved texts, and files on disk. Some servers
// answer only about a file that is open, so the file of the question is, too.
func (s *server) tellTexts(ctx context.Context, client *lspclient.Client, asked string) (fileStates, error) {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	now, err := s.present(ctx)
	if err != nil {
		return nil, err
	}
	s.known.asked = append(slices.DeleteFunc(s.known.asked, func(path string) bool { return path == asked }), asked)
	s.known.asked = s.known.asked[max(0, len(s.known.asked)-maxAsked):]
	var documents []lspclient.Document
	var changes []lspclient.FileChange
	for _, path := range s.known.asked {
		if file, err := s.options.Workspace.Read(ctx, path); err == nil && now[path].unsaved == "" {
			documents = append(documents, lspclient.Document{Path: path,
				Language: languageID(syntax.Detect(path, file.Text)), Text: file.Text})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(now)) {
		if now[path].unsaved != "" {
			if file, open := s.options.Workspace.Buffer(path); open {
				documents = append(documents, lspclient.Document{Path: path,
					Language: languageID(syntax.Detect(path, file.Text)), Text: file.Text})
			}
		}
		known, old := s.known.files[path]
		switch {
		case s.known.files == nil: // not known
		case !old:
			changes = append(changes, lspclient.FileChange{Path: path, Kind: lspclient.Created})
		case known.size != now[path].size || known.time != now[path].time:
			changes = append(changes, lspclient.FileChange{Path: path, Kind: lspclient.Changed})
		}
	}
	for path := range s.known.files {
		if _, kept := now[path]; !kept {
			changes = append(changes, lspclient.FileChange{Path: path, Kind: lspclient.Deleted})
		}
	}
	if err := client.SetDocuments(documents); err != nil {
		return nil, fmt.Errorf("the language server can't be told what is not saved: %w", err)
	}
	if err := client.FilesChanged(changes); err != nil {
		return nil, fmt.Errorf("the language server can't be told what has changed: %w", err)
	}
	s.known.files = now
	return now, nil
}

// present returns the files of the folder as they are.
func (s *server) present(ctx context.Context) (fileStates, error) {
	now := fileStates{}
	ws := s.options.Workspace
	err := ws.Walk(ctx, s.root, func(e workspace.Entry) error {
		if !e.Dir {
			now[e.Path] = fileState{size: e.Size, time: e.ModTime.UnixNano()}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, path := range ws.Buffers() {
		root, inside := ws.RootOf(path)
		if file, open := ws.Buffer(path); open && inside && root == s.root {
			state := now[path]
			state.unsaved = file.Hash
			now[path] = state
		}
	}
	return now, nil
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
