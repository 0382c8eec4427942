package compiler

import (
	"context"
	"errors"
	"time"
)

// Readiness says whether the project was read when an answer was made.
type Readiness string

// The values of a readiness. Unknown is that of a server that does not say.
const (
	Complete Readiness = "complete"
	Loading  Readiness = "loading"
	Unknown  Readiness = "unknown"
)

// A Question is about what is named at an offset of a file.
type Question struct {
	Path   string // absolute
	Offset int    // in bytes
	Hash   string // of the text that the offset is in, see [workspace.Hash]
	// ByName returns the places that are taken for uses by their names, for [Settled], once they are known or the context
	// ends; nil if none are looked for.
	ByName func(context.Context) []Place
}

// A Place is a range of bytes of a file, in the text with a hash.
type Place struct {
	Path       string // absolute
	Start, End int
	Hash       string
	New        string // the text that a rename puts there
}

// An Answer is a list of places. Those that are not in the workspace are not among them.
type Answer struct {
	Places    []Place
	Outside   bool   // there are places that are not in the workspace, as far as that is known
	Source    string // the server that answered, such as "gopls v0.22.0"
	Hash      string // of the text that was asked about
	Readiness Readiness
	Took      time.Duration
	Answering time.Duration // how much of it the server took
	// Knows reports whether it is known what a place means, though it may not be among those of the answer. It is nil if
	// that is known of all places.
	Knows func(Place) bool `json:"-"`
}

// A Source answers questions. Its errors are sentences for the person, but for those below.
type Source interface {
	// References are the places that name the symbol, but for its declaration.
	References(ctx context.Context, q Question) (*Answer, error)
	// Implementations are where that which implements the symbol is declared.
	Implementations(ctx context.Context, q Question) (*Answer, error)
	// Definition is where the symbol is declared.
	Definition(ctx context.Context, q Question) (*Answer, error)
	// Rename is what is replaced so that the symbol has another name, its declaration included: all of it, or an error.
	Rename(ctx context.Context, q Question, to string) (*Answer, error)
}

var (
	// ErrNone says that no server is configured for the language of a file.
	ErrNone = errors.New("no language server is configured for this file")
	// ErrRefused says that a server can't answer the question: often, the file is in no build that it knows. The error
	// says why.
	ErrRefused = errors.New("refused")
	// ErrChanged says that a text has changed while the answer was made.
	ErrChanged = errors.New("the text has changed while the language server answered")
)
