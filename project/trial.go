package project

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"ploke-lsp/edits"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/project/trials"
	"ploke-lsp/tools"
)

// openTrials prepares trials, and removes what killed processes have left of theirs.
func (p *Project) openTrials() {
	dir := trialsFolder(p.stateDir)
	p.trials = trials.New(dir, uuid.NewString(), func(ctx context.Context, turn string) bool {
		waiting, err := p.Edits.Staging.Waiting(ctx, edits.Turn{ID: turn})
		return err != nil || len(waiting) > 0
	})
	p.trials.Megabytes = func() int { return p.settings.Now().Trial.Megabytes }
	p.background.Go(func() {
		if err := trials.Sweep(dir); err != nil {
			p.log.Warn("a trial of an earlier process stays on disk", "error", err)
		}
	})
}

// closeTrials removes the trials, none of which runs.
func (p *Project) closeTrials() {
	if p.trials == nil {
		return
	}
	if err := p.trials.Close(); err != nil {
		p.log.Warn("a trial stays on disk", "error", err)
	}
}

// runTrial runs a command in a sandbox on a folder as a turn would leave it.
func (p *Project) runTrial(ctx context.Context, t tools.Trial) (tools.TrialResult, error) {
	result, err := p.trials.Run(ctx, trials.Command(t))
	return tools.TrialResult(result), err
}

// networkOf returns what commands in a sandbox may reach.
func networkOf(s config.Settings) sandbox.Network {
	switch s.Sandbox.Network {
	case "host-loopback":
		return sandbox.HostLoopback
	case "on":
		return sandbox.HostNetwork
	}
	return sandbox.NoNetwork
}

// SandboxFindings says in what the commands run that run on what is proposed, and what it does not keep them from.
// There is nothing to say if no check does.
func SandboxFindings(ctx context.Context, settings config.Settings, stateDir string) []Finding {
	if !slices.ContainsFunc(slices.Collect(maps.Values(settings.Checks)), onProposal) {
		return nil
	}
	found, err := trials.Probe(ctx, trialsFolder(stateDir))
	if err != nil {
		return []Finding{{Level: Suspect, What: "sandbox",
			Text: fmt.Sprintf("checks on what is proposed don't run: %v", err)}}
	}
	way, level := "overlays", Fine
	if found.Refused != nil {
		way, level = fmt.Sprintf("copies, since an overlay was refused (%v)", found.Refused), Suspect
	}
	reach := map[sandbox.Network]string{sandbox.NoNetwork: "without a network",
		sandbox.HostLoopback: "with the servers of this machine's loopback",
		sandbox.HostNetwork:  "with the network"}[networkOf(settings)]
	findings := []Finding{{Level: level, What: "sandbox",
		Text: fmt.Sprintf("checks run on what is proposed in %s, on %s, %s", found.Way, way, reach)}}
	for _, lack := range found.Lacks {
		findings = append(findings, Finding{Level: Suspect, What: "sandbox", Text: "in it, a command " + lack})
	}
	return findings
}

func onProposal(c config.Check) bool { return c.On == "proposal" }

// trialsFolder returns the folder with the trials of all processes.
func trialsFolder(stateDir string) string { return filepath.Join(stateDir, "trials") }
