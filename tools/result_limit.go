package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools/wording"
)

// The user may limit the tokens of a result's text, in tokens of o200k_base. Tools that show
// lines or lists show fewer of them. Another result above the limit is refused, so that the
// model asks for less.

const (
	defaultResultTokens = 8192 // of found code, if the user has set no limit
	minContextTokens    = 200  // of found code: the JSON around the items takes most of that
	minResultTokens     = 1000 // the smallest limit
	frameTokens         = 100  // what a result has besides its lines or its list
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

// BytesWithin returns the number of bytes, at most most, that a text in a result may have under the
// user's limit.
func (d Deps) BytesWithin(most int) int { return resultBudget{limit: d.resultLimit()}.bytes(most) }

// numberedLinesWithin returns as many lines from the beginning of text as take at most so many
// tokens with their numbers. first is the number of the first line.
func numberedLinesWithin(first int, text string, tokens int) string {
	end := 0
	for line := range strings.Lines(text) {
		if tokens -= o200k.Count(wording.Numbered(first, line)); tokens < 0 {
			break
		}
		end += len(line)
		first++
	}
	return text[:end]
}

// withinLimit makes a tool of a set refuse results above the limit.
func (d Deps) withinLimit(set *Set, t *Tool) *Tool {
	run := t.run
	t.run = func(ctx context.Context, env Env, args json.RawMessage) (Result, error) {
		result, err := run(ctx, env, args)
		limit := d.resultLimit()
		if err != nil || limit == 0 {
			return result, err
		}
		if tokens := o200k.Count(set.Text(t.Name, result.Content)); tokens > limit {
			return Result{}, &wording.Failure{Message: fmt.Sprintf("the result has %d tokens, and the user allows %d", tokens,
				limit), Code: "too_large",
				Hint: "ask for less: name one thing, fewer lines or a smaller limit"}
		}
		return result, nil
	}
	return t
}
