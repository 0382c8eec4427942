package protocol

import "go.lsp.dev/uri"

// MethodLedger reads what was sent to which provider.
const MethodLedger = "ploke/ledger"

// MethodLedgerDocument reads the same as a document, with the newest request first.
const MethodLedgerDocument = "ploke/ledger/document"

// LedgerParams filters the ledger.
type LedgerParams struct {
	Since          int64  `json:"since,omitzero"` // in milliseconds since 1970
	ConversationID string `json:"conversationId,omitzero"`
	TurnID         string `json:"turnId,omitzero"`
	Limit          int    `json:"limit,omitzero"` // of entries, of which the newest are kept; 0 means no limit
}

// LedgerResult holds the requests to providers and their total.
type LedgerResult struct {
	Entries []LedgerEntry `json:"entries"` // the oldest first
	Total   Usage         `json:"total"`
	// the cost of the workspace's requests of this day, in US dollars
	Today      float64 `json:"today"`
	DailyLimit float64 `json:"dailyLimit,omitzero"` // of that cost, in US dollars; omitted if there is none
}

// A LedgerEntry is one request to a provider.
type LedgerEntry struct {
	At             int64      `json:"at"` // in milliseconds since 1970
	ConversationID string     `json:"conversationId"`
	TurnID         string     `json:"turnId"`
	Provider       string     `json:"provider"`
	Host           string     `json:"host,omitzero"` // omitted for the embedded model, which runs inside the server
	Model          string     `json:"model,omitzero"`
	Bytes          int        `json:"bytes"`   // of the messages and tools of the request
	Secrets        int        `json:"secrets"` // that were replaced with placeholders
	Files          []SentFile `json:"files"`   // the ranges that no earlier request of the turn had sent to the provider
	Usage          Usage      `json:"usage"`
	LatencyMS      int64      `json:"latencyMs"` // in milliseconds
}

// A SentFile is a range of lines of a file that was sent.
type SentFile struct {
	URI       uri.URI `json:"uri"`
	Path      string  `json:"path"`      // absolute
	StartLine int     `json:"startLine"` // 1-based
	EndLine   int     `json:"endLine"`   // 1-based and inclusive
	Bytes     int     `json:"bytes"`     // of the lines
	SHA256    string  `json:"sha256"`    // of the lines, in hexadecimal
	// where the lines are in the current file; omitted if their text has changed
	Range *ByteRange `json:"range,omitzero"`
}

// A ByteRange is the range [start,end) of a file in UTF-8.
type ByteRange struct {
	Start int `json:"start"` // 0-based, in bytes
	End   int `json:"end"`   // 0-based, in bytes
}
