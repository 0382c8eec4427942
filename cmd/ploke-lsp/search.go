package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/setup"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project"
	"ploke-lsp/tools/wording"
)

// projectFolder returns the absolute path of a folder that must exist, and may not be the home folder or a whole disk.
func projectFolder(getenv func(string) string, folder string) (string, error) {
	root, err := workspaceFolder(folder)
	if err != nil {
		return "", err
	}
	home, _ := setup.Environment{Getenv: getenv, GOOS: runtime.GOOS}.Home()
	if err := project.CheckFolder(root, home); err != nil {
		return "", fmt.Errorf("%w: name the folder of a project with --workspace", err)
	}
	return root, nil
}

// workspaceFolder returns the absolute path of a folder that must exist.
func workspaceFolder(folder string) (string, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", fmt.Errorf("there is no folder %s: name one with --workspace", root)
	}
	return root, nil
}

// openFolder opens a folder and its index.
func openFolder(ctx context.Context, c *common, env environment, folder string) (*project.Folder, error) {
	root, err := projectFolder(env.getenv, folder)
	if err != nil {
		return nil, err
	}
	options, err := c.readableProject(env)
	if err != nil {
		return nil, err
	}
	return project.OpenFolder(ctx, options, root, &frontEnd{stderr: env.stderr})
}

// foundUnit is one result of search --json. Lines are 1-based and inclusive, byte offsets
// are 0-based with an exclusive end, and the path is relative to the workspace.
type foundUnit struct {
	ID        string             `json:"id"`
	Path      string             `json:"path"`
	Canon     string             `json:"canon"`
	Kind      string             `json:"kind"`
	Language  string             `json:"language"`
	StartLine int                `json:"start_line"`
	EndLine   int                `json:"end_line"`
	StartByte int                `json:"start_byte"`
	EndByte   int                `json:"end_byte"`
	Score     float64            `json:"score"`
	Signals   map[string]float64 `json:"signals"`
	Parts     []scorePart        `json:"parts,omitempty"` // with --explain
	Snippet   string             `json:"snippet"`
}

// scorePart is what a rule adds to a score.
type scorePart struct {
	Rule   string  `json:"rule"`
	Points float64 `json:"points"`
}

type searchReport struct {
	Query   string      `json:"query"`
	TopK    int         `json:"top_k"`
	TookMS  float64     `json:"took_ms"`
	Doubt   string      `json:"doubt,omitempty"` // why probably nothing fits
	Results []foundUnit `json:"results"`
}

func searchCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	var a searchArguments
	folder := fs.String("workspace", ".", "`folder` to search")
	fs.BoolVar(&a.JSON, "json", false, "print one JSON object")
	fs.BoolVar(&a.Explain, "explain", false, "show which rules put each result where it is")
	fs.IntVar(&a.Limit, "limit", 20, "the maximum number of results")
	fresh := fs.Bool("fresh", false, "look at the whole disk first, and ask no running server")
	return func(ctx context.Context, env environment, args []string) error {
		a.Query = strings.Join(args, " ")
		if a.Query == "" {
			return wrongUsage("there is no query")
		}
		if a.Limit < 1 {
			return wrongUsage("--limit is %d, and must be 1 or more", a.Limit)
		}
		if !*fresh {
			if r, answered, err := c.askServer(ctx, env, *folder, "search", a); answered || err != nil {
				return errors.Join(err, printFound(env, *folder, &r))
			}
		}
		return c.searchFolder(ctx, env, *folder, *fresh, a)
	}
}

// searchArguments are the arguments of search.
type searchArguments struct {
	Query         string
	Limit         int
	Explain, JSON bool
}

// searchFolder searches a folder that no server has open. It uses the index as it is, if there is one, and has
// the disk scanned afterwards. Each hit is compared with its file.
func (c *common) searchFolder(ctx context.Context, env environment, folder string, fresh bool,
	a searchArguments) error {
	f, err := openFolder(ctx, c, env, folder)
	if err != nil {
		return err
	}
	defer f.Close()
	defer f.Index.Settle() // what an update has left; Close would end it, each time
	scanned := f.Index.ScannedAt()
	if fresh || scanned.IsZero() {
		if err := updateShown(ctx, env, f); err != nil {
			return err
		}
	}
	r, err := a.search(ctx, f.Index, f.Workspace)
	if errors.Is(err, index.ErrDamaged) { // an update builds the index again
		if err = updateShown(ctx, env, f); err == nil {
			r, err = a.search(ctx, f.Index, f.Workspace)
		}
	}
	if err != nil {
		return err
	}
	err = printFound(env, folder, &r)
	if !fresh && !scanned.IsZero() && (err == nil || r.Nothing) {
		c.scanLater(env, f, scanned)
	}
	return err
}

