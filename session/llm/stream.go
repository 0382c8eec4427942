package llm

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"strings"
)

// streamAnswer returns the stream of a provider's response. send passes each chunk to
// emit until emit returns false, when the caller has left the loop.
func streamAnswer(ctx context.Context, provider string, send func(emit func(Chunk) bool) error) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		left := false
		err := send(func(c Chunk) bool {
			left = left || !yield(valid(c), nil)
			return !left
		})
		if err != nil && !left {
			yield(Chunk{}, annotate(ctx, provider, err))
		}
	}
}

// annotate adds the provider and a hint to err. If ctx has ended, it returns the
// cause of ctx.
func annotate(ctx context.Context, provider string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var e *Error
	if errors.As(err, &e) {
		e.Provider = provider
		e.Hint = hints[e.Class]
	}
	return err
}

// valid replaces bytes that are not UTF-8, which some servers send.
func valid(c Chunk) Chunk {
	c.Text = strings.ToValidUTF8(c.Text, "\uFFFD")
	c.Reasoning = strings.ToValidUTF8(c.Reasoning, "\uFFFD")
	if c.Call != nil {
		c.Call.ID = strings.ToValidUTF8(c.Call.ID, "\uFFFD")
		c.Call.Name = strings.ToValidUTF8(c.Call.Name, "\uFFFD")
		c.Call.Arguments = []byte(strings.ToValidUTF8(string(c.Call.Arguments), "\uFFFD"))
	}
	return c
}

// hostOf returns the host of a base URL, and its port if the URL has one.
func hostOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Host
}
