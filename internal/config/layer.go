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
)

// A Layer is what one source says.
type Layer struct {
	Source string // for messages, like "initializationOptions"
	File   string // the path that it was read from; "" if it was no file
	Err    error  // why the source could not be read; it then says nothing
	// Values are the settings as a decoder of JSON or TOML leaves them. What is
	// null or an empty string says nothing.
	Values map[string]any
	// Workspace tells that a workspace may have written it, so that it can't
	// set what is the user's alone.
	Workspace bool

	stamp stamp // of the file
}

// FromJSON returns the layer that a JSON object is; no bytes, and null, say
// nothing.
func FromJSON(source string, object []byte) Layer {
	layer := Layer{Source: source}
	if len(object) > 0 {
		layer.Err = json.Unmarshal(object, &layer.Values)
	}
	return layer
}

// A Problem is a mistake in the settings.
type Problem struct {
	Source string // "" if it is in what several say together
	Key    string // its path, like "limits.toolTimeout"; "" if all of the source is meant
	Text   string
}

func (p Problem) String() string {
	return strings.Join(slices.DeleteFunc([]string{p.Source, p.Key, p.Text}, func(s string) bool { return s == "" }), ": ")
}

// Merge returns what layers say, the weakest first, and the mistakes in them.
func Merge(layers ...Layer) (Settings, []Problem) {
	var s Settings
	var problems []Problem
	for _, l := range layers {
		if l.Err != nil {
			problems = append(problems, Problem{Source: l.Source, Text: fmt.Sprintf("nothing of it is taken: %v", l.Err)})
			continue
		}
		d := decoder{layer: l}
		d.decode(reflect.ValueOf(&s).Elem(), l.Values, "")
		problems = append(problems, d.problems...)
	}
	return s, append(problems, s.check()...)
}

// check finds what can't be seen in one value alone.
func (s *Settings) check() (problems []Problem) {
	report := func(key, format string, args ...any) {
		problems = append(problems, Problem{Key: key, Text: fmt.Sprintf(format, args...)})
	}
	for _, name := range slices.Sorted(maps.Keys(s.Providers)) {
		p := s.Providers[name]
		key := "providers." + name
		if p.Type == "" {
			report(key+".type", "it is missing: say what the provider speaks, one of %s", strings.Join(providerTypes(), ", "))
		}
		if p.BaseURL != "" && !isEndpoint(p.BaseURL) {
			report(key+".baseUrl", "%q is not the address of an endpoint, like https://example.com/v1", p.BaseURL)
		}
		if p.keyWays() > 1 {
			report(key, "there is more than one way to its key: set one of apiKeyEnv, apiKeyCommand and apiKeyKeyring")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Checks)) {
		if c := s.Checks[name].Command; len(c) == 0 || c[0] == "" {
			report("checks."+name+".command", "it is missing: list the program and its arguments")
			delete(s.Checks, name)
		}
	}
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

// checkEmbeddings says why no vectors can be made as the settings want them.
func (s *Settings) checkEmbeddings() error {
	e := s.Index.Embeddings
	p, known := s.Providers[e.Provider]
	switch {
	case e.Provider == "" && e == Embeddings{}:
		return nil
	case e.Provider == "":
		return errors.New("provider is missing: name one of the providers")
	case len(s.Providers) == 0:
		return fmt.Errorf("%q is not a provider that is configured, since none is: add providers.%s", e.Provider, e.Provider)
	case !known:
		return fmt.Errorf("%q is not a provider that is configured; %s", e.Provider, suggest(e.Provider, slices.Sorted(maps.Keys(s.Providers))))
	case p.Type == "anthropic":
		return fmt.Errorf("%q is of the type anthropic, which makes no vectors: name another provider", e.Provider)
	case e.Model == "":
		return errors.New("model is missing: say what the provider calls it")
	}
	return nil
}

func isEndpoint(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// checkModel says what is wrong with the name of a model.
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
		return fmt.Errorf("%q is of a provider that is not configured, since none is: add providers.%s", name, provider)
	}
	return fmt.Errorf("%q is of a provider that is not configured; %s", name, suggest(provider, names))
}

func providerTypes() []string {
	field, _ := reflect.TypeFor[Provider]().FieldByName("Type")
	return strings.Fields(field.Tag.Get("oneof"))
}

// Known reports whether at least one of the settings is of ours.
func (l Layer) Known() bool {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		if _, ok := l.Values[f.Tag.Get("json")]; ok {
			return true
		}
	}
	return false
}
