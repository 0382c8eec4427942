package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// miner makes questions about a project from count of its symbols. The random numbers are the same in each run.
type miner func(p *minedProject, count int, r *rand.Rand) []asked

// miners are the miners by the names of the sets that have their questions.
var miners = map[string]miner{"names": (*minedProject).names, "traces": (*minedProject).traces,
	"settings": (*minedProject).settings}

// minedProject is a project that questions are made from.
type minedProject struct {
	repo    string       // OWNER/NAME
	commit  string       // the newest one
	files   []string     // slash-separated paths below tree
	symbols []index.Unit // of all files, in their order
	texts   map[string][]string
	tree    string // its folder
}

// asked is a question, as readQuestions reads it.
type asked struct {
	Query    string       `json:"query"`
	Category string       `json:"category"`
	Relevant []mineTarget `json:"relevant"`
}

type mineTarget struct {
	Path  string `json:"path"`
	Start int    `json:"start_line"`
	End   int    `json:"end_line"`
}

// heldBack is the share of the questions, as one in so many, that are kept from the choice of weights.
const heldBack = 3

// newAsked returns a question that a symbol answers. The hash of its place decides whether it is kept from the choice
// of weights.
func newAsked(text, category string, s index.Unit) asked {
	place := fnv.New32a()
	fmt.Fprint(place, s.Rel, s.Canon)
	if place.Sum32()%heldBack == 0 {
		category += ", held back"
	}
	return asked{text, category, []mineTarget{{filepath.ToSlash(s.Rel), s.StartLine, s.EndLine}}}
}

// mineQuestions writes the questions of a miner about a repository's newest commit, as readQuestions reads them.
func mineQuestions(ctx context.Context, e *evaluation, repo string, m miner, out io.Writer) error {
	trees, err := openCheckouts(e.repos, e.work)
	if err != nil {
		return err
	}
	defer trees.close()
	p, err := openMinedProject(ctx, trees, repo)
	if err != nil {
		return err
	}
	seed := fnv.New64a()
	seed.Write([]byte(repo))
	all := m(p, e.count, rand.New(rand.NewPCG(seed.Sum64(), 0)))
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", " ")
	project := map[string]any{"repo": repo, "revision": p.commit, "questions": all}
	return encoder.Encode(map[string]any{repo: project})
}

// openMinedProject reads the symbols of a repository's newest commit.
func openMinedProject(ctx context.Context, trees *checkouts, name string) (*minedProject, error) {
	repo, err := repository(trees.repos, name)
	if err != nil {
		return nil, err
	}
	head, err := git(ctx, "", "-C", repo, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	p := &minedProject{repo: name, commit: strings.TrimSpace(head), texts: map[string][]string{}}
	if p.tree, err = trees.checkOut(ctx, name, p.commit); err != nil {
		return nil, err
	}
	ws, err := workspace.New([]string{p.tree}, workspace.Options{})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "retrieval-mined-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return dir }})
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Update(ctx, nil); err != nil {
		return nil, err
	}
	listed, err := git(ctx, "", "-C", p.tree, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	for file := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		symbols, err := x.Outline(ctx, filepath.Join(p.tree, filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		p.files = append(p.files, file)
		p.symbols = append(p.symbols, symbols...)
	}
	return p, nil
}

// lines returns the lines of a file, none if it can't be read.
func (p *minedProject) lines(rel string) []string {
	if _, read := p.texts[rel]; !read {
		text, err := os.ReadFile(filepath.Join(p.tree, rel))
		if err == nil {
			p.texts[rel] = strings.Split(string(text), "\n")
		}
	}
	return p.texts[rel]
}
