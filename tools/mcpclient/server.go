package mcpclient

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
)

// Server says how an MCP server is reached: over the standard streams of a program that is
// started, or over HTTP. Exactly one of Command and URL is set.
type Server struct {
	// the first part of its tools' names; other characters than ASCII letters, digits, "-" and "_" are replaced
	Name string

	Command string            // a program, looked up in PATH
	Args    []string          // its arguments; there is no shell
	Dir     string            // absolute; "": the user's home folder
	EnvKeep []string          // names of environment variables that it gets besides the usual ones, such as PATH
	Env     map[string]string // environment variables that are set for it

	URL     string            // of a server that speaks streamable HTTP
	Headers map[string]string // of each request to it

	Timeout time.Duration // of a call; 0: two minutes
}

const (
	callTimeout    = 2 * time.Minute // default time limit of a call
	maxServerName  = 32              // bytes
	reachedByBytes = 1000            // of a command or an address that are shown
)

// timeout returns the time limit of a call.
func (s Server) timeout() time.Duration { return cmp.Or(s.Timeout, callTimeout) }

// key identifies servers that are reached in the same way. It may contain keys and passwords.
func (s Server) key() string {
	key, err := json.Marshal(s)
	if err != nil {
		panic("mcpclient: a server has no JSON: " + err.Error())
	}
	return string(key)
}

// identity returns a hash of how the server is reached, without what it is given, and of more.
func (s Server) identity(more string) string {
	hash := sha256.New()
	for _, part := range append([]string{more, s.Name, s.URL, s.Dir, s.Command}, s.Args...) {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// reachedBy returns the command or the address as people read it, without the environment and
// without headers.
func (s Server) reachedBy() string {
	words := strings.Join(append([]string{s.Command}, s.Args...), " ")
	if address, err := url.Parse(s.URL); s.Command == "" && err == nil {
		address.User, address.RawQuery = nil, "" // they may contain a key
		words = address.String()
	}
	shown, _ := display.Bounded(display.Name(words), reachedByBytes)
	return shown
}

// secrets returns what the server is given that it could repeat: the values of its environment and
// its headers that are not short enough to be words.
func (s Server) secrets() (all []string) {
	add := func(value string) {
		for _, line := range strings.Fields(value) {
			if len(line) >= 8 {
				all = append(all, line)
			}
		}
	}
	for _, name := range s.EnvKeep {
		add(os.Getenv(name))
	}
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for _, value := range values {
			add(value)
		}
	}
	if address, err := url.Parse(s.URL); err == nil {
		for _, values := range address.Query() {
			add(strings.Join(values, " "))
		}
	}
	return all
}

var (
	notInNames = lazyregexp.New(`[^A-Za-z0-9_-]+`)
	// notInServers keeps "__", which ends the name of a server in the name of a tool, out of it.
	notInServers = lazyregexp.New(`[^A-Za-z0-9-]+`)
)

// withToolNames returns servers with names that tools can have, each of them once. No two servers have tools of
// the same name.
func withToolNames(servers []Server) []Server {
	servers = slices.Clone(servers)
	taken := map[string]bool{}
	for i := range servers {
		base := strings.Trim(notInServers.ReplaceAllString(servers[i].Name, "_"), "_")
		base = cmp.Or(strings.TrimRight(base[:min(len(base), maxServerName)], "_"), "server")
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		servers[i].Name, taken[name] = name, true
	}
	return servers
}
