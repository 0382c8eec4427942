package config_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/config"
)

func file(t *testing.T, text string) config.Layer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	layer := config.ReadFile(path)
	layer.Source = "config.toml"
	return layer
}

func text(problems []config.Problem) string {
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

const everything = `
model = "work/big"
fallback = "embedded"

[providers.work]
type = "openai"
baseUrl = "https://models.example.com/v1"
apiKeyCommand = ["pass", "show", "work"]
[providers.work.models.big]
contextTokens = 200000
price = { in = 3, out = 15.5, cachedIn = 0.3 }

[limits]
toolTimeout = 2.5
turnRequests = 10
retries = 0
repairs = 1
contextTokens = 9000
dailyCost = 5

[index]
exclude = ["*.gen.go", "/vendor"]
maxFileBytes = 1000
[index.embeddings]
provider = "work"
model = "vectors"
dimensions = 256
passagePrefix = "passage: "
queryPrefix = "query: "
budget = 5000

[edits]
autoAccept = true

[checks.test]
command = ["go", "test", "./..."]
timeout = 60

[mcp.servers.git]
command = ["git-mcp", "--stdio"]
env = ["GIT_TOKEN"]
variables = { MODE = "fast" }
inWorkspace = true
timeout = 9
[mcp.servers.web]
url = "https://mcp.example.com/"
headers = { "X-Team" = "us" }
tokenEnv = "WEB_TOKEN"

[telemetry]
endpoint = "http://127.0.0.1:4318"
headers = { "X-Team" = "us" }
`

// TestFileAndJSONAgree reads the same settings from TOML and from JSON.
func TestFileAndJSONAgree(t *testing.T) {
	fromFile, problems := config.Merge(file(t, everything))
	if len(problems) > 0 {
		t.Fatalf("problems: %s", text(problems))
	}
	zero, one := 0, 1
	want := config.Settings{
		Model: "work/big", Fallback: "embedded",
		Providers: map[string]config.Provider{"work": {
			Type: "openai", BaseURL: "https://models.example.com/v1", APIKeyCommand: []string{"pass", "show", "work"},
			Models: map[string]config.Model{"big": {ContextTokens: 200000, Price: &config.Price{In: 3, Out: 15.5, CachedIn: 0.3}}},
		}},
		Limits: config.Limits{ToolTimeout: 2.5, TurnRequests: 10, Retries: &zero, Repairs: &one, ContextTokens: 9000, DailyCost: 5},
		Index: config.Index{Exclude: []string{"*.gen.go", "/vendor"}, MaxFileBytes: 1000,
			Embeddings: config.Embeddings{Provider: "work", Model: "vectors", Dimensions: 256, PassagePrefix: "passage: ", QueryPrefix: "query: ",
				Budget: 5000}},
		Edits:  config.Edits{AutoAccept: true},
		Checks: map[string]config.Check{"test": {Command: []string{"go", "test", "./..."}, Timeout: 60}},
		Servers: config.Servers{MCP: config.MCP{Servers: map[string]config.MCPServer{
			"git": {Command: []string{"git-mcp", "--stdio"}, Env: []string{"GIT_TOKEN"}, Variables: map[string]string{"MODE": "fast"}, InWorkspace: true, Timeout: 9},
			"web": {URL: "https://mcp.example.com/", Headers: map[string]string{"X-Team": "us"}, TokenEnv: "WEB_TOKEN"},
		}}},
		Telemetry: config.Telemetry{Endpoint: "http://127.0.0.1:4318", Headers: map[string]string{"X-Team": "us"}},
	}
	if diff := cmp.Diff(want, fromFile); diff != "" {
		t.Errorf("TOML (-want +got):\n%s", diff)
	}
	object, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	fromJSON, problems := config.Merge(config.FromJSON("json", object))
	if diff := cmp.Diff(want, fromJSON); diff != "" || len(problems) > 0 {
		t.Errorf("JSON (-want +got):\n%s\n%s", diff, text(problems))
	}
}

func TestLaterLayersOverrideKeyByKey(t *testing.T) {
	s, problems := config.Merge(
		file(t, everything),
		config.FromEnvironment(environment{"PLOKE_BASE_URL": "http://127.0.0.1:1/v1", "PLOKE_MODEL": "small", "PLOKE_API_KEY": "secret"}.get),
		config.FromJSON("options",
			[]byte(`{"providers":{"work":{"apiKeyCommand":["other"],"models":{"big":{"contextTokens":1}}}},"limits":{"retries":null,"repairs":5},`+
				`"model":""}`)),
	)
	if len(problems) > 0 {
		t.Fatalf("problems: %s", text(problems))
	}
	if s.Model != "env/small" || s.Providers["env"].APIKeyEnv != "PLOKE_API_KEY" {
		t.Errorf("the environment's model: %q, %+v", s.Model, s.Providers["env"])
	}
	work := s.Providers["work"]
	if work.APIKeyCommand[0] != "other" || work.BaseURL == "" || work.Models["big"].ContextTokens != 1 || work.Models["big"].Price == nil {
		t.Errorf("the merged provider is %+v", work)
	}
	if *s.Limits.Retries != 0 || *s.Limits.Repairs != 5 || s.Limits.TurnRequests != 10 {
		t.Errorf("the merged limits are %+v", s.Limits)
	}
}

type environment map[string]string

func (e environment) get(name string) string { return e[name] }

func TestMistakesAffectOnlyTheirKey(t *testing.T) {
	const right = `model = "embedded"` + "\n"
	for _, tt := range []struct{ name, toml, want string }{
		{"a misspelled key", "[limits]\ntoolTimout = 3", "config.toml: limits.toolTimout: there is no such setting; the nearest is limits.toolTimeout"},
		{"a key in the wrong case", "[index]\nmaxfilebytes = 3", "config.toml: index.maxfilebytes: there is no such setting; the nearest is index.maxFileBytes"},
		{"a key below a name that the user chose", "[providers.work]\ntype = 'openai'\nbaseURI = ''", "config.toml: providers.work.baseURI: there is no such setting; the nearest is providers.work.baseUrl"},
		{"a key that resembles none", "paint = true", "config.toml: paint: there is no such setting; there are model, fallback, providers, limits, index, edits, checks, trial, sandbox, proof, languages, scip, mcp, projectRules, symbols, history, telemetry"},
		{"a string for a number", "limits.turnRequests = 'many'", "config.toml: limits.turnRequests: it must be a whole number of at least zero, not many"},
		{"a word for a switch", "providers.x = {type='openai', responses='yes'}", "config.toml: providers.x.responses: it must be true or false, not yes"},
		{"a fraction", "limits.retries = 1.5", "config.toml: limits.retries: it must be a whole number of at least zero, not 1.5"},
		{"below zero", "limits.toolTimeout = -1", "config.toml: limits.toolTimeout: it must be a number of at least zero, not -1"},
		{"a value for a table", "limits = 3", "config.toml: limits: it must be a table of settings, not 3"},
		{"a list of other things", "index.exclude = ['a', 3]", "config.toml: index.exclude: it must be a list of strings, not [a 3]"},
		{"an unknown type", "providers.x.type = 'opnai'", "config.toml: providers.x.type: \"opnai\" is not known; the nearest is openai\nproviders.x.type: it is missing: set the provider's protocol, one of openai, anthropic, ollama, openrouter"},
		{"an endpoint without a scheme", "providers.x = {type='openai', baseUrl='example.com'}", `providers.x.baseUrl: "example.com" is not the address of an endpoint, like https://example.com/v1: it has no http:// or https:// at its beginning`},
		{"two sources of a key", "providers.x = {type='openai', apiKeyEnv='X', apiKeyKeyring='a/b'}", "providers.x: its key has more than one source: set only one of apiKeyEnv, apiKeyCommand and apiKeyKeyring"},
		{"a model of an unknown provider", "fallback = 'wrk/big'\nproviders.work.type='openai'", `fallback: the provider of "wrk/big" is not configured; the nearest is work`},
		{"a model's name alone", "fallback = 'big'", `fallback: "big" is neither "embedded" nor PROVIDER/MODEL`},
		{"a check without a command", "checks.test.timeout = 3", "checks.test.command: it is missing: list the program and its arguments"},
		{"a command line", "checks.test.command = 'go test'", "config.toml: checks.test.command: it must be a list of strings, not go test\nchecks.test.command: it is missing: list the program and its arguments"},
		{"an MCP server of two kinds", "mcp.servers.a = {command=['a'], url='http://x'}", "mcp.servers.a: set either command, with the program and its arguments, or url"},
		{"an MCP server of no kind", "mcp.servers.a.timeout = 3", "mcp.servers.a: set either command, with the program and its arguments, or url"},
		{"an MCP server without a scheme", "mcp.servers.a.url = 'localhost:3000'", `mcp.servers.a.url: "localhost:3000" is not the address of a server, like https://example.com/mcp`},
		{"a name that tools can't begin with", "mcp.servers.'a b'.command = ['a']", `mcp.servers.a b: the name must have 1 to 32 letters, digits, "-" and "_"`},
		{"a collector without a scheme", "telemetry.endpoint = 'localhost:4318'", `telemetry.endpoint: "localhost:4318" is not the address of a collector, like http://127.0.0.1:4318`},
		{"vectors of an unknown provider", "index.embeddings = {provider='wrk', model='m'}\nproviders.work.type='openai'", `index.embeddings: the provider "wrk" is not configured; the nearest is work`},
		{"vectors with no providers configured", "index.embeddings = {provider='work', model='m'}", `index.embeddings: the provider "work" is not configured: add providers.work`},
		{"vectors without a provider's name", "index.embeddings.model = 'm'", "index.embeddings: provider is missing: name one of the providers"},
		{"vectors without a model", "index.embeddings.provider = 'work'\nproviders.work.type='openai'", "index.embeddings: model is missing: set the provider's name for it"},
		{"vectors of a provider that makes none", "index.embeddings = {provider='work', model='m'}\nproviders.work.type='anthropic'", `index.embeddings: "work" has the type anthropic, which makes no vectors: name another provider`},
		{"no providers at all", "fallback = 'work/big'", `fallback: the provider of "work/big" is not configured: add providers.work`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, problems := config.Merge(file(t, right+tt.toml))
			if got := text(problems); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
			if s.Model != "embedded" {
				t.Error("the valid setting beside it is ignored")
			}
			if len(s.Checks) > 0 || len(s.MCP.Servers) > 0 || s.Telemetry.Endpoint != "" || s.Index.Embeddings != (config.Embeddings{}) {
				t.Errorf("a mistake took effect: %+v", s)
			}
		})
	}
}

