package protocol

// MethodModels is a request for the models that can answer a message.
const MethodModels = "ploke/models"

// ModelsResult holds the configured models and those that the providers list.
type ModelsResult struct {
	Default  string          `json:"default"` // the id of the model that is used if a message names none
	Models   []Model         `json:"models"`
	Problems []ModelsProblem `json:"problems"` // providers that could not list their models
}

// A Model is a model that [ChatSendParams] can name. ID is "embedded" or
// PROVIDER/MODEL. Unknown values are omitted.
type Model struct {
	ID            string `json:"id"`
	Configured    bool   `json:"configured"` // by the settings
	ContextTokens int    `json:"contextTokens,omitzero"`
	Price         *Price `json:"price,omitzero"`
	Tools         bool   `json:"tools"`
	Reasoning     bool   `json:"reasoning"`
}

// A Price is in US dollars per million tokens. CachedIn is the price of input tokens
// that are read from the provider's cache, and CacheWrite of those that are written to
// it. Both default to In.
type Price struct {
	In         float64 `json:"in"`
	Out        float64 `json:"out"`
	CachedIn   float64 `json:"cachedIn,omitzero"`
	CacheWrite float64 `json:"cacheWrite,omitzero"`
}

// A ModelsProblem is the error of a provider that could not list its models.
type ModelsProblem struct {
	Provider string `json:"provider"`
	Error    string `json:"error"`
}
