package client

import (
	"fmt"

	ploke "ploke-lsp/lsp/protocol"
)

// negotiateVersion sets the version of the ploke/* methods that both sides speak, where the server
// speaks those from oldest to newest. Without one, the client counts as one that has no such methods.
func (pr *Profile) negotiateVersion(declared ploke.Capabilities, oldest, newest int) {
	version, ok := declared.Negotiate(oldest, newest)
	if ok {
		declared.Version = version
		pr.Ploke = declared
		return
	}
	advice := "update ploke-lsp"
	clientOldest, clientNewest := declared.Versions()
	if clientNewest < oldest {
		advice = "update this editor's extension"
	}
	pr.Differs = fmt.Sprintf("the editor's extension speaks %s of ploke's protocol, and ploke-lsp %s: %s",
		versionRange(clientOldest, clientNewest), versionRange(oldest, newest), advice)
}

func versionRange(oldest, newest int) string {
	if oldest == newest {
		return fmt.Sprintf("version %d", newest)
	}
	return fmt.Sprintf("versions %d to %d", oldest, newest)
}

// OfferedMethods is what the server replies to initialize about the ploke/* methods.
func (pr *Profile) OfferedMethods() ploke.Capabilities {
	if pr.Differs != "" {
		return ploke.Capabilities{Version: ploke.Version, Oldest: ploke.OldestVersion, Methods: []string{}}
	}
	return ploke.Capabilities{Version: pr.Ploke.Version, Methods: ploke.Methods()}
}
