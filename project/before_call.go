package project

import (
	"context"
	"encoding/json"
	"slices"

	"ploke-lsp/tools"
)

// beforeCall returns what the engine does before a tool runs: it passes the files that the call
// names to refresh. It returns nil if refresh is nil.
func (p *Project) beforeCall(refresh func(ctx context.Context, conversationID, path string)) func(context.Context,
	tools.Call, json.RawMessage) {
	if refresh == nil {
		return nil
	}
	return func(ctx context.Context, call tools.Call, arguments json.RawMessage) {
		for _, name := range namedFiles(arguments) {
			if path, err := p.Workspace.Resolve(name); err == nil { // else the tool says why not
				refresh(ctx, call.ConversationID, path)
			}
		}
	}
}

// namedFiles returns the files that the arguments of a call name, each once.
func namedFiles(arguments json.RawMessage) (names []string) {
	type file struct{ File string }
	var named struct {
		file
		Edits []file
	}
	if json.Unmarshal(arguments, &named) != nil {
		return nil // the tool refuses them
	}
	for _, f := range append(named.Edits, named.file) {
		if f.File != "" && !slices.Contains(names, f.File) {
			names = append(names, f.File)
		}
	}
	return names
}
