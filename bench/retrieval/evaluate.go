package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
)

// evaluation is one run.
type evaluation struct {
	repos, cases, work, predictions, results, commit string
	mined, minedProject                              string
	miner                                            miner // nil: measure
	only, repositories                               []string
	count                                            int // of cases to mine
	disabled                                         []index.Channel
	ablation, packed, lines                          bool
	vectorsAt, vectorModel                           string // see embedder; "": measure without vectors

	sets     []*set
	embedder *embedder // nil: none
}

// outcome is a case with what was measured on it.
type outcome struct {
	testCase
	set      *set
	views    []viewOutcome // by the views of the set
	coverage [][]coverage
	lines    []shares // by readings
}

// viewOutcome has the results of one search and its scores, by the measures of the set.
type viewOutcome struct {
	ranking *ranking
	scores  []float64
	ablated [][]float64 // the scores without one channel each, by index.Channels
}

// indexedFolder is a folder of a commit. It has one index.
type indexedFolder struct{ repo, commit, root string }

// run measures all cases. It drops those whose targets the tree does not have.
func (e *evaluation) run(ctx context.Context, log io.Writer) ([]*outcome, error) {
	e.sets = slices.DeleteFunc(slices.Clone(sets),
		func(s *set) bool { return len(e.only) > 0 && !slices.Contains(e.only, s.name) })
	if e.vectorsAt != "" {
		e.sets = withVectors(e.sets)
	}
	all, err := readCases(e.cases, e.sets, e.repositories)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(e.sets, func(s *set) bool { return s.name == silenceSet }); at >= 0 {
		all = append(all, crossed(all, e.sets[at])...)
	}
	trees, err := openCheckouts(e.repos, e.work)
	if err != nil {
		return nil, err
	}
	defer trees.close()
	if e.vectorsAt != "" {
		e.embedder = newEmbedder(e.vectorsAt, e.vectorModel, filepath.Join(trees.dir, "vectors"))
	}
	if err := e.measureAll(ctx, trees, all, log); err != nil {
		return nil, err
	}
	measured := slices.DeleteFunc(slices.Clone(all), func(o *outcome) bool { return o.views == nil })
	if dropped := len(all) - len(measured); dropped > 0 {
		fmt.Fprintf(log, "questions left out because their revision has no file that answers them: %d\n", dropped)
	}
	return measured, nil
}

// measureAll measures the cases of several folders at once.
func (e *evaluation) measureAll(ctx context.Context, trees *checkouts, all []*outcome, log io.Writer) error {
	folders := map[indexedFolder][]*outcome{}
	for _, o := range all {
		if _, err := repository(trees.repos, o.Repo); err != nil {
			return fmt.Errorf("%s: %w", o.ID, err)
		}
		p := indexedFolder{o.Repo, o.Commit, o.Root}
		folders[p] = append(folders[p], o)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	progress := progress{log: log, all: len(folders)}
	for p, cases := range folders {
		group.Go(func() error {
			if err := e.measureAt(ctx, trees, p, cases); err != nil {
				return fmt.Errorf("%s: %w", cases[0].ID, err)
			}
			progress.next()
			return nil
		})
	}
	err := group.Wait()
	fmt.Fprintln(log)
	return err
}

// progress says how many trees are done.
type progress struct {
	log       io.Writer
	mu        sync.Mutex
	done, all int
}

func (p *progress) next() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	fmt.Fprintf(p.log, "\r%d of %d trees", p.done, p.all)
}

// measureAt indexes a folder as a server does, and measures the cases there.
func (e *evaluation) measureAt(ctx context.Context, trees *checkouts, p indexedFolder, cases []*outcome) error {
	tree, err := trees.checkOut(ctx, p.repo, p.commit)
	if err != nil {
		return err
	}
	ws, err := workspace.New([]string{filepath.Join(tree, filepath.FromSlash(p.root))}, workspace.Options{})
	if err != nil {
		return err
	}
	dir := filepath.Join(tree+".index", cmp.Or(folderName(p.root), "whole"))
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return dir }})
	if err != nil {
		return err
	}
	defer x.Close()
	if _, err := x.Update(ctx, nil); err != nil {
		return err
	}
	x.Settle()
	if err := e.embed(ctx, x, cases); err != nil {
		return err
	}
	for _, o := range cases {
		if o.keepPresent(tree); o.set.name != silenceSet && o.Category != "" && len(o.Targets) == 0 {
			continue
		}
		if err := e.measure(ctx, ws, x, o); err != nil {
			return err
		}
	}
	return nil
}

// embed makes the vectors of an index, and those of the texts to search for: a search waits only a second for one.
func (e *evaluation) embed(ctx context.Context, x *index.Index, cases []*outcome) error {
	if e.embedder == nil {
		return nil
	}
	x.UseEmbedder(e.embedder, nil)
	if err := x.Embed(ctx, index.EmbedOptions{}); err != nil {
		return err
	}
	for _, o := range cases {
		for _, v := range o.set.views {
			text := v.text(&o.testCase)
			if _, err := e.embedder.EmbedQuery(ctx, text[:min(len(text), index.MaxQueryBytes)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure searches for the text of a case in each view.
func (e *evaluation) measure(ctx context.Context, ws *workspace.Workspace, x *index.Index, o *outcome) (err error) {
	o.views = make([]viewOutcome, len(o.set.views))
	for i, v := range o.set.views {
		without := slices.Concat(v.without, e.disabled)
		found := &o.views[i]
		if found.ranking, found.scores, err = o.search(ctx, ws, x, v, without); err != nil {
			return err
		}
		for _, channel := range index.Channels {
			if !e.ablation || v.budget > 0 {
				break
			}
			_, scores, err := o.search(ctx, ws, x, v, append(slices.Clip(without), channel))
			if err != nil {
				return err
			}
			found.ablated = append(found.ablated, scores)
		}
	}
	if !e.packed && !e.lines || len(o.Hunks) == 0 {
		return nil
	}
	return withPacker(ctx, ws, x, o.set.views[0].text(&o.testCase), func(f *packer) (err error) {
		if e.packed {
			if o.coverage, err = measurePacked(ctx, f, &o.testCase); err != nil {
				return err
			}
		}
		if e.lines {
			o.lines, err = measureLines(ctx, f, &o.testCase)
		}
		return err
	})
}

// search searches without some channels, and scores what was found.
func (o *outcome) search(
	ctx context.Context, ws *workspace.Workspace, x *index.Index, v view, without []index.Channel,
) (r *ranking, scores []float64, err error) {
	if text := v.text(&o.testCase); v.budget > 0 {
		r, err = shown(ctx, ws, x, text, v.budget)
	} else {
		r, err = search(ctx, x, o.Root, text, without)
	}
	if err != nil {
		return nil, nil, err
	}
	r.ID = o.ID
	for _, m := range o.set.measures {
		scores = append(scores, m.of(&o.testCase, r))
	}
	return r, scores, nil
}
