package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/project"
)

// status is the result of the tool of that name.
type status struct {
	OK        bool             `json:"ok"`
	Version   string           `json:"version"`
	Folders   []string         `json:"folders"`
	Index     indexStatus      `json:"index"`
	Applies   bool             `json:"applies"` // edits are applied, not only proposed
	Proposals []proposalStatus `json:"proposals"`
}

type indexStatus struct {
	State   string `json:"state"` // as in [index.Status]
	Files   int    `json:"files"`
	Symbols int    `json:"symbols"`
	Text    string `json:"text"` // one line
}

// proposalStatus is what became of one of the session's proposals.
type proposalStatus struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Status string   `json:"status"`
	Reason string   `json:"reason,omitempty"` // of the decision
	Files  []string `json:"files"`

	Evidence []string `json:"evidence,omitempty"` // what its checks say
}

func statusSchema() *jsonschema.Schema {
	schema, err := jsonschema.For[status](nil)
	if err != nil {
		panic(err) // the type is fixed
	}
	open(schema)
	shorten(schema, 0)
	schema.Required = []string{"ok"}
	return schema
}

// open takes out of a schema which fields are required, and that there are no others.
func open(s *jsonschema.Schema) {
	s.Required, s.AdditionalProperties = nil, nil
	for _, property := range s.Properties {
		open(property)
	}
	if s.Items != nil {
		open(s.Items)
	}
}

// status answers a call of the tool status.
func (c *session) status(ctx context.Context, p *project.Project) (*sdk.CallToolResult, error) {
	at := p.IndexStatus()
	s := status{OK: true, Version: c.server.options.Project.Version, Folders: p.Workspace.Roots(),
		Applies: c.server.options.Apply,
		Index:   indexStatus{at.State, at.Files, at.Symbols, project.StatusLine(ctx, p)}, Proposals: []proposalStatus{}}
	for _, id := range c.noted() {
		proposal, err := p.Edits.Proposals.Get(ctx, id)
		if err != nil {
			return failed(ctx, err)
		}
		one := proposalStatus{ID: id, Title: proposal.Title, Status: string(proposal.Status()),
			Reason: proposal.DecisionReason, Files: []string{}}
		for _, change := range proposal.Changes {
			one.Files = append(one.Files, p.Workspace.Rel(change.Path))
		}
		known, err := p.Evidence.Refreshed(ctx, proposal)
		if err != nil {
			return failed(ctx, err)
		}
		one.Evidence = evidenceLines(known)
		s.Proposals = append(s.Proposals, one)
	}
	content, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var answer project.ToolAnswer
	answer.Content, answer.Text = content, s.text()
	return c.result(answer), nil
}

// text returns the status for a model.
func (s *status) text() string {
	lines := []string{"ploke-lsp " + s.Version + " in " + strings.Join(s.Folders, ", "), s.Index.Text}
	if s.Applies {
		lines = append(lines, "edits are written at once, unless the person must decide")
	} else {
		lines = append(lines, "edits are proposed")
	}
	for _, p := range s.Proposals {
		line := fmt.Sprintf("%s %s: %s (%s)", p.ID, p.Status, p.Title, strings.Join(p.Files, ", "))
		if p.Reason != "" {
			line += ": " + p.Reason
		}
		lines = append(append(lines, line), p.Evidence...)
	}
	return strings.Join(lines, "\n")
}
