package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// windowTimeout is how long a server may take to describe the windows of its models
// outside of its list.
const windowTimeout = 2 * time.Second

// A tokenCount is a number of tokens that a server reports, 0 if it is missing, of
// another type or not plausible as the size of a window.
type tokenCount int

func (t *tokenCount) UnmarshalJSON(b []byte) error {
	var n float64
	if json.Unmarshal(b, &n) == nil && plausible(n) {
		*t = tokenCount(n)
	}
	return nil
}

// plausible reports whether a model that can be used here may have a window of so many
// tokens.
func plausible(tokens float64) bool { return tokens >= 1024 && tokens <= 1e9 }

// withoutWindow returns the models whose window is not known.
func withoutWindow(infos []ModelInfo) (unknown []*ModelInfo) {
	for i := range infos {
		if infos[i].ContextTokens == 0 {
			unknown = append(unknown, &infos[i])
		}
	}
	return unknown
}

// addWindows adds the context windows that the list of models leaves out. It asks the
// descriptions that some kinds of servers have outside of OpenAI's API, and leaves out
// what does not answer.
func (p *openAI) addWindows(ctx context.Context, infos []ModelInfo) {
	unknown := withoutWindow(infos)
	if len(unknown) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, windowTimeout)
	defer cancel()
	var studio lmStudioModels
	var lite liteLLMModels
	var props llamaProps
	var requests sync.WaitGroup
	requests.Go(func() { p.describe(ctx, "api/v0/models", &studio) })
	requests.Go(func() { p.describe(ctx, "model/info", &lite) })
	requests.Go(func() { p.describe(ctx, "props", &props) })
	requests.Wait()
	for _, info := range unknown {
		info.ContextTokens = cmp.Or(studio.window(info.ID), lite.window(info.ID))
	}
	if len(infos) == 1 && infos[0].ContextTokens == 0 { // llama.cpp describes the one model it runs
		infos[0].ContextTokens = int(props.Settings.Window)
	}
}

// describe reads a description from the server, outside of the API. A server without it leaves the zero value.
func (p *openAI) describe(ctx context.Context, path string, description any) {
	server := p.endpoint
	server.baseURL = withoutVersion(p.baseURL)
	_ = server.doJSON(ctx, p.lists, http.MethodGet, path, nil, description) // of another kind of server: nothing is known
}

// lmStudioModels is LM Studio's list of models. A model that is not loaded has no window
// yet: it is loaded with any size up to the maximum.
// Source: lmstudio.ai/docs/developer/rest/endpoints.
type lmStudioModels struct {
	Data []struct {
		ID     string
		Loaded tokenCount `json:"loaded_context_length"`
		Max    tokenCount `json:"max_context_length"`
	}
}

func (l lmStudioModels) window(id string) int {
	for _, m := range l.Data {
		if m.ID == id {
			return cmp.Or(int(m.Loaded), min(int(m.Max), localWindow))
		}
	}
	return 0
}

// liteLLMModels is the description of LiteLLM's models. A name may have several
// deployments; any of them may answer.
// Source: docs.litellm.ai/docs/proxy/model_management.
type liteLLMModels struct {
	Data []struct {
		Name string `json:"model_name"`
		Info struct {
			Input tokenCount `json:"max_input_tokens"`
		} `json:"model_info"`
	}
}

func (l liteLLMModels) window(id string) (tokens int) {
	for _, m := range l.Data {
		if n := int(m.Info.Input); m.Name == id && n > 0 && (tokens == 0 || n < tokens) {
			tokens = n
		}
	}
	return tokens
}

// llamaProps are the properties of a server of llama.cpp. The window is that of one slot,
// which is what a request gets.
// Source: github.com/ggml-org/llama.cpp, tools/server/README.md, "GET /props".
type llamaProps struct {
	Settings struct {
		Window tokenCount `json:"n_ctx"`
	} `json:"default_generation_settings"`
}
