package client

import "strings"

// HowToDecide says how a person decides on a proposal in a client with our own extension: by a command of the editor.
// The verb is reject or undo. It returns "" for other clients, whose people have the command line.
func (pr *Profile) HowToDecide(verb, id string) string {
	switch {
	case pr.Ploke.Version == 0:
	case strings.HasPrefix(pr.name, "Neovim"):
		return ":Ploke " + verb + " " + id
	case strings.HasPrefix(pr.name, "Visual Studio Code"):
		return "ploke: " + map[string]string{"reject": "Reject Proposed Edit", "undo": "Undo Proposed Edit…"}[verb]
	}
	return ""
}
