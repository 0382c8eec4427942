package lsp

import (
	"reflect"

	"ploke-lsp/internal/config"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/session"
)

// configure brings what runs to changed settings: turns that begin from now on,
// and the index.
func (p *project) configure(old, changed config.Settings) {
	p.engine.Configure(limits(changed), changed.Fallback)
	if old.Index.Embeddings != changed.Index.Embeddings || !reflect.DeepEqual(old.Providers, changed.Providers) {
		p.vectors.configure()
	}
	if !reflect.DeepEqual(indexed(old), indexed(changed)) {
		p.workspace.Configure(indexed(changed))
		p.indexer.startOver()
		p.indexer.want(func(w *work) { w.scan = true })
	}
}

// indexed is what the workspace must know of the settings.
func indexed(s config.Settings) workspace.Options {
	return workspace.Options{MaxFileBytes: int64(s.Index.MaxFileBytes), Exclude: s.Index.Exclude}
}

// limits is what the engine must know of the settings.
func limits(s config.Settings) session.Limits {
	return session.Limits{
		ToolTimeout:   seconds(s.Limits.ToolTimeout),
		TurnRequests:  s.Limits.TurnRequests,
		Retries:       noneBelowZero(s.Limits.Retries),
		Repairs:       noneBelowZero(s.Limits.Repairs),
		ContextTokens: s.Limits.ContextTokens,
		DailyCost:     s.Limits.DailyCost,
	}
}

// noneBelowZero turns a number that may be unset to the engine's form: zero for
// unset, below it for none.
func noneBelowZero(n *int) int {
	switch {
	case n == nil:
		return 0
	case *n == 0:
		return -1
	}
	return *n
}
