package project

import (
	"reflect"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
)

// configure applies changed settings: to turns that begin from now on, to the
// vectors and to the index.
func (p *Project) configure(old, changed config.Settings) {
	p.Engine.Configure(limits(changed), changed.Fallback)
	if old.Index.Embeddings != changed.Index.Embeddings || !reflect.DeepEqual(old.Providers, changed.Providers) {
		p.vectors.configure()
	}
	if !reflect.DeepEqual(workspaceOptions(old), workspaceOptions(changed)) {
		p.Workspace.Configure(workspaceOptions(changed))
		p.indexer.restart()
		p.indexer.rescan()
	}
}

// workspaceOptions is the part of the settings that the workspace uses.
func workspaceOptions(s config.Settings) workspace.Options {
	return workspace.Options{MaxFileBytes: int64(s.Index.MaxFileBytes), Exclude: s.Index.Exclude}
}

// limits is the part of the settings that the engine uses.
func limits(s config.Settings) session.Limits {
	return session.Limits{
		ToolTimeout:   seconds(s.Limits.ToolTimeout),
		TurnRequests:  s.Limits.TurnRequests,
		Retries:       countOrNone(s.Limits.Retries),
		Repairs:       countOrNone(s.Limits.Repairs),
		ContextTokens: s.Limits.ContextTokens,
		DailyCost:     s.Limits.DailyCost,
	}
}

// countOrNone converts an optional number to the engine's form: 0 means unset,
// -1 means none.
func countOrNone(n *int) int {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return -1
	}
	return *n
}
