package lsp

import (
	"context"
	"math"
	"time"

	"go.lsp.dev/protocol"

	"ploke-lsp/index"
	ploke "ploke-lsp/lsp/protocol"
)

// pausedText is what a person reads who paused the indexing in an editor that
// may not show its state.
const pausedText = "ploke: indexing is paused, and searches what is there; the command " + ploke.CommandIndexResume + " goes on with it"

func (s *Server) indexStatus(context.Context, *noParams) (*ploke.IndexStatus, error) {
	return s.project.indexStatus(), nil
}

func (p *project) indexStatus() *ploke.IndexStatus { return indexStatus(p.index, p.vectors) }

// indexStatus is the state of the index and its vectors as the wire has it.
func indexStatus(x *index.Index, v *vectors) *ploke.IndexStatus {
	st := x.Status()
	out := &ploke.IndexStatus{State: st.State, Files: st.Files, Symbols: st.Symbols, References: st.References, Error: st.Error, Embedding: v.status()}
	if st.Progress != nil && st.State != index.Ready { // single files are not worth showing
		out.Progress = IndexProgress(*st.Progress)
	}
	return out
}

// IndexProgress is the progress of an index as the wire has it.
func IndexProgress(at index.Progress) *ploke.IndexProgress {
	p := &ploke.IndexProgress{
		Files: at.Files, TotalFiles: at.TotalFiles, Symbols: at.Symbols,
		SecondsLeft: int(math.Ceil(at.Left.Round(time.Millisecond).Seconds())),
	}
	switch {
	case at.TotalBytes > 0:
		p.Percent = int(100 * at.Bytes / at.TotalBytes)
	case at.TotalFiles > 0:
		p.Percent = 100 * at.Files / at.TotalFiles
	}
	return p
}

func (s *Server) indexRebuild(context.Context, *noParams) (any, error) {
	s.project.indexer.rebuild()
	return struct{}{}, nil
}

func (s *Server) indexPause(context.Context, *noParams) (any, error) {
	s.project.indexer.pause()
	return struct{}{}, nil
}

func (s *Server) indexResume(context.Context, *noParams) (any, error) {
	s.project.indexer.resume()
	s.project.vectors.resume()
	return struct{}{}, nil
}

// indexStatusCommand says the state to the person as well: an editor shows what
// a command returns to nobody.
func (s *Server) indexStatusCommand() *ploke.IndexStatus {
	st := s.project.indexStatus()
	s.client.showMessage(protocol.MessageTypeInfo, "ploke: %s", st)
	return st
}

// indexPauseCommand pauses, and says so as a status does.
func (s *Server) indexPauseCommand() any {
	s.project.indexer.cancelled()
	return struct{}{}
}
