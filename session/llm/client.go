package llm

import (
	"cmp"
	"net/http"
	"time"
)

// Outbound returns a copy of c, which may be nil, for requests that leave this
// machine. It follows no redirect to another origin, so that neither a key nor a
// text is sent to a server that is not configured. It accepts no compressed bodies,
// so that the size of a body is the number of bytes received.
func Outbound(c *http.Client) *http.Client {
	client := *cmp.Or(c, &http.Client{})
	client.Transport = outboundTransport{cmp.Or(client.Transport, http.DefaultTransport)}
	return &client
}

// newClient returns a copy of c, which may be nil, for the requests of a provider:
// [Outbound], with bounds on the bodies of its responses, and timeouts for a server
// that sends nothing.
func newClient(c *http.Client, b bounds, firstByte, idle time.Duration) *http.Client {
	client := Outbound(withIdleTimeout(c, firstByte, idle))
	client.Transport = boundedTransport{client.Transport, b}
	return client
}

// outboundTransport is the transport of [Outbound].
type outboundTransport struct{ next http.RoundTripper }

func (t outboundTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	plain := *r
	plain.Header = r.Header.Clone()
	plain.Header.Set("Accept-Encoding", "identity") // else the standard library asks for gzip
	response, err := t.next.RoundTrip(&plain)
	if err != nil {
		return nil, err
	}
	if err = checkRedirect(r, response); err == nil {
		err = checkEncoding(response)
	}
	if err != nil {
		response.Body.Close()
		return nil, err
	}
	return response, nil
}

// checkEncoding returns an error for a body that is compressed. The body of an error
// is dropped instead: its status says enough.
func checkEncoding(response *http.Response) error {
	encoding := response.Header.Get("Content-Encoding")
	switch {
	case encoding == "", encoding == "identity":
		return nil
	case response.StatusCode >= 400:
		response.Body.Close()
		response.Body = http.NoBody
		return nil
	}
	return &Error{Class: BadResponse,
		Message: "the server sends a compressed answer (" + shorten(encoding, 40) + "), which was not asked for"}
}
