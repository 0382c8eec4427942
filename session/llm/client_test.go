package llm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session/llm"
)

const testKey = "sk-the-key-of-the-user"

// outgoing is a kind of request that leaves this machine.
type outgoing struct {
	name string
	post bool
	send func(ctx context.Context, base string) error
}

// outgoings are all of them.
var outgoings = func() (all []outgoing) {
	providers := []struct {
		name string
		at   func(base string) llm.Provider
	}{
		{"chat completions", func(base string) llm.Provider {
			return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, APIKey: testKey})
		}},
		{"responses", func(base string) llm.Provider {
			return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, APIKey: testKey, Responses: true})
		}},
		{"anthropic", func(base string) llm.Provider {
			return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base, APIKey: testKey})
		}},
		{"ollama", func(base string) llm.Provider {
			return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: base, APIKey: testKey})
		}},
	}
	for _, p := range providers {
		all = append(all, outgoing{p.name, true, func(ctx context.Context, base string) error {
			_, _, _, _, err := collect(ctx, p.at(base), question("the prompt"))
			return err
		}})
		all = append(all, outgoing{p.name + ", list", false, func(ctx context.Context, base string) error {
			_, err := p.at(base).(llm.Lister).Models(ctx)
			return err
		}})
	}
	return append(all, outgoing{"embeddings", true, func(ctx context.Context, base string) error {
		_, _, err := llm.OpenAIEmbeddings(llm.OpenAIConfig{Name: "test", BaseURL: base, APIKey: testKey}, "m", 0).Embed(ctx, []string{"the prompt"})
		return err
	}})
}()

// serve runs a handler until the test ends.
func serve(t *testing.T, handle http.HandlerFunc) (base string) {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

// errorOf requires an error of a provider, and returns it.
func errorOf(t *testing.T, err error) *llm.Error {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("err = %v", err)
	}
	return e
}

func TestNothingIsSentToAnotherOrigin(t *testing.T) {
	var arrived atomic.Int32
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { arrived.Add(1) })
	for _, o := range outgoings {
		for status := 300; status <= 308; status++ {
			for _, to := range []string{"port", "host", "scheme"} {
				t.Run(fmt.Sprintf("%s/%d/other %s", o.name, status, to), func(t *testing.T) {
					var requests atomic.Int32
					var target string
					base := serve(t, func(w http.ResponseWriter, r *http.Request) {
						requests.Add(1)
						w.Header().Set("Location", target+"/v1/stolen")
						w.WriteHeader(status)
					})
					target = map[string]string{"port": elsewhere, "host": strings.Replace(base, "127.0.0.1", "localhost", 1),
						"scheme": strings.Replace(base, "http:", "https:", 1)}[to]
					e := errorOf(t, o.send(t.Context(), base))
					if e.Class != llm.Redirect || e.Hint == "" || !strings.Contains(e.Message, base+" redirects to "+target) {
						t.Errorf("%s: %v", e.Class, e)
					}
					if requests.Load() != 1 || arrived.Load() != 0 {
						t.Errorf("%d requests, %d elsewhere", requests.Load(), arrived.Load())
					}
				})
			}
		}
	}
}

func TestRedirectsWithinTheOrigin(t *testing.T) {
	for _, o := range outgoings {
		for _, status := range []int{301, 302, 303, 307, 308} {
			t.Run(fmt.Sprint(o.name, "/", status), func(t *testing.T) {
				var first, again string
				describe := func(r *http.Request) string {
					body, _ := io.ReadAll(r.Body)
					return r.Method + r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") + string(body)
				}
				err := o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
					if first == "" {
						first = describe(r)
						http.Redirect(w, r, "/moved", status)
						return
					}
					again = describe(r)
					w.WriteHeader(http.StatusTeapot)
				}))
				e := errorOf(t, err)
				if follows := !o.post || status >= 307; follows {
					if e.Status != http.StatusTeapot || again != first || !strings.Contains(again, testKey) {
						t.Errorf("%v; sent first %q and then %q", e, first, again)
					}
				} else if e.Class != llm.Redirect || again != "" {
					t.Errorf("%v; sent %q", e, again)
				}
			})
		}
	}
}

func TestARedirectToNowhereIsAnError(t *testing.T) {
	for _, o := range outgoings {
		for _, location := range []string{"", "http://[::1"} {
			e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["Location"] = []string{location}
				w.WriteHeader(http.StatusFound)
			})))
			if e.Class != llm.Redirect {
				t.Errorf("%s, %q: %v", o.name, location, e)
			}
		}
	}
}

