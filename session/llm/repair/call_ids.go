package repair

import (
	"crypto/sha256"

	"ploke-lsp/internal/lazyregexp"
)

// shortForm matches the ids of calls that every server takes. Source: Mistral's API, "Tool call id
// … must be a-z, A-Z, 0-9, with a length of 9".
var shortForm = lazyregexp.New(`^[a-zA-Z0-9]{9}$`)

const idAlphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// ID returns the id of a call as it is sent: the one that its own author gave it, else one that every server takes.
// Calls and results keep belonging together.
func ID(id string, own bool) string {
	if own || shortForm.MatchString(id) {
		return id
	}
	return ShortID(id)
}

// ShortID returns an id for a call that every server takes, made from one that only this program takes.
func ShortID(id string) string {
	sum := sha256.Sum256([]byte(id))
	short := make([]byte, 9)
	for i := range short {
		short[i] = idAlphabet[int(sum[i])%len(idAlphabet)]
	}
	return string(short)
}
