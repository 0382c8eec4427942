package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/internal/display"
	"ploke-lsp/tools"
	"ploke-lsp/tools/wording"
)

// argumentsShown is how many bytes of a call's arguments the person is asked about.
const argumentsShown = 4 << 10

// nameShown is the same for a tool's name.
const nameShown = 100

// candidate is a tool that a turn may call.
type candidate struct {
	connection *connection
	definition
}

// run asks for permission and calls the tool.
func (o candidate) run(ctx context.Context, env tools.Env, args map[string]any) (tools.Result, error) {
	if err := env.AskPermission(ctx, o.permission(args)); err != nil {
		return tools.Result{}, err
	}
	server := o.connection.server
	tools.NoteSecrets(ctx, server.secrets())
	l, _, err := o.connection.get(ctx)
	if ctx.Err() != nil {
		return tools.Result{}, context.Cause(ctx)
	}
	if err != nil {
		return tools.Result{},
			&wording.Failure{Message: fmt.Sprintf("the MCP server %s can't be used now: %v", server.Name, err),
				Code: "server_down", Hint: "go on without it, and tell the user"}
	}
	if now, ok := o.connection.tools(l).find(o.name); !ok || now.hash != o.hash {
		return tools.Result{},
			&wording.Failure{Message: fmt.Sprintf("the MCP server %s has changed this tool since the turn began", server.Name),
				Code: "changed", Hint: "go on without it; it can be used again when the user sends another message"}
	}
	answer, err := l.call(ctx, o.name, args)
	if err != nil {
		return tools.Result{}, o.failure(ctx, l, err)
	}
	o.connection.worked()
	return o.result(ctx, answer)
}

// permission returns what the person is asked for. The answer holds for this tool of this server, as
// it describes itself now.
func (o candidate) permission(args map[string]any) tools.Permission {
	server := o.connection.server
	var pretty bytes.Buffer
	encoder := json.NewEncoder(&pretty)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(args); err != nil {
		pretty.WriteString(err.Error())
	}
	arguments, all := display.Bounded(pretty.String(), argumentsShown)
	name, whole := display.Bounded(display.Name(o.name), nameShown)
	return tools.Permission{
		Title:    fmt.Sprintf("use the tool %s of the MCP server %s", name, server.Name),
		Detail:   arguments + "\nof " + server.reachedBy(),
		Key:      fmt.Sprintf("mcp %s: %s", o.full, server.identity(o.hash)),
		OnlyOnce: !all || !whole,
	}
}

// call calls a tool until ctx or the link ends.
func (l *link) call(ctx context.Context, name string, args map[string]any) (*mcp.CallToolResult, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.ctx, func() { cancel(mcp.ErrConnectionClosed) })()
	if l.program != nil {
		l.program.stdout.restart()
		defer l.program.stdout.restart()
	}
	return within(ctx, func() (*mcp.CallToolResult, error) {
		return l.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	})
}

// failure returns the error of a call that has no result: why it ended, or one that the model can correct.
func (o candidate) failure(ctx context.Context, l *link, err error) error {
	if ctx.Err() != nil {
		o.connection.probe(l)
		return context.Cause(ctx)
	}
	name := o.connection.server.Name
	if refused := refusal(err); refused != nil {
		return &wording.Failure{Message: fmt.Sprintf("the MCP server %s refused the call: %s", name,
			shorten(refused.Message, errorLength)),
			Code: "refused", Hint: "correct the arguments, or go on without it"}
	}
	why := l.explain(err)
	o.connection.lose(l, why)
	return &wording.Failure{Message: fmt.Sprintf("the MCP server %s failed during the call: %v", name, brief(why)),
		Code: "server_down",
		Hint: "it starts again with the next call; if it fails again, go on without it and tell the user"}
}
