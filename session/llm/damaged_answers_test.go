package llm_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm/llmtest"
)

// TestDamagedAnswers reads answers with something changed in them, whole and byte by byte. Each ends once, with calls only if
// that is the reason.
func TestDamagedAnswers(t *testing.T) {
	answers := map[string][]string{"anthropic": {anthropicStream}, "responses": {responsesStream}}
	for protocol, all := range map[string][]oddAnswer{"chat": chatAnswers, "responses": responsesAnswers, "anthropic": anthropicAnswers,
		"ollama": ollamaAnswers} {
		for _, a := range all {
			answers[protocol] = append(answers[protocol], a.body)
		}
	}
	for _, c := range writtenCalls {
		answers["chat"] = append(answers["chat"], textPieces(c.text, 9)+pieces(finished("stop")))
	}
	for protocol, bodies := range answers {
		var body io.Reader
		p := providerAt(protocol, "http://127.0.0.1", &http.Client{Transport: readBody(func() io.Reader { return body })})
		r := rand.New(rand.NewPCG(1, 2))
		for range testbed.Count(250, 50) {
			damaged := llmtest.Damage(r, bodies[r.IntN(len(bodies))])
			body = strings.NewReader(damaged)
			whole := readAnswer(t, p, offering)
			body = iotest.OneByteReader(strings.NewReader(damaged))
			if bytewise := readAnswer(t, p, offering); bytewise != whole {
				t.Errorf("byte by byte %s; whole %s", bytewise, whole)
			}
			if t.Failed() {
				t.Fatalf("%s:\n%s", protocol, damaged)
			}
		}
	}
}
