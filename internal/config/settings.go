// Package config reads the settings: one shape, [Settings], wherever they come
// from.
//
// Its promises:
//
//   - Settings come in layers, see [Merge]; what a later one says counts, key by
//     key, and what none says keeps its default.
//   - A mistake is a [Problem] that names its key and the nearest valid one. It
//     costs that key alone; everything else is taken.
//   - What could send code or money elsewhere (endpoints, keys, commands, the
//     budget) is refused in a layer that a workspace may have written.
//   - Keys come from the environment, the operating system's keyring or a
//     command. They are in no settings, no error and no log.
//
// Times are in seconds. It imports nothing of ours.
package config

// Settings is what can be set. Tags say more of a field: from:"user" is refused
// where a workspace may have written it, oneof:"a b" lists its values.
type Settings struct {
	// Model is "embedded" or "PROVIDER/MODEL"; "" means embedded.
	Model string `json:"model"`
	// Fallback is the model to ask when another is overloaded; "" asks none.
	Fallback  string              `json:"fallback"`
	Providers map[string]Provider `json:"providers" from:"user"`
	Limits    Limits              `json:"limits"`
	Index     Index               `json:"index"`
	Edits     Edits               `json:"edits"`
	Checks    map[string]Check    `json:"checks" from:"user"` // by the name that a model calls them by
	Telemetry Telemetry           `json:"telemetry" from:"user"`
}

// A Provider is an endpoint that serves models. At most one of the ways to a
// key may be set; none sends no key.
type Provider struct {
	Type          string           `json:"type" oneof:"openai anthropic ollama openrouter"`
	BaseURL       string           `json:"baseUrl"` // "" is the type's own
	APIKeyEnv     string           `json:"apiKeyEnv"`
	APIKeyCommand []string         `json:"apiKeyCommand"` // program and arguments, run without a shell
	APIKeyKeyring string           `json:"apiKeyKeyring"` // SERVICE/USER
	Models        map[string]Model `json:"models"`
	Responses     bool             `json:"responses"` // type openai: use its responses API
	// FirstByteTimeout and IdleTimeout are how long the endpoint may send
	// nothing, at first and later, in seconds; zero is the default.
	FirstByteTimeout float64 `json:"firstByteTimeout"`
	IdleTimeout      float64 `json:"idleTimeout"`
}

// A Model is what the provider doesn't tell of a model, or tells wrong. What is
// zero or nil is left to the provider.
type Model struct {
	ContextTokens int    `json:"contextTokens"` // size of the window
	AnswerTokens  int    `json:"answerTokens"`  // of the longest answer
	Price         *Price `json:"price"`
	Tools         *bool  `json:"tools"`         // can call tools
	ParallelTools *bool  `json:"parallelTools"` // can make several calls at once
	Reasoning     *bool  `json:"reasoning"`     // thinks, and is to be asked for its thoughts
}

// A Price is in US dollars per million tokens. CachedIn is that of tokens read
// from the provider's cache, CacheWrite of those put there; 0 is the price of all
// others, but for Anthropic's writes, whose price is known.
type Price struct {
	In         float64 `json:"in"`
	Out        float64 `json:"out"`
	CachedIn   float64 `json:"cachedIn"`
	CacheWrite float64 `json:"cacheWrite"`
}

// Limits bounds a turn. Zero, or nil where zero means none, is the default.
type Limits struct {
	ToolTimeout   float64 `json:"toolTimeout"` // seconds
	TurnRequests  int     `json:"turnRequests"`
	Retries       *int    `json:"retries"`
	Repairs       *int    `json:"repairs"`
	ContextTokens int     `json:"contextTokens"`         // window of a model that doesn't say
	DailyCost     float64 `json:"dailyCost" from:"user"` // US dollars; zero is no limit
}

// Index says what to leave out: Exclude holds patterns as in .gitignore.
type Index struct {
	Exclude      []string   `json:"exclude"`
	MaxFileBytes int        `json:"maxFileBytes"`
	Embeddings   Embeddings `json:"embeddings" from:"user"`
}

// Embeddings names a model that makes vectors of the workspace's code, so that searches
// find by meaning too. Without a provider there are none.
type Embeddings struct {
	Provider   string `json:"provider"` // a name in providers
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"` // of its vectors, where it has a choice; zero is the model's own
	// PassagePrefix and QueryPrefix are put before what is searched and what is searched
	// for, as many models were trained with.
	PassagePrefix string `json:"passagePrefix"`
	QueryPrefix   string `json:"queryPrefix"`
	// Budget is how many tokens may be sent for a workspace's vectors without asking;
	// zero is the default.
	Budget int `json:"budget"`
}

// Edits says what happens with proposed edits.
type Edits struct {
	AutoAccept bool `json:"autoAccept" from:"user"` // apply them without asking
}

// A Check is a command that a model may run, once the user allows it: a program
// and its arguments, run without a shell in the workspace. Timeout is in seconds;
// zero is the default.
type Check struct {
	Command []string `json:"command"`
	Timeout float64  `json:"timeout"`
}

// Telemetry names an OpenTelemetry collector; none, if Endpoint is "". What the
// standard variables of the environment say counts more.
type Telemetry struct {
	Endpoint string            `json:"endpoint"`
	Headers  map[string]string `json:"headers"` // of each request to it
}
