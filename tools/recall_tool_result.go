package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
)

//go:embed recall_tool_result.md
var recallToolResultDescription string

// RecallToolResult is the name of the tool that shows an earlier call's result.
const RecallToolResult = "recall_tool_result"

type recallToolResultArgs struct {
	CallID string `json:"call_id" jsonschema:"id of the earlier call"`
}

type recalledResult struct {
	OK        bool            `json:"ok"`
	CallID    string          `json:"call_id"`
	Tool      string          `json:"tool"`
	Arguments any             `json:"arguments,omitempty"`
	Summary   string          `json:"summary,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"`
	Error     string          `json:"error,omitempty"`
}

func recallToolResult(ctx context.Context, env Env, args recallToolResultArgs) (Result, error) {
	record, err := env.Record(ctx, args.CallID)
	if errors.Is(err, ErrNoRecord) {
		return Result{}, &Failure{Message: "there is no stored call " + args.CallID, Code: "not_found", Field: "call_id",
			Hint: "use the id of a call of this conversation, or call the tool again"}
	}
	if err != nil {
		return Result{}, err
	}
	noteAll(ctx, record.Secrets)
	return OK(recalledResult{OK: true, CallID: args.CallID, Tool: record.Tool, Arguments: asSent(record.Arguments),
		Summary: record.Summary, Content: record.Content, Error: record.Error}, "recalled "+record.Tool+": "+record.Summary)
}

// asSent returns the arguments that a model sent, which may be invalid JSON.
func asSent(arguments json.RawMessage) any {
	if json.Valid(arguments) {
		return arguments
	}
	return string(arguments)
}

// Text writes the call and the text that its own tool writes.
func (r recalledResult) Text(w *TextWriter) {
	w.Linef("%s %s", r.Tool, jsonOf(r.Arguments))
	if len(r.Content) == 0 {
		w.Note(r.Error)
		return
	}
	w.Line(w.set.Text(w.set.Ran(r.Tool, json.RawMessage(jsonOf(r.Arguments))), r.Content))
}
