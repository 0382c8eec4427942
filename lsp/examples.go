package lsp

import (
	"context"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
)

func (q *queries) examples(ctx context.Context, _ *rpc.None) (*ploke.ExamplesResult, error) {
	project := q.project
	rpc.Release(ctx)
	questions, err := project.ExampleQuestions(ctx)
	if err != nil {
		return nil, err
	}
	result := &ploke.ExamplesResult{Questions: []string{}}
	for _, q := range questions {
		result.Questions = append(result.Questions, display.Name(q))
	}
	return result, nil
}
