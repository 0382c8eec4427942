package tools

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/textsearch"
	"ploke-lsp/tools/wording"
)

//go:embed search_text.md
var searchTextDescription string

const (
	searchMatches    = 50
	maxSearchMatches = 500
	searchFiles      = 200 // with files_only
	maxSearchFiles   = 1000
	maxContextLines  = 20
	similarFiles     = 3 // that are named if none has a name
)

type searchTextArgs struct {
	Pattern   string   `json:"pattern,omitempty" secrets:"pattern"`
	Name      string   `json:"name,omitempty" jsonschema:"files by glob or path part" secrets:"named"`
	Include   []string `json:"include,omitempty" jsonschema:"only these files" secrets:"named"`
	Exclude   []string `json:"exclude,omitempty" secrets:"named"`
	Context   int      `json:"context,omitempty" jsonschema:"lines around each match"`
	FilesOnly bool     `json:"files_only,omitempty" jsonschema:"only paths, with counts"`
	Limit     int      `json:"limit,omitempty" jsonschema:"default 50"`
	grepArgs
}

// fileLines is a file with the number of its matching lines, or of some of them.
type fileLines struct {
	File  string `json:"file"`
	Lines int    `json:"lines,omitempty"` // 0: it was found by its name
}

type searchTextResult struct {
	OK      bool               `json:"ok"`
	Matches []textsearch.Match `json:"matches"`
	Files   []fileLines        `json:"files,omitempty"` // instead of matches
	leftOut
	Searched   int    `json:"searched_files"`
	ByName     bool   `json:"by_name,omitempty"`    // files were looked for, not lines
	Similar    []any  `json:"similar,omitempty"`    // paths, if no file was found by its name
	OtherCase  int    `json:"other_case,omitempty"` // if nothing matches: lines that do with another case
	Unreadable int    `json:"unreadable_files,omitempty"`
	Hint       string `json:"hint,omitempty"`
}

func (d Deps) searchText(ctx context.Context, env Env, args searchTextArgs) (Result, error) {
	if args.Pattern == "" && args.Name == "" && len(args.Include) == 0 && args.Type == "" {
		return Result{}, wording.BadValue("pattern", "the pattern is empty",
			"send a regular expression, or a name to find files")
	}
	srcs := d.sources(env)
	touched, err := srcs.Touched(ctx)
	if err != nil {
		return Result{}, err
	}
	files, err := args.selection().Files(ctx, srcs, touched)
	if err != nil {
		return Result{}, err
	}
	usual, most := searchMatches, maxSearchMatches
	if args.onlyFiles() || args.Pattern == "" {
		usual, most = searchFiles, maxSearchFiles
	}
	limit, err := amount("limit", args.Limit, usual, most)
	if err != nil {
		return Result{}, err
	}
	if args.Pattern == "" {
		return filesFound(ctx, srcs, d.budget(env), args, files, limit)
	}
	s, err := textsearch.New(srcs, args.regexp(), touched)
	if err != nil {
		return Result{}, err
	}
	around, err := amount("context", args.Context, 0, maxContextLines)
	if err != nil {
		return Result{}, err
	}
	s.Before = min(max(around, args.Before), maxContextLines)
	s.After = min(max(around, args.After), maxContextLines)
	s.LongLines = len(files) == 1
	return linesFound(ctx, srcs, d.budget(env), s, args, files, limit)
}

