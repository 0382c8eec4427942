package current

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

// File is one file as the turn sees it.
type File struct {
	*placing.SourceFile
	Proposed string // id of the proposal that the text comes from; "" if it is the file's own
	view     bool   // the text is a notebook's as a model reads it, and not that of the file
}

// Files reads files for one call, each of them once. It is not safe for concurrent use.
type Files struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	edits     *edits.Manager
	turn      edits.Turn
	View      *edits.View
	read      map[string]*File
	all       []string // see files
	// changes is the result of Staged, nil until it is needed.
	changes map[string]Change
}

// New returns the files as a turn sees them.
func New(ws *workspace.Workspace, x *index.Index, manager *edits.Manager, turn edits.Turn) *Files {
	return &Files{Workspace: ws, Index: x, edits: manager, turn: turn, View: manager.Staging.View(turn),
		read: map[string]*File{}}
}

// At reads the file at an absolute path. Its errors are those of the view. A file that is not
// text is a [*workspace.SkippedError].
func (f *Files) At(ctx context.Context, path string) (*File, error) {
	if src, ok := f.read[path]; ok {
		return src, nil
	}
	file, proposed, err := f.View.ReadProposed(ctx, path)
	if err != nil {
		return nil, err
	}
	if skip := workspace.Classify(file.Text); skip != "" && skip != workspace.Minified {
		return nil, &workspace.SkippedError{Rel: f.Workspace.Rel(path), Skip: skip}
	}
	NoteSecrets(ctx, file)
	src := &File{Proposed: proposed,
		SourceFile: &placing.SourceFile{File: file, Rel: f.Workspace.Rel(file.Path),
			Language: syntax.Detect(file.Path, file.Text)}}
	f.read[path] = src
	return src, nil
}

// SecretsOf returns the secrets of a file that is text, and notes them. It does not read a file whose
// secrets are known. Its errors are those of At.
func (f *Files) SecretsOf(ctx context.Context, path string) ([]string, error) {
	if f.changes == nil {
		var err error
		if f.changes, err = f.Staged(ctx); err != nil {
			return nil, err
		}
	}
	_, changed := f.changes[path]
	if _, read := f.read[path]; !read && !changed {
		text, err := f.Workspace.Open(ctx, path)
		if err != nil {
			return nil, err
		}
		defer text.Close()
		if secrets, ok := secretscan.Known(text.Hash); ok {
			NoteAll(ctx, secrets)
			return secrets, nil
		}
	}
	src, err := f.At(ctx, path)
	if err != nil {
		return nil, err
	}
	return secretscan.OfText(src.Hash, src.Text), nil
}

// Proposed returns the id of the proposal that the text of a file that was read comes from, or "".
func (f *Files) Proposed(path string) string {
	if src, ok := f.read[path]; ok {
		return src.Proposed
	}
	return ""
}

// Path resolves the path that the model sends in the argument field to an absolute path.
func (f *Files) Path(field, name string) (string, error) {
	path, err := f.Workspace.Resolve(name)
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

// Unreadable turns an error of reading path into a Failure if the model can correct it.
func (f *Files) Unreadable(ctx context.Context, field, path string, err error) error {
	var skipped *workspace.SkippedError
	var folder *workspace.FolderError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return f.missing(ctx, field, path)
	case errors.As(err, &skipped):
		return &wording.Failure{Message: err.Error(), Code: "left_out", Field: field,
			Hint: "this file is excluded from the workspace; go on without it"}
	case errors.As(err, &folder):
		return &wording.Failure{Message: err.Error(), Code: "is_folder", Field: field,
			Hint: "send the path of a file; list_dir lists the files of the folder"}
	case Unavailable(err):
		return &wording.Failure{Message: err.Error(), Code: "unreadable", Field: field, Hint: "go on without this file"}
	}
	return err
}

// Unavailable reports whether err only says that there is no such file or that it must not be
// read. Any other error is a failure.
func Unavailable(err error) bool {
	var skipped *workspace.SkippedError
	var outside *workspace.OutsideError
	var folder *workspace.FolderError
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) ||
		errors.As(err, &skipped) || errors.As(err, &outside) || errors.As(err, &folder)
}

// missing returns the Failure for a path at which the turn sees no file.
func (f *Files) missing(ctx context.Context, field, path string) error {
	staged, err := f.Staged(ctx)
	if err != nil {
		return err
	}
	rel := f.Workspace.Rel(path)
	switch change := staged[path]; {
	case change.to != "":
		return &wording.Failure{Message: rel + " is renamed by your proposal", Code: "not_found", Field: field,
			Hint: "use its new path", Candidates: []any{change.to}}
	case change.gone():
		return &wording.Failure{Message: rel + " is deleted by your proposal", Code: "not_found", Field: field,
			Hint: "go on without it, or create it again with create_file"}
	}
	files, err := f.NearestFiles(ctx, path)
	if err != nil {
		return err
	}
	return &wording.Failure{Message: "there is no file " + rel, Code: "not_found", Field: field,
		Hint: "use one of the candidates, or look with list_dir", Candidates: files}
}

// Overlay returns the index with the turn's staged changes.
func (f *Files) Overlay(ctx context.Context) (*index.Overlay, error) {
	paths, err := f.Touched(ctx)
	if err != nil {
		return nil, err
	}
	texts := make(map[string][]byte)
	for _, path := range paths {
		src, err := f.At(ctx, path)
		switch {
		case err == nil:
			texts[path] = src.Text
		case Unavailable(err):
			texts[path] = nil
		default:
			return nil, err
		}
	}
	return f.Index.Overlay(texts), nil
}

// ReferencesAt returns the references at places, in the texts that the turn sees; see [index.Overlay.ReferencesAt].
func (f *Files) ReferencesAt(ctx context.Context, places []index.Place) (map[index.Place]index.Reference, error) {
	overlay, err := f.Overlay(ctx)
	if err != nil {
		return nil, err
	}
	return overlay.ReferencesAt(ctx, places)
}
