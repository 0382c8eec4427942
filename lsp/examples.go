package lsp

import (
	"context"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

func (q *queries) examples(ctx context.Context, _ *rpc.None) (*ploke.ExamplesResult, error) {
	opened := q.project
	rpc.Release(ctx)
	questions, err := project.ExampleQuestions(ctx, opened.Index)
	if err != nil {
		return nil, err
	}
	result := &ploke.ExamplesResult{Questions: []string{}}
	for _, q := range questions {
		result.Questions = append(result.Questions, display.Name(q))
	}
	return result, nil
}
