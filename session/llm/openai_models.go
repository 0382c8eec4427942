package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/openai/openai-go/v3/option"
)

// listedModel is a model in the list of an OpenAI-compatible server. OpenAI lists
// only ids. The other fields are OpenRouter's, and max_model_len is vLLM's.
type listedModel struct {
	ID            string
	ContextLength int `json:"context_length"`
	MaxModelLen   int `json:"max_model_len"`
	Pricing       *struct {
		Prompt, Completion string // US dollars a token
		InputCacheRead     string `json:"input_cache_read"`
		InputCacheWrite    string `json:"input_cache_write"`
	}
	SupportedParameters []string `json:"supported_parameters"`
	TopProvider         struct {
		MaxCompletionTokens int `json:"max_completion_tokens"`
	} `json:"top_provider"`
}

// Models implements [Lister].
func (p *openAI) Models(ctx context.Context) ([]ModelInfo, error) {
	var response *http.Response
	page, err := p.models.List(ctx, option.WithResponseInto(&response))
	var list struct{ Data []listedModel }
	if err == nil {
		err = json.Unmarshal([]byte(page.RawJSON()), &list)
	}
	if err != nil {
		return nil, p.explain(ctx, requestError(err, response, false))
	}
	if len(list.Data) > maxModels {
		return nil, p.explain(ctx, tooMany())
	}
	infos := make([]ModelInfo, 0, len(list.Data))
	for _, m := range list.Data {
		infos = append(infos, m.info())
	}
	return infos, nil
}

func (m listedModel) info() ModelInfo {
	info := ModelInfo{
		ID:            m.ID,
		ContextTokens: max(m.ContextLength, m.MaxModelLen),
		AnswerTokens:  m.TopProvider.MaxCompletionTokens,
		Tools:         slices.Contains(m.SupportedParameters, "tools"),
		Reasoning:     slices.Contains(m.SupportedParameters, "reasoning"),
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
