package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/project"
)

// call answers a call of a tool. What the client's model can fix, and why there is no project, are
// results of the tool, so that the model reads them.
func (c *session) call(ctx context.Context, t tool, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	p, client, err := c.open(ctx)
	if err != nil {
		return failed(ctx, err)
	}
	if t.own == "" {
		return c.status(ctx, p)
	}
	client, arguments, err := c.clientFor(client, r.Params.Arguments)
	if err != nil {
		return failed(ctx, err)
	}
	if editingTools[t.own] {
		return c.edit(ctx, p, client, r, t.own, arguments)
	}
	answer, err := callOwn(ctx, p, client, t.own, arguments)
	if err != nil {
		return failed(ctx, err)
	}
	return c.result(c.inCommonWords(t.own, answer)), nil
}

// Call calls one of the tools that read, by the name that clients know, as the only call of its
// client.
func Call(ctx context.Context, p *project.Project, name string, arguments json.RawMessage) (project.ToolAnswer, error) {
	for own, known := range toolNames {
		if known == name && own != "list_dir" && !editingTools[own] {
			return callOwn(ctx, p, p.NewToolClient(toolNames), own, arguments)
		}
	}
	return project.ToolAnswer{}, fmt.Errorf("there is no tool %q", name)
}

// callOwn calls a tool of the project.
func callOwn(ctx context.Context, p *project.Project, client *project.ToolClient, own string,
	arguments json.RawMessage) (project.ToolAnswer, error) {
	if own == "get_file_metadata" {
		own, arguments = outlineCall(p, arguments)
	}
	return client.Call(ctx, own, arguments)
}

// failed returns an error as the result of a tool, unless the call was cancelled.
func failed(ctx context.Context, err error) (*sdk.CallToolResult, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return text(true, "error: "+err.Error()), nil
}

// text returns a result that has no structure.
func text(isError bool, text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: isError, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// result returns an answer as a result. The structure of a failure is left out: its text says all.
func (c *session) result(a project.ToolAnswer) *sdk.CallToolResult {
	content, shown := a.Content, a.Text
	if a.Notice != "" {
		content, shown = withField(content, "notice", a.Notice), shown+"\n"+a.Notice
	}
	result := text(a.Failed, shown)
	if !a.Failed && !c.server.options.TextOnly {
		result.StructuredContent = withCommonFields(content)
	}
	return result
}

// withField returns a JSON object with a field more, or with another value of it.
func withField(object json.RawMessage, name string, value any) json.RawMessage {
	fields := map[string]json.RawMessage{}
	encoded, err := json.Marshal(value)
	if err != nil || json.Unmarshal(object, &fields) != nil {
		return object
	}
	fields[name] = encoded
	if changed, err := json.Marshal(fields); err == nil {
		return changed
	}
	return object
}

// outlineCall returns the project's tool that outlines a path, and its arguments.
func outlineCall(p *project.Project, arguments json.RawMessage) (own string, changed json.RawMessage) {
	var args struct {
		Path string `json:"path"`
		File string `json:"file"`
	}
	if len(arguments) > 0 && json.Unmarshal(arguments, &args) != nil {
		return "list_dir", arguments // which says what is wrong with them
	}
	if args.Path == "" {
		args.Path = args.File
	}
	if args.Path == "" || isFolder(p, args.Path) {
		return "list_dir", arguments
	}
	changed, err := json.Marshal(map[string]string{"file": args.Path})
	if err != nil {
		return "get_file_metadata", arguments
	}
	return "get_file_metadata", changed
}

// isFolder reports whether a path of the project, in any form, is a folder.
func isFolder(p *project.Project, name string) bool {
	path, err := p.Workspace.Resolve(name)
	if err != nil {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
