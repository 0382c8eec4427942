package lsp

import (
	"context"

	"ploke-lsp/index"
	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// defaultSearchLimit is how many results a search returns if the request names no limit.
const defaultSearchLimit = 20

// queries answers what a client asks of a project and of its index.
type queries struct {
	project     *project.Project
	client      *client.Client
	settings    *project.Settings
	documents   *document.Table
	parser      *document.Parser
	editorState *editorState
	version     string // of the program
}

func (q *queries) search(ctx context.Context, p *ploke.SearchParams) (*ploke.SearchResult, error) {
	project, encoding := q.project, q.client.Encoding
	rpc.Release(ctx)
	project.Indexer.Active()
	if err := project.IndexUnsaved(ctx); err != nil {
		return nil, err
	}
	limit := p.Limit
	if limit <= 0 {
		limit = defaultSearchLimit
	}
	found, err := project.Index.Search(ctx, index.Query{Text: p.Query, Limit: limit, Editor: q.editorState.get(ctx)})
	if err != nil {
		return nil, err
	}
	result := &ploke.SearchResult{Results: []ploke.SearchHit{}, Partial: found.Partial,
		Doubt: found.Doubt(), WithoutVectors: found.WithoutVectors}
	for _, word := range found.Respelled {
		result.Respelled = append(result.Respelled, ploke.Respelling(word))
	}
	for _, hit := range found.Hits {
		file, err := project.Workspace.Read(ctx, hit.Path)
		if err != nil {
			continue // deleted after it was indexed
		}
		result.Results = append(result.Results, ploke.SearchHit{
			URI:       q.documents.URIOf(hit.Path),
			Range:     ploke.NewMapper(file.Text, encoding).Range(hit.StartByte, hit.EndByte),
			Path:      hit.Rel,
			Canon:     hit.Canon,
			Kind:      string(hit.Kind),
			Signature: hit.Signature,
			Score:     hit.Score,
		})
	}
	return result, nil
}
