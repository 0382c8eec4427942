package project

import (
	"errors"
	"net/url"
	"strings"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/shell"
	"ploke-lsp/session/llm"
)

// setupCommand leads a person to a model that works.
const setupCommand = "ploke-lsp setup"

// IndexCommand returns the command that builds the index of a folder again. If that fails, the
// command says why.
func IndexCommand(folder string) string {
	return "ploke-lsp index --force --workspace " + shell.Quote(folder)
}

// editFile returns the command that opens the user's file of settings, "" if there is none.
func (m *Models) editFile() string {
	if m.file == "" {
		return ""
	}
	return shell.Edit(m.file)
}

// fixKey returns the command that provides the key of a provider, or shows why there is none.
func fixKey(p config.Provider) string {
	switch {
	case p.APIKeyEnv != "":
		return shell.Set(p.APIKeyEnv, "YOUR-KEY")
	case len(p.APIKeyCommand) > 0:
		var words []string
		for _, argument := range p.APIKeyCommand {
			words = append(words, shell.Quote(argument))
		}
		return strings.Join(words, " ")
	}
	service, user, _ := strings.Cut(p.APIKeyKeyring, "/")
	return shell.StoreKey(service, user)
}

// FixCommand returns the command that makes a model answer. err says why it does not. If it can't tell, it returns
// otherwise.
func (m *Models) FixCommand(name string, err error, otherwise string) string {
	provider, id, _ := llm.SplitModel(name)
	p, known := m.settings().Providers[provider]
	failure := new(llm.Error)
	if !known || !errors.As(err, &failure) {
		return otherwise
	}
	switch {
	case failure.Class == llm.Auth && p.KeySource() != "":
		return fixKey(p)
	case failure.Class == llm.NotFound && p.Type == "ollama":
		return "ollama pull " + shell.Quote(id)
	case failure.Class == llm.Network && p.Type == "ollama" && isLoopback(p.BaseURL):
		return "ollama serve"
	}
	return otherwise
}

// isLoopback reports whether an address is on this machine; "" is Ollama's standard address.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (address == "" || LoopbackHost(u.Hostname()))
}
