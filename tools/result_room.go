package tools

import (
	"context"
	"strconv"
	"strings"

	"ploke-lsp/tools/wording"
)

// A small window has room for less of a result than the tools would show. They show as much as there is room for, and
// say how to get the rest. The engine cuts what is still too long.

const (
	frameBytes    = 300 // what a result has beside its lines or its list
	leastBytes    = 300 // that a result shows, however little room there is
	bytesPerToken = 4   // of found code, with its line numbers: at most
)

// forCall returns the dependencies with the room that there is for a call's result.
func (d Deps) forCall(env Env) Deps {
	d.free = env.ResultBytes()
	return d
}

// inRoom returns the number of bytes, at most most, that there is room for.
func (d Deps) inRoom(most int) int {
	if d.free == 0 {
		return most
	}
	return min(most, max(d.free-frameBytes, leastBytes))
}

// numberedLinesInRoom returns as many lines from the beginning of text as there is room for with
// their numbers. first is the number of the first line.
func (d Deps) numberedLinesInRoom(first int, text string) string {
	if d.free == 0 {
		return text
	}
	left, end := d.inRoom(d.free), 0
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

// contextInRoom is requestCodeContext with no more code than there is room for.
func (d Deps) contextInRoom(ctx context.Context, env Env, args requestCodeContextArgs) (Result, error) {
	most := ContextTokens(d.resultLimit())
	if room := d.forCall(env).inRoom(most*bytesPerToken) / bytesPerToken; room < most && args.TokenBudget >= 0 {
		if args.TokenBudget == 0 || args.TokenBudget > room {
			args.TokenBudget = room
		}
	}
	return d.requestCodeContext(ctx, env, args)
}

func (automatic) ResultBytes() int { return 0 }