func TestInvalidTOML(t *testing.T) {
	s, problems := config.Merge(file(t, "model = \"embedded\"\nlimits = [\n"), config.FromJSON("options", []byte(`{"model":"embedded"}`)))
	if len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "config.toml: it is ignored: line ") {
		t.Errorf("problems: %s", text(problems))
	}
	if s.Model != "embedded" {
		t.Error("the other layer is ignored")
	}
	if layer := config.ReadFile(filepath.Join(t.TempDir(), "none")); !errors.Is(layer.Err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", layer.Err)
	}
}

func TestWorkspaceCannotSetUserOnlySettings(t *testing.T) {
	user := config.FromJSON("options", []byte(`{"providers":{"mine":{"type":"openai","baseUrl":"https://mine.example/v1","apiKeyEnv":"MINE"}},"limits":{"dailyCost":1}}`))
	workspace := func(object string) (config.Settings, string) {
		layer := config.FromJSON("workspace", []byte(object))
		layer.Workspace = true
		s, problems := config.Merge(user, layer)
		return s, text(problems)
	}
	s, problems := workspace(`{"model":"embedded","limits":{"dailyCost":1000,"turnRequests":3},
		"providers":{"mine":{"baseUrl":"https://evil.example/v1"},"evil":{"type":"openai","apiKeyCommand":["sh","-c","evil"]}},
		"checks":{"test":{"command":["evil"]}},"mcp":{"servers":{"evil":{"command":["evil"]}}},"edits":{"autoAccept":true},"telemetry":{"endpoint":"https://evil.example"},
		"trial":{"megabytes":1000000},"sandbox":{"network":"on"},
		"index":{"exclude":["x"],"embeddings":{"provider":"mine","model":"m"}}}`)
	refused := []string{"providers", "limits.dailyCost", "checks", "trial", "sandbox", "mcp", "edits.autoAccept", "telemetry", "index.embeddings"}
	for _, key := range refused {
		if !strings.Contains(problems, "workspace: "+key+": it is ignored here") {
			t.Errorf("%s is not refused: %s", key, problems)
		}
	}
	if strings.Count(problems, "it is ignored here") != len(refused) {
		t.Errorf("problems: %s", problems)
	}
	if len(s.Checks) > 0 || s.Edits.AutoAccept || s.Telemetry.Endpoint != "" {
		t.Errorf("a workspace set %+v", s)
	}
	if len(s.Providers) != 1 || s.Providers["mine"].BaseURL != "https://mine.example/v1" || s.Limits.DailyCost != 1 {
		t.Errorf("a workspace set %+v", s)
	}
	if s.Index.Embeddings.Provider != "" || len(s.Index.Exclude) != 1 {
		t.Errorf("in index, a workspace set %+v", s.Index)
	}
	if s.Model != "embedded" || s.Limits.TurnRequests != 3 {
		t.Error("the settings that it may set are ignored")
	}
	// Editors send the user's settings along with the workspace's. That is no mistake.
	for _, same := range []string{`{"providers":{}}`, `{"providers":null,"limits":{"dailyCost":1}}`, string(mustJSON(t, user.Values))} {
		if _, problems := workspace(same); problems != "" {
			t.Errorf("%s: %s", same, problems)
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPath(t *testing.T) {
	elsewhere := t.TempDir()
	with := func(folder string) environment {
		env := maps.Clone(person)
		env["XDG_CONFIG_HOME"] = folder
		return env
	}
	for _, tt := range []struct {
		env  environment
		want string // the folder that has the folder ploke-lsp
	}{{with(elsewhere), elsewhere}, {with("relative"), personFolder}, {person, personFolder}} {
		if got, err := config.Path(tt.env.get); err != nil || got != filepath.Join(tt.want, "ploke-lsp", "config.toml") {
			t.Errorf("%v: %q, %v; want it in %q", tt.env, got, err, tt.want)
		}
	}
	if _, err := config.Path(environment{}.get); err == nil {
		t.Error("Path succeeds without a home folder")
	}
}
