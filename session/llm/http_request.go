package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// userAgent is the only thing that requests tell of this program and its machine.
const userAgent = "ploke-lsp"

// bearerHeader is the header of the requests to a server that takes a key as OpenAI's does. key may be empty.
func bearerHeader(key string) http.Header {
	h := http.Header{"Accept": {"application/json"}, "User-Agent": {userAgent}}
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	return h
}

// marshalRequest returns the body of a request.
func marshalRequest(request any) ([]byte, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("the request can't be encoded as JSON: %w", err)
	}
	return body, nil
}

// do sends a request, with a body of JSON unless it is nil. path is relative to the base URL. The
// caller closes the body of the response. An error status is returned as an [*Error].
func (e endpoint) do(ctx context.Context, client *http.Client, method, path string,
	body []byte) (*http.Response, error) {
	r, err := e.newRequest(ctx, method, path, body)
	if err != nil {
		return nil, requestError(err, false)
	}
	response, err := client.Do(r)
	if err != nil {
		return nil, requestError(withoutQuery(err), false)
	}
	if response.StatusCode >= 400 {
		defer response.Body.Close()
		return nil, statusError(response)
	}
	return response, nil
}

func (e endpoint) newRequest(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, withPath(e.baseURL, path), content)
	if err != nil {
		return nil, err
	}
	r.Header = e.header.Clone()
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// withPath returns the URL of a path, which may have a query, below a base URL with or without a
// slash at its end. It keeps the query of the base URL, which some servers need in each request.
func withPath(baseURL, path string) string {
	base, query, _ := strings.Cut(baseURL, "?")
	path, own, _ := strings.Cut(path, "?")
	address := strings.TrimSuffix(base, "/") + "/" + path
	if all := strings.Trim(query+"&"+own, "&"); all != "" {
		address += "?" + all
	}
	return address
}

// withoutQuery removes the query of the URL from an error of a client, since it may hold a key.
func withoutQuery(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		failed.URL, _, _ = strings.Cut(failed.URL, "?")
	}
	return err
}

// doJSON sends a request, with a body of JSON unless it is nil, and decodes the JSON of the response into answer.
func (e endpoint) doJSON(ctx context.Context, client *http.Client, method, path string, body []byte, answer any) error {
	response, err := e.do(ctx, client, method, path, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body) // to its end, so that the connection can be used again
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(content)).Decode(answer)
	}
	if err == io.EOF {
		err = errBrokeOff // before it began
	}
	if err != nil {
		return requestError(err, false)
	}
	return nil
}
