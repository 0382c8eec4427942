package project

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"

	"ploke-lsp/internal/config"
	"ploke-lsp/session/llm"
)

// setupCommand leads a person to a model that works.
const setupCommand = "ploke-lsp setup"

// QuoteArgument returns an argument as a person types it in a shell.
func QuoteArgument(argument string) string {
	plain := func(r rune) bool {
		return !strings.ContainsRune("-_./:=@+,~", r) && (r < '0' || '9' < r && r < 'A' || 'Z' < r && r < 'a' || 'z' < r)
	}
	switch {
	case argument != "" && !strings.ContainsFunc(argument, plain):
		return argument
	case runtime.GOOS == "windows":
		return `"` + argument + `"`
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// EditCommand returns the command that opens a file in a person's editor.
func EditCommand(path string) string {
	if runtime.GOOS == "windows" {
		return "notepad " + QuoteArgument(path)
	}
	return `"${EDITOR:-vi}" ` + QuoteArgument(path)
}

// IndexCommand returns the command that builds the index of a folder again, and says why it can't.
func IndexCommand(folder string) string {
	return "ploke-lsp index --force --workspace " + QuoteArgument(folder)
}

// ExportCommand returns the command that sets an environment variable to a value, which is in
// the words of the shell.
func ExportCommand(name, value string) string {
	if runtime.GOOS == "windows" {
		return "setx " + name + " " + value
	}
	return "export " + name + "=" + value
}

// editFile returns the command that opens the user's file of settings, "" if there is none.
func (m *Models) editFile() string {
	if m.file == "" {
		return ""
	}
	return EditCommand(m.file)
}

// mendKey returns the command that provides the key of a provider, or shows why there is none.
func mendKey(p config.Provider) string {
	switch {
	case p.APIKeyEnv != "":
		return ExportCommand(p.APIKeyEnv, "YOUR-KEY")
	case len(p.APIKeyCommand) > 0:
		var words []string
		for _, argument := range p.APIKeyCommand {
			words = append(words, QuoteArgument(argument))
		}
		return strings.Join(words, " ")
	}
	service, user, _ := strings.Cut(p.APIKeyKeyring, "/")
	format := "secret-tool store --label=ploke-lsp service %s username %s"
	switch runtime.GOOS {
	case "darwin":
		format = "security add-generic-password -s %s -a %s -w"
	case "windows":
		return fmt.Sprintf("cmdkey /generic:%s /user:%s /pass", QuoteArgument(service+":"+user), QuoteArgument(user))
	}
	return fmt.Sprintf(format, QuoteArgument(service), QuoteArgument(user))
}

// Mend returns the command that makes a model answer. err says why it does not. If it can't tell, it returns otherwise.
func (m *Models) Mend(name string, err error, otherwise string) string {
	provider, id, _ := strings.Cut(name, "/")
	p, known := m.settings().Providers[provider]
	failure := new(llm.Error)
	if !known || !errors.As(err, &failure) {
		return otherwise
	}
	switch {
	case failure.Class == llm.Auth && p.KeySource() != "":
		return mendKey(p)
	case failure.Class == llm.NotFound && p.Type == "ollama":
		return "ollama pull " + QuoteArgument(id)
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
