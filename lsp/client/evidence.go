package client

import (
	"strings"

	"go.lsp.dev/uri"

	"ploke-lsp/edits/evidence"
	"ploke-lsp/internal/display"
	ploke "ploke-lsp/lsp/protocol"
)

// EncodeEvidence returns evidence in its wire form, with what commands have printed if output is set.
func EncodeEvidence(all []evidence.Evidence, output bool) (out []ploke.Evidence) {
	for _, e := range all {
		one := ploke.Evidence{
			Source: display.Name(e.Source), Kind: ploke.EvidenceKind(e.Kind), State: ploke.EvidenceState(e.State),
			Summary: display.Name(e.Line()), Command: display.Name(strings.Join(e.Command, " ")), Omitted: e.Omitted,
			Before: e.Before, Passed: e.Tests.Passed, Failed: e.Tests.Failed, StartedAt: e.Started,
			DurationMS: e.Took.Milliseconds(),
		}
		if output {
			one.Output = display.Escape(e.Output)
		}
		for _, p := range e.Problems {
			problem := ploke.EvidenceProblem{Path: display.Name(p.Rel), Line: p.Line, Message: display.Escape(p.Message),
				Code: display.Name(p.Code), Warning: p.Warning}
			if p.Path != "" {
				problem.URI = uri.File(p.Path)
			}
			one.Problems = append(one.Problems, problem)
		}
		out = append(out, one)
	}
	return out
}
