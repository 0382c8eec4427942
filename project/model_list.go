package project

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"ploke-lsp/internal/config"
	"ploke-lsp/session/llm"
)

// A ModelList is the models that can be used.
type ModelList struct {
	Default  string // the configured one, "embedded" or PROVIDER/MODEL
	Models   []ListedModel
	Problems []ModelProblem
}

// A ListedModel is a model that can be used. Model is zero for the embedded one.
type ListedModel struct {
	ID         string // "embedded" or PROVIDER/MODEL
	Model      llm.Model
	Configured bool // the settings name it
}

// A ModelProblem says why a provider did not list its models.
type ModelProblem struct {
	Provider string
	Err      error
}

// Default returns the model that is used if none is named: "embedded" or PROVIDER/MODEL.
func (m *Models) Default() string { return cmp.Or(m.settings().Model, "embedded") }

// List returns the models of all providers, which it requests side by side. A
// model that the settings name is in the list even if its provider doesn't name
// it.
func (m *Models) List(ctx context.Context) *ModelList {
	return m.list(ctx, func(config.Provider) bool { return true })
}

// ListUnprompted is List without the providers whose key comes from a program that may ask the person for it.
func (m *Models) ListUnprompted(ctx context.Context) *ModelList {
	return m.list(ctx, func(p config.Provider) bool { return !p.KeyMayPrompt() })
}

func (m *Models) list(ctx context.Context, wanted func(config.Provider) bool) *ModelList {
	settings := m.settings()
	result := &ModelList{
		Default: m.Default(),
		Models:  []ListedModel{{ID: "embedded", Configured: true}},
	}
	providers := m.providers(settings)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(providers)),
		func(name string) bool { return !wanted(providers[name]) })
	lists, errs := make([][]ListedModel, len(names)), make([]error, len(names))
	var requests sync.WaitGroup
	for i, name := range names {
		requests.Go(func() { lists[i], errs[i] = m.listProvider(ctx, name, settings) })
	}
	requests.Wait()
	for i, name := range names {
		result.Models = append(result.Models, lists[i]...)
		if errs[i] != nil {
			result.Problems = append(result.Problems, ModelProblem{Provider: name, Err: errs[i]})
		}
	}
	return result
}

// Configured returns the models that the settings name, without a request to a provider, and the
// embedded one first.
func (m *Models) Configured() (ids []string) {
	settings := m.settings()
	for name, p := range settings.Providers {
		for id := range p.Models {
			ids = append(ids, name+"/"+id)
		}
	}
	for _, model := range []string{settings.Model, settings.Fallback} {
		if model != "" && model != "embedded" {
			ids = append(ids, model)
		}
	}
	slices.Sort(ids)
	return append([]string{"embedded"}, slices.Compact(ids)...)
}

// listProvider lists the models of one provider by name. On an error the list holds
// those that the settings name.
func (m *Models) listProvider(ctx context.Context, name string, settings config.Settings) ([]ListedModel, error) {
	p := m.providers(settings)[name]
	infos := map[string]llm.ModelInfo{}
	for id := range p.Models {
		infos[id] = llm.ModelInfo{ID: id}
	}
	for _, model := range []string{settings.Model, settings.Fallback} {
		if provider, id, _ := llm.SplitModel(model); provider == name && id != "" {
			infos[id] = llm.ModelInfo{ID: id}
		}
	}
	configured := maps.Clone(infos)
	provider, err := m.provider(ctx, name, p)
	if err == nil {
		var listed []llm.ModelInfo
		listed, err = m.listModels(ctx, provider, p, listTimeout)
		for _, info := range listed {
			infos[info.ID] = info
		}
	}
	var list []ListedModel
	for _, id := range slices.Sorted(maps.Keys(infos)) {
		_, inSettings := configured[id]
		list = append(list, ListedModel{ID: name + "/" + id, Model: described(provider, p, infos[id]),
			Configured: inSettings})
	}
	return list, err
}