// TestCompressedAnswersAreRefused sends what a small body becomes 100 MB from.
func TestCompressedAnswersAreRefused(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 10 {
		z.Write(bytes.Repeat([]byte("data: {},\n"), 100_000))
	}
	z.Close()
	for _, o := range outgoings {
		for status, want := range map[int]llm.Class{http.StatusOK: llm.BadResponse, http.StatusServiceUnavailable: llm.Overloaded} {
			t.Run(fmt.Sprint(o.name, "/", status), func(t *testing.T) {
				accepted := ""
				e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
					accepted = r.Header.Get("Accept-Encoding")
					w.Header().Set("Content-Encoding", "gzip")
					w.WriteHeader(status)
					w.Write(bomb.Bytes())
				})))
				if e.Class != want || accepted != "identity" {
					t.Errorf("accepts %q: %s: %v", accepted, e.Class, e)
				}
			})
		}
	}
}

// endless writes a text again and again until the client leaves, and returns the number of bytes.
func endless(w io.Writer, text string) (n int64) {
	text = strings.Repeat(text, 1+1<<16/len(text))
	for {
		m, err := io.WriteString(w, text)
		if n += int64(m); err != nil {
			return n
		}
	}
}

// TestEveryBodyIsBounded sends bodies without end. A client may read its bound, and what
// was under way.
func TestEveryBodyIsBounded(t *testing.T) {
	testbed.Long(t)
	const buffered = 16 << 20
	for _, tt := range []struct {
		name, start, repeat string
		most                int64
		streams             bool
	}{
		{"a line", "", "x", 16 << 20, true},
		{"an event of many lines", "data: [", "data: \"x\",\n", 16 << 20, true},
		{"words", "", "data: " + strings.Repeat("x", 500) + "\n", 64 << 20, true},
		{"comments", "", ": ping\n\n", 64 << 20, true},
		{"a string", `{"data":[{"id":"`, "x", 16 << 20, false},
		{"many models", `{"object":"list","data":[{"id":"m"}`, `,{}`, 16 << 20, false},
	} {
		for _, o := range outgoings {
			if isStream := o.post && o.name != "embeddings"; isStream != tt.streams {
				continue
			}
			t.Run(tt.name+"/"+o.name, func(t *testing.T) {
				written := make(chan int64, 1)
				e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					if !tt.streams {
						w.Header().Set("Content-Type", "application/json")
					}
					io.WriteString(w, tt.start)
					written <- endless(w, tt.repeat)
				})))
				n := testbed.Receive(t, written, "the client to leave")
				noJSON := strings.HasPrefix(o.name, "ollama") && e.Class == llm.BadResponse
				if e.Class != llm.TooLarge && !noJSON || n > tt.most+buffered {
					t.Errorf("%d bytes were written: %s: %v", n, e.Class, e)
				}
			})
		}
	}
}

func TestAHugeErrorIsCut(t *testing.T) {
	testbed.Long(t)
	for _, o := range outgoings {
		for name, huge := range map[string]struct {
			body func(w io.Writer)
			want string
		}{
			"endless":  {func(w io.Writer) { endless(w, "x") }, "Bad Request"},
			"long":     {func(w io.Writer) { fmt.Fprintf(w, `{"error":{"message":%q}}`, strings.Repeat("long ", 10_000)) }, "long long"},
			"with key": {func(w io.Writer) { fmt.Fprintf(w, `{"error":{"message":"no such key: %s"}}`, testKey) }, "no such key: [API key]"},
			"with escaped key": {func(w io.Writer) {
				fmt.Fprintf(w, `{"error":{"message":"no such key: %s"}}`, strings.ReplaceAll(testKey, "t", `\u0074`))
			}, "no such key: [API key]"},
		} {
			e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusBadRequest)
				huge.body(w)
			})))
			if !strings.Contains(e.Error(), huge.want) || len(e.Message) > 2100 || strings.Contains(e.Error(), testKey) {
				t.Errorf("%s, %s: %d bytes: %.200s", o.name, name, len(e.Message), e.Error())
			}
		}
	}
}

func TestTheKeyInAStreamedErrorIsHidden(t *testing.T) {
	for _, o := range outgoings {
		if !o.post || o.name == "embeddings" {
			continue
		}
		e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			switch o.name {
			case "ollama":
				fmt.Fprintf(w, `{"error":"bad %s"}`+"\n", testKey)
			case "responses":
				fmt.Fprintf(w, "data: {\"type\":\"error\",\"message\":\"bad %s\"}\n\n", testKey)
			default:
				fmt.Fprintf(w, "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"bad %s\"}}\n\n", testKey)
			}
		})))
		if e.Message != "bad [API key]" {
			t.Errorf("%s: %v", o.name, e)
		}
	}
}

