package project

import (
	"reflect"
	"time"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
)

// configure applies changed settings: to turns that begin from now on, to the
// vectors and to the index.
func (p *Project) configure(old, changed config.Settings) {
	p.Engine.Configure(engineLimits(changed), changed.Fallback)
	if old.Index.Embeddings != changed.Index.Embeddings || !reflect.DeepEqual(old.Providers, changed.Providers) {
		p.vectors.configure()
	}
	if !reflect.DeepEqual(old.MCP, changed.MCP) {
		p.ToolServers.configure(changed)
	}
	if !reflect.DeepEqual(workspaceOptions(old), workspaceOptions(changed)) {
		p.Workspace.Configure(workspaceOptions(changed))
		p.Indexer.Reconfigured()
	}
}

// workspaceOptions is the part of the settings that the workspace uses.
func workspaceOptions(s config.Settings) workspace.Options {
	return workspace.Options{MaxFileBytes: int64(s.Index.MaxFileBytes), Exclude: s.Index.Exclude}
}

// engineLimits is the part of the settings that the engine uses.
func engineLimits(s config.Settings) session.Limits {
	return session.Limits{
		ToolTimeout:   seconds(s.Limits.ToolTimeout),
		TurnRequests:  s.Limits.TurnRequests,
		Retries:       countOrNone(s.Limits.Retries),
		Repairs:       countOrNone(s.Limits.Repairs),
		ContextTokens: s.Limits.ContextTokens,
		DailyCost:     s.Limits.DailyCost,
	}
}

const (
	defaultKeepDays      = 180
	maxKeepDays          = 36_500
	defaultKeepMegabytes = 256
	maxKeepMegabytes     = 1 << 30
)

// keepAge returns how long what is not used is kept, 0: forever.
func keepAge(h config.History) time.Duration {
	days := defaultKeepDays
	if h.KeepDays != nil {
		days = min(*h.KeepDays, maxKeepDays)
	}
	return time.Duration(days) * 24 * time.Hour
}

// keepBytes returns how many bytes of each kind of record are kept, 0: all.
func keepBytes(h config.History) int64 {
	megabytes := defaultKeepMegabytes
	if h.KeepMegabytes != nil {
		megabytes = min(*h.KeepMegabytes, maxKeepMegabytes)
	}
	return int64(megabytes) << 20
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
