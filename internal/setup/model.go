package setup

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ploke-lsp/internal/lazyregexp"
)

// A Model is a model as the settings of ploke-lsp name it.
type Model struct {
	Provider string // its name in the settings; another is chosen if that one is taken
	Type     string // of the provider
	BaseURL  string // "" is the standard address of the type
	ID       string // the provider's name for the model

	// Where the key is, at most one of them: an environment variable, a command that prints it, an
	// entry of the keyring.
	APIKeyEnv     string
	APIKeyCommand []string
	APIKeyKeyring string
}

// modelLine matches the line that names the model. The group is the value.
var modelLine = lazyregexp.New(`(?m)^[ \t]*model[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*')`)

// firstTable matches the header of the first table, above which the model is named.
var firstTable = lazyregexp.New(`(?m)^[ \t]*\[`)

// PlanModel returns the change that makes the settings of ploke-lsp, a TOML file, name a model. Everything
// else in the file stays, byte for byte.
func (p Location) PlanModel(m Model) (Plan, error) {
	o, err := p.read()
	if err != nil {
		return Plan{}, fmt.Errorf("%w; %s", err, m.byHand(m.Provider))
	}
	text, err := nameModel(o.text, m)
	if err != nil {
		return Plan{}, fmt.Errorf("%s: %w", p.Path, err)
	}
	return Plan{original: o, text: text}, nil
}

// nameModel returns the text of settings in which the model is named.
func nameModel(text []byte, m Model) ([]byte, error) {
	settings := map[string]any{}
	if err := decodeTOML(text, &settings); err != nil {
		return nil, err
	}
	providers, _ := settings["providers"].(map[string]any)
	provider := m.ProviderSettings()
	name, there := freeName(providers, m.Provider, provider)
	model := name + "/" + m.ID
	nl := newline(text)
	result := setModel(text, "model = "+quoteTOML(model), nl)
	if !there {
		result = appendTable(result, name, m, nl)
		if providers == nil {
			providers = map[string]any{}
			settings["providers"] = providers
		}
		providers[name] = provider
	}
	settings["model"] = model
	var now map[string]any
	if err := toml.Unmarshal(result, &now); err != nil || !reflect.DeepEqual(now, settings) {
		return nil, fmt.Errorf("it is written in a way that can't be changed here; %s", m.byHand(name))
	}
	return result, nil
}

// ProviderSettings returns the settings of the provider, by their names.
func (m Model) ProviderSettings() map[string]any {
	table := map[string]any{"type": m.Type}
	for key, value := range map[string]string{"baseUrl": m.BaseURL, "apiKeyEnv": m.APIKeyEnv,
		"apiKeyKeyring": m.APIKeyKeyring} {
		if value != "" {
			table[key] = value
		}
	}
	if len(m.APIKeyCommand) > 0 {
		var words []any // as TOML is decoded
		for _, word := range m.APIKeyCommand {
			words = append(words, word)
		}
		table["apiKeyCommand"] = words
	}
	return table
}

// byHand says what a person can put into the settings.
func (m Model) byHand(provider string) string {
	return fmt.Sprintf("put this into it by hand:\nmodel = %s\n%s", quoteTOML(provider+"/"+m.ID), m.header(provider))
}

// header returns the provider's settings as lines.
func (m Model) header(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[providers.%s]\ntype = %s\n", name, quoteTOML(m.Type))
	if m.BaseURL != "" {
		fmt.Fprintf(&b, "baseUrl = %s\n", quoteTOML(m.BaseURL))
	}
	if m.APIKeyEnv != "" {
		fmt.Fprintf(&b, "apiKeyEnv = %s\n", quoteTOML(m.APIKeyEnv))
	}
	if len(m.APIKeyCommand) > 0 {
		var words []string
		for _, word := range m.APIKeyCommand {
			words = append(words, quoteTOML(word))
		}
		fmt.Fprintf(&b, "apiKeyCommand = [%s]\n", strings.Join(words, ", "))
	}
	if m.APIKeyKeyring != "" {
		fmt.Fprintf(&b, "apiKeyKeyring = %s\n", quoteTOML(m.APIKeyKeyring))
	}
	return b.String()
}

// freeName returns the name under which a provider can be in the settings, and whether it is there. A
// provider there may have more settings, such as those of its models.
func freeName(providers map[string]any, name string, provider map[string]any) (free string, there bool) {
	free = name
	for n := 2; ; n++ {
		other, taken := providers[free].(map[string]any)
		if !taken {
			return free, false
		}
		same := true
		for _, key := range []string{"type", "baseUrl", "apiKeyEnv", "apiKeyCommand", "apiKeyKeyring"} {
			same = same && reflect.DeepEqual(other[key], provider[key])
		}
		if same {
			return free, true
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// setModel puts a line in the place of the one that names the model, or at the beginning.
func setModel(text []byte, line, nl string) []byte {
	end := len(text)
	if at := firstTable.FindIndex(text); at != nil {
		end = at[0]
	}
	if at := modelLine.FindSubmatchIndex(text[:end]); at != nil {
		_, value, _ := strings.Cut(line, " = ")
		return bytes.Join([][]byte{text[:at[2]], []byte(value), text[at[3]:]}, nil)
	}
	line += nl
	if len(bytes.TrimSpace(text)) > 0 && text[0] == '[' {
		line += nl
	}
	return append([]byte(line), text...)
}

// appendTable puts the provider at the end of the settings.
func appendTable(text []byte, name string, m Model, nl string) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, nl...)
	}
	return append(text, strings.ReplaceAll("\n"+m.header(name), "\n", nl)...)
}

// quoteTOML returns a TOML string. The escapes of Go's strings for printable text and for characters of
// Unicode are TOML's, too.
func quoteTOML(s string) string { return strconv.Quote(s) }
