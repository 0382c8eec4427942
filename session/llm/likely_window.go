package llm

import (
	"net"
	"net/netip"
	"strings"
)

// The windows of models of which nothing is known, in tokens. A server that a person
// runs on their own machine or network often has a small window, and may silently cut
// what does not fit.
const (
	publicWindow = 128_000
	localWindow  = 32_768
)

// modelFamily is a family of models, by the beginning of their names without the maker's.
type modelFamily struct {
	prefix string
	tokens int
	open   bool // anyone may run the model, with any window
}

// modelFamilies are models that people use by name on OpenAI-compatible endpoints. The
// first prefix that fits counts. Where the prompt has a limit of its own, it is that
// limit. Source: models.dev, files providers/*/models/*.toml, July 2026; of a family's
// chat models, the smallest window.
var modelFamilies = []modelFamily{
	{"gpt-3.5", 16_385, false},
	{"gpt-4.1", 1_047_576, false},
	{"gpt-4o", 128_000, false},
	{"gpt-4-turbo", 128_000, false},
	{"gpt-4", 8_192, false},
	{"gpt-5.4-mini", 272_000, false},
	{"gpt-5.4-nano", 272_000, false},
	{"gpt-5.4", 922_000, false},
	{"gpt-5.5", 922_000, false},
	{"gpt-5.3-codex-spark", 100_000, false},
	{"gpt-5-chat", 128_000, false},
	{"gpt-5.1-chat", 128_000, false},
	{"gpt-5.2-chat", 128_000, false},
	{"gpt-5.3-chat", 128_000, false},
	{"gpt-5", 272_000, false},
	{"o1-mini", 128_000, false},
	{"o1", 200_000, false},
	{"o3", 200_000, false},
	{"o4-mini", 200_000, false},
	{"claude-", 200_000, false},
	{"gemini-", 1_048_576, false},
	{"grok-4", 200_000, false},
	{"gpt-oss", 131_072, true},
	{"deepseek-v4", 1_000_000, true},
	{"kimi-k2-0711", 131_072, true},
	{"kimi-k2", 262_144, true},
	{"glm-5", 200_000, true},
	{"glm-4.6v", 128_000, true},
	{"glm-4.6", 200_000, true},
	{"glm-4.7", 200_000, true},
	{"minimax-m2", 196_608, true},
	{"qwen3-coder", 262_144, true},
	{"qwen3.5", 262_144, true},
	{"qwen3.6", 262_144, true},
	{"devstral", 128_000, true},
	{"codestral", 256_000, true},
}

// LikelyContextTokens returns the size of the context window that m probably has if
// neither its provider nor the settings give one: that of its family, else a usual one.
func LikelyContextTokens(m Model) int {
	remote, isRemote := m.Provider.(Remote)
	local := !isRemote || privateHost(remote.Host())
	name := strings.ToLower(m.ID[strings.LastIndexByte(m.ID, '/')+1:])
	for _, f := range modelFamilies {
		if strings.HasPrefix(name, f.prefix) && !(f.open && local) {
			return f.tokens
		}
	}
	if local {
		return localWindow
	}
	return publicWindow
}

// sharedAddresses are for use between the subscribers of one network, such as a VPN.
// Source: RFC 6598.
var sharedAddresses = netip.MustParsePrefix("100.64.0.0/10")

// privateHost reports whether a host, with or without a port, is this machine or in a
// private network. It looks up no name.
func privateHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		a = a.Unmap()
		return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || sharedAddresses.Contains(a)
	}
	for _, suffix := range []string{".localhost", ".local", ".internal", ".lan", ".home.arpa"} {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return !strings.Contains(host, ".") // a name without a domain
}
