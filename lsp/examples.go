package lsp

import (
	"context"

	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
)

func (s *Server) examples(ctx context.Context, _ *noParams) (*ploke.ExamplesResult, error) {
	project := s.project
	release(ctx)
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
