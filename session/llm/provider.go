// Package llm defines models and their providers: a provider gets a request and
// streams a response in chunks.
//
// Its promises:
//
//   - A stream yields text and reasoning as they arrive, and each tool call once
//     and complete. It ends with exactly one chunk that has a Finish, or with
//     exactly one error. No tool call is yielded before the response is known to be
//     complete, and none but with [FinishToolCalls].
//   - An answer is taken in each form in which servers send it: as events, lines or one
//     body, whatever its type of content; with keep-alives of any kind; with calls that
//     are numbered, named and identified in their own ways; with thoughts in the text.
//     The end of the connection alone ends no stream: it is an error.
//   - A call that a model wrote as text is a call if it is all of the rest of the answer,
//     not in code, and of a tool that was offered. Text is held back only while it may
//     be one, or the tag of a thought.
//   - What a server says instead of an answer is the message of the error.
//   - A value of another type than the protocol says, where it is not needed, fails no
//     answer of a model and no list of Anthropic's.
//   - Errors of a provider are an [*Error] with a hint for the user. When ctx ends,
//     the error is the cause of ctx.
//   - What a server sends is bounded: each piece of a stream, the whole answer, lists
//     and errors. An answer above its bound ends with [TooLarge]; what came before it
//     has been yielded.
//   - Nothing is sent to another origin (scheme, host and port) than the configured
//     one: redirects to another one are refused. An error never contains the key.
//   - A provider does not retry; its caller decides that. Only a request that names a
//     parameter which the server refuses is sent again at once, without it.
//   - Equal messages and tools are sent as equal bytes, so that providers' prompt
//     caches hit.
//   - A request is valid for the strictest server, whatever was said before and by
//     whatever model: the order of messages, names and ids of calls, arguments.
//   - What a model attached to its message goes back to the same model of the same
//     server, and to no other server.
//
// A request ends if the server sends nothing for too long, or only keep-alives. Timeouts
// of zero in a configuration mean [FirstByte] and [Idle].
//
// The files of one provider begin with its name. Package embedded has a model that needs
// no provider.
package llm

import (
	"context"
	"iter"
)

// Provider is a service that runs models. It is safe for concurrent use.
type Provider interface {
	Name() string
	// Send sends req and streams the response. It does not change req. It may keep the messages in it, which no caller
	// may change afterwards.
	// Leaving the loop early ends the request.
	Send(ctx context.Context, req *Request) iter.Seq2[Chunk, error]
}

// Remote is a provider outside of this process. Host returns the host that requests
// are sent to, with the port unless it is the scheme's default.
type Remote interface{ Host() string }

// Lister is a provider that can list its models.
type Lister interface {
	// Models returns the provider's models. Its errors are those of [Provider.Send].
	Models(ctx context.Context) ([]ModelInfo, error)
}

// ModelInfo is a provider's description of a model. Unknown fields are zero.
type ModelInfo struct {
	ID            string
	ContextTokens int
	AnswerTokens  int
	Price         *Price
	Tools         bool
	Reasoning     bool
	Efforts       []string // that a [Request] may have, from the least on; none if it has none, or says nothing of them
}

// Request is a request to a model.
type Request struct {
	Model     string
	Messages  []Message // not modified any more, even after the response
	Tools     []ToolSpec
	MaxTokens int // of the response; 0 leaves it to the provider

	ContextTokens int    // context size to allocate; 0 leaves it to the provider
	SerialTools   bool   // at most one call in a response
	Reasoning     bool   // request the model's reasoning
	Effort        string // how long the model reasons, a word of its API; "" leaves it to the provider
}

// Chunk is a piece of a response; any of its fields may be set.
type Chunk struct {
	Text, Reasoning string
	// TextWasReasoning says that all text of the chunks before was reasoning, of which the server did
	// not tell the beginning.
	TextWasReasoning bool
	Call             *Call  // complete
	Opaque           Opaque // of the entire response
	Usage            *Usage
	Notice           string // for the person, not part of the answer
	Finish           Finish // set in the last chunk only
}

// Usage counts the tokens of one request. In includes the tokens read from the
// provider's prompt cache, Cached, and the tokens written to it, Written. Cost is in
// US dollars, 0 if unknown.
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

// Finish is the reason why a response ended.
type Finish string

// The finish reasons.
const (
	FinishStop          Finish = "stop"
	FinishToolCalls     Finish = "tool_calls" // the server said so: there may be no call
	FinishLength        Finish = "length"     // cut off at the token limit
	FinishInCall        Finish = "in_call"    // cut off at the token limit after a call had begun; no call is yielded
	FinishContentFilter Finish = "content_filter"
	FinishDeclined      Finish = "declined" // the answer says that it does not do what was asked
	FinishPaused        Finish = "paused"   // the same model goes on when it gets its answer back
)
