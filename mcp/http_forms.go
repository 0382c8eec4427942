package mcp

import (
	"crypto/rand"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The protocol has clients name both forms of an answer, a stream of events and plain JSON, in the
// header Accept. Some name only JSON, or nothing. They get JSON, in all requests of a session that
// began so. Who takes neither is refused.

// plainSession begins the ids of sessions whose answers are plain JSON.
const plainSession = "json-"

// newPlainSession returns a session whose client can't be asked anything while a call runs.
func (s *Server) newPlainSession() *session {
	c := &session{server: s, plain: true}
	c.protocol = c.newProtocol()
	return c
}

// sessionID returns an id for a session over HTTP.
func (c *session) sessionID() string {
	if c.plain {
		return plainSession + rand.Text()
	}
	return rand.Text()
}

// inBothForms returns a handler that answers each client in a form that it takes.
func inBothForms(serverFor func(r *http.Request, plain bool) *sdk.Server, o sdk.StreamableHTTPOptions) http.Handler {
	form := func(plain bool) http.Handler {
		o := o
		o.JSONResponse = plain
		return sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server { return serverFor(r, plain) }, &o)
	}
	events, plain := form(false), form(true)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("Mcp-Session-Id")
		isPlain := strings.HasPrefix(id, plainSession) || id == "" && !takesEvents(r)
		if r.Method == http.MethodPost && (!isPlain || takes(r, "application/json")) {
			r = r.Clone(r.Context())
			r.Header.Set("Accept", "application/json, text/event-stream") // without which the library refuses it
		}
		if isPlain {
			plain.ServeHTTP(w, r)
			return
		}
		events.ServeHTTP(w, r)
	})
}

// takesEvents reports whether a client names streams of events as a form of answers.
func takesEvents(r *http.Request) bool {
	return r.Header.Get("Accept") != "" && takes(r, "text/event-stream")
}

// takes reports whether a client takes answers of a type. One that names none takes all.
func takes(r *http.Request, mediaType string) bool {
	values := strings.Join(r.Header.Values("Accept"), ",")
	if strings.TrimSpace(values) == "" {
		return true
	}
	kind, _, _ := strings.Cut(mediaType, "/")
	for part := range strings.SplitSeq(values, ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case mediaType, kind + "/*", "*/*":
			return true
		}
	}
	return false
}
