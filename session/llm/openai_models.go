package llm

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
)

// listedModel is a model in the list of an OpenAI-compatible server. OpenAI lists
// only ids. Most of the other fields are OpenRouter's.
type listedModel struct {
	ID               string
	ContextLength    tokenCount `json:"context_length"`
	MaxModelLen      tokenCount `json:"max_model_len"`      // vLLM, SGLang
	ContextWindow    tokenCount `json:"context_window"`     // Groq
	MaxContextLength tokenCount `json:"max_context_length"` // Mistral
	Meta             struct {
		Window tokenCount `json:"n_ctx"` // llama.cpp; it also lists the window of the training, which says nothing
	}
	Pricing *struct {
		Prompt, Completion string // US dollars a token
		InputCacheRead     string `json:"input_cache_read"`
		InputCacheWrite    string `json:"input_cache_write"`
	}
	SupportedParameters []string `json:"supported_parameters"`
	TopProvider         struct {
		MaxCompletionTokens tokenCount `json:"max_completion_tokens"`
	} `json:"top_provider"`
}

// threeEfforts are those of gpt-oss, and what OpenRouter translates for every model that reasons.
var threeEfforts = []string{"low", "medium", "high"}

// Models implements [Lister].
func (p *openAI) Models(ctx context.Context) ([]ModelInfo, error) {
	var list struct{ Data []listedModel }
	if err := p.doJSON(ctx, p.lists, http.MethodGet, "models", nil, &list); err != nil {
		return nil, p.explain(ctx, err)
	}
	if len(list.Data) > maxModels {
		return nil, p.explain(ctx, tooMany())
	}
	infos := make([]ModelInfo, 0, len(list.Data))
	for _, m := range list.Data {
		infos = append(infos, m.info())
	}
	if !p.ownEndpoint {
		p.addWindows(ctx, infos)
	}
	return infos, nil
}

func (m listedModel) info() ModelInfo {
	info := ModelInfo{
		ID:            m.ID,
		ContextTokens: int(cmp.Or(m.MaxModelLen, m.Meta.Window, m.ContextLength, m.ContextWindow, m.MaxContextLength)),
		AnswerTokens:  int(m.TopProvider.MaxCompletionTokens),
		Tools:         slices.Contains(m.SupportedParameters, "tools"),
		Reasoning:     slices.Contains(m.SupportedParameters, "reasoning"),
	}
	if info.Reasoning {
		info.Efforts = threeEfforts
	}
	if m.Pricing == nil {
		return info
	}
	in, inErr := perMillion(m.Pricing.Prompt)
	out, outErr := perMillion(m.Pricing.Completion)
	if inErr == nil && outErr == nil && in >= 0 { // -1 for routers of several models
		info.Price = &Price{In: in, Out: out}
		info.Price.CachedIn, _ = perMillion(m.Pricing.InputCacheRead) // 0 if missing: same as In
		info.Price.CacheWrite, _ = perMillion(m.Pricing.InputCacheWrite)
	}
	return info
}

// perMillion returns the price of a million tokens from the price of one.
func perMillion(price string) (float64, error) {
	one, err := strconv.ParseFloat(price, 64)
	return one * million, err
}
