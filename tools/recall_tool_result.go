package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"ploke-lsp/tools/current"
	"ploke-lsp/tools/wording"
)

//go:embed recall_tool_result.md
var recallToolResultDescription string

// RecallToolResult is the name of the tool that shows an earlier call's result.
const RecallToolResult = "recall_tool_result"

type recallToolResultArgs struct {
	CallID    string `json:"call_id"`
	StartLine int    `json:"start_line,omitempty" jsonschema:"from 1"`
	EndLine   int    `json:"end_line,omitempty" jsonschema:"inclusive"`
	windowArgs
}

type recalledResult struct {
	OK        bool            `json:"ok"`
	CallID    string          `json:"call_id"`
	Tool      string          `json:"tool"`
	Arguments any             `json:"arguments,omitempty"`
	Summary   string          `json:"summary,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"`
	Error     string          `json:"error,omitempty"`
	StartLine int             `json:"start_line,omitempty"` // of the lines of the text that are shown; 0: all
	EndLine   int             `json:"end_line,omitempty"`
	LineCount int             `json:"line_count,omitempty"`
	Cut       string          `json:"cut,omitempty"` // what is missing, and how to get it
}

// recallFrom returns the tool's function for a set, whose tools write the texts of the results.
func (d Deps) recallFrom(set *Set) func(context.Context, Env, recallToolResultArgs) (Result, error) {
	return func(ctx context.Context, env Env, args recallToolResultArgs) (Result, error) {
		record, err := env.Record(ctx, args.CallID)
		if errors.Is(err, ErrNoRecord) {
			return Result{}, &wording.Failure{Message: "there is no stored call " + args.CallID, Code: "not_found",
				Field: "call_id",
				Hint:  "use the id of a call of this conversation, or call the tool again"}
		}
		if err != nil {
			return Result{}, err
		}
		current.NoteAll(ctx, record.Secrets)
		result := recalledResult{OK: true, CallID: args.CallID, Tool: record.Tool, Arguments: asSent(record.Arguments),
			Summary: record.Summary, Content: record.Content, Error: record.Error}
		start, end := args.lines(current.Lines{First: args.StartLine, Last: args.EndLine}, current.Lines{})
		if err := result.show(set, d.budget(env), start, end); err != nil {
			return Result{}, err
		}
		return OK(result, "recalled "+record.Tool+": "+record.Summary)
	}
}

// show decides which lines of the text are shown: those from start to end, as far as the budget has them.
func (r *recalledResult) show(set *Set, b resultBudget, start, end int) error {
	text := r.recalled(set.textOfCall)
	count := strings.Count(wording.EndLine(text), "\n")
	first, last, err := lineRange("the result", start, end, count)
	if err != nil {
		return err
	}
	asked := linesOf(text, first, last)
	shown, missing := wording.LeadingLines(asked, b.window(len(asked)))
	if first == 1 && last == count && missing == 0 {
		return nil
	}
	r.StartLine, r.EndLine, r.LineCount = first, first+strings.Count(shown, "\n")-1, count
	switch {
	case missing > 0 && shown == "" && first == last:
		r.Cut = fmt.Sprintf("line %d is too long to be shown: call %s again and ask for less", first, r.Tool)
	case missing > 0 && shown == "":
		r.Cut = fmt.Sprintf("line %d is too long to be shown: go on with start_line %d", first, first+1)
	case missing > 0:
		r.Cut = fmt.Sprintf("%s up to line %d: go on with start_line %d", wording.Plural(last-r.EndLine, "more line"), last,
			r.EndLine+1)
	}
	return nil
}

// recalled returns the text that the call's own tool writes, which textOf returns.
func (r *recalledResult) recalled(textOf func(tool string, arguments, content json.RawMessage) string) string {
	if len(r.Content) == 0 {
		return r.Error
	}
	return textOf(r.Tool, json.RawMessage(wording.JSON(r.Arguments)), r.Content)
}

// linesOf returns the lines first to last of a text, with their ends.
func linesOf(text string, first, last int) string {
	var b strings.Builder
	at := 0
	for line := range strings.Lines(text) {
		if at++; at > last {
			break
		}
		if at >= first {
			b.WriteString(wording.EndLine(line))
		}
	}
	return b.String()
}

// asSent returns the arguments that a model sent, which may be invalid JSON.
func asSent(arguments json.RawMessage) any {
	if json.Valid(arguments) {
		return arguments
	}
	return string(arguments)
}

// Text writes the call and the text that its own tool writes, or some of its lines.
func (r recalledResult) Text(w *wording.Writer) {
	w.Linef("%s %s", r.Tool, wording.JSON(r.Arguments))
	text := r.recalled(w.Recall)
	if r.LineCount > 0 {
		w.Linef("%s of %d:", wording.LinesInWords(r.StartLine, r.EndLine), r.LineCount)
		text = linesOf(text, r.StartLine, r.EndLine)
	}
	w.Note(text)
	w.Note(r.Cut)
}
