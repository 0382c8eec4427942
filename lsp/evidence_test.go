package lsp_test

import (
	"context"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

// build makes the folder a Go module with a file, and has a model change it and answer along.
func (f *fixture) build(settings, old, new string) {
	f.write("go.mod", "module m\n\ngo 1.21\n")
	f.write("sum/sum.go", "package sum\n\n// Two is two.\nvar Two int = 1 + 1\n")
	call := applyEdit(`{"file":"sum/sum.go","old":"` + old + `","new":"` + new + `"}],"answer":"done","x":[`)
	call[1] = strings.Replace(call[1], `,"x":[]`, "", 1)
	f.useModel(llmtest.Turn{Calls: []llmtest.Call{{ID: "c", Name: call[0], Arguments: call[1]}}})
	f.Config = append(f.Config, config.FromJSON("the test", []byte(settings)))
}

// partsOfEvidence returns the states of the evidence in the parts of turns and in events, in their order.
func partsOfEvidence(parts []ploke.Part) (states []string) {
	for _, p := range parts {
		if p.Type == ploke.PartEvidence {
			for _, e := range p.Evidence {
				states = append(states, e.Source+" "+string(e.State))
			}
		}
	}
	return states
}

// TestWithoutAPermissionNothingIsKnown of what is proposed, with or without a sandbox, and the client is told so.
func TestWithoutAPermissionNothingIsKnown(t *testing.T) {
	f := newFixture(t)
	f.build(`{}`, "1 + 1", "2")
	e := f.start(lsptest.Options{OnPermission: func(context.Context, string) string { return "rejectAlways" }})
	e.AwaitIndex()
	sent := e.Ask("go")
	if sent.Text != "done" || len(sent.Proposals) != 1 {
		t.Fatalf("%+v", sent)
	}
	if got := strings.Join(partsOfEvidence(e.Parts()), ", "); got != "go vet unknown" {
		t.Errorf("the parts of the turn say %q", got)
	}
	var checked ploke.ProposalCheckResult
	e.Call(ploke.MethodProposalCheck, ploke.ProposalCheckParams{ID: sent.Proposals[0]}, &checked)
	var got ploke.ProposalGetResult
	e.Call(ploke.MethodProposalGet, ploke.ProposalParams{ID: sent.Proposals[0]}, &got)
	for _, all := range [][]ploke.Evidence{checked.Evidence, got.Proposal.Evidence} {
		if len(all) != 1 || all[0].Source != "go vet" || all[0].State != ploke.EvidenceUnknown || all[0].Summary == "" {
			t.Errorf("%+v", all)
		}
	}
}
