package llmtest

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// InMemory returns a transport whose requests a handler answers without a socket, so that a bubble of
// testing/synctest can become idle while a request waits.
func InMemory(h http.Handler) http.RoundTripper { return inMemory{h} }

type inMemory struct{ handler http.Handler }

// RoundTrip returns once the handler has sent the header.
func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	body, w := io.Pipe()
	answer := &memoryWriter{header: http.Header{}, body: w, sent: make(chan struct{})}
	request := r.Clone(r.Context())
	if request.Body == nil {
		request.Body = http.NoBody
	}
	go func() {
		defer func() {
			switch failure := recover(); failure {
			case nil:
			case http.ErrAbortHandler:
				w.CloseWithError(io.ErrUnexpectedEOF)
			default:
				panic(failure)
			}
			answer.WriteHeader(http.StatusOK)
			w.Close()
		}()
		m.handler.ServeHTTP(answer, request)
	}()
	select {
	case <-answer.sent:
	case <-r.Context().Done():
		body.CloseWithError(r.Context().Err())
		return nil, r.Context().Err()
	}
	context.AfterFunc(r.Context(), func() { body.CloseWithError(r.Context().Err()) })
	return &http.Response{StatusCode: answer.status, Status: http.StatusText(answer.status), Header: answer.header.Clone(),
		Body: body, Request: r, ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1}, nil
}

// memoryWriter is a [http.ResponseWriter].
type memoryWriter struct {
	header http.Header
	body   *io.PipeWriter
	once   sync.Once
	sent   chan struct{}
	status int
}

func (w *memoryWriter) Header() http.Header { return w.header }

func (w *memoryWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status = status
		close(w.sent)
	})
}

func (w *memoryWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush does nothing: a reader gets what is written at once.
func (w *memoryWriter) Flush() {}
