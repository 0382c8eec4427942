package llm_test

import (
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"ploke-lsp/session/llm"
)

// TestByteOrderMarksInStreams has marks wherever programs that join texts leave them, in all protocols, whole and byte by byte.
func TestByteOrderMarksInStreams(t *testing.T) {
	protocols := maps.Clone(oddStreams)
	protocols["ollama"] = oddStream{func(c *http.Client) llm.Provider {
		return llm.Ollama(llm.OllamaConfig{Name: "test", HTTPClient: c})
	}, `{"message":{"content":"a"}}`, `{"message":{"content":"b"}}`, `{"message":{},"done":true,"done_reason":"stop"}`}
	const whole, lines = "event: e\ndata: TEXT\n\nevent: e\ndata: MORE\n\nevent: e\ndata: END\n\ndata: [DONE]\n\n", "TEXT\nMORE\nEND\n"
	for name, form := range map[string]string{
		"at the beginning":     "\ufeff" + whole,
		"twice":                "\ufeff\ufeff" + whole,
		"at each event":        strings.ReplaceAll(whole, "event", "\ufeffevent"),
		"at each line":         "\ufeff" + strings.ReplaceAll(whole, "\n", "\n\ufeff"),
		"behind white space":   strings.ReplaceAll(whole, "event", " \ufeff event"),
		"before each value":    strings.ReplaceAll(whole, "data: ", "data: \ufeff"),
		"alone":                "\ufeff\n\n" + whole + "\ufeff",
		"between lines":        strings.ReplaceAll(lines, "\n", "\n\ufeff"),
		"at lines":             "\ufeff" + lines,
		"between values":       "\ufeffTEXT\ufeffMORE\ufeffEND\ufeff",
		"lines that end in CR": strings.ReplaceAll("\ufeff"+whole, "\n", "\r\n\ufeff"),
	} {
		for protocol, p := range protocols {
			t.Run(name+", "+protocol, func(t *testing.T) {
				body := strings.NewReplacer("TEXT", p.text, "MORE", p.more, "END", p.end).Replace(form)
				for _, reader := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader,
					iotest.DataErrReader} {
					got := outcome(t, p.at(&http.Client{Transport: readBody(func() io.Reader { return reader(strings.NewReader(body)) })}))
					if !strings.HasPrefix(got, `text ["a" "b"] `) || !strings.HasSuffix(got, "stop") {
						t.Errorf("the answer is %s", got)
					}
				}
			})
		}
	}
}