// linesFound searches files, and shows at most limit lines, or files.
func linesFound(ctx context.Context, srcs *current.Files, b resultBudget, s textsearch.Searcher, args searchTextArgs,
	files []string, limit int) (Result, error) {
	lines := limit
	if args.onlyFiles() {
		lines = 0
	}
	all, err := s.Search(ctx, files, lines)
	if err != nil {
		return Result{}, err
	}
	result := searchTextResult{OK: true, Matches: []textsearch.Match{}, Searched: len(files)}
	count, in := result.addAll(all)
	if s.Before+s.After > 0 {
		result.addFrom(ctx, srcs)
	}
	if args.onlyFiles() {
		result.listFiles(b, all, limit)
	} else {
		result.Matches = itemsWithin(b, result.Matches,
			func(matches []textsearch.Match) Content { return searchTextResult{Matches: matches} })
		result.leaveOut(all)
	}
	switch {
	case result.Omitted > 0:
		result.Hint = "narrow the pattern or include fewer files, or raise limit"
	case len(files) == 0:
		result.Hint = "there is no file to search: check include and exclude"
	case count == 0:
		if result.OtherCase, err = s.WithOtherCase(ctx, args.regexp(), files); err != nil {
			return Result{}, err
		}
		if textsearch.NeedsLineBreak(args.regexp()) {
			result.Hint = "a pattern matches within one line: search for one of its lines"
		}
	}
	return OK(result, fmt.Sprintf("searched %s for /%s/: %s in %s", wording.Plural(len(files), "file"),
		wording.Cut(args.Pattern, 60),
		wording.Plural(count, "line"), wording.Plural(in, "file")))
}

// addAll adds the matches of the files, and returns how many lines in how many files match.
func (r *searchTextResult) addAll(all []textsearch.Hits) (lines, files int) {
	for _, hit := range all {
		r.Matches = append(r.Matches, hit.Matches...)
		lines += hit.Count
		if hit.Count > 0 {
			files++
		}
		if hit.Unreadable {
			r.Unreadable++
		}
	}
	return lines, files
}

// leaveOut notes the lines that are not among the matches: at the last match of their file, if it has
// one.
func (r *searchTextResult) leaveOut(all []textsearch.Hits) {
	shown, last := map[string]int{}, map[string]int{}
	for i, m := range r.Matches {
		shown[m.File]++
		last[m.File] = i
	}
	for _, hit := range all {
		switch left := hit.Count - shown[hit.Path]; {
		case left == 0:
		case shown[hit.Path] > 0:
			r.Matches[last[hit.Path]].More = left
			r.Omitted += left
		default:
			r.leftOut.add(hit.Path, left)
		}
	}
}

// listFiles lists the first files with matches.
func (r *searchTextResult) listFiles(b resultBudget, all []textsearch.Hits, limit int) {
	for _, hit := range all {
		if hit.Count > 0 {
			r.Files = append(r.Files, fileLines{hit.Path, hit.Count})
		}
	}
	r.keepFiles(b, limit)
}

func (r *searchTextResult) keepFiles(b resultBudget, limit int) {
	found := len(r.Files)
	r.Files = itemsWithin(b, r.Files[:min(found, limit)],
		func(files []fileLines) Content { return searchTextResult{Files: files} })
	r.Omitted = found - len(r.Files)
}

// filesFound lists files that were found by their names.
func filesFound(ctx context.Context, srcs *current.Files, b resultBudget, args searchTextArgs, files []string,
	limit int) (Result, error) {
	result := searchTextResult{OK: true, Matches: []textsearch.Match{}, Searched: len(files), ByName: true}
	for _, path := range textsearch.InPrecedence(srcs.Workspace, files) {
		result.Files = append(result.Files, fileLines{File: path})
	}
	result.keepFiles(b, limit)
	switch {
	case result.Omitted > 0:
		result.Hint = "narrow the name, or raise limit"
	case len(files) == 0:
		result.Hint = "send a part of the path, or a glob such as *.go; list_dir lists folders"
		similar, err := srcs.NearestFiles(ctx, args.Name)
		if err != nil {
			return Result{}, err
		}
		result.Similar = similar[:min(len(similar), similarFiles)]
	}
	return OK(result, "looked for files "+wording.Cut(strings.Join(append([]string{args.Name}, args.Include...), " "), 60)+
		": "+wording.Plural(len(files), "file"))
}
