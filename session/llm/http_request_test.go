package llm_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm"
)

// sentBy returns the first request of each kind that leaves this machine, with a base URL that ends in end.
func sentBy(t *testing.T, o outgoing, end string) (path string, header http.Header) {
	t.Helper()
	_ = o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
		if header == nil {
			path, header = r.URL.String(), r.Header
		}
		w.WriteHeader(http.StatusTeapot)
	})+end)
	header.Del("Content-Length")
	return path, header
}

// TestRequestsSayOnlyWhatIsNeeded compares all headers: they tell nothing of the machine.
func TestRequestsSayOnlyWhatIsNeeded(t *testing.T) {
	for _, o := range outgoings {
		want := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"identity"}, "User-Agent": {"ploke-lsp"}}
		if o.post {
			want.Set("Content-Type", "application/json")
		}
		if strings.HasPrefix(o.name, "anthropic") {
			want.Set("X-Api-Key", testKey)
			want.Set("Anthropic-Version", "2023-06-01")
		} else {
			want.Set("Authorization", "Bearer "+testKey)
		}
		_, header := sentBy(t, o, "/v1")
		if d := cmp.Diff(want, header); d != "" {
			t.Errorf("%s: %s", o.name, d)
		}
	}
}

// TestPathsAreBelowTheBaseURL has base URLs with and without a slash, a version and a folder.
func TestPathsAreBelowTheBaseURL(t *testing.T) {
	for _, o := range outgoings {
		path := map[string]string{
			"chat completions": "/chat/completions", "responses": "/responses", "chat completions, list": "/models", "responses, list": "/models",
			"embeddings": "/embeddings", "anthropic": "/v1/messages", "anthropic, list": "/v1/models", "ollama": "/api/chat", "ollama, list": "/api/tags",
		}[o.name]
		for _, end := range []string{"", "/", "/v1", "/v1/", "/a%2Fb/v1", "/a//b/"} {
			want := strings.TrimSuffix(end, "/") + path
			if strings.HasPrefix(path, "/v1") || strings.HasPrefix(path, "/api") {
				want = strings.TrimSuffix(strings.TrimSuffix(end, "/"), "/v1") + path
			}
			if got, _ := sentBy(t, o, end); got != want {
				t.Errorf("%s with %q: %s, want %s", o.name, end, got, want)
			}
		}
	}
}

func TestAnthropicModelsInPages(t *testing.T) {
	var asked []string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		io.WriteString(w, map[string]string{
			"/v1/models":                  `{"data":[{"id":"a"},{"id":"b c&d"}],"has_more":true,"last_id":"b c&d"}`,
			"/v1/models?after_id=b+c%26d": `{"data":[{"id":"e"}],"has_more":true,"last_id":"e"}`,
			"/v1/models?after_id=e":       `{"data":[{"id":"f"}],"has_more":false,"last_id":"f"}`,
		}[r.URL.String()])
	})
	var ids []string
	for _, m := range modelsOf(t, llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base})) {
		ids = append(ids, m.ID)
	}
	if d := cmp.Diff([]string{"a", "b c&d", "e", "f"}, ids); d != "" || len(asked) != 3 {
		t.Errorf("%s, asked for %q", d, asked)
	}
}

// TestBodiesThatAreNoAnswer has servers of something else.
func TestBodiesThatAreNoAnswer(t *testing.T) {
	for body, c := range map[string]struct {
		class llm.Class
		text  string // of the error if the body should be a whole answer
	}{
		"<html>":          {llm.BadResponse, "the answer does not have the format of this type of provider: invalid character '<' looking for beginning of value"},
		"":                {llm.BadResponse, "the answer is empty"},
		`{"data":[{"id":`: {llm.Network, "the answer broke off"},
	} {
		for _, o := range outgoings {
			e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, body)
			})))
			if streams := o.post && o.name != "embeddings"; !streams && e.Message != c.text {
				t.Errorf("%s, %q: %q, want %q", o.name, body, e.Message, c.text)
			}
			if e.Class != c.class {
				t.Errorf("%s, %q: %s, want %s", o.name, body, e.Class, c.class)
			}
		}
	}
}

// TestTheQueryOfTheBaseURLIsKept has a server that needs one in each request. A failure does not show it, since it may be a key.
func TestTheQueryOfTheBaseURLIsKept(t *testing.T) {
	for _, o := range outgoings {
		bare, _ := sentBy(t, o, "/v1")
		for _, end := range []string{"/v1?api-version=preview", "/v1/?api-version=preview"} {
			if got, _ := sentBy(t, o, end); got != bare+"?api-version=preview" {
				t.Errorf("%s with %s: %s", o.name, end, got)
			}
		}
		if err := o.send(t.Context(), "http://127.0.0.1:1/v1?secret=1"); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", o.name, err)
		}
	}
	var mu sync.Mutex // a request that is aborted may be sent once more, while the first is not over
	var asked []string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.String())
		count := len(asked)
		mu.Unlock()
		io.WriteString(w, `{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}`)
		if count == 2 {
			panic(http.ErrAbortHandler)
		}
	})
	_, _ = llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base + "?k=1"}).(llm.Lister).Models(t.Context())
	mu.Lock()
	defer mu.Unlock()
	if len(asked) < 2 || asked[1] != "/v1/models?k=1&after_id=a" {
		t.Errorf("%q", asked)
	}
	if got, _ := sentBy(t, outgoings[6], "/api"); got != "/api/chat" {
		t.Errorf("%s: %s", outgoings[6].name, got)
	}
}

// TestAMissingVersionIsHinted has servers that know no such path.
func TestAMissingVersionIsHinted(t *testing.T) {
	for end, hinted := range map[string]bool{"": true, "/": true, "/openai?v1": true, "/v1": false, "/v1beta/openai": false,
		"/api/v3": false} {
		for status, body := range map[int]string{404: "404 page not found", 400: `{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`} {
			base := answeringStatus(t, status, body) + end
			for _, p := range []llm.Provider{llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base}),
				llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, Responses: true})} {
				_, _, _, _, err := collect(t.Context(), p, question("hi"))
				if e := errorOf(t, err); e.Class != llm.NotFound || strings.Contains(e.Hint, "it has no /v1") != hinted {
					t.Errorf("%q: %v", end, e)
				}
			}
		}
	}
	_, _, _, _, err := collect(t.Context(), llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: answeringStatus(t, 404, "no")}), question("hi"))
	if strings.Contains(err.Error(), "/v1") {
		t.Error(err)
	}
}
