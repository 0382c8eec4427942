package lsp

import (
	"go.lsp.dev/uri"

	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/document"
)

// IsOwnDocument reports whether a document is one that a server with a state folder writes for the person: a chat, or
// something to read.
func IsOwnDocument(stateDir, u string) bool {
	path := document.FilePath(uri.URI(u))
	return chat.IsDocument(uri.URI(u)) || path != "" && document.IsView(stateDir, path)
}
