package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/internal/syntax"
	"ploke-lsp/internal/workspace"
)

// source is one file as the turn sees it.
type source struct {
	*workspace.File
	rel      string
	language string
	proposed string       // id of the proposal that the text comes from; "" if it is the file's own
	parsed   *syntax.File // see syntax
	view     bool         // the text is a notebook's as a model reads it, and not that of the file
}

// sources reads files for one call, each of them once. It is not safe for concurrent use.
type sources struct {
	deps Deps
	call Call
	view *edits.View
	read map[string]*source
	all  []string // see files
	// staged is the result of Deps.staged, nil until it is needed.
	staged map[string]stagedPath
}

func (d Deps) sources(env Env) *sources {
	call := env.Call()
	return &sources{deps: d, call: call, view: d.Edits.View(call.turn()), read: make(map[string]*source)}
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
		return nil, &workspace.SkippedError{Rel: s.deps.Workspace.Rel(path), Skip: skip}
	}
	noteSecrets(ctx, file)
	src := &source{File: file, rel: s.deps.Workspace.Rel(file.Path), language: syntax.Detect(file.Path, file.Text), proposed: proposed}
	s.read[path] = src
	return src, nil
}

// secretsOf returns the secrets of a file that is text, and notes them. It does not read a file whose
// secrets are known. Its errors are those of at.
func (s *sources) secretsOf(ctx context.Context, path string) ([]string, error) {
	if s.staged == nil {
		var err error
		if s.staged, err = s.deps.staged(ctx, s.call); err != nil {
			return nil, err
		}
	}
	_, changed := s.staged[path]
	if _, read := s.read[path]; !read && !changed {
		text, err := s.deps.Workspace.Open(ctx, path)
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
func (d Deps) path(field, name string) (string, error) {
	path, err := d.Workspace.Resolve(name)
	var outside *workspace.OutsideError
	switch {
	case errors.As(err, &outside):
		message, _, _ := strings.Cut(err.Error(), "; ")
		return "", &Failure{Message: message, Code: "outside_workspace", Field: field,
			Hint: "use a path inside the workspace, such as one that list_dir shows"}
	case err != nil:
		return "", badValue(field, err.Error(), "use a path relative to the workspace, an absolute path or a file:// URI")
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
		return &Failure{Message: err.Error(), Code: "left_out", Field: field,
			Hint: "this file is excluded from the workspace; go on without it"}
	case errors.As(err, &folder):
		return &Failure{Message: err.Error(), Code: "is_folder", Field: field,
			Hint: "send the path of a file; list_dir lists the files of the folder"}
	case unavailable(err):
		return &Failure{Message: err.Error(), Code: "unreadable", Field: field, Hint: "go on without this file"}
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
	staged, err := s.deps.staged(ctx, s.call)
	if err != nil {
		return err
	}
	rel := s.deps.Workspace.Rel(path)
	switch f := staged[path]; {
	case f.to != "":
		return &Failure{Message: rel + " is renamed by your proposal", Code: "not_found", Field: field,
			Hint: "use its new path", Candidates: []any{f.to}}
	case f.gone():
		return &Failure{Message: rel + " is deleted by your proposal", Code: "not_found", Field: field,
			Hint: "go on without it, or create it again with create_file"}
	}
	files, err := s.nearestFiles(ctx, path)
	if err != nil {
		return err
	}
	return &Failure{Message: "there is no file " + rel, Code: "not_found", Field: field,
		Hint: "use one of the candidates, or look with list_dir", Candidates: files}
}

// nearestFiles returns the files that the turn sees whose names are most similar to path's.
func (s *sources) nearestFiles(ctx context.Context, path string) ([]any, error) {
	files, err := s.files(ctx)
	if err != nil {
		return nil, err
	}
	rank := func(file string) float64 {
		return nameSimilarity(filepath.Base(path), filepath.Base(file)) * (1 + nameSimilarity(path, file)/4)
	}
	return candidates(nearest(files, rank, candidateCount)), nil
}

// syntax returns the file's declarations and references. It is empty if the language is unknown
// or the file cannot be parsed.
func (s *source) syntax() *syntax.File {
	if s.parsed == nil {
		s.parsed = &syntax.File{Language: s.language}
		if s.language != "" {
			if parsed, err := syntax.Parse(s.language, s.Text); err == nil {
				s.parsed = parsed
			}
		}
	}
	return s.parsed
}

// lineCount returns the number of lines. The last one needs no newline.
func (s *source) lineCount() int {
	n := bytes.Count(s.Text, []byte("\n"))
	if len(s.Text) > 0 && s.Text[len(s.Text)-1] != '\n' {
		n++
	}
	return n
}

// lineOf returns the 1-based line of a byte offset.
func (s *source) lineOf(offset int) int {
	return 1 + bytes.Count(s.Text[:offset], []byte("\n"))
}

// lineStart returns the offset at which the line of offset begins. lineEnd returns the offset
// of its newline, or the end of the text.
func (s *source) lineStart(offset int) int {
	return 1 + bytes.LastIndexByte(s.Text[:offset], '\n')
}

func (s *source) lineEnd(offset int) int {
	if n := bytes.IndexByte(s.Text[offset:], '\n'); n >= 0 {
		return offset + n
	}
	return len(s.Text)
}

// lines returns the lines first to last, which must exist.
func (s *source) lines(first, last int) []byte {
	start := 0
	for line := 1; line < first; line++ {
		start = s.lineEnd(start) + 1
	}
	end := start
	for line := first; line <= last; line++ {
		end = min(s.lineEnd(end)+1, len(s.Text))
	}
	return s.Text[start:end]
}

// lineText returns the line of offset without its end. A long line is cut around offset, but
// not within a secret, and a mark is where a part is missing.
func (s *source) lineText(offset int) string {
	const limit, before = 200, 60
	start, end := s.lineStart(offset), s.lineEnd(offset)
	text := string(bytes.TrimRight(s.Text[start:end], "\r"))
	if len(text) > limit {
		from := max(offset-start-before, 0)
		from, to := secretscan.Narrow(text, from, min(from+limit, len(text)), secretscan.OfText(s.Hash, s.Text))
		text = elided(text[:from]) + strings.ToValidUTF8(text[from:to], "") + elided(text[to:])
	}
	return text
}

// shortLines returns lines of the file, those that are longer than limit bytes cut, but not within a secret. A mark
// says how much is missing.
func (s *source) shortLines(text string, limit int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if bare := strings.TrimRight(line, "\r\n"); len(bare) > limit {
			_, to := secretscan.Narrow(bare, 0, limit, secretscan.OfText(s.Hash, s.Text))
			shown := strings.ToValidUTF8(bare[:to], "")
			line = fmt.Sprintf("%s …[%d more bytes]%s", shown, len(bare)-len(shown), line[len(bare):])
		}
		b.WriteString(line)
	}
	return b.String()
}

// elided returns the mark of a part that is left out, if there is one.
func elided(part string) string {
	if part == "" {
		return ""
	}
	return "…"
}

// crlf reports whether the file's first line ends in "\r\n".
func (s *source) crlf() bool {
	return bytes.HasSuffix(s.Text[:s.lineEnd(0)], []byte("\r"))
}
