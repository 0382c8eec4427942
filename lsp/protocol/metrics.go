package protocol

// MetricsResult holds the metrics since the server started, and those of all turns in
// the workspace's database.
type MetricsResult struct {
	SinceStart Metrics `json:"sinceStart"`
	Stored     Metrics `json:"stored"`
}

// Metrics counts the turns by status, the requests to providers with their usage, and
// the finished calls of each tool.
type Metrics struct {
	Turns    map[string]int `json:"turns"`
	Requests int            `json:"requests"`
	Usage    Usage          `json:"usage"`
	Tools    []ToolMetrics  `json:"tools"`
}

// ToolMetrics counts the calls of one tool. Failed does not include those that timed
// out. Times are in milliseconds.
type ToolMetrics struct {
	Tool      string  `json:"tool"`
	Completed int     `json:"completed"`
	Failed    int     `json:"failed"`
	TimedOut  int     `json:"timedOut"`
	MeanMS    float64 `json:"meanMs"`
	LongestMS float64 `json:"longestMs"`
}
