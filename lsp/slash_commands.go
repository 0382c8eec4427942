package lsp

import (
	"context"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
)

func (q *queries) slashCommands(ctx context.Context, _ *rpc.None) (*ploke.SlashCommandsResult, error) {
	settings := q.settings
	rpc.Release(ctx)
	all := settings.SlashCommands()
	result := &ploke.SlashCommandsResult{Folder: all.Folder, Commands: []ploke.SlashCommand{},
		Problems: []ploke.SlashCommandProblem{}}
	for _, c := range all.Commands {
		result.Commands = append(result.Commands,
			ploke.SlashCommand{Name: c.Name, Description: display.Name(c.Description),
				ArgumentHint: display.Name(c.ArgumentHint)})
	}
	for _, p := range all.Problems {
		result.Problems = append(result.Problems, ploke.SlashCommandProblem{Path: p.Path, Error: p.Err.Error()})
	}
	return result, nil
}
