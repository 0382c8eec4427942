package project

import (
	"context"
	"net"
	"net/http"
	"strings"
	"time"

	"ploke-lsp/internal/config"
)

// localTimeout bounds the search for models on this machine: a server that runs lists its models at once.
const localTimeout = time.Second

// A LocalServer is a program on this machine that serves models.
type LocalServer struct {
	Name     string // of the provider in the settings
	Title    string // as people name it
	Provider config.Provider
}

// LocalServers returns the programs that serve models on this machine, at their usual addresses
// or those that their own environment variables give them. It asks none of them.
func LocalServers(getenv func(string) string) []LocalServer {
	return []LocalServer{
		{"ollama", "Ollama", config.Provider{Type: "ollama", BaseURL: "http://" + ollamaAddress(getenv("OLLAMA_HOST"))}},
		{"lmstudio", "LM Studio", config.Provider{Type: "openai", BaseURL: "http://127.0.0.1:1234/v1"}},
		{"llamacpp", "llama.cpp", config.Provider{Type: "openai", BaseURL: "http://127.0.0.1:" + port(getenv("LLAMA_ARG_PORT"), "8080") + "/v1"}},
	}
}

// ollamaAddress returns where Ollama listens on this machine. host is its environment variable, which may
// name another machine: that one is not asked.
func ollamaAddress(host string) string {
	const standard = "11434"
	name, number, err := net.SplitHostPort(strings.TrimPrefix(strings.TrimRight(host, "/"), "http://"))
	if err != nil || !LoopbackHost(name) && name != "0.0.0.0" {
		return "127.0.0.1:" + standard
	}
	return "127.0.0.1:" + port(number, standard)
}

// port returns the number of a port, or the standard one if that is none.
func port(number, standard string) string {
	if _, err := net.LookupPort("tcp", number); err != nil || number == "" || number == "0" {
		return standard
	}
	return number
}

// LoopbackHost reports whether a host is certainly this machine.
func LoopbackHost(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// FindLocal asks servers on this machine side by side for their models, for a second at most. It
// leaves out servers that don't answer, and models that only make vectors. No proxy gets to know of it.
func FindLocal(ctx context.Context, servers []LocalServer) (found []ListedModel) {
	ctx, cancel := context.WithTimeout(ctx, localTimeout)
	defer cancel()
	direct := http.DefaultTransport.(*http.Transport).Clone()
	direct.Proxy = nil
	defer direct.CloseIdleConnections()
	settings := &Settings{merged: config.Settings{Providers: map[string]config.Provider{}}}
	for _, s := range servers {
		settings.merged.Providers[s.Name] = s.Provider
	}
	models := NewModels(Options{Settings: settings, HTTPClient: &http.Client{Transport: direct}})
	for _, m := range models.List(ctx).Models {
		if _, id, ok := strings.Cut(m.ID, "/"); ok && !strings.Contains(strings.ToLower(id), "embed") {
			found = append(found, m)
		}
	}
	return found
}
