package protocol

import "go.lsp.dev/uri"

// LedgerParams filters the ledger. Since is in milliseconds since 1970. Limit is the
// maximum number of entries, of which the newest are kept; 0 means no limit.
type LedgerParams struct {
	Since          int64  `json:"since,omitzero"`
	ConversationID string `json:"conversationId,omitzero"`
	TurnID         string `json:"turnId,omitzero"`
	Limit          int    `json:"limit,omitzero"`
}

// LedgerResult holds the requests to providers, the oldest first, and their total.
// Today is the cost of the workspace's requests of this day, and DailyLimit its limit,
// both in US dollars. DailyLimit is omitted if there is no limit.
type LedgerResult struct {
	Entries    []LedgerEntry `json:"entries"`
	Total      Usage         `json:"total"`
	Today      float64       `json:"today"`
	DailyLimit float64       `json:"dailyLimit,omitzero"`
}

// A LedgerEntry is one request to a provider. Host is omitted for the embedded model,
// which runs inside the server. Bytes is the size of the messages and tools of the
// request. Secrets counts the secrets that were replaced with placeholders. Files are
// the file ranges that no earlier request of the turn had sent to the provider.
type LedgerEntry struct {
	At             int64      `json:"at"` // in milliseconds since 1970
	ConversationID string     `json:"conversationId"`
	TurnID         string     `json:"turnId"`
	Provider       string     `json:"provider"`
	Host           string     `json:"host,omitzero"`
	Model          string     `json:"model,omitzero"`
	Bytes          int        `json:"bytes"`
	Secrets        int        `json:"secrets"`
	Files          []SentFile `json:"files"`
	Usage          Usage      `json:"usage"`
	LatencyMS      int64      `json:"latencyMs"`
}

// A SentFile is a range of lines of a file that was sent. Lines are 1-based and
// inclusive. SHA256 is the hash of their text, in hexadecimal. Range is where the lines
// are in the current file; it is omitted if their text has changed.
type SentFile struct {
	URI       uri.URI    `json:"uri"`
	Path      string     `json:"path"`
	StartLine int        `json:"startLine"`
	EndLine   int        `json:"endLine"`
	Bytes     int        `json:"bytes"`
	SHA256    string     `json:"sha256"`
	Range     *ByteRange `json:"range,omitzero"`
}

// A ByteRange is the byte range [Start,End) of a file.
type ByteRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
