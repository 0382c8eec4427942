package protocol

import "go.lsp.dev/uri"

// LedgerParams narrows what is listed. Since is in milliseconds since 1970;
// Limit keeps the newest entries.
type LedgerParams struct {
	Since          int64  `json:"since,omitzero"`
	ConversationID string `json:"conversationId,omitzero"`
	TurnID         string `json:"turnId,omitzero"`
	Limit          int    `json:"limit,omitzero"`
}

// LedgerResult holds the requests, the oldest first, and their sum. Today is
// what the day's requests have cost, and DailyLimit what they may cost, which is
// left out where there is no limit; both are in US dollars and of the workspace.
type LedgerResult struct {
	Entries    []LedgerEntry `json:"entries"`
	Total      Usage         `json:"total"`
	Today      float64       `json:"today"`
	DailyLimit float64       `json:"dailyLimit,omitzero"`
}

// A LedgerEntry is one request to a provider. Host is left out for a provider
// that works in the server itself. Bytes is the size of all messages and tools
// that were sent; Secrets counts the places in them where a placeholder was sent
// instead of a secret; Files are the pieces of files among them that no earlier
// request of the turn had sent to the provider.
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

// A SentFile is a piece of a file as it was sent. Lines are 1-based and
// inclusive; SHA256 is that of the lines' text. Range says where these bytes are
// in the file, where the same lines still say the same.
type SentFile struct {
	URI       uri.URI    `json:"uri"`
	Path      string     `json:"path"`
	StartLine int        `json:"startLine"`
	EndLine   int        `json:"endLine"`
	Bytes     int        `json:"bytes"`
	SHA256    string     `json:"sha256"`
	Range     *ByteRange `json:"range,omitzero"`
}

// A ByteRange is [Start,End) of a file's bytes.
type ByteRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// MetricsResult counts what the server did since it started, and all that the
// workspace's database still knows of.
type MetricsResult struct {
	SinceStart Metrics `json:"sinceStart"`
	Stored     Metrics `json:"stored"`
}

// Metrics counts the turns by their status, the requests to providers with what
// they used, and the calls of each tool that have ended.
type Metrics struct {
	Turns    map[string]int `json:"turns"`
	Requests int            `json:"requests"`
	Usage    Usage          `json:"usage"`
	Tools    []ToolMetrics  `json:"tools"`
}

// ToolMetrics counts the calls of one tool; one that ran out of time is not
// among the failed.
type ToolMetrics struct {
	Tool      string  `json:"tool"`
	Completed int     `json:"completed"`
	Failed    int     `json:"failed"`
	TimedOut  int     `json:"timedOut"`
	MeanMS    float64 `json:"meanMs"`
	LongestMS float64 `json:"longestMs"`
}
