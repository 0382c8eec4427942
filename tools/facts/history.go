package facts

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ploke-lsp/index/history"
)

const (
	filesOfCommit = 6 // that are named
	shownTags     = 5
)

type pastCommit struct {
	ID      string   `json:"id"`
	Day     string   `json:"day"`
	Author  string   `json:"author"`
	Subject string   `json:"subject"`
	Files   []string `json:"files,omitempty"` // absolute paths
	More    int      `json:"more_files,omitempty"`
}

type tag struct {
	Name string `json:"name"`
	Day  string `json:"day"`
}

type author struct {
	Name    string `json:"name"`
	Commits int    `json:"commits"`
	First   string `json:"first"` // day of a commit
	Last    string `json:"last"`
}

type changedFile struct {
	File string `json:"file"`
	How  string `json:"how"` // changed, new or deleted
}

// eachRepository calls fn with each root that a path is in, or all for "", and the path below it.
func (g Gatherer) eachRepository(path string, fn func(root, rel string) error) error {
	for _, root := range g.Files.Workspace.Roots() {
		rel := ""
		if path != "" && path != root {
			below, inside := strings.CutPrefix(path, strings.TrimSuffix(root,
				string(filepath.Separator))+string(filepath.Separator))
			if !inside {
				continue
			}
			rel = filepath.ToSlash(below)
		}
		if err := fn(root, rel); err != nil {
			return err
		}
	}
	return nil
}

// PastCommits adds the last commits of a period that touched a path, those with words in their subjects if there are
// any.
func (g Gatherer) PastCommits(ctx context.Context, r *Result, path string, words []string, of Period, limit int) error {
	asked := limit
	if len(words) > 0 || of != (Period{}) {
		asked = history.Limit
	}
	err := g.eachRepository(path, func(root, rel string) error {
		within, err := of.in(ctx, root, time.Now())
		if err != nil {
			return err
		}
		entries, err := history.Between(ctx, root, rel, within.after, within.from, asked)
		if err != nil {
			return err
		}
		if of != (Period{}) {
			if err := r.addPeriod(ctx, root, rel, within); err != nil {
				return err
			}
			r.CutOff = r.CutOff || len(entries) == asked && within.has(entries[asked-1])
			entries = slices.DeleteFunc(entries, func(e history.Entry) bool { return !within.has(e) })
		}
		r.Counted += len(entries)
		entries = withWords(entries, words)
		if err := r.addCommits(ctx, root, entries[:min(limit, len(entries))]); err != nil {
			return err
		}
		tags, err := history.Tags(ctx, root, shownTags)
		for _, t := range tags {
			r.Tags = append(r.Tags, tag(t))
		}
		return err
	})
	slices.SortStableFunc(r.Commits, func(a, b pastCommit) int { return cmp.Compare(b.Day, a.Day) })
	r.NoHistory = r.Counted == 0 && r.Newest == ""
	return err
}

// addPeriod adds the days of a period, and the day of the last commit that touched a path at any time.
func (r *Result) addPeriod(ctx context.Context, root, rel string, within bounds) error {
	r.Since, r.Until = within.since, within.until
	last, err := history.Latest(ctx, root, rel, 1)
	for _, e := range last {
		r.Newest = max(r.Newest, e.Time.Format(day))
	}
	return err
}

// withWords returns the commits whose subjects have most of the words; all if there are no words.
func withWords(entries []history.Entry, words []string) []history.Entry {
	best, found := 1, map[int][]history.Entry{}
	for _, e := range entries {
		has := 0
		for _, word := range words {
			if strings.Contains(strings.ToLower(e.Subject), strings.ToLower(word)) {
				has++
			}
		}
		best = max(best, has)
		found[has] = append(found[has], e)
	}
	if len(words) == 0 {
		return entries
	}
	return found[best]
}

func (r *Result) addCommits(ctx context.Context, root string, entries []history.Entry) error {
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	commits, err := history.Read(ctx, root, ids)
	if err != nil {
		return err
	}
	for i, e := range entries {
		c := pastCommit{ID: e.ID, Day: e.Time.Format(day), Author: e.Author, Subject: e.Subject}
		files := commits[i].Files
		for _, file := range files[:min(filesOfCommit, len(files))] {
			c.Files = append(c.Files, filepath.Join(root, filepath.FromSlash(file)))
		}
		c.More = len(files) - len(c.Files)
		r.Commits = append(r.Commits, c)
	}
	return nil
}

// Authors adds who wrote the commits that touched a path.
func (g Gatherer) Authors(ctx context.Context, r *Result, path string) error {
	err := g.eachRepository(path, func(root, rel string) error {
		authors, counted, err := history.Authors(ctx, root, rel)
		for _, a := range authors {
			r.Authors = append(r.Authors, author(a))
		}
		r.Counted += counted
		return err
	})
	slices.SortStableFunc(r.Authors, func(a, b author) int { return cmp.Compare(b.Commits, a.Commits) })
	r.NoHistory = r.Counted == 0
	return err
}

// Uncommitted adds the files below a path that differ from the last commit, with what is not saved.
func (g Gatherer) Uncommitted(ctx context.Context, r *Result, path string) error {
	r.NoHistory = true
	return g.eachRepository(path, func(root, rel string) error {
		changes, err := history.Uncommitted(ctx, root, g.Files.Workspace.Unsaved(ctx, root))
		if errors.Is(err, history.ErrNoRepository) {
			return nil
		}
		r.NoHistory = false
		for _, c := range changes {
			if rel == "" || c.Path == rel || strings.HasPrefix(c.Path, rel+"/") {
				r.Changed = append(r.Changed, changedFile{filepath.Join(root, filepath.FromSlash(c.Path)), c.How})
			}
		}
		return err
	})
}
