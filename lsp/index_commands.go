package lsp

import (
	"context"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

func (s *Server) indexStatus(context.Context, *noParams) (*ploke.IndexStatus, error) {
	return encodeIndexStatus(s.project.IndexStatus()), nil
}

func (s *Server) indexRebuild(context.Context, *noParams) (any, error) {
	s.project.RebuildIndex()
	return struct{}{}, nil
}

func (s *Server) indexPause(context.Context, *noParams) (any, error) {
	s.project.PauseIndexing()
	return struct{}{}, nil
}

func (s *Server) indexResume(context.Context, *noParams) (any, error) {
	s.project.ResumeIndexing()
	return struct{}{}, nil
}

// indexStatusCommand also shows the state to the person, because an editor does
// not show what a command returns.
func (s *Server) indexStatusCommand() *ploke.IndexStatus {
	st := s.project.IndexStatus()
	s.frontEnd.ShowMessage(project.Info, st.String())
	return encodeIndexStatus(st)
}

// indexPauseCommand pauses, and shows how to resume.
func (s *Server) indexPauseCommand() any {
	s.project.CancelIndexing()
	return struct{}{}
}
