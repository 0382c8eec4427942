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
	// WithoutVectors says why the query was not compared by meaning, though there are
	// vectors for that.
	WithoutVectors string `json:"withoutVectors,omitzero"`
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

// The states of an index on the wire.
const (
	IndexStarting = "starting" // nothing has been looked at yet
	IndexIndexing = "indexing"
	IndexReady    = "ready"
	IndexPaused   = "paused" // by the person; what is there is searched
	IndexFailed   = "failed" // Error says why; what is there is searched
)

// IndexStatus says what the index holds and does. Progress is there while
// something is being indexed.
type IndexStatus struct {
	State      string         `json:"state"`
	Files      int            `json:"files"`
	Symbols    int            `json:"symbols"`
	References int            `json:"references"`
	Error      string         `json:"error,omitzero"`
	Progress   *IndexProgress `json:"progress,omitzero"`
	// Embedding is there where the settings name a model for vectors.
	Embedding *EmbeddingStatus `json:"embedding,omitzero"`
}

// The states of an index's vectors on the wire.
const (
	EmbeddingWaiting = "waiting" // for the index
	EmbeddingAsking  = "asking"  // the person, since the budget is not enough
	EmbeddingMaking  = "making"
	EmbeddingReady   = "ready"
	EmbeddingFailed  = "failed" // Error says why; what was made is kept
)

// EmbeddingStatus says how far the vectors of the index are. Passages of Total are made,
// of those that were missing when this began.
type EmbeddingStatus struct {
	Model    string `json:"model"` // PROVIDER/MODEL
	State    string `json:"state"`
	Passages int    `json:"passages"`
	Total    int    `json:"total"`
	Error    string `json:"error,omitzero"`
}

// IndexProgress says how far an indexing is, of one workspace folder. SecondsLeft
// is an estimate, 0 where there is none; TotalFiles is 0 until it is known.
type IndexProgress struct {
	Files       int `json:"files"` // looked at, unchanged ones included
	TotalFiles  int `json:"totalFiles"`
	Symbols     int `json:"symbols"` // found by this indexing
	Percent     int `json:"percent"`
	SecondsLeft int `json:"secondsLeft,omitzero"`
}
