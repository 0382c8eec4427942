package acp

import (
	"strings"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/display"
)

// evidenceStatus are the protocol's states of what checks a proposal.
var evidenceStatus = map[evidence.State]string{evidence.Running: protocol.StatusInProgress,
	evidence.Failed: protocol.StatusFailed}

// showEvidence shows what checks a proposal as calls, with what the commands have printed.
func (u *turnUpdates) showEvidence(proposal string, known []evidence.Evidence) {
	for _, e := range known {
		id := "check " + proposal + " " + e.Source
		kind := protocol.ToolCallUpdate
		if !u.checks[id] {
			kind = protocol.NewToolCall
		}
		if u.checks == nil {
			u.checks = map[string]bool{}
		}
		u.checks[id] = true
		status := protocol.StatusCompleted
		if s := evidenceStatus[e.State]; s != "" {
			status = s
		}
		u.session.update(protocol.ToolCall{Kind: kind, ID: id, ToolKind: protocol.KindExecute, Status: status,
			Title:   display.ProseName(bounded("Check the proposal: "+strings.Join(e.Command, " "), maxTitleBytes)),
			Content: []protocol.ToolCallContent{protocol.TextContent(evidenceText(e))}})
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
