package mcp

import (
	"context"
	"slices"
	"strings"
	"time"

	"ploke-lsp/edits"
	"ploke-lsp/edits/evidence"
	"ploke-lsp/project"
)

// evidenceTime is how long an edit waits for the checks of what it proposes. The tool status has what comes later.
const evidenceTime = 5 * time.Second

// withEvidence adds to an answer what the checks say of its proposal.
func withEvidence(ctx context.Context, p *project.Project, proposal *edits.Proposal, a project.ToolAnswer,
	note string) (project.ToolAnswer, string, error) {
	known, err := p.Evidence.CheckWithin(ctx, proposal, evidenceTime)
	known = slices.DeleteFunc(known, func(e evidence.Evidence) bool { return e.State == evidence.Unknown })
	if err != nil || len(known) == 0 {
		return a, note, err
	}
	lines := evidenceLines(known)
	a.Content = withField(a.Content, "evidence", lines)
	return a, note + "\n" + strings.Join(lines, "\n"), nil
}

// evidenceLines has a line for each source, and its new problems.
func evidenceLines(known []evidence.Evidence) (lines []string) {
	for _, e := range known {
		lines = append(lines, e.Source+": "+e.Line())
		for _, problem := range e.Problems[:min(len(e.Problems), shownProblems)] {
			lines = append(lines, problem.String())
		}
	}
	return lines
}

// shownProblems is how many problems of a source are told.
const shownProblems = 20
