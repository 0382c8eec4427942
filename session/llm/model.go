package llm

import (
	"cmp"
	"slices"
	"strings"
)

// Model is a model at its provider.
type Model struct {
	Provider      Provider
	ID            string        // the provider's name of the model
	ContextTokens int           // size of the context window; 0 if unknown
	ContextSet    bool          // the user's settings give ContextTokens
	AnswerTokens  int           // of the longest answer; 0 if unknown
	FindsContext  bool          // searches code by itself, so its prompt contains none
	Price         *Price        // nil if unknown
	Effort        string        // for its requests, see [Request]
	Efforts       []string      // to choose from
	Capabilities  *Capabilities // nil if unknown: tools are offered, reasoning is not requested
}

// Capabilities describes features of a model.
type Capabilities struct {
	Tools         bool
	ParallelTools bool // several calls in one response
	Reasoning     bool // reasons before it answers, and streams the reasoning
}

// answerShare limits an answer to the fraction 1/answerShare of the window: providers
// refuse a request that leaves too little space for the longest answer.
const answerShare = 2

// Request returns a request to m with the messages and the tools that m supports, in
// a window of a number of tokens. It retains both slices.
func (m Model) Request(messages []Message, tools []ToolSpec, window int) *Request {
	r := &Request{Model: m.ID, Effort: m.Effort, Messages: messages, Tools: tools, ContextTokens: window,
		MaxTokens: min(m.AnswerTokens, window/answerShare)}
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
	CachedIn   float64 // read from the prompt cache; 0: same as In
	CacheWrite float64 // written to the prompt cache; 0: same as In
}

const million = 1e6

// Cost returns the cost of u in US dollars.
func (p Price) Cost(u Usage) float64 {
	fresh := u.In - u.Cached - u.Written
	return (float64(fresh)*p.In + float64(u.Cached)*cmp.Or(p.CachedIn, p.In) +
		float64(u.Written)*cmp.Or(p.CacheWrite, p.In) + float64(u.Out)*p.Out) / million
}

// MaxCost returns an upper bound in US dollars on the cost of a request with in
// tokens and a response with out tokens, for any use of the cache.
func (p Price) MaxCost(in, out int) float64 {
	return (float64(in)*max(p.In, p.CachedIn, p.CacheWrite) + float64(out)*p.Out) / million
}

// efforts are the words for how long a model reasons before it answers, from the least on. No provider has them all:
// OpenAI's are from none to xhigh, Anthropic's from low to max, gpt-oss has low, medium and high.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// SplitModel takes the name of a model apart, which is PROVIDER/MODEL or PROVIDER/MODEL#EFFORT.
func SplitModel(name string) (provider, id, effort string) {
	name, effort = CutEffort(name)
	provider, id, _ = strings.Cut(name, "/")
	return provider, id, effort
}

// CutEffort takes the effort off the name of a model; "" if it has none. A # with another word behind it belongs to
// the model.
func CutEffort(name string) (model, effort string) {
	slash, at := strings.IndexByte(name, '/'), strings.LastIndexByte(name, '#')
	if slash < 0 || at <= slash+1 || !slices.Contains(efforts, name[at+1:]) {
		return name, ""
	}
	return name[:at], name[at+1:]
}

// WithEffort returns the name of a model with an effort, or without one if that is "".
func WithEffort(model, effort string) string {
	if effort == "" {
		return model
	}
	return model + "#" + effort
}
