package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// MethodSearch searches the index for code.
const MethodSearch = "ploke/search"

// SearchParams is a search query.
type SearchParams struct {
	Query string `json:"query"`          // words, names or a sentence
	Limit int    `json:"limit,omitzero"` // by default 20
}

// SearchResult holds the hits.
type SearchResult struct {
	Results   []SearchHit  `json:"results"`            // the best first
	Partial   bool         `json:"partial,omitzero"`   // the first indexing has not ended
	Respelled []Respelling `json:"respelled,omitzero"` // the words of the query that no file has
	Doubt     string       `json:"doubt,omitzero"`     // why probably none of the results fits
	// why the search did not use the vectors that the index has
	WithoutVectors string `json:"withoutVectors,omitzero"`
}

// A Respelling is a word that no file has, with the names and words that were searched for instead.
type Respelling struct {
	Word string   `json:"word"`
	As   []string `json:"as"`
}

// A SearchHit is one symbol or file.
type SearchHit struct {
	URI       uri.URI        `json:"uri"`
	Range     protocol.Range `json:"range"`
	Path      string         `json:"path"`  // relative to its workspace folder
	Canon     string         `json:"canon"` // the canonical name of the symbol, empty for a file
	Kind      string         `json:"kind"`  // such as function, method, type or file
	Signature string         `json:"signature,omitzero"`
	Score     float64        `json:"score"` // comparable within one result only
}
