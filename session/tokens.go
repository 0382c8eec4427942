package session

import (
	"hash/maphash"
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"ploke-lsp/session/llm"
)

const (
	bytesPerToken = 4    // of code and English text, about, where no tokenizer is known
	margin        = 1.25 // on such an estimate, until the provider has told a real number
	messageTokens = 4    // of a message, beside its text
)

// counter counts tokens for a model: exactly where its vocabulary is known, else
// from the number of bytes. scale is the ratio of what its provider counted to
// what was counted here, or a margin.
type counter struct {
	vocabulary *vocabulary // nil if unknown
	scale      float64
}

// knownVocabulary matches the models whose vocabulary is o200k_base. The prefix
// is OpenRouter's.
var knownVocabulary = regexp.MustCompile(`^(openai/)?(gpt-4o|gpt-4\.|gpt-[5-9]|gpt-oss|chatgpt-4o|codex-|o[1-9](-|$))`)

// newCounter returns a model's counter, with the scale that is known of it, or 0.
func newCounter(m llm.Model, scale float64) counter {
	c := counter{scale: scale}
	if knownVocabulary.MatchString(m.ID) {
		c.vocabulary = &o200k
	}
	if c.scale == 0 {
		c.scale = margin
		if c.vocabulary != nil {
			c.scale = 1
		}
	}
	return c
}

// request counts what a request of these messages and tools has.
func (c counter) request(messages []llm.Message, specs []llm.ToolSpec) int {
	return int(math.Ceil(c.scale * float64(c.raw(messages, specs))))
}

// raw counts without the scale.
func (c counter) raw(messages []llm.Message, specs []llm.ToolSpec) int {
	n := 0
	for _, m := range messages {
		n += messageTokens + c.text(m.Text) + len(m.Opaque)/bytesPerToken
		for _, call := range m.Calls {
			n += c.text(call.Name) + c.text(string(call.Arguments))
		}
	}
	for _, t := range specs {
		n += c.text(t.Name) + c.text(t.Description) + c.text(string(t.Schema))
	}
	return n
}

func (c counter) text(s string) int {
	if c.vocabulary == nil {
		return (len(s) + bytesPerToken - 1) / bytesPerToken
	}
	return c.vocabulary.count(s)
}

// scaleOf is the ratio of the tokens that a provider reports for a request to
// those counted here, 0 if it reports none. It is kept within what can be true:
// some servers report only what was not in their cache.
func scaleOf(reported, counted int) float64 {
	if reported <= 0 || counted <= 0 {
		return 0
	}
	return min(max(float64(reported)/float64(counted), 0.75), 4)
}

// vocabulary counts the tokens of one of OpenAI's vocabularies. It is loaded when
// it is first used, and remembers the texts that it has counted, since those of
// a conversation come again with each request.
type vocabulary struct {
	load func() *codec.Codec

	mu     sync.Mutex
	counts map[uint64]int // by the text's hash
}

var (
	o200k    = vocabulary{load: sync.OnceValue(codec.NewO200kBase)}
	textHash = maphash.MakeSeed()
)

const (
	countsKept = 1 << 14
	pieceBytes = 1 << 10
)

func (v *vocabulary) count(s string) int {
	key := maphash.String(textHash, s)
	v.mu.Lock()
	n, known := v.counts[key]
	v.mu.Unlock()
	if known {
		return n
	}
	n = v.countAnew(s)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.counts == nil || len(v.counts) >= countsKept {
		v.counts = map[uint64]int{}
	}
	v.counts[key] = n
	return n
}

// countAnew counts piece by piece: the library's time is quadratic in the length
// of a run of white space, and cutting costs a token in each piece at most.
func (v *vocabulary) countAnew(s string) int {
	n := 0
	for s != "" {
		end := pieceEnd(s)
		tokens, err := v.load().Count(s[:end])
		if err != nil { // only if matching has a time limit, and it has none
			tokens = end / bytesPerToken
		}
		n += tokens
		s = s[end:]
	}
	return n
}

// pieceEnd is where the first piece of s ends: before a space, which belongs to
// the word after it, else before a rune.
func pieceEnd(s string) int {
	if len(s) <= pieceBytes {
		return len(s)
	}
	if space := strings.LastIndexByte(s[:pieceBytes], ' '); space > 0 {
		return space
	}
	end := pieceBytes
	for end > pieceBytes-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}
