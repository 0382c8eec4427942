package main

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"

	"ploke-lsp/index"
)

// maxHits is how many results a search returns, as for request_code_context. A file that would
// appear later is not found.
const maxHits = 100

// ranking is what a search returned, as a person or a model sees it: the spans in order, and each
// file at its first span. Paths are slash-separated and relative to the tree.
type ranking struct {
	ID    string   `json:"id"`
	Files []string `json:"files"`
	Spans []span   `json:"spans"`

	hits     []index.Hit
	evidence index.Evidence
	doubt    string
}

// search searches for a text and returns the hits, with paths below root.
func search(ctx context.Context, x *index.Index, root, text string, without []index.Channel) (*ranking, error) {
	found, err := x.Search(ctx, index.Query{Text: text, Limit: maxHits, Without: without})
	if err != nil {
		return nil, err
	}
	if found.WithoutVectors != "" {
		return nil, errors.New(found.WithoutVectors)
	}
	r := &ranking{Files: []string{}, Spans: []span{}, hits: found.Hits, evidence: found.Evidence, doubt: found.Doubt()}
	for _, h := range found.Hits {
		file := path.Join(root, filepath.ToSlash(h.Rel))
		if !slices.Contains(r.Files, file) {
			r.Files = append(r.Files, file)
		}
		r.Spans = append(r.Spans, span{file, h.StartLine, h.EndLine})
	}
	return r, nil
}
