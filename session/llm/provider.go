// Package llm says what a model is: something that is sent a request and
// answers with a stream of chunks.
//
// Its promises:
//
//   - A stream yields text and reasoning as they come, each tool call once and
//     complete, and ends with exactly one chunk that has a Finish, or with
//     exactly one error. No tool call is yielded before the answer is known to
//     be whole.
//   - Errors of a provider are an [*Error] that says what to do about it;
//     when ctx ends, the error is that of ctx.
//   - A provider does not retry; that is its caller's decision.
//   - Equal messages and tools are sent as equal bytes, so that providers'
//     prompt caches hit.
//
// A provider that sends and hears nothing for too long ends the request. Limits
// of zero in a configuration are [FirstByte] and [Idle].
//
// The files of one provider begin with its name. [Embedded] is the model that
// needs none.
package llm

import (
	"context"
	"iter"
)

// Provider is a service that runs models. It is safe for concurrent use.
type Provider interface {
	Name() string
	// Send sends req, which it does not retain or change, and streams the
	// answer. Leaving the loop early ends the request.
	Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error]
}

// Remote is a provider elsewhere. Host is where requests are sent to: a host,
// and a port unless it is the scheme's own.
type Remote interface{ Host() string }

// Lister is a provider that can tell which models it has.
type Lister interface {
	// Models asks for them. Its errors are those of [Provider.Send].
	Models(ctx context.Context) ([]ModelInfo, error)
}

// ModelInfo is what a provider tells of a model. What it does not tell is zero.
type ModelInfo struct {
	ID            string
	ContextTokens int
	AnswerTokens  int
	Price         *Price
	Tools         bool
	Reasoning     bool
}

// Request is what a model is sent.
type Request struct {
	Model     string
	Messages  []Message
	Tools     []ToolSpec
	MaxTokens int // of the answer; 0 leaves it to the provider

	ContextTokens int  // to set aside, where a provider wants to know; 0 leaves it to the provider
	SerialTools   bool // not several calls in one answer
	Reasoning     bool // ask for the model's thoughts
}

// Chunk is a piece of an answer; any of its fields may be set.
type Chunk struct {
	Text, Reasoning string
	Call            *Call  // complete
	Opaque          Opaque // of the whole answer
	Usage           *Usage
	Finish          Finish // set in the last chunk only
}

// Usage counts the tokens of one request. Among In are those that were in the
// provider's prompt cache, Cached, and those that were put there, Written. Cost
// is in US dollars, 0 if unknown.
type Usage struct {
	In, Out, Cached int
	Written         int `json:",omitzero"`
	Cost            float64
}

// Add adds v to u.
func (u *Usage) Add(v Usage) {
	u.In += v.In
	u.Out += v.Out
	u.Cached += v.Cached
	u.Written += v.Written
	u.Cost += v.Cost
}

// Finish says why an answer ended.
type Finish string

// The ways in which an answer ends.
const (
	FinishStop          Finish = "stop"
	FinishToolCalls     Finish = "tool_calls"
	FinishLength        Finish = "length" // cut off at the token limit; its tool calls are not yielded
	FinishContentFilter Finish = "content_filter"
)
