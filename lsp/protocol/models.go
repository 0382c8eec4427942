package protocol

// MethodModels lists the models that a message may be sent to.
const MethodModels = "ploke/models"

// ModelsResult is every model that is configured or that a provider told of.
type ModelsResult struct {
	Default  string          `json:"default"` // the one that answers where none is named
	Models   []Model         `json:"models"`
	Problems []ModelsProblem `json:"problems"` // providers that could not be asked
}

// A Model is one that [ChatSendParams] may name by its ID, "embedded" or
// PROVIDER/MODEL. What is not known is left out.
type Model struct {
	ID            string `json:"id"`
	Configured    bool   `json:"configured"` // by the settings
	ContextTokens int    `json:"contextTokens,omitzero"`
	Price         *Price `json:"price,omitzero"`
	Tools         bool   `json:"tools"`
	Reasoning     bool   `json:"reasoning"`
}

// A Price is in US dollars per million tokens. CachedIn is that of tokens read
// from the provider's cache, CacheWrite of those put there; what is left out costs
// as much as all others.
type Price struct {
	In         float64 `json:"in"`
	Out        float64 `json:"out"`
	CachedIn   float64 `json:"cachedIn,omitzero"`
	CacheWrite float64 `json:"cacheWrite,omitzero"`
}

// A ModelsProblem says why a provider told nothing.
type ModelsProblem struct {
	Provider string `json:"provider"`
	Error    string `json:"error"`
}
