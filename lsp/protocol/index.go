package protocol

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// SearchParams is a search query: words, names or a sentence. Limit defaults to 20.
type SearchParams struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitzero"`
}

// SearchResult holds the hits, the best first. Partial is true until the first indexing
// has ended.
type SearchResult struct {
	Results []SearchHit `json:"results"`
	Partial bool        `json:"partial,omitzero"`
	// WithoutVectors is why the search did not use the vectors, although the index has
	// vectors.
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
	IndexStarting = "starting" // the first scan has not begun
	IndexIndexing = "indexing"
	IndexReady    = "ready"
	IndexPaused   = "paused" // by the person; searches use what is indexed
	IndexFailed   = "failed" // see Error; searches use what is indexed
)

// IndexStatus is the state of the index and the size of its contents. Progress is set
// while a scan runs.
type IndexStatus struct {
	State      string         `json:"state"`
	Files      int            `json:"files"`
	Symbols    int            `json:"symbols"`
	References int            `json:"references"`
	Error      string         `json:"error,omitzero"`
	Progress   *IndexProgress `json:"progress,omitzero"`
	// Embedding is set if the settings name a model for vectors.
	Embedding *EmbeddingStatus `json:"embedding,omitzero"`
}

// The states of an index's vectors on the wire.
const (
	EmbeddingWaiting = "waiting" // for the index
	EmbeddingAsking  = "asking"  // the person for permission, because the cost exceeds the budget
	EmbeddingMaking  = "making"
	EmbeddingReady   = "ready"
	EmbeddingFailed  = "failed" // see Error; the vectors that were made are kept
)

// EmbeddingStatus is the progress of making vectors. Total is the number of passages
// that had no vector at the start, and Passages how many of them have one now.
type EmbeddingStatus struct {
	Model    string `json:"model"` // PROVIDER/MODEL
	State    string `json:"state"`
	Passages int    `json:"passages"`
	Total    int    `json:"total"`
	Error    string `json:"error,omitzero"`
}

// IndexProgress is the progress of a scan of one workspace folder. SecondsLeft is an
// estimate, 0 if there is none. TotalFiles is 0 until it is known.
type IndexProgress struct {
	Files       int `json:"files"` // scanned, including unchanged ones
	TotalFiles  int `json:"totalFiles"`
	Symbols     int `json:"symbols"` // found by this scan
	Percent     int `json:"percent"`
	SecondsLeft int `json:"secondsLeft,omitzero"`
}
