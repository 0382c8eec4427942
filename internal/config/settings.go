// Package config reads the settings. They have one shape, [Settings], in every
// source.
//
// Its promises:
//
//   - Settings come in layers, see [Merge]. A later layer overrides an earlier one
//     key by key. A key that no layer sets keeps its default.
//   - A mistake is a [Problem] that names its key and the nearest valid key. The
//     key with the mistake is ignored, and all other keys count.
//   - Settings that could send code or money elsewhere (endpoints, keys, commands,
//     the budget) are refused in a layer that a workspace may have written.
//   - Provider keys come from the environment, the operating system's keyring or a
//     command. No setting, error or log contains one.
//
// Times are in seconds. The package imports no other package of this module.
package config

// Settings holds every setting. The field tags describe it further:
//
//   - doc and default describe a setting in plain text, for [Reference]. A setting
//     without a default has no default tag.
//   - from:"user" marks what is refused in a layer that a workspace may have
//     written, with everything below it.
//   - oneof:"a b" lists the values that are allowed, or those of a list's elements.
//
// A field that no layer sets is zero, or nil where zero is a valid value. The
// default is applied by the code that uses the setting.
type Settings struct {
	Model     string              `json:"model" doc:"the model to use: \"embedded\" or \"PROVIDER/MODEL\"" default:"\"embedded\""`
	Fallback  string              `json:"fallback" doc:"the model to use when the other one is overloaded or limits the rate" default:"none"`
	Providers map[string]Provider `json:"providers" from:"user"`
	Limits    Limits              `json:"limits"`
	Index     Index               `json:"index"`
	Edits     Edits               `json:"edits"`
	Checks    map[string]Check    `json:"checks" from:"user"` // by the name that a model runs them by
	Trial     Trial               `json:"trial" from:"user"`
	Sandbox   Sandbox             `json:"sandbox" from:"user"`
	Proof     Proof               `json:"proof" from:"user"`
	Servers
	// ProjectRules is nil unless a layer sets it.
	ProjectRules *bool     `json:"projectRules" from:"user" doc:"whether the AGENTS.md of each workspace folder, and of the folders whose files are touched, is sent to the model: at most a tenth of its window, and 32 KB" default:"true"`
	Symbols      []string  `json:"symbols" doc:"languages, such as \"sql\" or \"bash\", whose symbols your editor gets from ploke for its search of symbols and its outline; \"all\" means every language. A language that another server serves would show each symbol twice" default:"none"`
	History      History   `json:"history" from:"user"`
	Telemetry    Telemetry `json:"telemetry" from:"user"`
}

// A Provider is an endpoint that serves models. At most one of the three sources
// of a key may be set. Without one, requests carry no key.
type Provider struct {
	Type             string           `json:"type" oneof:"openai anthropic ollama openrouter" doc:"the protocol that the endpoint speaks: \"openai\" (for anything compatible with OpenAI's API), \"anthropic\", \"ollama\" or \"openrouter\"; required"`
	BaseURL          string           `json:"baseUrl" doc:"the address of the endpoint; for the type openai it usually ends in /v1" default:"the standard address of the type"`
	APIKeyEnv        string           `json:"apiKeyEnv" doc:"the environment variable that holds the key" default:"no key"`
	APIKeyCommand    []string         `json:"apiKeyCommand" doc:"instead of apiKeyEnv: a program with its arguments that prints the key; it runs without a shell and a terminal, for 10 seconds at most, and all that it has started ends with it"`
	APIKeyKeyring    string           `json:"apiKeyKeyring" doc:"instead of apiKeyEnv: the key's entry in the operating system's keyring, as SERVICE/USER"`
	Models           map[string]Model `json:"models"`
	Responses        bool             `json:"responses" doc:"for the type openai: use the responses API" default:"false"`
	FirstByteTimeout float64          `json:"firstByteTimeout" doc:"seconds to wait for the first byte of an answer" default:"600"`
	IdleTimeout      float64          `json:"idleTimeout" doc:"seconds to wait for each later byte of an answer" default:"300"`
}

// A Model overrides what the provider reports about a model, or fills in what it
// does not report.
type Model struct {
	ContextTokens int      `json:"contextTokens" doc:"the size of the model's context window, in tokens" default:"what the provider reports or says when a request is too long, else limits.contextTokens"`
	AnswerTokens  int      `json:"answerTokens" doc:"the length of the model's longest answer, in tokens" default:"what the provider reports"`
	Price         *Price   `json:"price"`
	Tools         *bool    `json:"tools" doc:"whether the model can call tools" default:"what the provider reports, else true"`
	ParallelTools *bool    `json:"parallelTools" doc:"whether the model can call several tools at once" default:"true"`
	Reasoning     *bool    `json:"reasoning" doc:"whether to request the model's reasoning" default:"what the provider reports, else false"`
	Efforts       []string `json:"efforts" oneof:"none minimal low medium high xhigh max" doc:"the words for how long the model reasons that you can choose from, such as \"low\" and \"high\"; a model with one is called PROVIDER/MODEL#EFFORT" default:"what the provider reports, else none"`
}

