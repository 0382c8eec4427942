package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed list_dir.md
var listDirDescription string

const (
	listDirEntries    = 200
	maxListDirEntries = 1000
	maxListDirDepth   = 10
)

type listDirArgs struct {
	Dir   string `json:"dir,omitempty" secrets:"named"`
	Depth int    `json:"depth,omitempty" jsonschema:"default 1"`
	Limit int    `json:"limit,omitempty" jsonschema:"default 200"`
}

type dirEntry struct {
	Path    string         `json:"path"`
	Type    string         `json:"type"` // file or folder
	Bytes   int64          `json:"bytes,omitempty"`
	LeftOut workspace.Skip `json:"left_out,omitempty"`
	Unsaved bool           `json:"unsaved,omitempty"` // it exists only in the editor
	Staged  string         `json:"staged,omitempty"`  // what the turn has staged for it
}

type listDirResult struct {
	OK      bool       `json:"ok"`
	Dir     string     `json:"dir,omitempty"`
	Entries []dirEntry `json:"entries"`
	Omitted int        `json:"omitted"`
	Hint    string     `json:"hint,omitempty"`
}

func (d Deps) listDir(ctx context.Context, env Env, args listDirArgs) (Result, error) {
	srcs := d.sources(env)
	result := listDirResult{OK: true, Entries: []dirEntry{}}
	depth, err := amount("depth", args.Depth, 1, maxListDirDepth)
	if err != nil {
		return Result{}, err
	}
	limit, err := amount("limit", args.Limit, listDirEntries, maxListDirEntries)
	if err != nil {
		return Result{}, err
	}
	dirs := d.Workspace.Roots()
	if args.Dir != "" {
		dir, err := srcs.Path("dir", args.Dir)
		if err != nil {
			return Result{}, err
		}
		dirs, result.Dir = []string{dir}, dir
	}
	for _, dir := range dirs {
		entries, err := listOne(ctx, srcs, dir, depth)
		if err != nil {
			return Result{}, err
		}
		result.Entries = append(result.Entries, entries...)
	}
	found := len(result.Entries)
	result.Entries = itemsWithin(d.budget(env), result.Entries[:min(found, limit)],
		func(entries []dirEntry) Content { return listDirResult{Entries: entries} })
	if result.Omitted = found - len(result.Entries); result.Omitted > 0 {
		result.Hint = "raise limit, lower depth, or list one of the folders"
	}
	where := "the workspace"
	if rel := d.Workspace.Rel(result.Dir); result.Dir != "" && rel != "." {
		where = rel
	}
	return OK(result, "listed "+where+": "+wording.Plural(len(result.Entries)+result.Omitted, "path"))
}

// Text writes the entries under one heading for each folder.
func (r listDirResult) Text(w *wording.Writer) {
	var folders []string
	in := make(map[string][]dirEntry)
	for _, e := range r.Entries {
		folder := filepath.Dir(e.Path)
		if in[folder] == nil {
			folders = append(folders, folder)
		}
		in[folder] = append(in[folder], e)
	}
	for _, folder := range folders {
		w.Linef("%s/", w.Path(folder))
		for _, e := range in[folder] {
			w.Line("  " + e.line())
		}
	}
	if len(r.Entries) == 0 {
		w.Line("nothing is there")
	}
	if r.Omitted > 0 {
		w.Linef("%s more: %s", wording.Plural(r.Omitted, "path"), r.Hint)
	}
}

// line returns the entry's name, and what a model has to know of it.
func (e dirEntry) line() string {
	line := filepath.Base(e.Path)
	if strings.ContainsFunc(line, wording.IsDeceptive) {
		line = wording.JSON(line)
	}
	if e.Type == "folder" {
		line += "/"
	} else if e.Bytes > 0 {
		line += fmt.Sprintf(" %d", e.Bytes)
	}
	if e.LeftOut != "" {
		line += fmt.Sprintf(" (left out: %s)", e.LeftOut)
	}
	if e.Unsaved {
		line += " (only in the editor)"
	}
	if e.Staged != "" {
		line += fmt.Sprintf(" (staged: %s)", e.Staged)
	}
	return line
}

// listOne lists dir as the turn sees it.
func listOne(ctx context.Context, srcs *current.Files, dir string, depth int) ([]dirEntry, error) {
	listed, err := srcs.Workspace.List(ctx, dir, depth)
	if err != nil {
		return nil, unlistable(ctx, srcs, dir, err)
	}
	var entries []dirEntry
	for _, e := range listed {
		entry := dirEntry{Path: e.Path, Type: "file", Bytes: e.Size, LeftOut: e.Skip}
		if e.Dir {
			entry.Type, entry.Bytes = "folder", 0
		}
		entries = append(entries, entry)
	}
	staged, err := srcs.Staged(ctx)
	if err != nil {
		return nil, err
	}
	return withStaged(withUnsaved(srcs.Workspace, entries, dir, depth), dir, depth, staged), nil
}

// withUnsaved adds the files that exist only in the editor.
func withUnsaved(ws *workspace.Workspace, entries []dirEntry, dir string, depth int) []dirEntry {
	for _, path := range ws.Buffers() {
		known := slices.ContainsFunc(entries, func(e dirEntry) bool { return e.Path == path })
		if file, open := ws.Buffer(path); open && !known && within(dir, path, depth) {
			entries = append(entries, dirEntry{Path: path, Type: "file", Bytes: int64(len(file.Text)), Unsaved: true})
		}
	}
	return entries
}

// withStaged marks the entries for which the turn has staged something, and adds the files that
// the turn creates.
func withStaged(entries []dirEntry, dir string, depth int, staged map[string]current.Change) []dirEntry {
	for _, path := range slices.Sorted(maps.Keys(staged)) {
		at := slices.IndexFunc(entries, func(e dirEntry) bool { return e.Path == path })
		switch {
		case at >= 0:
			entries[at].Staged = staged[path].What
		case within(dir, path, depth) && staged[path].Appears():
			entries = append(entries, dirEntry{Path: path, Type: "file", Staged: staged[path].What})
		}
	}
	return entries
}

// within reports whether path is in dir, at most depth levels down.
func within(dir, path string, depth int) bool {
	below, inside := strings.CutPrefix(path, dir+string(filepath.Separator))
	return inside && strings.Count(below, string(filepath.Separator)) < depth
}

func unlistable(ctx context.Context, srcs *current.Files, dir string, err error) error {
	var skipped *workspace.SkippedError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &skipped):
		return &wording.Failure{Message: err.Error(), Code: "left_out", Field: "dir",
			Hint: "this folder is excluded from the workspace; go on without it"}
	case errors.Is(err, fs.ErrNotExist):
		folders, err := srcs.NearestFolders(ctx, dir)
		if err != nil {
			return err
		}
		return &wording.Failure{Message: "there is no folder " + srcs.Workspace.Rel(dir), Code: "not_found", Field: "dir",
			Hint: "use one of the candidates, or list the workspace", Candidates: folders}
	}
	if _, readErr := srcs.Workspace.Read(ctx, dir); readErr == nil {
		return &wording.Failure{Message: srcs.Workspace.Rel(dir) + " is a file", Code: "is_file", Field: "dir",
			Hint: "read it with read_file"}
	}
	return &wording.Failure{Message: "can't list " + srcs.Workspace.Rel(dir) + ": " + err.Error(), Code: "unreadable",
		Field: "dir",
		Hint:  "go on without this folder"}
}
