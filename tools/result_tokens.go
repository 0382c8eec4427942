package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/internal/o200k"
)

// The user may limit the tokens of a tool's result, in tokens of o200k_base. Tools that show
// lines or lists show fewer of them. Another result above the limit is refused, so that the
// model asks for less.

const (
	defaultResultTokens = 8192 // of found code, if the user has set no limit
	minContextTokens    = 200  // of found code: the JSON around the items takes most of that
	minResultTokens     = 1000 // the smallest limit
	frameTokens         = 300  // what a result has beside its lines or its list
	commaTokens         = 1    // that an item takes in addition
	minBytesPerToken    = 2    // text has more bytes per token
)

// resultLimit returns the limit that the user has set, or 0.
func (d Deps) resultLimit() int {
	if d.ResultTokens == nil {
		return 0
	}
	limit := d.ResultTokens()
	if limit <= 0 {
		return 0
	}
	return max(limit, minResultTokens)
}

// ContextTokens returns how many tokens a result of found code may have under a limit that the
// user has set; 0 means none.
func ContextTokens(limit int) int {
	if limit <= 0 {
		return defaultResultTokens
	}
	return max(limit, minResultTokens)
}

// bytesWithin returns the number of bytes, at most most, that a text in a result may have.
func (d Deps) bytesWithin(most int) int {
	if limit := d.resultLimit(); limit > 0 {
		return min(most, (limit-frameTokens)*minBytesPerToken)
	}
	return most
}

// linesWithinLimit returns as many lines from the beginning of text as a result may have, and how
// many bytes are missing.
func (d Deps) linesWithinLimit(text string) (lines string, missing int) {
	limit := d.resultLimit()
	if limit == 0 || o200k.Count(jsonOf(text)) <= limit-frameTokens {
		return text, 0
	}
	lines = linesWithin(text, limit-frameTokens)
	return lines, len(text) - len(lines)
}

// itemsWithinLimit returns as many of the first items as a result may have.
func itemsWithinLimit[T any](d Deps, items []T) []T {
	left := d.resultLimit() - frameTokens
	if d.resultLimit() == 0 {
		return items
	}
	for i, item := range items {
		if left -= o200k.Count(jsonOf(item)) + commaTokens; left < 0 {
			return items[:i]
		}
	}
	return items
}

// withinLimit makes a tool refuse results above the limit.
func (d Deps) withinLimit(t *Tool) *Tool {
	run := t.run
	t.run = func(ctx context.Context, env Env, args json.RawMessage) (Result, error) {
		result, err := run(ctx, env, args)
		limit := d.resultLimit()
		if err != nil || limit == 0 || len(result.Content) <= limit {
			return result, err
		}
		if tokens := o200k.Count(string(result.Content)); tokens > limit {
			return Result{}, &Failure{Message: fmt.Sprintf("the result has %d tokens, and the user allows %d", tokens, limit), Code: "too_large",
				Hint: "ask for less: name one thing, fewer lines or a smaller limit"}
		}
		return result, nil
	}
	return t
}

// linesWithin returns as many lines from the beginning of text as take about limit tokens at
// most in JSON, but never all lines.
func linesWithin(text string, limit int) string {
	end, tokens := 0, 0
	for line := range strings.Lines(text) {
		quoted := jsonOf(line)
		tokens += o200k.Count(quoted[1 : len(quoted)-1])
		if tokens > limit || end+len(line) == len(text) {
			break
		}
		end += len(line)
	}
	return text[:end]
}

func jsonOf(v any) (text string) {
	if err := withJSON(v, func(encoded []byte) { text = string(encoded) }); err != nil {
		panic("tools: a result has no JSON: " + err.Error())
	}
	return text
}
