package llm

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/repair"
)

// endpoint is where the requests of a provider go. Its methods Name and Host are those
// of [Provider] and [Remote].
type endpoint struct {
	name    string // for people
	baseURL string
	host    string
	key     string           // may be empty
	header  http.Header      // of each request
	version bool             // the base URL should have the API's version
	hints   map[Class]string // in place of the usual ones
}

// newEndpoint returns an endpoint whose requests have the key in their [bearerHeader].
func newEndpoint(name, baseURL, key string) endpoint {
	e := endpoint{name: name, baseURL: baseURL, key: key, header: bearerHeader(key)}
	if u, err := url.Parse(baseURL); err == nil {
		e.host = u.Host
	}
	return e
}

// withVersion returns e for an API whose address usually has a version.
func (e endpoint) withVersion() endpoint {
	e.version = true
	return e
}

var versionPath = lazyregexp.New(`/v[0-9]`)

// hint says what the user can do about an error.
func (e endpoint) hint(c Class) string {
	if hint := e.hints[c]; hint != "" {
		return hint
	}
	if u, err := url.Parse(e.baseURL); c == NotFound && e.version && err == nil && !versionPath.MatchString(u.Path) {
		return hints[NotFound] + ": it has no /v1, with which the addresses of most servers end"
	}
	return hints[c]
}

// withoutVersion returns the address of a server from that of its API, which may end in /v1. It keeps the query.
func withoutVersion(baseURL string) string {
	return withoutSuffix(baseURL, "/v1")
}

// withoutSuffix removes the end of the path of an address.
func withoutSuffix(baseURL, suffix string) string {
	address, query, found := strings.Cut(baseURL, "?")
	address = strings.TrimSuffix(strings.TrimSuffix(address, "/"), suffix)
	if found {
		address += "?" + query
	}
	return address
}

func (e endpoint) Name() string { return e.name }

func (e endpoint) Host() string { return e.host }

// stream returns the stream of a model's response. send passes each chunk to emit until emit
// returns false: the caller has left the loop, or the answer is too large.
func (e endpoint) stream(ctx context.Context, model string,
	send func(emit func(Chunk) bool) error) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		left, called, size := false, false, 0
		err := send(func(c Chunk) bool {
			called = called || c.Call != nil
			if c.Opaque != nil || called && c.Finish != "" {
				c.Opaque = signed(c.Opaque, e.origin(model))
			}
			if size += sizeOf(c); size <= MaxAnswer {
				left = left || !yield(valid(c), nil)
			}
			return !left && size <= MaxAnswer
		})
		if size > MaxAnswer {
			err = tooLarge("the answer has more than %s", megabytes(MaxAnswer))
		}
		if err != nil && !left {
			yield(Chunk{}, e.explainFor(ctx, model, err))
		}
	}
}

// origin identifies a model of this endpoint as the author of messages. It has no secrets of the URL.
func (e endpoint) origin(model string) string {
	u, err := url.Parse(e.baseURL)
	if err != nil {
		return model
	}
	return u.Host + strings.TrimSuffix(u.Path, "/") + " " + model
}

// sizeOf returns the bytes of what a chunk adds to the answer.
func sizeOf(c Chunk) int {
	n := len(c.Text) + len(c.Reasoning) + len(c.Opaque)
	if c.Call != nil {
		n += len(c.Call.ID) + len(c.Call.Name) + len(c.Call.Arguments)
	}
	return n
}

// explainFor is explain for an error of a request to a model, which it names if the server refused the request.
func (e endpoint) explainFor(ctx context.Context, model string, err error) error {
	err = e.explain(ctx, err)
	if known, ok := err.(*Error); ok && known.refused() {
		known.Model = model
	}
	return err
}

// explain adds the provider and a hint to err. It hides the key, which some servers
// repeat, and shortens the server's words. If ctx has ended, it returns the cause of
// ctx.
func (e endpoint) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *Error
	if errors.As(err, &known) {
		known.Provider = e.name
		known.Hint = e.hint(known.Class)
		known.Message = shorten(e.withoutKey(known.Message), maxShown)
	}
	return err
}

// shortestKey is the length in bytes from which a key is replaced in texts. Local servers take keys
// such as "k" or "local", which are parts of words.
const shortestKey = 8

// withoutKey replaces the key in a text.
func (e endpoint) withoutKey(text string) string {
	if len(e.key) < shortestKey {
		return text
	}
	return strings.NewReplacer(e.key, maskedKey, url.QueryEscape(e.key), maskedKey).Replace(text)
}

const maskedKey = "[API key]"

// valid replaces bytes that are not UTF-8, which some servers send, and repairs a call, which every server has to take
// as a part of the history.
func valid(c Chunk) Chunk {
	c.Text = strings.ToValidUTF8(c.Text, "\uFFFD")
	c.Reasoning = strings.ToValidUTF8(c.Reasoning, "\uFFFD")
	if c.Call != nil {
		c.Call.ID = strings.ToValidUTF8(c.Call.ID, "\uFFFD")
		c.Call.Name = repair.Name(c.Call.Name)
		c.Call.Arguments = repair.Arguments(strings.ToValidUTF8(string(c.Call.Arguments), "\uFFFD"))
	}
	return c
}
