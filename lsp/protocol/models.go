package protocol

// MethodModels lists the models that can answer a message. It asks the providers, so it may take seconds.
const MethodModels = "ploke/models"

// ModelsResult holds the configured models and those that the providers list.
type ModelsResult struct {
	Default  string          `json:"default"` // the id of the model that is used if a message names none
	Models   []Model         `json:"models"`
	Problems []ModelsProblem `json:"problems"` // providers that could not list their models
}

// A Model is a model that [ChatSendParams] can name.
type Model struct {
	ID            string `json:"id"`                     // "embedded" or PROVIDER/MODEL
	Configured    bool   `json:"configured"`             // by the settings
	ContextTokens int    `json:"contextTokens,omitzero"` // omitted if it is unknown
	Price         *Price `json:"price,omitzero"`         // omitted if it is unknown
	Tools         bool   `json:"tools"`                  // it can call tools
	Reasoning     bool   `json:"reasoning"`
	// Efforts are words for how long it reasons. With one of them it is called PROVIDER/MODEL#EFFORT.
	Efforts []string `json:"efforts,omitzero"`
}

// A Price is in US dollars per million tokens.
type Price struct {
	In         float64 `json:"in"`
	Out        float64 `json:"out"`
	CachedIn   float64 `json:"cachedIn,omitzero"`   // of tokens that are read from the provider's cache; by default as in
	CacheWrite float64 `json:"cacheWrite,omitzero"` // of tokens that are written to the provider's cache; by default as in
}

// A ModelsProblem is the error of a provider that could not list its models.
type ModelsProblem struct {
	Provider string `json:"provider"`
	Error    string `json:"error"`
}

// MethodModelTest sends a tiny request to a model, which is in the ledger. It may take a minute.
const MethodModelTest = "ploke/model/test"

// ModelTestParams names the model to test.
type ModelTestParams struct {
	Model string `json:"model"` // "embedded" or PROVIDER/MODEL
}

// ModelTestResult says whether the model answered.
type ModelTestResult struct {
	OK        bool   `json:"ok"`
	Error     string `json:"error,omitzero"` // what went wrong, and what to try; only if not ok
	LatencyMS int64  `json:"latencyMs"`      // until the end of the answer or the error, in milliseconds
}

// MethodModelDefault returns the model that is used if a message names none. It asks no provider.
const MethodModelDefault = "ploke/model/default"

// ModelDefaultResult names the model.
type ModelDefaultResult struct {
	Model string `json:"model"` // "embedded" or PROVIDER/MODEL
}

// MethodModelChoose chooses the model of the turns that commands start, such as those of code actions, until the
// connection ends. A message names its own model in [ChatSendParams].
const MethodModelChoose = "ploke/model/choose"

// ModelChooseParams names the model.
type ModelChooseParams struct {
	Model string `json:"model,omitzero"` // "embedded" or PROVIDER/MODEL; by default as the settings say
}