// A Price is in US dollars per million tokens. A zero CachedIn or CacheWrite
// means the default.
type Price struct {
	In         float64 `json:"in" doc:"the price of input tokens, in US dollars per million" default:"what the provider reports"`
	Out        float64 `json:"out" doc:"the price of output tokens, in US dollars per million" default:"what the provider reports"`
	CachedIn   float64 `json:"cachedIn" doc:"the price of input tokens read from the provider's cache, in US dollars per million" default:"price.in"`
	CacheWrite float64 `json:"cacheWrite" doc:"the price of input tokens written to the provider's cache, in US dollars per million" default:"price.in; 1.25 times that for the type anthropic"`
}

// Limits bounds a turn, and DailyCost a day.
type Limits struct {
	ToolTimeout   float64 `json:"toolTimeout" doc:"seconds that a tool call may take" default:"30"`
	ToolTokens    int     `json:"toolTokens" doc:"the number of tokens that the result of a tool call may have, at least 1000" default:"8192 for found code; the other tools have bounds of their own"`
	AutoContext   *int    `json:"autoContext" doc:"the number of tokens of what is sent with a message that names something in the code: the code of the symbols that it names exactly, and places; 0 sends none" default:"400, and at most half of toolTokens"`
	TurnRequests  int     `json:"turnRequests" doc:"the number of requests to the model in one turn" default:"100"`
	Retries       *int    `json:"retries" doc:"how often a request is repeated after an error" default:"2"`
	Repairs       *int    `json:"repairs" doc:"how many responses in a row may have only invalid tool calls before the turn ends" default:"4"`
	ContextTokens int     `json:"contextTokens" doc:"the context window, in tokens, of a model whose size neither its provider nor its settings report" default:"that of the model's family if it is a known one, else 128000, or 32768 for a server on this machine or in a private network"`
	DailyCost     float64 `json:"dailyCost" from:"user" doc:"US dollars that may be spent in a day, for each workspace" default:"no limit"`
}

// Index says which files are indexed, and how.
type Index struct {
	Exclude      []string   `json:"exclude" doc:"patterns of files to leave out, as in .gitignore" default:"none"`
	MaxFileBytes int        `json:"maxFileBytes" doc:"the size in bytes above which a file is not indexed" default:"4194304"`
	Embeddings   Embeddings `json:"embeddings" from:"user"`
}

// Embeddings names a model that makes vectors of the workspace's code, so that
// searches also find by meaning. Without a provider there are no vectors.
type Embeddings struct {
	Provider      string `json:"provider" doc:"the name of the provider that makes vectors of your code; not one of the type anthropic" default:"none, so there are no vectors"`
	Model         string `json:"model" doc:"the model that makes the vectors; required with a provider"`
	Dimensions    int    `json:"dimensions" doc:"the number of dimensions of a vector, for a model that offers a choice; leave it out for Voyage, whose API does not take this parameter" default:"the model's own"`
	PassagePrefix string `json:"passagePrefix" doc:"text to put before each piece of code, for models that were trained with one" default:"nothing"`
	QueryPrefix   string `json:"queryPrefix" doc:"text to put before each query, for models that were trained with one" default:"nothing"`
	Budget        int    `json:"budget" doc:"the number of tokens that may be sent for a workspace's vectors without asking you" default:"1000000"`
}

// Edits says what happens to proposed edits.
type Edits struct {
	AutoAccept bool   `json:"autoAccept" from:"user" doc:"whether proposed edits are applied without asking" default:"false"`
	Preview    string `json:"preview" oneof:"diff code" doc:"what the command line shows of a proposed edit, and the server gives clients to show: \"diff\" (a unified diff) or \"code\" (the new code, with its files and lines)" default:"\"diff\""`
}

// A Check is a command that a model may run in the workspace once the user allows
// it.
type Check struct {
	Command []string `json:"command" doc:"a program with its arguments that a model may run once you allow it; it runs without a shell; required"`
	Files   []string `json:"files" doc:"patterns of the names of files, such as \"*.go\"; with on = \"proposal\", the command runs on each proposal that changes one of them" default:"any file"`
	Timeout float64  `json:"timeout" doc:"seconds that the command may take" default:"600"`
	Env     []string `json:"env" doc:"names of environment variables that the command gets in addition to the usual ones, such as PATH and HOME" default:"none"`
	On      string   `json:"on" oneof:"saved proposal" doc:"what the command runs on: \"saved\" (the folder with its saved files) or \"proposal\" (in a sandbox, on a copy of the folder that reads as the proposed and unsaved changes leave it; not on Windows)" default:"\"saved\""`
}

