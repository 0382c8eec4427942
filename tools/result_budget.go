package tools

import (
	"context"
	"sort"
	"strconv"
	"strings"

	"ploke-lsp/internal/o200k"
	"ploke-lsp/tools/wording"
)

// A small window has less left than the tools would show of a result. They show as much as fits, and say how to get
// the rest. The engine cuts what is still too long.

const (
	frameBytes    = 300 // what a result has besides its lines or its list
	leastBytes    = 300 // that a result shows, however little is left
	bytesPerToken = 4   // of found code, with its line numbers: at most
)

// resultBudget is how much of a result may be shown: as much as the model's window has left, and the user allows.
type resultBudget struct {
	free  int           // bytes that the model's window has left; 0: unknown
	limit int           // the user's limit on tokens; 0: none
	paths wording.Paths // as the text of the result names them
}

// budget returns the budget of a call's result.
func (d Deps) budget(env Env) resultBudget {
	return resultBudget{env.ResultBytes(), d.resultLimit(), d.Workspace}
}

// window returns the number of bytes, at most most, that the model's window has left.
func (b resultBudget) window(most int) int {
	if b.free == 0 {
		return most
	}
	return min(most, max(b.free-frameBytes, leastBytes))
}

// bytes returns the number of bytes, at most most, that a text in a result may have.
func (b resultBudget) bytes(most int) int {
	if b.limit > 0 {
		most = min(most, (b.limit-frameTokens)*minBytesPerToken)
	}
	return b.window(most)
}

// lines returns as many lines from the beginning of text as a result may have, and how many bytes are missing. first
// is the number of the first line.
func (b resultBudget) lines(first int, text string) (lines string, missing int) {
	lines = b.linesInWindow(first, text)
	if b.limit > 0 {
		lines = numberedLinesWithin(first, lines, b.limit-frameTokens)
	}
	return lines, len(text) - len(lines)
}

// linesInWindow returns as many lines from the beginning of text as the model's window has left with their numbers.
// first is the number of the first line.
func (b resultBudget) linesInWindow(first int, text string) string {
	if b.free == 0 {
		return text
	}
	left, end := b.window(b.free), 0
	for line := range strings.Lines(text) {
		left -= max(wording.NumberWidth, len(strconv.Itoa(first))) + len(wording.AfterNumber) + len(line)
		if left < 0 {
			break
		}
		end += len(line)
		first++
	}
	return text[:end]
}

// itemsWithin returns as many of the first items as a result may have. with returns the result that has the given
// items.
func itemsWithin[T any](b resultBudget, items []T, with func([]T) Content) []T {
	if b.limit == 0 && b.free == 0 {
		return items
	}
	fit := sort.Search(len(items), func(i int) bool {
		w := &wording.Writer{Paths: b.paths}
		with(items[:i+1]).Text(w)
		text := w.String()
		return len(text) > b.window(len(text)) || b.limit > 0 && o200k.Count(text) > b.limit-frameTokens
	})
	return items[:fit]
}

// contextWithinBudget is requestCodeContext with no more code than the budget has.
func (d Deps) contextWithinBudget(ctx context.Context, env Env, args requestCodeContextArgs) (Result, error) {
	most := ContextTokens(d.resultLimit())
	if left := d.budget(env).window(most*bytesPerToken) / bytesPerToken; left < most && args.TokenBudget >= 0 {
		if args.TokenBudget == 0 || args.TokenBudget > left {
			args.TokenBudget = left
		}
	}
	return d.requestCodeContext(ctx, env, args)
}

func (automatic) ResultBytes() int { return 0 }
