package llm

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// errBrokeOff reports a response that ended too early.
var errBrokeOff = errors.New("the answer broke off")

// requestError returns the [*Error] for err, an error of reading a response. response
// is nil if there was none. begun says that a part of the response had arrived.
func requestError(err error, response *http.Response, begun bool) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if response != nil && response.StatusCode >= 400 {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20)) // an unreadable body is treated as an empty one
		e := responseError(response.StatusCode, body)
		e.RetryAfter = retryAfter(response.Header, time.Now())
		return e
	}
	if body := streamedError(err); body != nil {
		e := responseError(0, body)
		e.BrokeOff = begun
		return e
	}
	if err == errBrokeOff && !begun {
		return &Error{Class: BadResponse, Message: "the answer is empty"}
	}
	return &Error{Class: classOf(err), Message: messageOf(err), BrokeOff: begun}
}

// streamedError returns the error object that a server put into a stream, or nil if
// err is another error.
func streamedError(err error) []byte {
	var ofOpenAI *ssestream.StreamError
	var ofAnthropic *anthropic.Error
	switch {
	case errors.As(err, &ofOpenAI):
		return ofOpenAI.Event.Data
	case errors.As(err, &ofAnthropic):
		return []byte(ofAnthropic.RawJSON())
	}
	return nil
}

func classOf(err error) Class {
	var stalled *stalledError
	switch {
	case errors.As(err, &stalled):
		return Stalled
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "HTTP response to HTTPS client"): // most of these errors have no type
		return TLS
	case notJSON(err):
		return BadResponse
	}
	return Network
}

func messageOf(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errBrokeOff.Error()
	case notJSON(err):
		return "the answer does not have the format of this type of provider: " + err.Error()
	}
	return err.Error()
}

func notJSON(err error) bool {
	var syntax *json.SyntaxError
	var unmarshal *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &unmarshal)
}
