package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Class is the kind of an error.
type Class string

// The classes of errors.
const (
	Auth           Class = "auth"
	Quota          Class = "quota"
	RateLimit      Class = "rate_limit"
	Overloaded     Class = "overloaded"
	ContextTooLong Class = "context_too_long"
	ContentFilter  Class = "content_filter"
	Network        Class = "network"
	Stalled        Class = "stalled"      // the server sent nothing for too long
	TLS            Class = "tls"          // no secure connection
	NotFound       Class = "not_found"    // unknown model or URL
	BadResponse    Class = "bad_response" // a response that can't be used
	Template       Class = "template"     // the chat template of the model does not take the conversation
	Schema         Class = "schema"       // the server does not take the schema of a tool
	NoTools        Class = "no_tools"     // the model, or its server, does not take tools
	Redirect       Class = "redirect"     // a redirect that is not followed
	TooLarge       Class = "too_large"    // a response above a bound; what came before is valid
)

// Error is a failed request, with a hint for the user.
type Error struct {
	Provider   string // for people
	Model      string // that refused the request as it is; "" for another error
	Class      Class
	Status     int    // HTTP status; 0 if there was no response
	Message    string // the provider's own message if there is one
	Hint       string // what the user can do
	RetryAfter time.Duration

	// What a server said of a request that was too long for it, in tokens; 0 if nothing:
	ContextTokens int // size of the model's window
	RequestTokens int // size of the request

	BrokeOff bool // the response broke off after it had begun
}

func (e *Error) Error() string {
	msg := e.Message
	switch {
	case e.Model != "":
		msg = e.Provider + "/" + e.Model + ": " + msg
	case e.Provider != "":
		msg = e.Provider + ": " + msg
	}
	if e.Status != 0 {
		msg = fmt.Sprintf("%s (HTTP %d)", msg, e.Status)
	}
	if e.RetryAfter >= time.Second {
		msg += fmt.Sprintf("; it asks to wait %v", e.RetryAfter.Round(time.Second))
	}
	if e.Hint != "" {
		msg = strings.TrimSuffix(msg, ".") + ": " + e.Hint // what an editor says may be a sentence
	}
	return msg
}

// Temporary reports whether the same request may succeed later.
func (e *Error) Temporary() bool {
	return e.Class == RateLimit || e.Class == Overloaded || e.Class == Network
}

// refused reports whether a server refused a request for what it is, so that the same request will be refused again.
func (e *Error) refused() bool {
	switch e.Class {
	case Template, Schema, NoTools:
		return true
	case BadResponse:
		return e.Status >= 400
	}
	return false
}

// hints says what the user can do about each class.
var hints = map[Class]string{
	Auth:           "check the API key of this provider and its permissions",
	Quota:          "the account has no credit or quota left; add some, or choose another model",
	RateLimit:      "too many requests; wait a little, or choose another model",
	Overloaded:     "the provider is overloaded or down; try again later, or choose another model",
	ContextTooLong: "the conversation is too long for this model; start a new one, or choose a model with a larger context",
	ContentFilter:  "the provider's content filter refused; rephrase the message",
	Network:        "check the network, and that the base URL is right and the server is running",
	Stalled:        "check whether the server works, then try again, or choose another model",
	TLS:            "check that the base URL has the right scheme, http or https, and that this machine trusts the server's certificate",
	NotFound:       "check the model's name and the base URL",
	BadResponse:    "check that the base URL and the provider's type are right, or choose another model",
	Template:       "the chat template of the model does not take this conversation: use a newer template or server (for llama.cpp --jinja, and --chat-template-file with the model's newest template), or choose another model",
	Schema:         "the server does not take the description of a tool: update the server, leave out the MCP server whose tool it names, or choose another model",
	NoTools:        "the model is not set up to call tools: start llama.cpp with --jinja, or vLLM with --enable-auto-tool-choice and --tool-call-parser; else choose a model that can call tools, or set tools of this model to false",
	Redirect:       "if you trust the new address, set it as the provider's base URL",
	TooLarge:       "ask for less at once, or choose another model",
}

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
