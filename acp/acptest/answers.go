package acptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"ploke-lsp/acp/protocol"
)

// handle answers what the agent asks, and notes what it tells.
func (c *Client) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	params := bytes.Clone(req.Params())
	switch req.Method() {
	case protocol.MethodSessionUpdate:
		return nil, c.noteUpdate(params)
	case protocol.MethodRequestPermission:
		id := fmt.Sprint(req.ID())
		jsonrpc2.Async(ctx)
		return c.answer(id, params)
	case protocol.MethodElicitationCreate:
		jsonrpc2.Async(ctx)
		return c.fill(params)
	case protocol.MethodCancelRequest:
		return nil, c.revoke(params)
	case protocol.MethodReadTextFile:
		jsonrpc2.Async(ctx)
		return c.read(params)
	case protocol.MethodWriteTextFile:
		jsonrpc2.Async(ctx)
		return c.write(params)
	case "test/wire":
		var wire struct{ Direction, Line string }
		if err := json.Unmarshal(params, &wire); err != nil {
			return nil, err
		}
		c.check(wire.Direction, wire.Line)
	case "test/started":
		return nil, c.change(func() error {
			return json.Unmarshal(params, &struct{ PID *int }{&c.PID})
		})
	case "test/exited":
		return nil, c.change(func() error { c.ended = true; return nil })
	}
	return nil, nil
}

// change changes the client's state and wakes the callers that wait for it.
func (c *Client) change(do func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
	return do()
}

func (c *Client) noteUpdate(params []byte) error {
	var n struct {
		SessionID string
		Update    json.RawMessage
	}
	var kind struct{ SessionUpdate string }
	var chunk struct{ Content struct{ Text string } }
	u := Update{}
	err := json.Unmarshal(params, &n)
	if err == nil {
		err = json.Unmarshal(n.Update, &kind)
	}
	u.SessionID, u.Kind, u.Raw = n.SessionID, kind.SessionUpdate, n.Update
	if err == nil && (u.Kind == protocol.NewToolCall || u.Kind == protocol.ToolCallUpdate) {
		err = json.Unmarshal(n.Update, &u.ToolCall)
	} else if err == nil && strings.HasSuffix(u.Kind, "_chunk") {
		err = json.Unmarshal(n.Update, &chunk)
		u.Text = chunk.Content.Text
	}
	return errors.Join(err, c.change(func() error { c.updates = append(c.updates, u); return nil }))
}

// revoke ends a question that the agent has taken back.
func (c *Client) revoke(params []byte) error {
	var p struct{ RequestID json.RawMessage }
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	return c.change(func() error {
		if cancel := c.cancels[string(p.RequestID)]; cancel != nil {
			c.revoked++
			cancel()
		}
		return nil
	})
}

func (c *Client) answer(id string, params []byte) (any, error) {
	var asked protocol.RequestPermissionRequest
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	_ = c.change(func() error { c.asked, c.cancels[id] = append(c.asked, asked), cancel; return nil })
	if c.options.OnPermission != nil {
		if chosen := c.options.OnPermission(ctx, asked); chosen != "" {
			outcome := "selected"
			if c.options.NamesCancelled {
				outcome = "cancelled"
			}
			return map[string]any{"outcome": map[string]string{"outcome": outcome, "optionId": chosen}}, nil
		}
	}
	return map[string]any{"outcome": map[string]string{"outcome": "cancelled"}}, nil
}

// fill fills in a form.
func (c *Client) fill(params []byte) (any, error) {
	var asked protocol.ElicitationRequest
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, err
	}
	if c.options.OnForm == nil {
		return map[string]any{"action": "cancel"}, nil
	}
	return map[string]any{"action": "accept", "content": c.options.OnForm(asked)}, nil
}

func (c *Client) read(params []byte) (any, error) {
	var p protocol.ReadTextFileRequest
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if c.options.OnRead != nil {
		if err := c.options.OnRead(p.Path); err != nil {
			return nil, jsonrpc2.NewError(protocol.CodeInternalError, err.Error())
		}
	}
	c.mu.Lock()
	text, unsaved := c.texts[p.Path]
	c.mu.Unlock()
	if unsaved {
		return protocol.ReadTextFileResponse{Content: text}, nil
	}
	disk, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, jsonrpc2.NewError(protocol.CodeResourceNotFound, err.Error())
	}
	return protocol.ReadTextFileResponse{Content: string(disk)}, nil
}

func (c *Client) write(params []byte) (any, error) {
	var p protocol.WriteTextFileRequest
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if c.options.OnWrite != nil {
		if err := c.options.OnWrite(p.Path, p.Content); err != nil {
			return nil, jsonrpc2.NewError(protocol.CodeInternalError, err.Error())
		}
	}
	if c.options.Forgets != nil && c.options.Forgets(p.Path) {
		return struct{}{}, nil
	}
	c.mu.Lock()
	delete(c.texts, p.Path) // it is saved with what is written
	c.mu.Unlock()
	if err := errors.Join(os.MkdirAll(filepath.Dir(p.Path), 0o700),
		os.WriteFile(p.Path, []byte(p.Content), 0o600)); err != nil {
		return nil, err
	}
	return struct{}{}, nil
}
