package lsp

import (
	"fmt"

	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// negotiateVersion sets the version of the ploke/* methods that both sides speak, where the server
// speaks those from oldest to newest. Without one, the client counts as one that has no such methods.
func (pr *profile) negotiateVersion(declared ploke.Capabilities, oldest, newest int) {
	version, ok := declared.Negotiate(oldest, newest)
	if ok {
		declared.Version = version
		pr.ploke = declared
		return
	}
	advice := "update ploke-lsp"
	clientOldest, clientNewest := declared.Versions()
	if clientNewest < oldest {
		advice = "update this editor's extension"
	}
	pr.differs = fmt.Sprintf("the editor's extension speaks %s of ploke's protocol, and ploke-lsp %s: %s",
		versionRange(clientOldest, clientNewest), versionRange(oldest, newest), advice)
}

func versionRange(oldest, newest int) string {
	if oldest == newest {
		return fmt.Sprintf("version %d", newest)
	}
	return fmt.Sprintf("versions %d to %d", oldest, newest)
}

// offeredMethods is what the server replies to initialize about the ploke/* methods.
func (pr *profile) offeredMethods() ploke.Capabilities {
	if pr.differs != "" {
		return ploke.Capabilities{Version: ploke.Version, Oldest: ploke.OldestVersion, Methods: []string{}}
	}
	return ploke.Capabilities{Version: pr.ploke.Version, Methods: ploke.Methods()}
}

// explainVersion tells the person why the extension has only what every editor has.
func (s *Server) explainVersion() {
	if s.client.differs != "" {
		s.frontEnd.ShowMessage(project.Warning, s.client.differs+". Until then there is what every editor has: code actions, commands and the chat document")
	}
}
