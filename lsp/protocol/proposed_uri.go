package protocol

import (
	"encoding/json"
	"net/url"
	"strings"

	"go.lsp.dev/uri"
)

// ProposalScheme is the scheme of URIs of files as a proposal would leave them. The path is the
// file's; the query is JSON with the proposal's id, the uri of the file that the proposal changes,
// as in [ProposalView], and the side "after". A client shows the text from [ProposalGetResult].
const ProposalScheme = "ploke-proposal"

// ProposedURI returns the URI of a file as a proposal would leave it. changes is the file's name
// before the proposal.
func ProposedURI(proposal string, file, changes uri.URI) uri.URI {
	query, err := json.Marshal(struct {
		ID   string  `json:"id"`
		URI  uri.URI `json:"uri"`
		Side string  `json:"side"`
	}{proposal, changes, "after"})
	if err != nil {
		panic("protocol: strings have no JSON: " + err.Error())
	}
	path := strings.TrimPrefix(string(file), "file:")
	if strings.HasPrefix(path, "///") { // without a host, as clients write such URIs
		path = path[2:]
	}
	return uri.URI(ProposalScheme + ":" + path + "?" + url.QueryEscape(string(query)))
}
