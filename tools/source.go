package tools

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// source is one file as the turn sees it.
type source struct {
	*placing.Source
	proposed string // id of the proposal that the text comes from; "" if it is the file's own
	view     bool   // the text is a notebook's as a model reads it, and not that of the file
}

// sources reads files for one call, each of them once. It is not safe for concurrent use.
type sources struct {
	ws    *workspace.Workspace
	index *index.Index
	edits *edits.Manager
	turn  edits.Turn
	view  *edits.View
	read  map[string]*source
	all   []string // see files
	// staged is the result of stagedFor, nil until it is needed.
	staged map[string]stagedPath
}

// newSources returns the files as a turn sees them.
func newSources(ws *workspace.Workspace, x *index.Index, manager *edits.Manager, turn edits.Turn) *sources {
	return &sources{ws: ws, index: x, edits: manager, turn: turn, view: manager.View(turn), read: map[string]*source{}}
}

// at reads the file at an absolute path. Its errors are those of the view. A file that is not
// text is a [*workspace.SkippedError].
func (s *sources) at(ctx context.Context, path string) (*source, error) {
	if src, ok := s.read[path]; ok {
		return src, nil
	}
	file, proposed, err := s.view.ReadProposed(ctx, path)
	if err != nil {
		return nil, err
	}
	if skip := workspace.Classify(file.Text); skip != "" && skip != workspace.Minified {
		return nil, &workspace.SkippedError{Rel: s.ws.Rel(path), Skip: skip}
	}
	noteSecrets(ctx, file)
	src := &source{proposed: proposed,
		Source: &placing.Source{File: file, Rel: s.ws.Rel(file.Path),
			Language: syntax.Detect(file.Path, file.Text)}}
	s.read[path] = src
	return src, nil
}

// secretsOf returns the secrets of a file that is text, and notes them. It does not read a file whose
// secrets are known. Its errors are those of at.
func (s *sources) secretsOf(ctx context.Context, path string) ([]string, error) {
	if s.staged == nil {
		var err error
		if s.staged, err = s.stagedFor(ctx); err != nil {
			return nil, err
		}
	}
	_, changed := s.staged[path]
	if _, read := s.read[path]; !read && !changed {
		text, err := s.ws.Open(ctx, path)
		if err != nil {
			return nil, err
		}
		defer text.Close()
		if secrets, ok := secretscan.Known(text.Hash); ok {
			noteAll(ctx, secrets)
			return secrets, nil
		}
	}
	src, err := s.at(ctx, path)
	if err != nil {
		return nil, err
	}
	return secretscan.OfText(src.Hash, src.Text), nil
}

// proposed returns the id of the proposal that the text of a file that was read comes from, or "".
func (s *sources) proposed(path string) string {
	if src, ok := s.read[path]; ok {
		return src.proposed
	}
	return ""
}

// path resolves the path that the model sends in the argument field to an absolute path.
func (s *sources) path(field, name string) (string, error) {
	path, err := s.ws.Resolve(name)
	var outside *workspace.OutsideError
	switch {
	case errors.As(err, &outside):
		message, _, _ := strings.Cut(err.Error(), "; ")
		return "", &wording.Failure{Message: message, Code: "outside_workspace", Field: field,
			Hint: "use a path inside the workspace, such as one that list_dir shows"}
	case err != nil:
		return "", wording.BadValue(field, err.Error(), "use a path relative to the workspace, an absolute path or a file:// URI")
	}
	return path, nil
}

// unreadable turns an error of reading path into a Failure if the model can correct it.
func (s *sources) unreadable(ctx context.Context, field, path string, err error) error {
	var skipped *workspace.SkippedError
	var folder *workspace.FolderError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return s.missing(ctx, field, path)
	case errors.As(err, &skipped):
		return &wording.Failure{Message: err.Error(), Code: "left_out", Field: field,
			Hint: "this file is excluded from the workspace; go on without it"}
	case errors.As(err, &folder):
		return &wording.Failure{Message: err.Error(), Code: "is_folder", Field: field,
			Hint: "send the path of a file; list_dir lists the files of the folder"}
	case unavailable(err):
		return &wording.Failure{Message: err.Error(), Code: "unreadable", Field: field, Hint: "go on without this file"}
	}
	return err
}

// unavailable reports whether err only says that there is no such file or that it must not be
// read. Any other error is a failure.
func unavailable(err error) bool {
	var skipped *workspace.SkippedError
	var outside *workspace.OutsideError
	var folder *workspace.FolderError
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) ||
		errors.As(err, &skipped) || errors.As(err, &outside) || errors.As(err, &folder)
}

// missing returns the Failure for a path at which the turn sees no file.
func (s *sources) missing(ctx context.Context, field, path string) error {
	staged, err := s.stagedFor(ctx)
	if err != nil {
		return err
	}
	rel := s.ws.Rel(path)
	switch f := staged[path]; {
	case f.to != "":
		return &wording.Failure{Message: rel + " is renamed by your proposal", Code: "not_found", Field: field,
			Hint: "use its new path", Candidates: []any{f.to}}
	case f.gone():
		return &wording.Failure{Message: rel + " is deleted by your proposal", Code: "not_found", Field: field,
			Hint: "go on without it, or create it again with create_file"}
	}
	files, err := s.nearestFiles(ctx, path)
	if err != nil {
		return err
	}
	return &wording.Failure{Message: "there is no file " + rel, Code: "not_found", Field: field,
		Hint: "use one of the candidates, or look with list_dir", Candidates: files}
}

// nearestFiles returns the files that the turn sees whose names are most similar to path's.
func (s *sources) nearestFiles(ctx context.Context, path string) ([]any, error) {
	files, err := s.files(ctx)
	if err != nil {
		return nil, err
	}
	rank := func(file string) float64 {
		return wording.NameSimilarity(filepath.Base(path), filepath.Base(file)) * (1 + wording.NameSimilarity(path, file)/4)
	}
	return wording.AsCandidates(wording.Nearest(files, rank, wording.Candidates)), nil
}

// overlay returns the index with the turn's staged changes.
func (s *sources) overlay(ctx context.Context) (*index.Overlay, error) {
	paths, err := s.touched(ctx)
	if err != nil {
		return nil, err
	}
	texts := make(map[string][]byte)
	for _, path := range paths {
		src, err := s.at(ctx, path)
		switch {
		case err == nil:
			texts[path] = src.Text
		case unavailable(err):
			texts[path] = nil
		default:
			return nil, err
		}
	}
	return s.index.Overlay(texts), nil
}