// updateShown brings an index up to date, and shows on a terminal how far it is.
func updateShown(ctx context.Context, env environment, f *project.Folder) error {
	line := newProgressLine(env, env.stderr)
	defer line.clear()
	_, err := f.Index.Update(ctx, line.show)
	return err
}

// noticesOf says how a search was done otherwise than asked, and how its hits fit.
func noticesOf(found *index.Results) (notices []string) {
	if found.WithoutVectors != "" {
		notices = append(notices, "searched without vectors: "+found.WithoutVectors)
	}
	for _, word := range found.Respelled {
		notices = append(notices, word.String())
	}
	if doubt := found.Doubt(); doubt != "" {
		notices = append(notices, "nothing fits well: "+doubt+"; the nearest are listed")
	}
	return notices
}

// search searches an index as it is.
func (a searchArguments) search(ctx context.Context, x *index.Index, w *workspace.Workspace) (r reply, err error) {
	found, err := x.Search(ctx, index.Query{Text: a.Query, Limit: a.Limit, Explain: a.Explain})
	if err != nil {
		return r, err
	}
	r.Notices = noticesOf(found)
	var out strings.Builder
	if a.JSON {
		err = printReport(ctx, &out, w, found)
	} else {
		printHits(&out, found.Hits)
	}
	if r.Output, r.Nothing = out.String(), len(found.Hits) == 0; r.Nothing {
		r.Notices = append(r.Notices, fmt.Sprintf("nothing was found for %q", a.Query))
	}
	return r, err
}

func printHits(out io.Writer, hits []index.Hit) {
	for _, hit := range hits {
		fmt.Fprintf(out, "%s:%d  %s %s\n", hit.Rel, hit.StartLine, hit.Kind, hit.Canon)
		if hit.Signature != "" {
			fmt.Fprintf(out, "    %s\n", hit.Signature)
		}
		printExplanation(out, hit)
	}
}

// leastPoints is the size of the smallest part of a score that is shown.
const leastPoints = 0.005

// printExplanation prints the parts of a hit's score, if there are any.
func printExplanation(out io.Writer, hit index.Hit) {
	if len(hit.Parts) == 0 {
		return
	}
	fmt.Fprintf(out, "    %5.2f\n", hit.Score)
	for _, part := range hit.Parts {
		if math.Abs(part.Points) >= leastPoints {
			fmt.Fprintf(out, "    %+5.2f  %s\n", part.Points, part.Rule)
		}
	}
}

// printReport prints the results as one JSON object.
func printReport(ctx context.Context, out io.Writer, w *workspace.Workspace, found *index.Results) error {
	report := searchReport{
		Query:   found.Query,
		TopK:    found.TopK,
		TookMS:  float64(found.Took.Microseconds()) / 1000,
		Doubt:   found.Doubt(),
		Results: []foundUnit{},
	}
	for _, hit := range found.Hits {
		file, err := w.Read(ctx, hit.Path)
		if err != nil || hit.EndByte > len(file.Text) {
			continue // changed since it was indexed
		}
		var parts []scorePart
		for _, part := range hit.Parts {
			parts = append(parts, scorePart(part))
		}
		report.Results = append(report.Results, foundUnit{
			ID:   fmt.Sprintf("%s#%d:%d", hit.Path, hit.StartLine, hit.EndLine),
			Path: hit.Rel, Canon: hit.Canon, Kind: string(hit.Kind), Language: hit.Language,
			StartLine: hit.StartLine, EndLine: hit.EndLine, StartByte: hit.StartByte, EndByte: hit.EndByte,
			Score: hit.Score, Signals: hit.Signals, Parts: parts,
			Snippet: wording.Snippet(hit.Path, hit.StartLine, string(wholeLines(file.Text, hit.StartByte, hit.EndByte))),
		})
	}
	return printJSON(out, report)
}

// wholeLines returns the lines that contain the byte range [start, end).
func wholeLines(text []byte, start, end int) []byte {
	start = bytes.LastIndexByte(text[:start], '\n') + 1
	if i := bytes.IndexByte(text[max(end-1, start):], '\n'); i >= 0 {
		return text[start : max(end-1, start)+i+1]
	}
	return text[start:]
}
