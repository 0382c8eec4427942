package llm_test

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"ploke-lsp/session/llm"
)

// oddStream is a protocol whose streams are sent in odd forms.
type oddStream struct {
	at              func(client *http.Client) llm.Provider
	text, more, end string // events without their name: the texts "a" and "b", and the end
}

var oddStreams = map[string]oddStream{
	"chat": {func(c *http.Client) llm.Provider { return llm.OpenAI(llm.OpenAIConfig{Name: "test", HTTPClient: c}) },
		`{"choices":[{"delta":{"content":"a"}}]}`, `{"choices":[{"delta":{"content":"b"}}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`},
	"responses": {func(c *http.Client) llm.Provider {
		return llm.OpenAI(llm.OpenAIConfig{Name: "test", HTTPClient: c, Responses: true})
	}, `{"type":"response.output_text.delta","delta":"a"}`, `{"type":"response.output_text.delta","delta":"b"}`, `{"type":"response.completed","response":{}}`},
	"anthropic": {func(c *http.Client) llm.Provider {
		return llm.Anthropic(llm.AnthropicConfig{Name: "test", HTTPClient: c})
	},
		`{"type":"content_block_delta","delta":{"type":"text_delta","text":"a"}}`, `{"type":"content_block_delta","delta":{"type":"text_delta","text":"b"}}`,
		`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`},
}

// oddForms are streams with the events TEXT, MORE and END.
var oddForms = func() map[string]string {
	const whole = "event: e\ndata: TEXT\n\nevent: e\ndata: MORE\n\nevent: e\ndata: END\n\n"
	const begun = "event: e\ndata: TEXT\n\n"
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(whole) }
	return map[string]string{
		"as it should be":                 whole + "data: [DONE]\n\n",
		"DONE is missing":                 whole,
		"DONE with a name":                whole + "event: done\ndata: [DONE]\n\n",
		"DONE without an empty line":      whole + "data: [DONE]",
		"lines end with CR and LF":        replace("\n", "\r\n"),
		"lines end with CR":               replace("\n", "\r"),
		"no spaces":                       replace(": ", ":"),
		"several spaces":                  replace(": ", ":  "),
		"byte order mark":                 "\ufeff" + whole,
		"comments":                        ": ping\n\n:\n\n" + replace("event", ": comment\nevent") + ": bye",
		"fields that nobody knows":        "retry: 10\n\n" + replace("event", "id: 1\nx: y\nz\nevent"),
		"no names":                        replace("event: e\n", ""),
		"empty names":                     replace("event: e", "event:"),
		"other names":                     replace("event: e", "event: message"),
		"names behind the data":           replace("event: e\n", "", "TEXT", "TEXT\nevent: e", "MORE", "MORE\nevent: e", "END", "END\nevent: e"),
		"empty events":                    "event: e\n\nevent: e\ndata\n\nevent: e\ndata:\n\ndata: \n\n\n\n" + whole,
		"pings":                           "event: ping\ndata: {\"type\":\"ping\"}\n\n" + whole,
		"only pings":                      "event: ping\ndata: {\"type\":\"ping\"}\n\n",
		"data in several lines":           replace("data: TEXT", "data\ndata: {\"z\":\ndata: [\ndata:],\ndata: INNER\ndata:"),
		"null":                            "event: e\ndata: null\n\n" + whole,
		"an array":                        "event: e\ndata: [1]\n\n" + whole,
		"an error that is null":           replace("TEXT", `{"error":null,INNER`),
		"no empty line at the end":        strings.TrimSuffix(whole, "\n"),
		"no end of the last line":         strings.TrimSuffix(whole, "\n\n"),
		"half a last line":                strings.TrimSuffix(whole, "END\n\n") + `{"type"`,
		"more behind the end":             whole + "data: [DONE]\n\nevent: e\ndata: MORE\n\n",
		"no end":                          begun,
		"no end but DONE":                 begun + "data: [DONE]\n\n",
		"nothing":                         "",
		"only DONE":                       "data: [DONE]\n\n",
		"only comments":                   ": ping\n\n: ping\n\n",
		"a page":                          "<!DOCTYPE html>\n<html>\n<p>data: none</p>\n\n</html>\n",
		"words":                           "upstream is busy\n",
		"an object":                       `{"error":{"message":"words"}}`,
		"an error":                        "event: error\ndata: ERROR\n\n",
		"an error after text":             begun + "event: error\ndata: ERROR\n\nevent: e\ndata: MORE\n\n",
		"an error without a name":         begun + "data: ERROR\n\n",
		"an error with another name":      begun + "event: e\ndata: ERROR\n\n",
		"an error with a status":          begun + "event: error\ndata: {\"error\":{\"code\":429,\"message\":\"words\"}}\n\n",
		"an error that is text":           begun + "event: error\ndata: {\"error\":\"words\"}\n\n",
		"an error that is only a message": begun + "event: error\ndata: {\"message\":\"words\"}\n\n",
		"an error that is not JSON":       begun + "event: error\ndata: some words\n\n",
		"an error without words":          begun + "event: error\ndata: {\"error\":{}}\n\n",
		"an event that is not JSON":       begun + "event: e\ndata: {nonsense\n\n",
		"an event of words":               "event: e\ndata: upstream is busy\n\n",
		"an event without a name that is not JSON": begun + "data: {nonsense\n\nevent: e\ndata: END\n\n",
		"half an error": "event: e\ndata: {\"error\":{\"message\":\"words\"}\n\n",
	}
}()

// readBody is a transport that answers each request with what a reader reads.
type readBody func() io.Reader

func (body readBody) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body()), Request: r}, nil
}

// TestOddStreams sends streams as servers and proxies do that keep to the standard of server-sent events only in part, whole
// and byte by byte.
func TestOddStreams(t *testing.T) {
	llm.CompareReadings(t, "odd_streams", slices.Sorted(maps.Keys(oddForms)), slices.Sorted(maps.Keys(oddStreams)),
		func(form, protocol string) string {
			p := oddStreams[protocol]
			body := strings.NewReplacer("TEXT", p.text, "MORE", p.more, "END", p.end, "INNER", p.text[1:],
				"ERROR", `{"type":"error","error":{"type":"overloaded_error","message":"words"}}`).Replace(oddForms[form])
			whole := outcome(t, p.at(&http.Client{Transport: readBody(func() io.Reader { return strings.NewReader(body) })}))
			bytewise := outcome(t,
				p.at(&http.Client{Transport: readBody(func() io.Reader { return iotest.OneByteReader(strings.NewReader(body)) })}))
			if bytewise != whole {
				t.Errorf("%s, %s: byte by byte %s; whole %s", protocol, form, bytewise, whole)
			}
			return whole
		})
}
