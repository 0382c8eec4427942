package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/edits"
)

// People attach resources to what they ask their client. A model sees nothing of them until one is read.

// What the addresses of resources begin with. A path follows, or an id.
const (
	files     = "ploke://files/"
	proposals = "ploke://proposals/"
)

// offerResources offers what a client can read. The session's proposals are added when they are made.
func (c *session) offerResources(server *sdk.Server) {
	server.AddResourceTemplate(&sdk.ResourceTemplate{Name: "files", Title: "File",
		Description: "A file with its unsaved and proposed changes, and the numbers of its lines",
		MIMEType:    "text/plain", URITemplate: files + "{+path}"}, c.readFile)
	server.AddResourceTemplate(&sdk.ResourceTemplate{Name: "proposals", Title: "Proposed changes",
		Description: "The diff of edits of this session",
		MIMEType:    "text/x-diff", URITemplate: proposals + "{id}"}, c.readProposal)
}

// maxProposals is how many proposals of a session are listed.
const maxProposals = 20

// note adds a proposal to those of the session.
func (c *session) note(p *edits.Proposal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.proposals, p.ID) {
		return
	}
	c.proposals = append(c.proposals, p.ID)
	c.protocol.AddResource(&sdk.Resource{Name: p.ID, Title: p.Title, Description: "The diff of proposed changes",
		MIMEType: "text/x-diff", URI: proposals + p.ID}, c.readProposal)
	if len(c.proposals) > maxProposals {
		c.protocol.RemoveResources(proposals + c.proposals[0])
		c.proposals = c.proposals[1:]
	}
}

// noted returns the ids of the session's proposals, the oldest first.
func (c *session) noted() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.proposals)
}

// readFile returns what the tool read shows of a file.
func (c *session) readFile(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri, began := r.Params.URI, time.Now()
	path, err := url.PathUnescape(strings.TrimPrefix(uri, files))
	if err != nil {
		return nil, noResource(uri, err.Error())
	}
	arguments, err := json.Marshal(map[string]string{"file": path})
	if err != nil {
		return nil, err
	}
	_, client, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := client.Call(ctx, "read_file", arguments)
	if err != nil {
		return nil, err
	}
	if answer.Failed {
		return nil, noResource(uri, answer.Text)
	}
	return c.handedResource(ctx, r, "resource", began, answer.Text)
}

// readProposal returns the diff of a proposal of the session.
func (c *session) readProposal(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id, began := strings.TrimPrefix(r.Params.URI, proposals), time.Now()
	if !slices.Contains(c.noted(), id) {
		return nil, noResource(r.Params.URI, "this session has no such proposal; status lists those that it has")
	}
	_, client, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	diff, err := client.Diff(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.handedResource(ctx, r, "resource", began, diff)
}

// resource returns a text as the only content of a resource. The library adds the address and the type.
func resource(text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: text}}}
}

// noResource returns the error for an address that leads nowhere.
func noResource(uri, why string) error {
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams,
		Message: fmt.Sprintf("there is nothing at %s: %s", uri, strings.TrimPrefix(why, "error: ")), Data: data}
}
