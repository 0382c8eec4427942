package lsp

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/config"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm"
)

func (s *Server) models(ctx context.Context, _ *noParams) (*ploke.ModelsResult, error) {
	models := s.project.models
	release(ctx)
	return models.list(ctx), nil
}

// list asks all providers at once for their models. What the settings name is
// in the list though the provider doesn't tell of it.
func (m *Models) list(ctx context.Context) *ploke.ModelsResult {
	settings := m.Settings()
	result := &ploke.ModelsResult{
		Default:  settings.Model,
		Models:   []ploke.Model{{ID: "embedded", Configured: true, Tools: true}},
		Problems: []ploke.ModelsProblem{},
	}
	if result.Default == "" {
		result.Default = "embedded"
	}
	names := slices.Sorted(maps.Keys(settings.Providers))
	lists, errs := make([][]ploke.Model, len(names)), make([]error, len(names))
	var asked sync.WaitGroup
	for i, name := range names {
		asked.Go(func() { lists[i], errs[i] = m.listProvider(ctx, name, settings) })
	}
	asked.Wait()
	for i, name := range names {
		result.Models = append(result.Models, lists[i]...)
		if errs[i] != nil {
			result.Problems = append(result.Problems, ploke.ModelsProblem{Provider: name, Error: errs[i].Error()})
		}
	}
	return result
}

// listProvider lists the models of one provider by name; on an error, those that
// the settings name.
func (m *Models) listProvider(ctx context.Context, name string, settings config.Settings) ([]ploke.Model, error) {
	p := settings.Providers[name]
	infos := map[string]llm.ModelInfo{}
	for id := range p.Models {
		infos[id] = llm.ModelInfo{ID: id}
	}
	for _, model := range []string{settings.Model, settings.Fallback} {
		if provider, id, _ := strings.Cut(model, "/"); provider == name && id != "" {
			infos[id] = llm.ModelInfo{ID: id}
		}
	}
	configured := maps.Clone(infos)
	provider, err := m.provider(ctx, name, p)
	if err == nil {
		var told []llm.ModelInfo
		told, err = m.ask(ctx, provider, p)
		for _, info := range told {
			infos[info.ID] = info
		}
	}
	var list []ploke.Model
	for _, id := range slices.Sorted(maps.Keys(infos)) {
		_, inSettings := configured[id]
		list = append(list, listed(name, described(provider, p, infos[id]), inSettings))
	}
	return list, err
}

func listed(provider string, m llm.Model, configured bool) ploke.Model {
	out := ploke.Model{ID: provider + "/" + m.ID, ContextTokens: m.ContextTokens, Configured: configured, Tools: true}
	if c := m.Capabilities; c != nil {
		out.Tools, out.Reasoning = c.Tools, c.Reasoning
	}
	if m.Price != nil {
		price := ploke.Price(*m.Price)
		out.Price = &price
	}
	return out
}
