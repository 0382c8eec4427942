package llm

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// errBrokeOff reports a response that ended too early.
var errBrokeOff = errors.New("the answer broke off")

// statusError returns the error of a response with an error status. It reads the body.
func statusError(response *http.Response) *Error {
	body, _ := io.ReadAll(response.Body) // what can't be read of it is left out; its size is bounded
	e := responseError(response.StatusCode, body)
	e.RetryAfter = waitOf(e, response.Header, time.Now())
	return e
}

// requestError returns the [*Error] for err, an error of sending a request or of reading its
// response. begun says that a part of the response had arrived.
func requestError(err error, begun bool) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if err == errBrokeOff && !begun {
		return &Error{Class: BadResponse, Message: "the answer is empty"}
	}
	return &Error{Class: classOf(err), Message: messageOf(err), BrokeOff: begun}
}

func classOf(err error) Class {
	var stalled *stalledError
	switch {
	case errors.As(err, &stalled):
		return Stalled
	// most of these errors have no type
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
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
