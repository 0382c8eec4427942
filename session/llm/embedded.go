package llm

import (
	"context"
	"iter"
	"strings"
)

// Embedded returns a model that needs no network and no weights: a planner that calls
// tools by rules. It answers a question by searching and quoting the results,
// executes instructions that match a form, and describes its abilities otherwise. It
// is not a language model and says so.
//
// Its next step is a function of the request's messages only. Its calls have no ids;
// the caller assigns them.
func Embedded() Model {
	return Model{Provider: embedded{}, FindsContext: true, ContextTokens: embeddedWindow}
}

type embedded struct{}

// embeddedWindow is more tokens than a turn has: rules have no window.
const embeddedWindow = 4 << 20

func (embedded) Name() string { return "embedded" }

// chunkBytes is the approximate size of a chunk of an answer.
const chunkBytes = 48

func (embedded) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		p := progressOf(req.Messages)
		next := p.instruction().next(p)
		for chunk := range chunks(next.text) {
			if ctx.Err() != nil {
				yield(Chunk{}, context.Cause(ctx))
				return
			}
			if !yield(Chunk{Text: chunk}, nil) {
				return
			}
		}
		for _, c := range next.calls {
			if !yield(Chunk{Call: &c}, nil) {
				return
			}
		}
		finish := FinishStop
		if len(next.calls) > 0 {
			finish = FinishToolCalls
		}
		yield(Chunk{Finish: finish}, nil)
	}
}

// chunks splits text at word boundaries.
func chunks(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := len(text)
			if n > chunkBytes {
				if i := strings.IndexAny(text[chunkBytes:], " \n"); i >= 0 {
					n = chunkBytes + i + 1
				}
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
