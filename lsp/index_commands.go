package lsp

import (
	"context"

	"ploke-lsp/internal/rpc"
	"ploke-lsp/lsp/client"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// indexCommands are the commands of the index.
func (s *Server) indexCommands() []command {
	return []command{
		onCommand(ploke.CommandIndexStatus, withoutWords(s.indexStatusCommand)),
		onCommand(ploke.CommandIndexRebuild, withoutWords(s.indexRebuild)),
		onCommand(ploke.CommandIndexPause, withoutWords(s.indexPauseCommand)),
		onCommand(ploke.CommandIndexResume, withoutWords(s.indexResume)),
	}
}

func (s *Server) indexStatus(context.Context, *rpc.None) (*ploke.IndexStatus, error) {
	return client.EncodeIndexStatus(s.project.IndexStatus()), nil
}

func (s *Server) indexRebuild(context.Context, *rpc.None) (any, error) {
	s.project.RebuildIndex()
	return struct{}{}, nil
}

func (s *Server) indexPause(context.Context, *rpc.None) (any, error) {
	s.project.PauseIndexing()
	return struct{}{}, nil
}

func (s *Server) indexResume(context.Context, *rpc.None) (any, error) {
	s.project.ResumeIndexing()
	return struct{}{}, nil
}

// indexStatusCommand also shows the status to the person, because editors do not
// show the result of a command.
func (s *Server) indexStatusCommand(context.Context, *rpc.None) (*ploke.IndexStatus, error) {
	st := s.project.IndexStatus()
	s.frontEnd.ShowMessage(project.Info, st.String())
	return client.EncodeIndexStatus(st), nil
}

// indexPauseCommand pauses indexing and shows the person how to resume it.
func (s *Server) indexPauseCommand(context.Context, *rpc.None) (any, error) {
	s.project.CancelIndexing()
	return struct{}{}, nil
}
