package mcpclient

import (
	"cmp"
	"io"
	"net/http"
)

// httpClient returns a client that sends headers with each request, and reads no more of an answer than
// of a program.
func httpClient(c *http.Client, headers map[string]string, floodBytes int64) *http.Client {
	client := *cmp.Or(c, &http.Client{})
	client.Transport = headerTransport{cmp.Or(client.Transport, http.DefaultTransport), headers, floodBytes}
	return &client
}

// headerTransport sends headers with each request, and bounds the bodies of responses.
type headerTransport struct {
	next    http.RoundTripper
	headers map[string]string
	limit   int64
}

// RoundTrip implements [http.RoundTripper].
func (t headerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range t.headers {
		r.Header.Set(name, value)
	}
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Body = &boundedBody{response.Body, t.limit}
	}
	return response, err
}

// boundedBody is a body that fails after a number of bytes.
type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errFlood
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
