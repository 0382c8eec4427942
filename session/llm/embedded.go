package llm

import (
	"context"
	"iter"
	"strings"
)

// Embedded returns the model that needs no network and no weights: a planner
// that drives the tools by rules. A question becomes a search and an answer that
// quotes what was found; an instruction that it understands exactly becomes
// edits; to anything else it says what it can do. It is no language model, and
// never pretends to be one.
//
// What it does next is a function of the request's messages alone. It gives its
// calls no ids; the caller does.
func Embedded() Model {
	return Model{Provider: embedded{}, FindsContext: true}
}

type embedded struct{}

func (embedded) Name() string { return "embedded" }

// chunkBytes is about how much of an answer goes out at once.
const chunkBytes = 48

func (embedded) Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		p := progressOf(req.Messages)
		next := parseInstruction(p.message).next(p)
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

// chunks splits text between words.
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
