package document

import (
	"encoding/json"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/wire"
	"ploke-lsp/lsp/client"
)

// An unreadError is why a message about a document was not read.
type unreadError struct {
	Reason  string `json:"reason"`
	TooLong bool   `json:"tooLong"`
}

func (e *unreadError) Error() string { return e.Reason }

// unreadParams are the parameters of a didOpen or didChange in place of those that were not
// read. They name the document or notebook, which is out of step from then on.
type unreadParams struct {
	TextDocument     namedDocument `json:"textDocument,omitzero"`
	NotebookDocument namedDocument `json:"notebookDocument,omitzero"`
	Unread           *unreadError  `json:"unread"`
}

type namedDocument struct {
	URI uri.URI `json:"uri"`
}

// Within a text, which is a JSON string, quotes follow backslashes. So these match only
// members of the message.
var (
	syncMethod  = lazyregexp.New(`"method"\s*:\s*"((?:textDocument|notebookDocument)/did(?:Open|Change))"`)
	documentURI = lazyregexp.New(`"uri"\s*:\s*("(?:[^"\\]|\\.)*")`)
)

// Unread returns a message in place of one that was not read; nil if that is not a
// didOpen or didChange, or if its URI is neither near the beginning nor near the end.
func Unread(u *wire.Unread) jsonrpc2.Message {
	params := unreadParams{Unread: &unreadError{u.Reason, u.TooLong}}
	method := find(u, syncMethod)
	named := &params.TextDocument
	if strings.HasPrefix(method, "notebookDocument/") {
		named = &params.NotebookDocument
	}
	if method == "" || json.Unmarshal([]byte(find(u, documentURI)), &named.URI) != nil {
		return nil
	}
	return jsonrpc2.NewNotification(method, jsonrpc2.RawMessage(client.MustMarshal(params)))
}

// find returns the first submatch in either end of a message.
func find(u *wire.Unread, re *lazyregexp.Regexp) string {
	for _, end := range [][]byte{u.Head, u.Tail} {
		if m := re.FindSubmatch(end); m != nil {
			return string(m[1])
		}
	}
	return ""
}
