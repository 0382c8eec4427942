package protocol

// MethodMetrics reads counts of turns, requests and tool calls.
const MethodMetrics = "ploke/metrics"

// MetricsResult holds the metrics of two periods.
type MetricsResult struct {
	SinceStart Metrics `json:"sinceStart"` // of the server
	Stored     Metrics `json:"stored"`     // of all turns in the workspace's database
}

// Metrics counts turns, requests to providers and tool calls.
type Metrics struct {
	Turns    map[string]int `json:"turns"` // by [MessageStatus]
	Requests int            `json:"requests"`
	Usage    Usage          `json:"usage"`
	Tools    []ToolMetrics  `json:"tools"`
}

// ToolMetrics counts the finished calls of one tool.
type ToolMetrics struct {
	Tool      string  `json:"tool"`
	Completed int     `json:"completed"`
	Failed    int     `json:"failed"` // without those that timed out
	TimedOut  int     `json:"timedOut"`
	MeanMS    float64 `json:"meanMs"`    // in milliseconds
	LongestMS float64 `json:"longestMs"` // in milliseconds
}
