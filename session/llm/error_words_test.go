package llm_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// saying returns the body of an error as OpenAI writes it.
func saying(message string) string {
	b, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}})
	return string(b)
}

// TestTheServersSentenceIsShown has errors of many shapes.
func TestTheServersSentenceIsShown(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for _, tt := range []struct{ name, body, want string }{
		{"object", `{"error":{"message":"the words","type":"t"}}`, "the words"},
		{"string", `{"error":"the words"}`, "the words"},
		{"message", `{"object":"error","message":"the words","code":400}`, "the words"},
		{"Message", `{"Message":"the words"}`, "the words"},
		{"msg", `{"code":20015,"msg":"the words"}`, "the words"},
		{"detail", `{"detail":"the words"}`, "the words"},
		{"detail, an object", `{"detail":{"error":"label","message":"the words"}}`, "the words"},
		{"detail, a list", `{"detail":[{"type":"missing","loc":["body","messages",0,"name"],"msg":"Field required"},{"loc":["body","x"],"msg":"no"}]}`,
			"messages.0.name: Field required; x: no"},
		{"detail, a list of strings", `{"detail":["one","two words"]}`, "one; two words"},
		{"error_message", `{"error_type":"t","error_message":"the words"}`, "the words"},
		{"error_msg", `{"error_code":17,"error_msg":"the words"}`, "the words"},
		{"errors", `{"success":false,"errors":[{"code":7003,"message":"the words"},{"message":"and more"}]}`, "the words; and more"},
		{"errors, strings", `{"errors":["the words"]}`, "the words"},
		{"errors, null error", `{"error":null,"errors":["the words"]}`, "the words"},
		{"problem", `{"type":"about:blank","title":"No luck","status":400,"detail":"the words","instance":"/x"}`, "No luck: the words"},
		{"problem without detail", `{"title":"No luck","status":400}`, "No luck"},
		{"a label beside", `{"timestamp":1,"status":400,"error":"Bad Request","message":"the words","path":"/"}`, "the words"},
		{"a code beside", `{"error":"invalid_request","error_description":"the words"}`, "the words"},
		{"only a label", `{"error":"invalid_request"}`, "invalid_request"},
		{"true", `{"error":true,"message":"the words"}`, "the words"},
		{"list", `[{"error":{"code":400,"message":"the words"}}]`, "the words"},
		{"string of JSON", `{"error":{"message":"{\"error\":{\"message\":\"the words\"}}"}}`, "the words"},
		{"upstream", `{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"the words\"}}"}}}`, "Provider returned error: the words"},
		{"param", `{"error":{"message":"Bad value","param":"max_tokens"}}`, "max_tokens: Bad value"},
		{"param that is named", `{"error":{"message":"Bad value of max_tokens","param":"max_tokens"}}`, "Bad value of max_tokens"},
		{"fault", `{"fault":{"faultstring":"the words","detail":{"errorcode":"c"}}}`, "the words"},
		{"JSON string", `"the words"`, "the words"},
		{"behind a byte order mark", "\n\uFEFF" + `{"error":"the words"}`, "the words"},
		{"lines", `{"error":{"message":"the\n  words\u0007"}}`, "the words"},
		{"plain", "the words\n", "the words"},
		{"one word", "unauthorized", "unauthorized"},
		{"broken JSON", `{"error":{"message":"the words`, `{"error":{"message":"the words`},
		{"page", "<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><h1>The</h1>\n<p>words &amp; more</p><script>x()</script></body></html>", "The words & more"},
		{"page with a title only", "<html><head><title>the words</title></head><body></body></html>", "the words"},
		{"long", long, strings.TrimSuffix(long[:200], " ") + "…"},
		{"noise", strings.Repeat("x", 1000), "Bad Request"},
		{"blanks", " \n", "Bad Request"},
		{"empty", `{}`, "Bad Request"},
		{"a number", `17`, "Bad Request"},
		{"deep", strings.Repeat(`{"error":`, 50) + `"x"` + strings.Repeat(`}`, 50), "Bad Request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := refusalOf(t, 400, tt.body)
			if e.Message != tt.want || !strings.HasPrefix(e.Error(), "test/m: "+tt.want+" (HTTP 400)") {
				t.Errorf("%q, want %q", e.Error(), tt.want)
			}
		})
	}
}

// TestNoPartOfAKeyIsShown has the key where a long text is cut.
func TestNoPartOfAKeyIsShown(t *testing.T) {
	for n := 150; n < 205; n++ {
		body := strings.Repeat("é ", n/3) + strings.Repeat(".", n%3) + " no such key: " + testKey + strings.Repeat(" more", 50)
		e := errorOf(t, refusedWithKey(t, body))
		if strings.Contains(e.Error(), testKey[:8]) {
			t.Errorf("%s", e.Error())
		}
	}
}

func refusedWithKey(t *testing.T, body string) error {
	_, _, _, _, err := collect(t.Context(),
		llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: answeringStatus(t, 400, body), APIKey: testKey}), question("hi"))
	return err
}

func answeringStatus(t *testing.T, status int, body string) (base string) {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	})
}
