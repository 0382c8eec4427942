package secretscan

import (
	"hash/crc32"
	"strings"
	"sync"
)

//go:generate go test . -run TestIssuedIsCurrent -update

// issuedShape is a shape of issuers.txt, and what is looked for to find its keys.
type issuedShape struct {
	mark   string // text of the key
	before int    // bytes of the key before the mark
	text   string // of the shape
	check  string // a word of checks, or ""
}

// rule detects the keys of one shape.
type rule struct {
	issuedShape
	check  check
	parsed sync.Once
	shape  *shape // once the mark has been seen
}

// check looks at what a shape does not say. Its functions may be nil.
type check struct {
	holds func(secret string) bool
	// within returns the length of the key at the beginning of a text, or 0. It is sure enough to find
	// the key within a word.
	within func(text string) int
}

// checks are the words of issuers.txt for them.
var checks = map[string]check{
	"random":    {holds: func(key string) bool { return random(key) || jumbled(key) && strings.ContainsAny(key, decimal) }},
	"jumbled":   {holds: jumbled},
	"mixed":     {holds: func(key string) bool { return mixed(key) && jumbled(key) }},
	"pem":       {holds: encodedPEM},
	"snowflake": {holds: ofSnowflake},
	"crc32":     {within: withChecksum},
}

func issuerTriggers() []trigger {
	rules, all := make([]rule, len(issued)), make([]trigger, len(issued))
	for i := range issued {
		rules[i].issuedShape, rules[i].check = issued[i], checks[issued[i].check]
		all[i] = trigger{word: issued[i].mark, find: rules[i].find}
	}
	return all
}

// longestKey is the length in bytes that is looked at for one key. A longer key goes on to
// the end of its word.
const longestKey = 1 << 10

// extended returns a span that ends where only the text's window ended, up to its real end.
func extended(text string, s Span, window int) Span {
	for s.End >= window && s.End < len(text) &&
		(base64Character(text[s.End]) || strings.IndexByte("-_=.~", text[s.End]) >= 0) {
		s.End++
	}
	return s
}

// find returns the secret of the key whose mark is at an offset.
func (r *rule) find(text string, at int) []Span {
	start := at - r.before
	if start < 0 {
		return nil
	}
	if !wordStarts(text, start) || r.before == 0 && strings.HasSuffix(text[:at], r.mark) {
		return r.findWithin(text, start)
	}
	r.parsed.Do(func() { r.shape = parseShape(r.text) })
	window := min(len(text), start+longestKey)
	s, ok := r.shape.match(text[:window], start)
	if !ok {
		return nil
	}
	s = extended(text, s, window)
	for text[s.End-1] == '.' { // of the sentence
		s.End--
	}
	if r.check.holds != nil && !r.check.holds(text[s.Start:s.End]) {
		return nil
	}
	return []Span{s}
}

// findWithin returns the key that begins at an offset within a word, if its checksum holds.
func (r *rule) findWithin(text string, start int) []Span {
	if r.check.within == nil {
		return nil
	}
	if n := r.check.within(text[start:]); n > 0 {
		return []Span{{start, start + n}}
	}
	return nil
}

const (
	prefixLength   = 4  // of ghp_, npm_ and the like
	bodyLength     = 30 // random characters after it
	checksumLength = 6
	base62         = decimal + uppercase + lowercase
)

// withChecksum returns the length of the key at the beginning of a text that ends with the CRC-32
// of its body in base 62, or 0: see
// https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
func withChecksum(text string) int {
	if len(text) < prefixLength+bodyLength+checksumLength {
		return 0
	}
	body, sum := text[prefixLength:][:bodyLength], text[prefixLength+bodyLength:][:checksumLength]
	if checksum(body) != sum {
		return 0
	}
	return prefixLength + bodyLength + checksumLength
}

func checksum(body string) string {
	var sum [checksumLength]byte
	n := crc32.ChecksumIEEE([]byte(body))
	for i := checksumLength - 1; i >= 0; i-- {
		sum[i] = base62[n%62]
		n /= 62
	}
	return string(sum[:])
}
