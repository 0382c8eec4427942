package acp

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/display"
)

// evidenceStatus are the protocol's states of what checks a proposal.
var evidenceStatus = map[evidence.State]string{evidence.Running: protocol.StatusInProgress,
	evidence.Failed: protocol.StatusFailed}

// shownChecks are the calls that show what checks proposals.
type shownChecks struct {
	mu    sync.Mutex
	calls map[string]string // what each says, by id
}

// show shows what checks a proposal as calls, with what the commands have printed.
func (c *shownChecks) show(s *openSession, proposal string, known []evidence.Evidence) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(s, proposal, known, true)
}

// update updates the calls that are shown, such as with what has become stale since the turn ended.
func (c *shownChecks) update(s *openSession, proposal string, known []evidence.Evidence) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(s, proposal, known, false)
}

// reread updates the calls that show what checks the proposals of a turn: what changed before it was followed
// to its end is not among its parts.
func (c *shownChecks) reread(ctx context.Context, s *openSession, proposals []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range proposals {
		p, err := s.folder.project.Edits.Proposals.Get(ctx, id)
		if err != nil {
			continue // it was deleted meanwhile
		}
		if known, err := s.folder.project.Evidence.Of(ctx, p); err == nil {
			c.send(s, id, known, false)
		}
	}
}

// send sends what is not shown yet, with new calls only if fresh is set. The lock is held.
func (c *shownChecks) send(s *openSession, proposal string, known []evidence.Evidence, fresh bool) {
	for _, e := range known {
		id := "check " + proposal + " " + e.Source
		status, text := cmp.Or(evidenceStatus[e.State], protocol.StatusCompleted), evidenceText(e)
		kind := protocol.ToolCallUpdate
		before, shown := c.calls[id]
		switch {
		case before == status+text || !shown && !fresh:
			continue
		case !shown:
			kind = protocol.NewToolCall
		}
		if c.calls == nil {
			c.calls = map[string]string{}
		}
		c.calls[id] = status + text
		title := display.ProseName(bounded("Check the proposal: "+strings.Join(e.Command, " "), maxTitleBytes))
		s.update(protocol.ToolCall{Kind: kind, ID: id, Title: title, ToolKind: protocol.KindExecute, Status: status,
			Content: []protocol.ToolCallContent{protocol.TextContent(text)}})
	}
}

// evidenceText returns what is known, the new problems, and what the command has printed.
func evidenceText(e evidence.Evidence) string {
	lines := []string{display.ProseName(e.Source + ": " + e.Line())}
	for _, p := range e.Problems {
		lines = append(lines, "- "+display.ProseName(p.String()))
	}
	text := bounded(strings.Join(lines, "\n"), maxShownBytes)
	if e.Output == "" {
		return text
	}
	output, _ := display.Bounded(display.Escape(e.Output), maxShownBytes)
	return text + "\n\n" + fenced(output)
}

// evidenceSummary has a line for each source, for the question about a proposal.
func evidenceSummary(known []evidence.Evidence) string {
	var lines []string
	for _, e := range known {
		lines = append(lines, "- "+display.ProseName(e.Source+": "+e.Line()))
	}
	return strings.Join(lines, "\n")
}
