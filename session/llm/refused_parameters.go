package llm

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"ploke-lsp/internal/lazyregexp"
)

// parameter is a top-level key of requests that a server need not know. A request without it means nearly the same.
type parameter struct {
	key    string
	also   string // regular expression of other words for it in an error
	rename string // the other name of the same parameter, which is tried first
}

// parallelCalls matches what servers call several calls in one answer.
const parallelCalls = `parallel[ _](?:tool|function)[ _-]?(?:calls?|calling|use)|single tool[ -]calls?`

// What may be left out, by protocol. Tools are never: without them the model would do something
// else than was asked for.
var (
	chatParameters = []parameter{
		{key: "max_tokens", rename: "max_completion_tokens"},
		{key: "max_completion_tokens", rename: "max_tokens"},
		{key: "parallel_tool_calls", also: parallelCalls},
		{key: "stream_options", also: `include_usage|stream options`},
		{key: "stream"},
	}
	responsesParameters = []parameter{
		{key: "max_output_tokens"},
		{key: "parallel_tool_calls", also: parallelCalls},
		{key: "store"},
		{key: "include", also: `reasoning\.encrypted_content|encrypted content`},
		{key: "reasoning"},
	}
	anthropicParameters = []parameter{
		{key: "cache_control", also: `prompt caching`},
		{key: "thinking", also: `adaptive thinking`},
		{key: "tool_choice", also: `disable_parallel_tool_use`},
	}
	ollamaParameters = []parameter{
		{key: "think", also: `thinking`},
		{key: "options", also: `num_ctx|num_predict`},
	}
)

// refusedParameters are the parameters that servers have refused, by model. It is safe for concurrent use.
type refusedParameters struct {
	known []parameter // that may be left out

	mu      sync.Mutex
	byModel map[string]refusals
}

// refusals are refused keys, with the names to use instead; "" leaves a key out.
type refusals map[string]string

// learned returns a copy of what is known of a model.
func (p *refusedParameters) learned(model string) refusals {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.byModel[model]; known != nil {
		return maps.Clone(known)
	}
	return refusals{}
}

func (p *refusedParameters) learn(model string, refused refusals) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byModel == nil {
		p.byModel = map[string]refusals{}
	}
	p.byModel[model] = refused
}

// send has ask send the body of a request to a model, once more each time that the server names a
// parameter that may be left out. What helped is remembered for the model. Each key is refused once
// at most, so there is an end.
func (p *refusedParameters) send(model string, body func(refusals) ([]byte, error), ask func(body []byte) error) error {
	refused := p.learned(model)
	for before := len(refused); ; {
		sent, err := body(refused)
		if err != nil {
			return err
		}
		err = ask(sent)
		key := p.keyIn(err, sent)
		if key == "" || refused.has(key) {
			if err == nil && len(refused) > before {
				p.learn(model, refused)
			}
			return err
		}
		refused[key] = p.replacement(key, refused)
	}
}

// replacement returns the other name of a parameter, unless that was refused, too.
func (p *refusedParameters) replacement(key string, refused refusals) string {
	other := p.known[p.index(key)].rename
	if refused.has(other) {
		return ""
	}
	return other
}

func (p *refusedParameters) index(key string) int {
	return slices.IndexFunc(p.known, func(k parameter) bool { return k.key == key })
}

// keyIn returns the key of the request that was sent which an error names first, or "".
func (p *refusedParameters) keyIn(err error, sent []byte) (key string) {
	e, ok := err.(*Error)
	if !ok || !mayNameParameter(e) {
		return ""
	}
	first := len(e.Message)
	for _, k := range p.known {
		if at := placeInWords(k, e.Message); at >= 0 && at < first && gjson.GetBytes(sent, k.key).Exists() {
			key, first = k.key, at
		}
	}
	return key
}

// refusedText matches how servers say that they don't know a parameter.
var refusedText = lazyregexp.New(`(?i)unsupported|unknown|unrecognized|unexpected|extra inputs|not (supported|` +
	`permitted|allowed|recognized|accepted)|does not support|doesn't support|invalid (parameter|argument|field)`)

// mayNameParameter reports whether an error may be about a parameter: the request was refused, or
// the server failed because of something that it does not know.
func mayNameParameter(e *Error) bool {
	switch {
	case e.BrokeOff:
		return false
	case e.Class == BadResponse && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity):
		return true
	case e.Class == BadResponse, e.Class == Overloaded:
		return (e.Status == 0 || e.Status >= http.StatusInternalServerError) && refusedText.MatchString(e.Message)
	}
	return false
}

// placeInWords returns where an error names a parameter, or -1. Names that are ordinary words count
// only if they are quoted, or stand where an error names a parameter.
func placeInWords(k parameter, words string) int {
	name := strings.ReplaceAll(k.key, "_", "_?")
	patterns := []string{`(?i)['"\x60‘“]` + name + `(?:['"\x60’”.\[])`,
		`(?i)(?:parameters?|arguments?|fields?|name|keys?|supplied|options?|property)['"\x60]?:? ?` + name + `\b`,
		`(?i)(?:^|; )` + name + `(?:[.\[][\w.\[\]]*)?: `,
		`(?i)(?:^|[;:,(\[] ?|this model: )` + name +
			`(?:[.\[][\w.\[\]]*)? (?:extra inputs|is\b|are\b|not\b|isn't|unsupported|unknown|unrecognized|unexpected|does not|` +
			`cannot|can't|must|needs|requires|with)`}
	if strings.Contains(k.key, "_") {
		patterns = append(patterns, `(?i)\b`+name+`\b`)
	}
	if k.also != "" {
		patterns = append(patterns, `(?i)\b(?:`+k.also+`)\b`)
	}
	at := lazyregexp.New(strings.Join(patterns, "|")).FindStringIndex(words)
	if at == nil {
		return -1
	}
	return at[0]
}

func (r refusals) has(key string) bool {
	_, has := r[key]
	return has
}

// appliedTo returns the JSON of an object without what was refused.
func (r refusals) appliedTo(object []byte) []byte {
	if len(r) == 0 {
		return object
	}
	out := []byte("{")
	gjson.ParseBytes(object).ForEach(func(key, value gjson.Result) bool {
		if name := r.nameOf(key.Str); name != "" {
			quoted, _ := json.Marshal(name) // a string
			out = append(append(append(append(out, quoted...), ':'), value.Raw...), ',')
		}
		return true
	})
	return append(bytes.TrimSuffix(out, []byte(",")), '}')
}

// without returns what was refused except for a key.
func (r refusals) without(key string) refusals {
	rest := maps.Clone(r)
	delete(rest, key)
	return rest
}

// nameOf returns the name under which a key is sent, or "".
func (r refusals) nameOf(key string) string {
	for range len(r) + 1 {
		other, refused := r[key]
		if !refused {
			return key
		}
		key = other
	}
	return ""
}