// TestAKeyThatMayBeAWordIsNotReplaced has servers that say words of which a key is a part, and keys in the ways in which they are encoded.
func TestAKeyThatMayBeAWordIsNotReplaced(t *testing.T) {
	for key, want := range map[string]string{
		"":             "the broken key dummy-12 and dummy-123",
		"k":            "the broken key dummy-12 and dummy-123",
		"e":            "the broken key dummy-12 and dummy-123",
		" ":            "the broken key dummy-12 and dummy-123",
		"key":          "the broken key dummy-12 and dummy-123",
		"broken":       "the broken key dummy-12 and dummy-123",
		"dummy-1":      "the broken key dummy-12 and dummy-123",
		"dummy-12":     "the broken key [API key] and [API key]3",
		"dummy-123":    "the broken key dummy-12 and [API key]",
		"a+b/c=d&e f%": "the broken key dummy-12 and dummy-123",
	} {
		for name, at := range map[string]func(base string) llm.Provider{
			"chat completions": func(base string) llm.Provider {
				return llm.OpenAI(llm.OpenAIConfig{Name: "test", BaseURL: base, APIKey: key})
			},
			"anthropic": func(base string) llm.Provider {
				return llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base, APIKey: key})
			},
			"ollama": func(base string) llm.Provider {
				return llm.Ollama(llm.OllamaConfig{Name: "test", BaseURL: base, APIKey: key})
			},
		} {
			base := answeringStatus(t, http.StatusBadRequest, `{"error":{"message":"the broken key dummy-12 and dummy-123"}}`)
			_, _, _, _, err := collect(t.Context(), at(base), question("hi"))
			if e := errorOf(t, err); e.Message != want {
				t.Errorf("%s with the key %q: %q; want %q", name, key, e.Message, want)
			}
		}
	}
}

// TestAListThatNeverEnds has pages that each promise another one.
func TestAListThatNeverEnds(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		page := strings.Repeat(`{"id":"m","type":"model"},`, 999) + `{"id":"m","type":"model"}`
		fmt.Fprintf(w, `{"data":[%s],"has_more":true,"first_id":"m","last_id":"m"}`, page)
	})
	_, err := llm.Anthropic(llm.AnthropicConfig{Name: "test", BaseURL: base}).(llm.Lister).Models(t.Context())
	if e := errorOf(t, err); e.Class != llm.TooLarge {
		t.Error(e)
	}
}

// TestManyValuesInFewBytes sends pieces whose decoded form would take hundreds of times their size.
func TestManyValuesInFewBytes(t *testing.T) {
	testbed.Long(t)
	many := "[" + strings.Repeat("{},", 1<<20) + "{}]"
	for _, body := range []string{
		`data: {"choices":` + many + "}\n\n",
		`data: {"type":"response.completed","response":{"output":` + many + "}}\n\n",
		": don\"t\n" + `data: {"type":"response.completed","response":{"output":` + many + "}}\n\n",
		"event: message_start\n" + `data: {"type":"message_start","message":{"content":` + many + "}}\n\n",
		`{"message":{"tool_calls":` + many + "}}\n",
		`{"data":` + many + "}",
		`{"data":[{"embedding":` + many + "}]}",
	} {
		for _, o := range outgoings {
			e := errorOf(t, o.send(t.Context(), serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, body)
			})))
			noJSON := strings.HasPrefix(o.name, "ollama") && !strings.HasPrefix(body, "{") && e.Class == llm.BadResponse
			if e.Class != llm.TooLarge && !noJSON {
				t.Errorf("%s, %.60s: %s: %v", o.name, body, e.Class, e)
			}
		}
	}
}

// TestABodyThatCantBeRepeatedIsNotRedirected would else take the redirect for the answer.
func TestABodyThatCantBeRepeatedIsNotRedirected(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/moved", http.StatusTemporaryRedirect)
	})
	r, err := http.NewRequest(http.MethodPost, base, io.MultiReader(strings.NewReader("once")))
	if err != nil {
		t.Fatal(err)
	}
	_, err = llm.Outbound(nil).Do(r)
	if e := errorOf(t, err); e.Class != llm.Redirect {
		t.Error(e)
	}
}

func TestOutboundKeepsTheRequest(t *testing.T) {
	r, err := http.NewRequest(http.MethodGet, serve(t, func(http.ResponseWriter, *http.Request) {}), nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := llm.Outbound(nil).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if len(r.Header) != 0 {
		t.Errorf("the caller's header is now %v", r.Header)
	}
}
