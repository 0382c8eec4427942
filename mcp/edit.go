package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/edits"
	"ploke-lsp/project"
	"ploke-lsp/tools"
)

const editTool = "apply_code_edit"

// How to decide on a proposal that waits.
const whereToDecide = "the person decides, in an editor that runs ploke-lsp or with: ploke-lsp proposals"

// edit stages the edits of a call. If the person has the server apply edits, they are applied
// unless the person must decide.
func (c *session) edit(ctx context.Context, p *project.Project, client *project.ToolClient, r *sdk.CallToolRequest,
	own string, arguments json.RawMessage) (*sdk.CallToolResult, error) {
	if len(r.Params.InputResponses) > 0 || r.Params.RequestState != "" {
		return c.answered(ctx, p, r)
	}
	if c.server.options.Apply { // each edit is made against what the one before has written
		c.server.applying.Lock()
		defer c.server.applying.Unlock()
	}
	if own == editTool {
		var err error
		if arguments, err = withFiles(ctx, client, arguments); err != nil {
			return failed(ctx, err)
		}
		arguments = editCall(arguments)
	}
	answer, err := client.Call(ctx, own, arguments)
	if err != nil {
		return failed(ctx, err)
	}
	if answer.Proposal == "" {
		return c.result(c.inCommonWords(own, answer)), nil
	}
	proposal, err := p.Edits.Proposals.Get(ctx, answer.Proposal)
	if err != nil {
		return failed(ctx, err)
	}
	c.note(proposal)
	if !c.server.options.Apply {
		client.Bind(answer.Proposal)
		answer, note, err := withEvidence(ctx, p, proposal, answer, "proposed, not written: "+whereToDecide+c.howToAmend())
		if err != nil {
			return failed(ctx, err)
		}
		return c.outcome(own, answer, edits.Staged, note), nil
	}
	doubt := p.AutoAccept.MustAsk(ctx, proposal)
	switch {
	case doubt != nil && !c.plain && canAsk(r):
		return c.ask(ctx, proposal, doubt)
	case doubt != nil:
		return c.outcome(own, answer, edits.Staged, fmt.Sprintf("not written: %s, so %s", doubt, whereToDecide)), nil
	case proposal.Broken():
		client.Bind(answer.Proposal) // so that the next edit can fix it
		return c.outcome(own, answer, edits.Staged,
			"not written: the result has new syntax errors; fix them with another edit, else "+whereToDecide+
				c.howToAmend()), nil
	}
	client.Bind("")
	if proposal, err = accept(ctx, p, proposal.Whole()); err != nil {
		return failed(ctx, err)
	}
	return c.outcome(own, answer, proposal.Status(), "written"), nil
}

// editArguments returns the tool that says what arguments of edit mean.
var editArguments = sync.OnceValue(func() *tools.Tool {
	t, _ := tools.New(tools.Deps{}).Get(editTool)
	return t
})

// editCall returns the arguments of a call of edit as the project's tool takes them. It takes an edit with code as the
// text of a new file, and one with new, but can't see that code is there if it is empty.
func editCall(arguments json.RawMessage) json.RawMessage {
	corrected, err := editArguments().CorrectArguments(arguments)
	if err != nil {
		return arguments
	}
	call := map[string]json.RawMessage{}
	var list []map[string]json.RawMessage
	if json.Unmarshal(corrected, &call) != nil || json.Unmarshal(call["edits"], &list) != nil {
		return arguments
	}
	for _, edit := range list {
		if string(edit["code"]) == `""` && len(filledFields(maps.Clone(edit))) == 1 {
			edit["new"] = edit["code"]
		}
	}
	if call["edits"], err = json.Marshal(list); err != nil {
		return arguments
	}
	if changed, err := json.Marshal(call); err == nil {
		return changed
	}
	return arguments
}

// filledFields returns the fields of an edit but its mode and those that say nothing, which some agents fill in.
func filledFields(edit map[string]json.RawMessage) map[string]json.RawMessage {
	maps.DeleteFunc(edit, func(field string, value json.RawMessage) bool {
		return field == "mode" || slices.Contains([]string{`""`, "null", "false", "0"}, string(value))
	})
	return edit
}

// accept applies a proposal. One that does not fit the files any more is taken back, so that the
// edit can be made again; any other that can't be applied waits for the person.
func accept(ctx context.Context, p *project.Project, d edits.Decision) (*edits.Proposal, error) {
	proposal, err := p.Applier.Accept(ctx, d)
	var stale *edits.StaleError
	if !errors.As(err, &stale) {
		if err != nil && !errors.As(err, new(*edits.UnrecordedError)) {
			err = fmt.Errorf("the edit was not written, and waits as a proposal: %w", err)
		}
		return proposal, err
	}
	if _, err := p.Edits.Reject(context.WithoutCancel(ctx), d, "the files have changed since"); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("the edit was not written: %w; read the file again and repeat the call", err)
}

// outcome returns the result of an edit with what became of it. note is the last line of its text.
func (c *session) outcome(own string, a project.ToolAnswer, status edits.State, note string) *sdk.CallToolResult {
	a.Content = withField(withField(a.Content, "status", status), "note", note)
	a.Text = c.tools.Text(own, a.Content)
	return c.result(a)
}

// proposalOf returns the short result of a decision on a proposal.
func (c *session) proposalOf(proposal *edits.Proposal, note string) (*sdk.CallToolResult, error) {
	content, err := json.Marshal(map[string]any{"ok": true, "proposal_id": proposal.ID, "status": proposal.Status(),
		"note": note})
	if err != nil {
		return nil, err
	}
	result := text(false, note)
	if !c.server.options.TextOnly {
		result.StructuredContent = json.RawMessage(content)
	}
	return result, nil
}
