package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// question is what a case of the questions has in addition.
type question struct {
	Root      string             // slash-separated path of the folder that is searched, "" for the whole tree
	Targets   []target           // what answers the question
	Category  string             // of the question
	Published map[string]float64 // NDCG@10 of other systems for all questions of the repository, 0 to 1
}

// target is a file, or a part of it, that answers a question. A whole file has no lines.
type target span

// found reports whether a search result shows the target.
func (t target) found(s span) bool {
	return s.File == t.File && (t.Start == 0 || s.overlaps(span(t)))
}

// UnmarshalJSON reads a path, or an object with a path and lines.
func (t *target) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &t.File) == nil {
		return nil
	}
	var part struct {
		Path  string `json:"path"`
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
	}
	if err := json.Unmarshal(data, &part); err != nil {
		return err
	}
	*t = target{part.Path, part.Start, part.End}
	return nil
}

// readQuestions reads questions about repositories:
//
//	{NAME: {repo, revision, root, published: {SYSTEM: NDCG@10}, questions: [{query, category, relevant, secondary}]}}
//
// relevant and secondary are lists of targets, which count alike. A target is a path in the tree, or
// {path, start_line, end_line}. Only the folder root is searched.
func readQuestions(name string) (all []testCase, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var projects map[string]struct {
		Repo, Revision, Root string
		Published            map[string]float64
		Questions            []struct {
			Query, Category     string
			Relevant, Secondary []target
		}
	}
	if err := json.Unmarshal(data, &projects); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, project := range slices.Sorted(maps.Keys(projects)) {
		p := projects[project]
		for n, q := range p.Questions {
			c := testCase{ID: fmt.Sprintf("%s-%d", project, n+1), Repo: p.Repo, Commit: p.Revision, Query: q.Query}
			c.question = question{p.Root, slices.Concat(q.Relevant, q.Secondary), q.Category, p.Published}
			if c.Repo == "" || c.Commit == "" || c.Query == "" || c.Category == "" || len(c.Targets) == 0 {
				return nil, fmt.Errorf("%s: question %d of %s needs a repo, a revision, a query, a category and a target", name,
					n+1, project)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// keepPresent drops the targets whose files the tree does not have.
func (q *question) keepPresent(tree string) {
	q.Targets = slices.DeleteFunc(q.Targets, func(t target) bool {
		return !exists(filepath.Join(tree, filepath.FromSlash(t.File)))
	})
}
