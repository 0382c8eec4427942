package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed get_file_metadata.md
var getFileMetadataDescription string

const maxOutline = 200

type getFileMetadataArgs struct {
	File string `json:"file" secrets:"named"`
}

type fileMetadata struct {
	OK         bool          `json:"ok"`
	File       string        `json:"file"`
	Exists     bool          `json:"exists"`
	ByteLen    int           `json:"byte_len"`
	ModifiedMS int64         `json:"modified_ms"`
	FileHash   string        `json:"file_hash"`
	Encoding   string        `json:"encoding,omitempty"` // if it is not UTF-8
	Language   string        `json:"language"`
	LineCount  int           `json:"line_count"`
	Unsaved    bool          `json:"open_in_editor,omitempty"`
	Proposed   string        `json:"proposed,omitempty"` // id of the proposal that the text comes from
	Outline    []outlineItem `json:"outline"`
	Omitted    int           `json:"outline_omitted,omitempty"`
	Hint       string        `json:"hint,omitempty"`
}

type outlineItem struct {
	Canon     string      `json:"canon"`
	Kind      syntax.Kind `json:"kind"`
	StartLine int         `json:"start_line"`
	EndLine   int         `json:"end_line"`
}

func (d Deps) getFileMetadata(ctx context.Context, env Env, args getFileMetadataArgs) (Result, error) {
	srcs := d.sources(env)
	path, file, _, err := srcs.Locate("file", args.File)
	if err != nil {
		return Result{}, err
	}
	src, _, err := srcs.Meant(ctx, path, file)
	if errors.Is(err, fs.ErrNotExist) {
		return noSuchFile(ctx, srcs, path)
	}
	if err != nil {
		return Result{}, srcs.Unreadable(ctx, "file", path, err)
	}
	meta := fileMetadata{OK: true, File: src.Path, Exists: true, ByteLen: len(src.Text),
		ModifiedMS: src.ModTime.UnixMilli(),
		FileHash:   src.Hash, Encoding: encodingOf(src), Language: src.Language, LineCount: src.LineCount(),
		Unsaved:  src.Open,
		Proposed: src.Proposed, Outline: []outlineItem{}}
	symbols := src.Syntax().Symbols
	for _, s := range symbols[:min(len(symbols), maxOutline)] {
		meta.Outline = append(meta.Outline, outlineItem{s.Canon, s.Kind, s.StartLine, s.EndLine})
	}
	if meta.Omitted = len(symbols) - len(meta.Outline); meta.Omitted > 0 {
		meta.Hint = "find the other symbols with code_item_lookup or search_text"
	}
	return OK(meta, fmt.Sprintf("looked at %s: %s, %s",
		src.Rel, wording.Plural(meta.LineCount, "line"), wording.Plural(len(symbols), "symbol")))
}

// encodingOf returns how a file is stored; "" for UTF-8.
func encodingOf(s *current.File) string {
	if s.Unclear != "" {
		return "unknown, so it can't be edited: " + s.Unclear
	}
	return s.Charset
}

func noSuchFile(ctx context.Context, srcs *current.Files, path string) (Result, error) {
	files, err := srcs.NearestFiles(ctx, path)
	if err != nil {
		return Result{}, err
	}
	return OK(absentFile{OK: true, File: path, Candidates: files}, srcs.Workspace.Rel(path)+" does not exist")
}

// absentFile is the answer for a path at which the turn sees no file.
type absentFile struct {
	OK         bool   `json:"ok"`
	File       string `json:"file"`
	Exists     bool   `json:"exists"`
	Candidates []any  `json:"candidates,omitempty"`
}

// fileMetadataContent is either answer.
type fileMetadataContent struct {
	fileMetadata
	Candidates []string `json:"candidates"`
}

// Text writes what is known of the file, then a line for each symbol.
func (r fileMetadataContent) Text(w *wording.Writer) {
	if !r.Exists {
		w.Linef("%s does not exist", w.Path(r.File))
		for _, near := range r.Candidates {
			w.Linef("similar: %s", w.Path(near))
		}
		return
	}
	known := []string{wording.Plural(r.LineCount, "line"), wording.Plural(r.ByteLen, "byte"), "hash " + w.Hash(r.FileHash),
		"modified " + time.UnixMilli(r.ModifiedMS).UTC().Format("2006-01-02 15:04:05 UTC")}
	if r.Language != "" {
		known = append([]string{r.Language}, known...)
	}
	if r.Encoding != "" {
		known = append(known, "encoding "+r.Encoding)
	}
	if r.Unsaved {
		known = append(known, "open in the editor")
	}
	w.Linef("%s: %s", wording.Marked(w.Path(r.File), r.Proposed), strings.Join(known, ", "))
	for _, s := range r.Outline {
		w.Linef("%s %s %s", wording.LineRange(s.StartLine, s.EndLine), s.Kind, s.Canon)
	}
	if r.Omitted > 0 {
		w.Linef("%s more: %s", wording.Plural(r.Omitted, "symbol"), r.Hint)
	}
}
