package mcp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/edits"
)

// maxAsked is how many questions may be open at once. The oldest one can't be answered any more when another is asked.
const maxAsked = 1000

// askedQuestions are the questions that clients have been given to ask, and that are not answered.
// Each is answered once, for the version of the proposal that it shows. The zero value is ready.
type askedQuestions struct {
	mu    sync.Mutex
	open  []string // nonces, the oldest first
	signs []byte   // the key; each process has its own
}

// sign returns what a client sends back with the answer to a question about a proposal: the id, the
// version and a nonce, signed.
func (a *askedQuestions) sign(p *edits.Proposal) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	nonce := rand.Text()
	a.open = append(a.open, nonce)
	a.open = a.open[max(0, len(a.open)-maxAsked):]
	state := strings.Join([]string{p.ID, string(p.Version()), nonce}, ".")
	return state + "." + a.mark(state)
}

// verify returns the decision that a client's state is about. ok is false if it answers no open question.
func (a *askedQuestions) verify(state string) (d edits.Decision, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	end := strings.LastIndexByte(state, '.')
	if end < 0 || !hmac.Equal([]byte(state[end+1:]), []byte(a.mark(state[:end]))) {
		return d, false
	}
	fields := strings.Split(state[:end], ".")
	if len(fields) != 3 {
		return d, false
	}
	at := slices.Index(a.open, fields[2])
	if at < 0 {
		return d, false
	}
	a.open = slices.Delete(a.open, at, at+1)
	return edits.Decision{ID: fields[0], Shown: edits.Version(fields[1])}, true
}

// mark returns the signature of a state. The lock is held.
func (a *askedQuestions) mark(state string) string {
	if a.signs == nil {
		a.signs = make([]byte, sha256.Size)
		rand.Read(a.signs) // never fails
	}
	code := hmac.New(sha256.New, a.signs)
	code.Write([]byte(state))
	return hex.EncodeToString(code.Sum(nil))
}
