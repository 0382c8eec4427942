package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// indexCommands are the commands of the index.
func (q *queries) indexCommands() []command {
	return []command{
		onCommand(ploke.CommandIndexStatus, withoutWords(q.indexStatusCommand)),
		onCommand(ploke.CommandIndexRebuild, withoutWords(q.indexRebuild)),
		onCommand(ploke.CommandIndexPause, withoutWords(q.indexPauseCommand)),
		onCommand(ploke.CommandIndexResume, withoutWords(q.indexResume)),
	}
}

func (q *queries) indexStatus(context.Context, *rpc.None) (*ploke.IndexStatus, error) {
	return client.EncodeIndexStatus(q.project.IndexStatus()), nil
}

func (q *queries) indexRebuild(context.Context, *rpc.None) (any, error) {
	q.project.Indexer.Rebuild()
	return struct{}{}, nil
}

func (q *queries) indexPause(context.Context, *rpc.None) (any, error) {
	q.project.Indexer.Pause()
	return struct{}{}, nil
}

func (q *queries) indexResume(context.Context, *rpc.None) (any, error) {
	q.project.ResumeIndexing()
	return struct{}{}, nil
}

// indexStatusCommand also shows the status to the person, because editors do not
// show the result of a command, and who else has the folders open.
func (q *queries) indexStatusCommand(ctx context.Context, _ *rpc.None) (*ploke.IndexStatus, error) {
	st := q.project.IndexStatus()
	rpc.Release(ctx) // who has locked the index is on the disk
	q.client.ShowMessage(protocol.MessageTypeInfo, "ploke: %s", project.StatusLine(ctx, q.project))
	return client.EncodeIndexStatus(st), nil
}

// indexPauseCommand pauses indexing and shows the person how to resume it.
func (q *queries) indexPauseCommand(context.Context, *rpc.None) (any, error) {
	q.project.Indexer.Cancelled()
	return struct{}{}, nil
}
