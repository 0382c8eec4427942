package project

import (
	"context"

	"ploke-lsp/index"
	"ploke-lsp/internal/workspace"
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
	p.peers.AwaitListed(ctx)
	found = append(found, processFindings(p.Processes())...)
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
