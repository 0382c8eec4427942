package lsp

import (
	ploke "ploke-lsp/lsp/protocol"
)

// proposalCommands are the commands of proposals.
func (s *Server) proposalCommands() []command {
	return []command{
		onCommand(ploke.CommandProposalAccept, withoutWords(s.proposalAccept)),
		onCommand(ploke.CommandProposalReject, withoutWords(s.proposalReject)),
		onCommand(ploke.CommandProposalUndo, withoutWords(s.proposalUndo)),
		onCommand(ploke.CommandProposalRedo, withoutWords(s.proposalRedo)),
	}
}
