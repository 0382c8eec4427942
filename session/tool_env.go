package session

import (
	"context"
	"database/sql"
	"errors"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// toolEnv implements [tools.Env] for one call.
type toolEnv struct {
	call        tools.Call
	tool        string
	message     string
	place       *callPlace
	print       func(text string)
	db          records.Queryer
	clock       *deadline    // paused while the user is asked
	permissions *permissions // nil: none is granted
	resultBytes int          // that the result may have; 0: unknown
}

func (e *toolEnv) Call() tools.Call        { return e.call }
func (e *toolEnv) Output(text string)      { e.print(text) }
func (e *toolEnv) Visible()                { e.place.seen() }
func (e *toolEnv) LastUserMessage() string { return e.message }
func (e *toolEnv) ResultBytes() int        { return e.resultBytes }

func (e *toolEnv) Record(ctx context.Context, callID string) (tools.Record, error) {
	c, err := records.ScanCall(e.db.QueryRowContext(ctx, `SELECT `+records.CallColumns+` FROM tool_calls
		WHERE conversation_id = ? AND call_id = ? AND content != ''`, e.call.ConversationID, callID).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return tools.Record{}, tools.ErrNoRecord
	}
	return tools.Record{Tool: c.Tool, Arguments: c.Arguments, Content: c.Content, Summary: c.Summary, Error: c.Error,
		Secrets: c.Secrets}, err
}

func (d *dispatcher) newEnv(clock *deadline, turn callBatch, tool *tools.Tool, r bus.ToolCallRequested) *toolEnv {
	asked := d.permissions
	if r.ConversationID == "" { // there is no person to ask
		asked = nil
	}
	return &toolEnv{db: d.db.Read(), clock: clock, permissions: asked, tool: tool.Name, message: turn.message,
		resultBytes: turn.resultBytes, place: turn.order[r.ID],
		print: func(text string) { d.bus.Publish(bus.ToolCallOutput{CallRef: r.CallRef, Text: text}) },
		call: tools.Call{ID: r.ID, CallID: r.CallID, RequestID: r.RequestID, ParentID: r.ParentID,
			ConversationID: r.ConversationID, Earlier: turn.earlier}}
}

// AskPermission asks the user, unless a permanent answer exists. The call's clock is paused
// meanwhile.
func (e *toolEnv) AskPermission(ctx context.Context, p tools.Permission) error {
	if e.permissions == nil {
		return tools.ErrDenied
	}
	if settled, err := e.permissions.recall(ctx, p); settled {
		return err
	}
	e.clock.pause()
	defer e.clock.resume()
	return e.permissions.request(ctx, e.call, e.tool, p)
}
