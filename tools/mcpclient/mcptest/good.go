package mcptest

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type noArguments struct{}

// Good returns a server with a tool for each kind of result.
func Good() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "good", Version: "1"}, nil)
	add := func(name, description string, answer func(ctx context.Context, text string) *mcp.CallToolResult) {
		type args struct {
			Text string `json:"text,omitempty" jsonschema:"what to say"`
		}
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: description},
			func(ctx context.Context, _ *mcp.CallToolRequest, a args) (*mcp.CallToolResult, any, error) {
				return answer(ctx, a.Text), nil, nil
			})
	}
	text := func(s string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
	}
	add("say", "Says a text.", func(_ context.Context, s string) *mcp.CallToolResult { return text("you said: " + s) })
	add("environment", "Shows the environment.", func(context.Context, string) *mcp.CallToolResult {
		dir, _ := os.Getwd()
		return text(strings.Join(os.Environ(), "\n") + "\nin " + dir)
	})
	add("large", "Returns a large text.", func(context.Context, string) *mcp.CallToolResult {
		return text(strings.Repeat("0123456789abcde\n", 64<<10))
	})
	add("fail", "Fails.", func(context.Context, string) *mcp.CallToolResult {
		r := text("no such page")
		r.IsError = true
		return r
	})
	add("things", "Returns an image and resources.", func(context.Context, string) *mcp.CallToolResult {
		size := int64(12)
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.ImageContent{MIMEType: "image/png", Data: make([]byte, 5000)},
			&mcp.ResourceLink{Name: "notes", URI: "file:///notes.txt", Size: &size},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///inside.txt", Text: "inside"}},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///blob", MIMEType: "application/zip", Blob: make([]byte, 9)}},
		}}
	})
	add("wait", "Waits until it is cancelled.", func(ctx context.Context, _ string) *mcp.CallToolResult {
		<-ctx.Done()
		return text("cancelled")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "number", Description: "Returns a number."},
		func(context.Context, *mcp.CallToolRequest, noArguments) (*mcp.CallToolResult, map[string]int, error) {
			return nil, map[string]int{"n": 42}, nil
		})
	return server
}

func serveGood() {
	if err := Good().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
