package client

import (
	"slices"

	"go.lsp.dev/protocol"
)

// A Feature is a part of LSP that the server offers in some documents alone. A client that registers
// features dynamically sends requests for no other document.
type Feature struct {
	Method  string
	Options any // of the registration
	// Declared returns what the client says of the feature; nil if it has none.
	Declared func(*protocol.TextDocumentClientCapabilities) (dynamic *bool, ok bool)
	Offer    func(*protocol.ServerCapabilities) // for clients that don't register it dynamically
}

// readFeatures sorts the features into those that initialize offers and those that
// are registered afterwards. A client gets neither of a feature that it does not have.
func (pr *Profile) readFeatures(t *protocol.TextDocumentClientCapabilities, features []Feature) {
	for _, f := range features {
		switch dynamic, ok := f.Declared(t); {
		case !ok && !slices.Contains(pr.undeclared, f.Method):
		case IsTrue(dynamic):
			pr.RegisteredFeatures = append(pr.RegisteredFeatures, f)
		default:
			pr.OfferedFeatures = append(pr.OfferedFeatures, f)
		}
	}
}
