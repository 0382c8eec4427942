package session

import (
	"context"
	"time"

	"ploke-lsp/session/bus"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// Metrics counts stored turns, requests and calls since a time. Deleting a
// conversation deletes its turns and calls, but not its requests, since they belong
// to the ledger.
type Metrics struct {
	Turns    map[records.Status]int // by status
	Requests int                    // to providers
	Usage    llm.Usage              // of all requests
	Tools    []ToolMetrics          // by name
}

// ToolMetrics counts the finished calls of one tool. Failed excludes calls that timed
// out.
type ToolMetrics struct {
	Name                        string
	Completed, Failed, TimedOut int
	MeanTime, LongestTime       time.Duration
}

// Metrics counts the events since a time; the zero time counts all. It includes the
// turns of other processes on the same database.
func (e *Engine) Metrics(ctx context.Context, since time.Time) (m Metrics, err error) {
	q := e.opts.DB.Read()
	if m.Turns, err = turnsSince(ctx, q, since); err != nil {
		return m, err
	}
	err = q.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0),
		coalesce(sum(tokens_cached), 0), coalesce(sum(cost), 0) FROM ledger WHERE created_at >= ? AND provider <> ?`, unixMilli(since), ToAgents).
		Scan(&m.Requests, &m.Usage.In, &m.Usage.Out, &m.Usage.Cached, &m.Usage.Cost)
	if err != nil {
		return m, err
	}
	m.Tools, err = toolsSince(ctx, q, since)
	return m, err
}

// Started returns the time at which the engine was created.
func (e *Engine) Started() time.Time { return e.started }

// Spent returns the cost of today's requests and the daily limit in US dollars. A
// limit of 0 means none.
func (e *Engine) Spent(ctx context.Context) (spent, limit float64, err error) {
	limits, _ := e.configured()
	spent, err = spentSince(ctx, e.opts.DB.Read(), midnight(time.Now()))
	return spent, limits.DailyCost, err
}

func turnsSince(ctx context.Context, q records.Queryer, since time.Time) (map[records.Status]int, error) {
	rows, err := q.QueryContext(ctx,
		`SELECT status, count(*) FROM messages WHERE role = ? AND created_at >= ? GROUP BY status`,
		llm.Assistant, unixMilli(since))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	turns := map[records.Status]int{}
	for rows.Next() {
		var status records.Status
		var n int
		if err := rows.Scan(&status, &n); err != nil {
			return nil, err
		}
		turns[status] = n
	}
	return turns, rows.Err()
}

func toolsSince(ctx context.Context, q records.Queryer, since time.Time) ([]ToolMetrics, error) {
	rows, err := q.QueryContext(ctx, `SELECT tool, count(*) FILTER (WHERE code = ''), count(*) FILTER (WHERE code NOT IN ('', ?1)),
		count(*) FILTER (WHERE code = ?1), avg(duration_ms), max(duration_ms)
		FROM tool_calls WHERE content != '' AND started_at >= ?2 GROUP BY tool ORDER BY tool`, bus.CodeTimeout, unixMilli(since))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []ToolMetrics
	for rows.Next() {
		var t ToolMetrics
		var mean float64
		var longest int64
		if err := rows.Scan(&t.Name, &t.Completed, &t.Failed, &t.TimedOut, &mean, &longest); err != nil {
			return nil, err
		}
		t.MeanTime, t.LongestTime = time.Duration(mean*float64(time.Millisecond)), time.Duration(longest)*time.Millisecond
		all = append(all, t)
	}
	return all, rows.Err()
}
