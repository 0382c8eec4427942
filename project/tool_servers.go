package project

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/shell"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
	"ploke-lsp/tools/mcpclient"
)

// ToolServers are the MCP servers whose tools models may call.
type ToolServers struct {
	servers  *mcpclient.Servers
	settings *Settings
	getenv   func(string) string
	ws       *workspace.Workspace
}

// Use gives a conversation the tools of MCP servers that a client has passed for it,
// next to those of the user's settings, from its next turn on. They replace those that were passed
// before. No servers end their use. The conversation need not exist yet.
func (t *ToolServers) Use(conversationID string, servers []mcpclient.Server) {
	t.servers.Use(conversationID, servers)
}

// newToolServers returns MCP servers that are not configured yet.
func newToolServers(o Options, bytes func(most int) int) *mcpclient.Servers {
	return mcpclient.New(mcpclient.Options{Version: o.Version, HTTPClient: llm.Outbound(o.HTTPClient), Bytes: bytes})
}

// tools returns the tools of a conversation's MCP servers for a turn, see [session.Options].
func (t *ToolServers) tools(ctx context.Context, conversationID string,
	tokens int) (more []*tools.Tool, notices []string) {
	t.configure(t.settings.Now())
	return t.servers.Tools(ctx, conversationID, tokens)
}

func (t *ToolServers) configure(settings config.Settings) {
	t.servers.Configure(userServers(settings, t.getenv, firstRoot(t.ws)))
}

// userServers returns the MCP servers of the settings by name. workspace is the folder of those that
// run in it; "" if there is none.
func userServers(settings config.Settings, getenv func(string) string, workspace string) (servers []mcpclient.Server) {
	for _, name := range slices.Sorted(maps.Keys(settings.MCP.Servers)) {
		s := settings.MCP.Servers[name]
		server := mcpclient.Server{Name: name, EnvKeep: s.Env, Env: s.Variables, URL: s.URL, Headers: maps.Clone(s.Headers),
			Timeout: seconds(s.Timeout)}
		if len(s.Command) > 0 {
			server.Command, server.Args = s.Command[0], s.Command[1:]
		}
		if s.InWorkspace {
			server.Dir = workspace
		}
		if token, err := config.CleanKey(getenv(s.TokenEnv)); s.TokenEnv != "" && token != "" && err == nil {
			if server.Headers == nil {
				server.Headers = map[string]string{}
			}
			server.Headers["Authorization"] = "Bearer " + token
		}
		servers = append(servers, server)
	}
	return servers
}

// ToolServerFindings connects to the MCP servers of the settings, for a program without a project.
// workspace is the folder of those that run in it.
func ToolServerFindings(ctx context.Context, o Options, workspace string) []Finding {
	o.complete()
	servers := newToolServers(o, nil)
	defer servers.Close()
	servers.Configure(userServers(o.Settings.Now(), o.Getenv, workspace))
	return toolServerFindings(ctx, servers, o.Settings, o.Getenv)
}

// toolServerFindings says how the MCP servers of the settings are.
func toolServerFindings(ctx context.Context, servers *mcpclient.Servers, settings *Settings,
	getenv func(string) string) (found []Finding) {
	edit := ""
	if file := settings.File(); file != "" {
		edit = shell.Edit(file)
	}
	configured := settings.Now().MCP.Servers
	reports := servers.Check(ctx)
	for _, r := range reports {
		f := Finding{Level: Fine, What: "mcp",
			Text: fmt.Sprintf("%s has %d tools, whose descriptions have %d tokens", r.Name, r.Tools, r.Tokens)}
		token := configured[r.Name].TokenEnv
		value, err := config.CleanKey(getenv(token))
		switch {
		case token != "" && err != nil:
			f.Level, f.Command = Suspect, edit
			f.Text = fmt.Sprintf("%s gets no token: the environment variable %s of tokenEnv does not hold one: %v", r.Name,
				token, err)
		case token != "" && value == "":
			f.Level, f.Command = Suspect, edit
			f.Text = fmt.Sprintf("%s gets no token: the environment variable %s of tokenEnv is not set in the environment of "+
				"ploke-lsp", r.Name, token)
		case r.Err != nil:
			f.Level, f.Text, f.Command = Suspect, fmt.Sprintf("%s can't be used: %v", r.Name, r.Err), edit
		case r.Misfits != "":
			f.Level, f.Text = Suspect, r.Misfits
		}
		found = append(found, f)
	}
	if mcpclient.TooMany(reports) {
		found = append(found,
			Finding{Level: Fine, What: "mcp",
				Text: "the descriptions of all tools are too long to go with each request, so models look them up with find_tools"})
	}
	return found
}