// Trial bounds the copies of the workspace on which commands run.
type Trial struct {
	Megabytes int `json:"megabytes" doc:"how many MiB on disk the commands on one proposal may take, with the caches that they write and, where the workspace has to be copied, the copy; a command that takes more is stopped" default:"8192"`
}

// Sandbox says what commands on a proposal may reach.
type Sandbox struct {
	Network string `json:"network" oneof:"none host-loopback on" doc:"what commands on what is proposed may reach: \"none\" (a network of their own, in which the project's own test servers work), \"host-loopback\" (also servers that listen on this machine's loopback, such as a local database) or \"on\" (all that this machine reaches)" default:"\"none\""`
}

// Proof says how proposals are checked before you see them.
type Proof struct {
	// Compile and Rounds are nil unless a layer sets them.
	Compile *bool `json:"compile" doc:"whether what a turn proposes is compiled or type-checked in a sandbox before the turn ends, once you allow it for the folder, with your own checks on proposals" default:"true"`
	Test    bool  `json:"test" doc:"whether the tests that the change touches run, too" default:"false"`
	Rounds  *int  `json:"rounds" doc:"how many times in a turn new problems go back to the model before you see the proposal" default:"2"`
}

// Servers are programs that are asked.
type Servers struct {
	Languages map[string]Language `json:"languages" from:"user"` // by the name of the language
	SCIP      []string            `json:"scip" from:"user" doc:"files in the format SCIP, such as \"index.scip\", that compilers' indexers have made; what they say of files that have not changed since is answered for callers, references and implementers; a relative path is one in the folder" default:"none"`
	MCP       MCP                 `json:"mcp" from:"user"`
}

// A Language names a language server.
type Language struct {
	Server    []string `json:"server" doc:"a language server with its arguments, such as [\"gopls\"], which is asked for callers, references, implementers and renames of this language; it runs without a shell, in the folder, from the first question on" default:"none, so they are found by name"`
	Megabytes int      `json:"megabytes" doc:"how many MiB of memory the server may take with what it has started; one that takes more is stopped (on Linux)" default:"4096"`
}

// MCP has the servers whose tools a model may call once the user allows it, by the names that
// their tools begin with.
type MCP struct {
	Servers map[string]MCPServer `json:"servers"`
}

// An MCPServer is a program or an address. Exactly one of Command and URL is set.
type MCPServer struct {
	Command     []string          `json:"command" doc:"a program with its arguments that speaks MCP over its standard streams; it runs without a shell; this or url is required"`
	Env         []string          `json:"env" doc:"names of environment variables that the program gets in addition to the usual ones, such as PATH and HOME" default:"none"`
	Variables   map[string]string `json:"variables" doc:"an environment variable that is set for the program"`
	InWorkspace bool              `json:"inWorkspace" doc:"whether the program runs in the first folder of the workspace instead of your home folder; programs such as npx then run what that folder tells them to" default:"false"`
	URL         string            `json:"url" doc:"the address of a server that speaks MCP over HTTP; this or command is required"`
	Headers     map[string]string `json:"headers" doc:"a header to send with each request to url"`
	TokenEnv    string            `json:"tokenEnv" doc:"the environment variable that holds a token, which is sent to url as a bearer token" default:"no token"`
	Timeout     float64           `json:"timeout" doc:"seconds that a call of a tool may take" default:"120"`
}

// History says what is kept of the past.
type History struct {
	// KeepDays and KeepMegabytes are nil unless a layer sets them.
	KeepDays      *int `json:"keepDays" doc:"days after their last use for which results of tool calls, the texts that undo edits, and the ledger's entries are kept; 0 keeps them however old they are. What you and the models have written always stays" default:"180"`
	KeepMegabytes *int `json:"keepMegabytes" doc:"how many MiB of results of tool calls, of texts that undo edits, and of the ledger's entries are kept of each, as they are stored; the oldest go first; 0 keeps them however many they are" default:"256"`
}

// Telemetry names an OpenTelemetry collector. The standard environment variables
// take precedence over it.
type Telemetry struct {
	Endpoint string            `json:"endpoint" doc:"the address of an OpenTelemetry collector (OTLP over HTTP)" default:"none"`
	Headers  map[string]string `json:"headers" doc:"a header to send with each request to the collector"`
}
