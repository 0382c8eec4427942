package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/index"
	"ploke-lsp/internal/o200k"
	"ploke-lsp/internal/store"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
	"ploke-lsp/tools/packing"
	"ploke-lsp/tools/wording"
)

// packedHits are the search results that the other strategies choose from. That is enough for each
// budget.
const packedHits = 500

// budgets are the sizes of answers, in tokens.
var budgets = [...]int{1000, 2000, 4000, 8192}

// coverage is how much of a change an answer contains, each from 0 to 1, and the answer's size.
type coverage struct {
	files  float64 // changed files that it names
	named  float64 // changed places within the lines of a symbol that it names
	shown  float64 // changed places within the lines of code that it shows
	tokens float64
}

// strategies are the compared ways to fill a budget.
var strategies = [...]struct {
	name string
	fill func(ctx context.Context, f *packer, budget int) (answer, error)
}{
	{"whole files", wholeFiles},
	{"bodies only", bodiesOnly},
	{"cards only", codeContext(packing.Layout{})},
	{"shipped mix", codeContext(packing.DefaultLayout)},
}

// Indexes in strategies.
const bodiesOnlyIndex, cardsOnlyIndex, shippedIndex = 1, 2, 3

// packer has the data for answers.
type packer struct {
	deps  tools.Deps
	tools *tools.Set
	query string
	hits  []index.Hit
}

// answer is the size of what a model would read, and the ranges of lines in it.
type answer struct {
	tokens       int
	named, shown []span // named includes shown
}

// withPacker calls use with what finds answers for a text.
func withPacker(
	ctx context.Context, ws *workspace.Workspace, x *index.Index, text string, use func(*packer) error,
) error {
	dir, err := os.MkdirTemp("", "retrieval-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(ctx, filepath.Join(dir, "state.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	nowhere := func(context.Context) index.Editor { return index.Editor{} }
	deps := tools.Deps{Workspace: ws, Index: x, Edits: edits.New(db, ws, edits.Options{}), Editor: nowhere}
	return use(&packer{deps: deps, tools: tools.New(deps), query: text})
}

// measurePacked returns the coverage of a case's changes by strategies and budgets.
func measurePacked(ctx context.Context, f *packer, c *testCase) (all [][]coverage, err error) {
	found, err := f.deps.Index.Search(ctx, index.Query{Text: f.query, Limit: packedHits})
	if err != nil {
		return nil, err
	}
	f.hits = found.Hits
	for _, way := range strategies {
		var row []coverage
		for _, budget := range budgets {
			a, err := way.fill(ctx, f, budget)
			if err != nil {
				return nil, err
			}
			if a.tokens > budget {
				return nil, fmt.Errorf("%s: %d tokens are more than the budget of %d", way.name, a.tokens, budget)
			}
			row = append(row, a.coverage(c))
		}
		all = append(all, row)
	}
	return all, nil
}

func (a answer) coverage(c *testCase) coverage {
	covered := func(spans []span) func(hunk) bool {
		return func(h hunk) bool { return slices.ContainsFunc(spans, h.touches) }
	}
	return coverage{
		files: share(c.Files, func(file string) bool {
			return slices.ContainsFunc(a.named, func(s span) bool { return s.File == file })
		}),
		named:  share(c.Hunks, covered(a.named)),
		shown:  share(c.Hunks, covered(a.shown)),
		tokens: float64(a.tokens),
	}
}

// add adds a snippet to the answer if it fits into the budget.
func (a *answer) add(code string, s span, budget int) {
	if tokens := o200k.Count(wording.NumberedSnippet(s.File, s.Start, code) + "\n"); a.tokens+tokens <= budget {
		a.tokens += tokens
		a.named, a.shown = append(a.named, s), append(a.shown, s)
	}
}

// wholeFiles shows as many of the found files as fit.
func wholeFiles(ctx context.Context, f *packer, budget int) (a answer, err error) {
	seen := map[string]bool{}
	for _, h := range f.hits {
		if seen[h.Path] {
			continue
		}
		seen[h.Path] = true
		file, err := f.deps.Workspace.Read(ctx, h.Path)
		if err != nil {
			return a, err
		}
		if len(file.Text) < budget*16 { // a longer text never fits
			s := span{filepath.ToSlash(h.Rel), 1, strings.Count(string(file.Text), "\n") + 1}
			a.add(string(file.Text), s, budget)
		}
	}
	return a, nil
}

// bodiesOnly shows the code of as many of the found symbols as fit.
func bodiesOnly(ctx context.Context, f *packer, budget int) (a answer, err error) {
	for _, h := range f.hits {
		s := span{filepath.ToSlash(h.Rel), h.StartLine, h.EndLine}
		if h.EndByte-h.StartByte > budget*16 || slices.ContainsFunc(a.shown, s.overlaps) {
			continue
		}
		file, err := f.deps.Workspace.Read(ctx, h.Path)
		if err != nil {
			return a, err
		}
		a.add(string(file.Text[h.StartByte:h.EndByte]), s, budget)
	}
	return a, nil
}

// codeContext returns the strategy of request_code_context with a layout.
func codeContext(layout packing.Layout) func(context.Context, *packer, int) (answer, error) {
	return func(ctx context.Context, f *packer, budget int) (a answer, err error) {
		result, err := f.deps.PackContext(ctx, noTurn{}, f.query, budget, layout)
		if err != nil {
			return a, err
		}
		var content struct {
			Results []struct {
				ID, Snippet string
				Further     []string
				Siblings    []string
			}
		}
		if err := json.Unmarshal(result.Content, &content); err != nil {
			return a, err
		}
		a.tokens = o200k.Count(f.tools.Text("request_code_context", result.Content))
		for _, r := range content.Results {
			path, _, _ := strings.Cut(r.ID, "#")
			rel := filepath.ToSlash(f.deps.Workspace.Rel(path))
			a.named = append(a.named, parseSpan(rel, r.ID))
			for _, s := range r.Siblings {
				a.named = append(a.named, parseSpan(rel, "#"+s))
			}
			if r.Snippet != "" {
				a.shown = append(a.shown, parseSpan(rel, r.Snippet))
			}
			for _, s := range r.Further {
				a.shown = append(a.shown, parseSpan(rel, s))
			}
		}
		return a, nil
	}
}

var lines = regexp.MustCompile(`#(\d+):(\d+)`)

// parseSpan returns the lines in the first #START:END of a text.
func parseSpan(file, text string) span {
	m := lines.FindStringSubmatch(text)
	start, _ := strconv.Atoi(m[1])
	end, _ := strconv.Atoi(m[2])
	return span{file, start, end}
}

// noTurn is the environment of a search outside of turns.
type noTurn struct{ tools.Env }

func (noTurn) Call() tools.Call { return tools.Call{} }
