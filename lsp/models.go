package lsp

import (
	"context"
	"time"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

func (q *queries) models(ctx context.Context, _ *rpc.None) (*ploke.ModelsResult, error) {
	models := q.project.Models
	rpc.Release(ctx)
	list := models.List(ctx)
	result := &ploke.ModelsResult{Default: list.Default, Models: []ploke.Model{}, Problems: []ploke.ModelsProblem{}}
	for _, m := range list.Models {
		result.Models = append(result.Models, encodeModel(m))
	}
	for _, p := range list.Problems {
		result.Problems = append(result.Problems, ploke.ModelsProblem{Provider: p.Provider, Error: p.Err.Error()})
	}
	return result, nil
}

func (q *queries) modelDefault(context.Context, *rpc.None) (*ploke.ModelDefaultResult, error) {
	return &ploke.ModelDefaultResult{Model: q.project.Models.Default()}, nil
}

func (s *service) modelChoose(_ context.Context, p *ploke.ModelChooseParams) (any, error) {
	s.turns.ChooseModel(p.Model)
	return struct{}{}, nil
}

// modelPart takes a part of the answer of a model of the editor.
func (s *service) modelPart(ctx context.Context, p *ploke.ModelPartParams) error {
	return s.frontEnd.Part(ctx, p)
}

func (q *queries) modelTest(ctx context.Context, p *ploke.ModelTestParams) (*ploke.ModelTestResult, error) {
	models, engine := q.project.Models, q.project.Engine
	rpc.Release(ctx)
	began := time.Now()
	model, err := models.Find(ctx, p.Model)
	if err == nil {
		_, err = engine.TryModel(ctx, model)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	result := &ploke.ModelTestResult{OK: err == nil, LatencyMS: time.Since(began).Milliseconds()}
	if err != nil {
		result.Error = display.Name(err.Error())
	}
	return result, nil
}

func encodeModel(m project.ListedModel) ploke.Model {
	out := ploke.Model{ID: m.ID, ContextTokens: m.Model.ContextTokens, Configured: m.Configured, Tools: true,
		Efforts: m.Model.Efforts}
	if c := m.Model.Capabilities; c != nil {
		out.Tools, out.Reasoning = c.Tools, c.Reasoning
	}
	if m.Model.Price != nil {
		price := ploke.Price(*m.Model.Price)
		out.Price = &price
	}
	return out
}
