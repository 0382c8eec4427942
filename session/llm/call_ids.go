package llm

import (
	"crypto/sha256"

	"ploke-lsp/internal/lazyregexp"
)

// shortID matches the ids of calls that every server takes. Source: Mistral's API, "Tool call id … must be a-z, A-Z, 0-9,
// with a length of 9".
var shortID = lazyregexp.New(`^[a-zA-Z0-9]{9}$`)

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// wireID returns the id of a call as it is sent: the one that its own author gave it, else one that every server takes.
// Calls and results keep belonging together.
func wireID(id string, own bool) string {
	if own || shortID.MatchString(id) {
		return id
	}
	return CallID(id)
}

// CallID returns an id for a call that every server takes, made from one that only this program takes.
func CallID(id string) string {
	sum := sha256.Sum256([]byte(id))
	short := make([]byte, 9)
	for i := range short {
		short[i] = idAlphabet[int(sum[i])%len(idAlphabet)]
	}
	return string(short)
}

// ownsCalls reports whether origin has given the ids of the calls that a message makes or answers. The message is one of
// a conversation, by its index.
func ownsCalls(origin string, messages []Message, index int) bool {
	for ; index >= 0 && messages[index].Role == Tool; index-- {
	}
	return index >= 0 && isFrom(origin, &messages[index])
}
