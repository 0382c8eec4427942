package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// A Layer holds the settings of one source.
type Layer struct {
	Source string // for messages, like "initializationOptions"
	File   string // the path that it was read from; "" if the source is not a file
	Err    error  // why the source could not be read; the layer is then ignored
	// Values are the settings as decoded from JSON or TOML. A null or an empty string does
	// not override an earlier layer.
	Values map[string]any
	// Workspace says that a workspace may have written the layer, so that it can't set
	// what only the user may set.
	Workspace bool

	stamp stamp // of the file
}

// FromJSON returns the layer of a JSON object. No bytes, or null, are an empty layer.
func FromJSON(source string, object []byte) Layer {
	layer := Layer{Source: source}
	if len(object) > 0 {
		layer.Err = json.Unmarshal(object, &layer.Values)
	}
	return layer
}

// A Problem is a mistake in the settings.
type Problem struct {
	Source string // "" if it concerns several sources together
	Key    string // the setting's path, like "limits.toolTimeout"; "" for the whole source
	Text   string
}

func (p Problem) String() string {
	return strings.Join(slices.DeleteFunc([]string{p.Source, p.Key, p.Text}, func(s string) bool { return s == "" }), ": ")
}

// Merge returns the settings of all layers, in ascending order of precedence, and the
// mistakes in them.
func Merge(layers ...Layer) (Settings, []Problem) {
	var s Settings
	var problems []Problem
	for _, l := range layers {
		if l.Err != nil {
			problems = append(problems, Problem{Source: l.Source, Text: fmt.Sprintf("it is ignored: %v", l.Err)})
			continue
		}
		d := decoder{layer: l}
		d.decode(reflect.ValueOf(&s).Elem(), l.Values, "")
		problems = append(problems, d.problems...)
	}
	return s, append(problems, s.check()...)
}

// check finds mistakes that involve several values, or a value in its final form. It
// removes checks, MCP servers, telemetry and embeddings that can't be used.
func (s *Settings) check() (problems []Problem) {
	report := func(key, format string, args ...any) {
		problems = append(problems, Problem{Key: key, Text: fmt.Sprintf(format, args...)})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Providers)) {
		p := s.Providers[name]
		key := "providers." + name
		if p.Type == "" {
			report(key+".type", "it is missing: set the provider's protocol, one of %s", strings.Join(providerTypes(), ", "))
		}
		if err := p.clean(); err != nil {
			report(key+".baseUrl", "%v", err)
		}
		s.Providers[name] = p
		if p.keySources() > 1 {
			report(key, "its key has more than one source: set only one of apiKeyEnv, apiKeyCommand and apiKeyKeyring")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Checks)) {
		if c := s.Checks[name].Command; len(c) == 0 || c[0] == "" {
			report("checks."+name+".command", "it is missing: list the program and its arguments")
			delete(s.Checks, name)
		}
	}
	s.checkMCP(report)
	if e := s.Telemetry.Endpoint; e != "" && !isEndpoint(e) {
		report("telemetry.endpoint", "%q is not the address of a collector, like http://127.0.0.1:4318", e)
		s.Telemetry = Telemetry{}
	}
	if err := s.checkEmbeddings(); err != nil {
		report("index.embeddings", "%v", err)
		s.Index.Embeddings = Embeddings{}
	}
	for _, m := range []struct{ key, name string }{{"model", s.Model}, {"fallback", s.Fallback}} {
		if err := s.checkModel(m.name); err != nil {
			report(m.key, "%v", err)
		}
	}
	return problems
}

// clean cleans the address of the provider, if it has one. It stays as it is if it is wrong.
func (p *Provider) clean() error {
	if p.BaseURL == "" {
		return nil
	}
	address, err := CleanURL(p.BaseURL)
	if err == nil {
		p.BaseURL = address
	}
	return err
}

// serverName matches the names that MCP servers may have: their tools' names begin with them.
var serverName = lazyregexp.New(`^[A-Za-z0-9_-]{1,32}$`)

// checkMCP reports MCP servers that can't be used, and removes them.
func (s *Settings) checkMCP(report func(key, format string, args ...any)) {
	for _, name := range slices.Sorted(maps.Keys(s.MCP.Servers)) {
		server, key := s.MCP.Servers[name], "mcp.servers."+name
		program := len(server.Command) > 0 && server.Command[0] != ""
		switch {
		case !serverName.MatchString(name):
			report(key, "the name must have 1 to 32 letters, digits, \"-\" and \"_\"")
		case program == (server.URL != ""):
			report(key, "set either command, with the program and its arguments, or url")
		case server.URL != "" && !isEndpoint(server.URL):
			report(key+".url", "%q is not the address of a server, like https://example.com/mcp", server.URL)
		default:
			continue
		}
		delete(s.MCP.Servers, name)
	}
}

// checkEmbeddings returns an error if the settings of embeddings can't be used.
func (s *Settings) checkEmbeddings() error {
	e := s.Index.Embeddings
	p, known := s.Providers[e.Provider]
	switch {
	case e.Provider == "" && e == Embeddings{}:
		return nil
	case e.Provider == "":
		return errors.New("provider is missing: name one of the providers")
	case len(s.Providers) == 0:
		return fmt.Errorf("the provider %q is not configured: add providers.%s", e.Provider, e.Provider)
	case !known:
		return fmt.Errorf("the provider %q is not configured; %s", e.Provider,
			suggest(e.Provider, slices.Sorted(maps.Keys(s.Providers))))
	case p.Type == "anthropic":
		return fmt.Errorf("%q has the type anthropic, which makes no vectors: name another provider", e.Provider)
	case e.Model == "":
		return errors.New("model is missing: set the provider's name for it")
	}
	return nil
}

func isEndpoint(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// checkModel returns an error if the name of a model is wrong.
func (s *Settings) checkModel(name string) error {
	if name == "" || name == "embedded" {
		return nil
	}
	provider, id, ok := strings.Cut(name, "/")
	if _, known := s.Providers[provider]; known && id != "" {
		return nil
	}
	names := slices.Sorted(maps.Keys(s.Providers))
	switch {
	case !ok || id == "":
		return fmt.Errorf("%q is neither \"embedded\" nor PROVIDER/MODEL", name)
	case len(names) == 0:
		return fmt.Errorf("the provider of %q is not configured: add providers.%s", name, provider)
	}
	return fmt.Errorf("the provider of %q is not configured; %s", name, suggest(provider, names))
}

func providerTypes() []string {
	field, _ := reflect.TypeFor[Provider]().FieldByName("Type")
	return strings.Fields(field.Tag.Get("oneof"))
}

// Known reports whether the layer has at least one of the settings.
func (l Layer) Known() bool {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		if _, ok := l.Values[f.Tag.Get("json")]; ok {
			return true
		}
	}
	return false
}
