package project

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session"
	"ploke-lsp/tools"
)

// A ToolClient calls the tools for a program that brings its own model. Its calls follow each other
// as the turns of one conversation do: they see the proposal of an earlier call that waits, and
// their edits amend it. It is safe for concurrent use.
type ToolClient struct {
	project *Project
	calls   *session.ToolClient
	names   map[string]string
	until   time.Time // until when calls wait for the first indexing

	mu      sync.Mutex
	waiting string // id of the proposal that the next call sees; "" if there is none
}

// firstIndexing is how long the first calls of a client wait for an index. Most folders are indexed by then,
// and an answer from less would mislead.
const firstIndexing = 5 * time.Second

// NewToolClient returns a client that knows tools by other names. The keys of names are the tools'
// own. It ends with the project.
func (p *Project) NewToolClient(names map[string]string) *ToolClient {
	return &ToolClient{project: p, calls: p.Engine.NewToolClient(), names: names, until: time.Now().Add(firstIndexing)}
}

// ToolAnswer is the outcome of a call.
type ToolAnswer struct {
	session.ToolAnswer
	Proposal string // id of the proposal that the call has staged a part of, "" if it has staged nothing
	Notice   string // why the result may lack something, "" if nothing is known of that
}

// Call runs a tool. If it searches the index, files that changed on disk are read first. In the first seconds of
// the client it waits for the first indexing.
func (c *ToolClient) Call(ctx context.Context, tool string, arguments json.RawMessage) (a ToolAnswer, err error) {
	if t, known := c.project.tools.Get(tool); known && t.Indexed {
		a.Notice = c.refreshed(ctx)
	}
	earlier := c.bound()
	a.ToolAnswer, err = c.calls.Call(ctx, session.ToolRequest{Tool: tool, Arguments: arguments, Earlier: earlier},
		func(content json.RawMessage) json.RawMessage { return tools.WithNames(content, c.names) })
	if err != nil {
		return a, err
	}
	var staged struct {
		ID     string      `json:"proposal_id"`
		Status edits.State `json:"status"`
	}
	if json.Unmarshal(a.Content, &staged) == nil && staged.Status == edits.Staged {
		a.Proposal = staged.ID
	}
	return a, nil
}

// Text returns the text of a content that an answer of this client had, and that the caller has
// changed.
func (c *ToolClient) Text(tool string, content json.RawMessage) string {
	return c.calls.Text(tool, content)
}

// Diff returns a proposal as a unified diff.
func (c *ToolClient) Diff(ctx context.Context, proposalID string) (string, error) {
	proposal, err := c.project.Edits.Proposals.Get(ctx, proposalID)
	if err != nil {
		return "", err
	}
	return c.shown(ctx, proposal, c.project.Edits.Preview.Diff)
}

// Preview returns what a person is shown of a proposal.
func (c *ToolClient) Preview(ctx context.Context, proposal *edits.Proposal) (string, error) {
	return c.shown(ctx, proposal, c.project.Preview)
}

// shown returns a text about a proposal. The secrets in it are looked for in the whole files: a part may not show
// that something is a secret.
func (c *ToolClient) shown(ctx context.Context, proposal *edits.Proposal,
	show func(context.Context, *edits.Proposal) (string, error)) (string, error) {
	text, err := show(ctx, proposal)
	if err != nil {
		return "", err
	}
	files, err := c.project.Edits.Preview.Files(ctx, proposal)
	if err != nil {
		return "", err
	}
	var secrets []string
	for _, f := range files {
		secrets = slices.Concat(secrets, secretscan.Secrets(f.Before), secretscan.Secrets(f.After))
	}
	return c.calls.Hide(text, secrets), nil
}

// Apart returns a client with the secrets of c whose calls see and amend the proposal with this id,
// "" for none, and no other.
func (c *ToolClient) Apart(proposalID string) *ToolClient {
	return &ToolClient{project: c.project, calls: c.calls, names: c.names, until: c.until, waiting: proposalID}
}

// Bind makes the next calls see and amend a proposal as long as it waits; "" is none.
func (c *ToolClient) Bind(proposalID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = proposalID
}

func (c *ToolClient) bound() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting
}

// refreshed brings the index up to date, and says what it lacks, "" if that is nothing.
func (c *ToolClient) refreshed(ctx context.Context) string {
	p := c.project
	p.Indexer.AwaitFirst(ctx, c.until)
	err := p.beforeTurn(ctx)
	switch {
	case p.Index.Incomplete():
		return fmt.Sprintf("Something may be missing here: %s. %s, %s and %s need no index.",
			p.IndexStatus(), c.name("search_text"), c.name("read_file"), c.name("get_file_metadata"))
	case err != nil:
		return fmt.Sprintf("The index may be older than the files: %v.", err)
	}
	return ""
}

// name returns the name by which the program knows a tool.
func (c *ToolClient) name(tool string) string { return cmp.Or(c.names[tool], tool) }
