package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// SearchParams is a query of words, names or a sentence. Limit is 20 where it
// is not given.
type SearchParams struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitzero"`
}

// SearchResult holds what was found, the best first. Partial says that the
// first indexing has not ended yet.
type SearchResult struct {
	Results []SearchHit `json:"results"`
	Partial bool        `json:"partial,omitzero"`
}

// A SearchHit is one symbol or file.
type SearchHit struct {
	URI       uri.URI        `json:"uri"`
	Range     protocol.Range `json:"range"`
	Path      string         `json:"path"`
	Canon     string         `json:"canon"`
	Kind      string         `json:"kind"`
	Signature string         `json:"signature,omitzero"`
	Score     float64        `json:"score"`
}

// IndexStatus says how far the index is. State is starting, indexing, ready,
// paused or failed.
type IndexStatus struct {
	State      string `json:"state"`
	Files      int    `json:"files"`
	Symbols    int    `json:"symbols"`
	References int    `json:"references"`
	Error      string `json:"error,omitzero"`
}
