package project

import (
	"context"
	"fmt"
	"path/filepath"

	"ploke-lsp/index"
	"ploke-lsp/internal/config"
	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/project/trials"
)

// Findings says how everything is that the server needs. It sends a tiny request to the configured
// model, which is in the ledger. revoke says how a permanent answer is deleted.
func (p *Project) Findings(ctx context.Context, revoke func(key string) string) ([]Finding, error) {
	settings := p.settings.Now()
	p.ToolServers.configure(settings)
	var found []Finding
	if path := p.settings.File(); path != "" {
		found = append(found, Finding{Level: Fine, What: "settings", Text: "the user's file is " + path + ", if it exists"})
	}
	found = append(found, SettingsFindings(p.settings.Problems(), p.settings.File())...)
	found = append(found, Finding{Level: Fine, What: "state", Text: "the databases are in " + p.stateDir},
		indexFinding(p.IndexStatus(), p.Workspace))
	found = append(found, ProcessFindings(ctx, p)...)
	answers, err := p.Engine.Permissions(ctx)
	if err != nil {
		return nil, err
	}
	found = append(found, PermissionFindings(answers, revoke)...)
	found = append(found, p.Models.KeyFindings(ctx)...)
	found = append(found, p.Models.ModelFindings(ctx, Essential, "model", settings.Model, p.Engine.TryModel)...)
	if settings.Fallback != "" {
		found = append(found, p.Models.ModelFindings(ctx, Suspect, "fallback", settings.Fallback, p.Engine.TryModel)...)
	}
	found = append(found, SandboxFindings(ctx, settings, p.stateDir)...)
	found = append(found, LanguageFindings(settings)...)
	return append(found, toolServerFindings(ctx, p.ToolServers.servers, p.settings, p.getenv)...), nil
}

func indexFinding(status *IndexStatus, w *workspace.Workspace) Finding {
	f := Finding{Level: Suspect, What: "index", Text: status.String()}
	switch status.State {
	case index.Ready:
		f.Level = Fine
	case index.Failed:
		f.Level, f.Command = Essential, IndexCommand(firstRoot(w))
	}
	return f
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

// SandboxFindings says in what commands run on what is proposed, what that keeps them from, and what it does not.
func SandboxFindings(ctx context.Context, settings config.Settings, stateDir string) []Finding {
	found, err := trials.Probe(ctx, trialsFolder(stateDir))
	if err != nil {
		return []Finding{{Level: Suspect, What: "sandbox",
			Text: fmt.Sprintf("nothing protects this machine from commands, so proposals are not checked, and a command "+
				"that a model runs asks you each time and can do all that you can: %v", err)}}
	}
	way, level := "overlays of the folder", Fine
	if found.Refused != nil {
		way, level = fmt.Sprintf("copies of the folder, since an overlay was refused (%v)", found.Refused), Suspect
	}
	reach := map[sandbox.Network]string{sandbox.NoNetwork: "without a network",
		sandbox.HostLoopback: "with the servers of this machine's loopback",
		sandbox.HostNetwork:  "with the network"}[networkOf(settings)]
	findings := []Finding{{Level: level, What: "sandbox",
		Text: fmt.Sprintf("commands run on what is proposed in %s, on %s, %s: they write in none of your "+
			"files, and of your home folder they read only toolchains", found.Way, way, reach)}}
	for _, lack := range found.Lacks {
		findings = append(findings, Finding{Level: Suspect, What: "sandbox", Text: "in it, a command " + lack})
	}
	return findings
}

func onProposal(c config.Check) bool { return c.On == "proposal" }

// trialsFolder returns the folder with the trials of all processes.
func trialsFolder(stateDir string) string { return filepath.Join(stateDir, "trials") }
