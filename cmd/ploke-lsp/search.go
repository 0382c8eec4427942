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
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project"
	"ploke-lsp/tools"
)

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
	root, err := workspaceFolder(folder)
	if err != nil {
		return nil, err
	}
	options, err := c.projectOptions(env)
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
	Results []foundUnit `json:"results"`
}

func searchCommand(fs *flag.FlagSet, c *common) func(context.Context, environment, []string) error {
	folder := fs.String("workspace", ".", "`folder` to search")
	asJSON := fs.Bool("json", false, "print one JSON object")
	explain := fs.Bool("explain", false, "show which rules put each result where it is")
	limit := fs.Int("limit", 20, "the maximum number of results")
	return func(ctx context.Context, env environment, args []string) error {
		query := strings.Join(args, " ")
		if query == "" || *limit < 1 {
			return errUsage
		}
		f, err := openFolder(ctx, c, env, *folder)
		if err != nil {
			return err
		}
		defer f.Close()
		found, err := searchNow(ctx, f.Index, index.Query{Text: query, Limit: *limit, Explain: *explain})
		if err != nil {
			return err
		}
		if found.WithoutVectors != "" {
			fmt.Fprintf(env.stderr, "ploke-lsp: searched without vectors: %s\n", found.WithoutVectors)
		}
		if *asJSON {
			return printReport(ctx, env, f.Workspace, found)
		}
		for _, hit := range found.Hits {
			fmt.Fprintf(env.stdout, "%s:%d  %s %s\n", hit.Rel, hit.StartLine, hit.Kind, hit.Canon)
			if hit.Signature != "" {
				fmt.Fprintf(env.stdout, "    %s\n", hit.Signature)
			}
			printExplanation(env.stdout, hit)
		}
		return nil
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

// searchNow searches the files as they are now. A search that comes upon damage to the index
// is repeated once the index is built again.
func searchNow(ctx context.Context, x *index.Index, q index.Query) (found *index.Results, err error) {
	for range 2 {
		if _, err = x.Update(ctx, nil); err != nil {
			return nil, err
		}
		if found, err = x.Search(ctx, q); !errors.Is(err, index.ErrDamaged) {
			break
		}
	}
	return found, err
}

// printReport prints the results as one JSON object.
func printReport(ctx context.Context, env environment, w *workspace.Workspace, found *index.Results) error {
	report := searchReport{
		Query:   found.Query,
		TopK:    found.TopK,
		TookMS:  float64(found.Took.Microseconds()) / 1000,
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
			Snippet: tools.Snippet(hit.Path, hit.StartLine, string(wholeLines(file.Text, hit.StartByte, hit.EndByte))),
		})
	}
	return printJSON(env.stdout, report)
}

// wholeLines returns the lines that contain the byte range [start, end).
func wholeLines(text []byte, start, end int) []byte {
	start = bytes.LastIndexByte(text[:start], '\n') + 1
	if i := bytes.IndexByte(text[max(end-1, start):], '\n'); i >= 0 {
		return text[start : max(end-1, start)+i+1]
	}
	return text[start:]
}
