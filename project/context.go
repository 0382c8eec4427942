package project

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/session"
	"ploke-lsp/tools"
)

// contextShare is the fraction of a tool result's tokens, 1/contextShare, that the code sent with
// a message may have.
const contextShare = 2

// retrieval is the environment of the search before a turn: it runs the tool that
// a model would call, with the person's own words.
type retrieval struct {
	call  tools.Call
	query string
}

func (r retrieval) Call() tools.Call        { return r.call }
func (r retrieval) Visible()                {}
func (r retrieval) LastUserMessage() string { return r.query }
func (r retrieval) Record(context.Context, string) (tools.Record, error) {
	return tools.Record{}, tools.ErrNoRecord
}
func (r retrieval) AskPermission(context.Context, tools.Permission) error { return tools.ErrDenied }

// contextTokens is the maximum number of tokens of the code that is sent with a message.
func (p *Project) contextTokens() int {
	return tools.ContextTokens(p.settings.Now().Limits.ToolTokens) / contextShare
}

// retrieveContext finds the code that a message is about and writes it for a
// model: bodies as snippets, the rest as a line each.
func (p *Project) retrieveContext(ctx context.Context, query string, turn tools.Call) (code session.FoundCode, err error) {
	tool, ok := p.tools.Get("request_code_context")
	if !ok {
		return code, fmt.Errorf("no tool retrieves context")
	}
	args := fmt.Appendf(nil, `{"token_budget":%d}`, p.contextTokens())
	result, err := tool.Run(ctx, retrieval{turn, query}, args)
	if err != nil || !result.OK {
		return code, err
	}
	var found struct {
		Results []struct {
			ID        string   `json:"id"`
			Canon     string   `json:"canon"`
			Kind      string   `json:"kind"`
			Signature string   `json:"signature"`
			Snippet   string   `json:"snippet"`
			Siblings  []string `json:"siblings"`
		} `json:"results"`
	}
	if err := json.Unmarshal(result.Content, &found); err != nil {
		return code, err
	}
	var out strings.Builder
	for _, r := range found.Results {
		if r.Snippet != "" {
			fmt.Fprintf(&out, "%s\n", r.Snippet)
		} else {
			fmt.Fprintf(&out, "%s %s (%s): %s\n", r.Kind, r.Canon, r.ID, r.Signature)
		}
		for _, sibling := range r.Siblings {
			fmt.Fprintf(&out, "- in the same file, lines %s\n", sibling)
		}
	}
	return session.FoundCode{Text: out.String(), Secrets: result.Secrets}, nil
}
