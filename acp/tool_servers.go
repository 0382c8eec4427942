package acp

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/tools/mcpclient"
)

// toolServers returns the MCP servers that a client passes to a session. Those on standard input and
// output run in the session's folder.
func toolServers(p *protocol.SessionParams) (servers []mcpclient.Server, err error) {
	names := map[string]bool{}
	for _, s := range p.MCPServers {
		name := serverName(s.Name)
		if names[name] {
			return nil, invalidParams("two MCP servers have the name %q", name)
		}
		names[name] = true
		server := mcpclient.Server{Name: name}
		switch s.Type {
		case "", "stdio":
			if s.Command == "" {
				return nil, invalidParams("the MCP server %q has no command", s.Name)
			}
			server.Command, server.Args, server.Dir, server.Env = s.Command, s.Args, filepath.Clean(p.CWD), byName(s.Env)
		case "http":
			server.URL, server.Headers = s.URL, byName(s.Headers)
		default:
			return nil, invalidParams("the MCP server %q has the type %q: ploke-lsp uses those on standard input and output "+
				"and those over HTTP", s.Name, s.Type)
		}
		servers = append(servers, server)
	}
	return servers, nil
}

func byName(values []protocol.NameValue) map[string]string {
	m := map[string]string{}
	for _, v := range values {
		m[v.Name] = v.Value
	}
	return m
}

// serverName returns the name of a server as a part of its tools' names. Clients let a person choose any.
func serverName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-') {
			return r
		}
		return '-'
	}, name)
}
