package llm

import (
	"cmp"
)

// Model is a model at its provider.
type Model struct {
	Provider      Provider
	ID            string        // what the provider calls it
	ContextTokens int           // size of the context window; 0 if unknown
	AnswerTokens  int           // of the longest answer; 0 if unknown
	FindsContext  bool          // asks for the code it needs, so that none is put into its prompt
	Price         *Price        // nil if unknown
	Capabilities  *Capabilities // nil if unknown: tools are offered, thoughts not asked for
}

// Capabilities says what a model can do beside writing text.
type Capabilities struct {
	Tools         bool
	ParallelTools bool // several calls in one answer
	Reasoning     bool // thinks before it answers, and shows it
}

// answerShare is the part of the window, one in so many, that an answer may take:
// providers refuse a request that has no room for the longest answer.
const answerShare = 2

// Request is what m is sent: messages and tools as far as it can take them, in a
// window of so many tokens. It keeps both.
func (m Model) Request(messages []Message, tools []ToolSpec, window int) *Request {
	r := &Request{Model: m.ID, Messages: messages, Tools: tools, ContextTokens: window, MaxTokens: min(m.AnswerTokens, window/answerShare)}
	if c := m.Capabilities; c != nil {
		r.SerialTools, r.Reasoning = !c.ParallelTools, c.Reasoning
		if !c.Tools {
			r.Tools = nil
		}
	}
	return r
}

// Price is in US dollars per million tokens.
type Price struct {
	In, Out    float64
	CachedIn   float64 // of what the provider had in its prompt cache; 0: as In
	CacheWrite float64 // of what it put there; 0: as In
}

const million = 1e6

// Cost is the price of u in US dollars.
func (p Price) Cost(u Usage) float64 {
	fresh := u.In - u.Cached - u.Written
	return (float64(fresh)*p.In + float64(u.Cached)*cmp.Or(p.CachedIn, p.In) +
		float64(u.Written)*cmp.Or(p.CacheWrite, p.In) + float64(u.Out)*p.Out) / million
}

// MaxCost is what a request of so many tokens, and an answer of so many, cost at
// most in US dollars, whatever becomes of the cache.
func (p Price) MaxCost(in, out int) float64 {
	return (float64(in)*max(p.In, p.CachedIn, p.CacheWrite) + float64(out)*p.Out) / million
}
