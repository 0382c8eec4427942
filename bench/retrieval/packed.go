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
)

// budgets are those of answers, in tokens.
var budgets = [...]int{1000, 2000, 4000, 8000}

// held is what an answer holds of what a change touched, each from 0 to 1, and how many
// tokens it takes.
type held struct {
	files  float64 // that it names
	named  float64 // of the places: those in the lines of a symbol that it names
	shown  float64 // those in the lines of the code that it shows
	tokens float64
}

// fillings are the ways of filling a budget that are compared.
var fillings = [...]struct {
	name string
	fill func(ctx context.Context, f *filler, budget int) (answer, error)
}{
	{"whole files", wholeFiles},
	{"bodies only", bodiesOnly},
	{"cards only", packed(tools.Layout{})},
	{"shipped mix", packed(tools.DefaultLayout)},
}

// Places in fillings.
const bodies, cards, mix = 1, 2, 3

// filler is what answers are made from.
type filler struct {
	deps  tools.Deps
	query string
	found []index.Hit
}

// answer is what a model would read, and the places in it.
type answer struct {
	tokens       int
	named, shown []span // named are those of shown too
}

// fillBudgets says what a case's answers hold, by fillings and budgets.
func fillBudgets(ctx context.Context, ws *workspace.Workspace, x *index.Index, c testCase, text string) (all [][]held, err error) {
	dir, err := os.MkdirTemp("", "retrieval-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(ctx, filepath.Join(dir, "state.db"))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found, err := x.Search(ctx, index.Query{Text: text, Limit: hits})
	if err != nil {
		return nil, err
	}
	nowhere := func(context.Context) index.Editor { return index.Editor{} }
	f := &filler{tools.Deps{Workspace: ws, Index: x, Edits: edits.New(db, ws, edits.Options{}), Editor: nowhere}, text, found.Hits}
	for _, way := range fillings {
		var row []held
		for _, budget := range budgets {
			a, err := way.fill(ctx, f, budget)
			if err != nil {
				return nil, err
			}
			if a.tokens > budget {
				return nil, fmt.Errorf("%s: %d tokens are more than the budget of %d", way.name, a.tokens, budget)
			}
			row = append(row, a.holds(c))
		}
		all = append(all, row)
	}
	return all, nil
}

func (a answer) holds(c testCase) held {
	covered := func(spans []span) func(hunk) bool {
		return func(h hunk) bool { return slices.ContainsFunc(spans, h.touches) }
	}
	return held{
		files: share(c.Files, func(file string) bool {
			return slices.ContainsFunc(a.named, func(s span) bool { return s.File == file })
		}),
		named:  share(c.Hunks, covered(a.named)),
		shown:  share(c.Hunks, covered(a.shown)),
		tokens: float64(a.tokens),
	}
}

// add takes a text of the answer if it fits.
func (a *answer) add(text string, s span, budget int) {
	quoted, _ := json.Marshal(text)
	if tokens := o200k.Count(string(quoted)) + 1; a.tokens+tokens <= budget {
		a.tokens += tokens
		a.named, a.shown = append(a.named, s), append(a.shown, s)
	}
}

// wholeFiles shows the files that were found, as many as fit.
func wholeFiles(ctx context.Context, f *filler, budget int) (a answer, err error) {
	seen := map[string]bool{}
	for _, h := range f.found {
		if seen[h.Path] {
			continue
		}
		seen[h.Path] = true
		file, err := f.deps.Workspace.Read(ctx, h.Path)
		if err != nil {
			return a, err
		}
		if len(file.Text) < budget*16 { // else it does not fit, whatever it is
			s := span{filepath.ToSlash(h.Rel), 1, strings.Count(string(file.Text), "\n") + 1}
			a.add(tools.Snippet(h.Path, 1, string(file.Text)), s, budget)
		}
	}
	return a, nil
}

// bodiesOnly shows the code of the symbols that were found, as many as fit.
func bodiesOnly(ctx context.Context, f *filler, budget int) (a answer, err error) {
	for _, h := range f.found {
		s := span{filepath.ToSlash(h.Rel), h.StartLine, h.EndLine}
		if h.EndByte-h.StartByte > budget*16 || slices.ContainsFunc(a.shown, s.overlaps) {
			continue
		}
		file, err := f.deps.Workspace.Read(ctx, h.Path)
		if err != nil {
			return a, err
		}
		a.add(tools.Snippet(h.Path, h.StartLine, string(file.Text[h.StartByte:h.EndByte])), s, budget)
	}
	return a, nil
}

// packed is an answer of request_code_context.
func packed(layout tools.Layout) func(context.Context, *filler, int) (answer, error) {
	return func(ctx context.Context, f *filler, budget int) (a answer, err error) {
		result, err := f.deps.PackContext(ctx, asking{}, f.query, budget, layout)
		if err != nil {
			return a, err
		}
		var content struct {
			Results []struct {
				ID, Snippet string
				Siblings    []string
			}
		}
		if err := json.Unmarshal(result.Content, &content); err != nil {
			return a, err
		}
		a.tokens = o200k.Count(string(result.Content))
		for _, r := range content.Results {
			path, _, _ := strings.Cut(r.ID, "#")
			rel := filepath.ToSlash(f.deps.Workspace.Rel(path))
			a.named = append(a.named, place(rel, r.ID))
			for _, s := range r.Siblings {
				a.named = append(a.named, place(rel, "#"+s))
			}
			if r.Snippet != "" {
				a.shown = append(a.shown, place(rel, r.Snippet))
			}
		}
		return a, nil
	}
}

var lines = regexp.MustCompile(`#(\d+):(\d+)`)

// place is that of the lines that a text names first, as #START:END.
func place(file, text string) span {
	m := lines.FindStringSubmatch(text)
	start, _ := strconv.Atoi(m[1])
	end, _ := strconv.Atoi(m[2])
	return span{file, start, end}
}

// asking is the environment of a search that no turn asks for.
type asking struct{ tools.Env }

func (asking) Call() tools.Call { return tools.Call{} }
