package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools/packing"
)

// The set contexts has issues for which people have marked the lines that one has to read, in the form of ContextBench.
// What counts is not a ranking, but the code that request_code_context shows of the issue under a budget.

// contextRow is a row of ContextBench, as a line of JSON.
type contextRow struct {
	ID     string `json:"original_inst_id"` // OWNER__NAME-NUMBER, or instance_OWNER__NAME-COMMIT
	Commit string `json:"base_commit"`
	Text   string `json:"problem_statement"`
	Gold   string `json:"gold_context"` // a list of markedLines, as JSON in a string
}

// markedLines are lines that people have marked, 1-based and inclusive.
type markedLines struct {
	File  string `json:"file"`
	Start int    `json:"start_line"`
	End   int    `json:"end_line"`
}

// readContexts reads rows of ContextBench in JSON lines.
func readContexts(name string) (all []testCase, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d, n := json.NewDecoder(bufio.NewReader(f)), 1; d.More(); n++ {
		var row contextRow
		if err := d.Decode(&row); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, n, err)
		}
		c, err := row.testCase()
		if err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", name, n, err)
		}
		all = append(all, c)
	}
	return all, nil
}

var contextID = regexp.MustCompile(`^(?:instance_)?([A-Za-z0-9_.-]+?)__([A-Za-z0-9_.-]+?)-(?:[0-9]+|[0-9a-f]{40}.*)$`)

// testCase returns the case of a row. Its hunks are the marked lines.
func (r contextRow) testCase() (testCase, error) {
	name := contextID.FindStringSubmatch(r.ID)
	if name == nil || r.Commit == "" || r.Text == "" {
		return testCase{}, fmt.Errorf("it needs an original_inst_id like owner__name-12, a base_commit and a "+
			"problem_statement, and has %q, %q and %d bytes", r.ID, r.Commit, len(r.Text))
	}
	var marked []markedLines
	if err := json.Unmarshal([]byte(r.Gold), &marked); err != nil {
		return testCase{}, fmt.Errorf("its gold_context is no list of marked lines: %w", err)
	}
	c := testCase{ID: r.ID, Repo: name[1] + "/" + name[2], Commit: r.Commit, Query: r.Text}
	c.Subject, _, _ = strings.Cut(r.Text, "\n")
	for _, m := range marked {
		c.mark(m)
	}
	if len(c.Files) == 0 {
		return testCase{}, fmt.Errorf("its gold_context marks no lines")
	}
	return c, nil
}

// mark adds marked lines as a hunk, and their file.
func (c *testCase) mark(m markedLines) {
	file := inTree(m.File)
	if !slices.Contains(c.Files, file) {
		c.Files = append(c.Files, file)
	}
	c.Hunks = append(c.Hunks, hunk{file, m.Start, m.End - m.Start + 1})
}

// inTree returns a path in the tree, of one in the container in which the people who marked the lines have seen it.
func inTree(file string) string {
	if rest, ok := strings.CutPrefix(file, "/testbed/"); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(file, "/workspace/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return rest
	}
	return strings.TrimPrefix(strings.TrimLeft(file, "/"), "./")
}

// contextViews are what request_code_context shows under several budgets.
func contextViews() (all []view) {
	for _, budget := range budgets {
		all = append(all, view{name: fmt.Sprintf("%d tokens", budget), text: query, budget: budget})
	}
	return all
}

// shown returns what request_code_context shows of a text: each file with code at its first lines.
func shown(
	ctx context.Context, ws *workspace.Workspace, x *index.Index, text string, budget int,
) (r *ranking, err error) {
	r = &ranking{Files: []string{}, Spans: []span{}}
	err = withPacker(ctx, ws, x, text, func(f *packer) error {
		a, err := codeContext(packing.DefaultLayout)(ctx, f, budget)
		if err != nil {
			return err
		}
		r.Spans = append(r.Spans, a.shown...)
		for _, s := range a.shown {
			if !slices.Contains(r.Files, s.File) {
				r.Files = append(r.Files, s.File)
			}
		}
		return nil
	})
	return r, err
}

// contextMeasures are those of the evaluator of ContextBench, which calls the share of what is marked coverage. The F1
// of a row is that of its own shares.
var contextMeasures = []measure{
	{"files, recall", filesOfMarked.recall}, {"files, precision", filesOfMarked.precision}, {"files, F1", filesOfMarked.f1},
	{"lines, recall", markedShown.recall}, {"lines, precision", markedShown.precision}, {"lines, F1", markedShown.f1},
}

// sizes returns how large what is marked is, what is shown, and what both have.
type sizes func(*testCase, *ranking) (marked, shown, both int)

// filesOfMarked counts files.
var filesOfMarked sizes = func(c *testCase, r *ranking) (marked, shown, both int) {
	for _, file := range c.Files {
		if slices.Contains(r.Files, file) {
			both++
		}
	}
	return len(c.Files), len(r.Files), both
}

// markedShown counts lines, each once.
var markedShown sizes = func(c *testCase, r *ranking) (marked, shown, both int) {
	read := map[line]bool{}
	for _, s := range r.Spans {
		for i := s.Start; i <= s.End; i++ {
			read[line{s.File, i}] = true
		}
	}
	wanted := map[line]bool{}
	for _, h := range c.Hunks {
		for i := h.Start; i < h.Start+h.Lines; i++ {
			l := line{h.File, i}
			if !wanted[l] && read[l] {
				both++
			}
			wanted[l] = true
		}
	}
	return len(wanted), len(read), both
}

// recall is the share of what is marked that is shown: 1 if nothing is marked.
func (s sizes) recall(c *testCase, r *ranking) float64 {
	marked, _, both := s(c, r)
	return shareOf(both, marked)
}

// precision is the share of what is shown that is marked: 1 if nothing is shown.
func (s sizes) precision(c *testCase, r *ranking) float64 {
	_, shown, both := s(c, r)
	return shareOf(both, shown)
}

func shareOf(n, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(n) / float64(all)
}

// f1 is the harmonic mean of recall and precision.
func (s sizes) f1(c *testCase, r *ranking) float64 {
	recall, precision := s.recall(c, r), s.precision(c, r)
	if recall+precision == 0 {
		return 0
	}
	return 2 * recall * precision / (recall + precision)
}
