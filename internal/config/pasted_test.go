package config_test

import (
	"strings"
	"testing"

	"ploke-lsp/internal/config"
)

func TestPastedURLs(t *testing.T) {
	for pasted, want := range map[string]string{
		"https://a.example/v1":                                  "https://a.example/v1",
		"https://a.example/v1/":                                 "https://a.example/v1/",
		"  https://a.example/v1\r\n":                            "https://a.example/v1",
		"\u200b\ufeffhttps://a.example/v1\u200d\u00a0":          "https://a.example/v1",
		`"https://a.example/v1"`:                                "https://a.example/v1",
		" '“https://a.example/v1”' ":                            "https://a.example/v1",
		"<https://a.example/v1>":                                "https://a.example/v1",
		"https://a.example/v1/chat/completions":                 "https://a.example/v1",
		"https://a.example/v1/chat/completions/":                "https://a.example/v1",
		"https://a.example/v1/responses":                        "https://a.example/v1",
		"https://a.example/v1/messages":                         "https://a.example/v1",
		"https://a.example/v1/models":                           "https://a.example/v1",
		"https://a.example/v1/completions":                      "https://a.example/v1",
		"http://localhost:11434/api/chat":                       "http://localhost:11434",
		"http://localhost:3000/api/chat/completions":            "http://localhost:3000/api",
		"https://a.example/openai/v1?api-version=preview":       "https://a.example/openai/v1?api-version=preview",
		"https://a.example/x/chat/completions?api-version=1&b=": "https://a.example/x?api-version=1&b=",
		"https://a.example/v1#section":                          "https://a.example/v1",
		"https://a.example/v1?":                                 "https://a.example/v1",
		"HTTPS://a.example/v1":                                  "https://a.example/v1",
		"https://a.example/a%2Fb/v1/messages":                   "https://a.example/a%2Fb/v1",
		"https://a.example/a//b":                                "https://a.example/a//b",
		"http://[::1]:8080/v1":                                  "http://[::1]:8080/v1",
		"https://a.example":                                     "https://a.example",
	} {
		got, err := config.CleanURL(pasted)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", pasted, got, err, want)
		}
		if again, err := config.CleanURL(got); err != nil || again != got {
			t.Errorf("%q: the second time %q, %v", pasted, again, err)
		}
	}
	for pasted, want := range map[string]string{
		"a.example/v1":                   "no http:// or https://",
		"localhost:8080/v1":              "no http:// or https://",
		"127.0.0.1:8080":                 "no http:// or https://",
		"//a.example/v1":                 "no http:// or https://",
		"http:/a.example":                "no http:// or https://",
		"https:///v1":                    "no host",
		"https://:8080/v1":               "no host",
		"https://":                       "no host",
		"htp://a.example":                "begins with htp://",
		"ws://a.example":                 "begins with ws://",
		"https://a.exam ple/v1":          "inside",
		"https://a.example/v1\nhttps://": "inside",
		"https://a.exam\u200bple/v1":     "inside",
		"https://a.example:port/v1":      "invalid port",
		" ' ":                            "no http:// or https://",
	} {
		if got, err := config.CleanURL(pasted); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", pasted, got, err, want)
		}
	}
}

func TestPastedKeys(t *testing.T) {
	for _, pasted := range []string{"sk-1", " sk-1\n", "sk-1\r\n", `"sk-1"`, "'sk-1'\n", "\ufeffsk-1\u200b", "“sk-1”", "Bearer sk-1", "bearer  'sk-1'", "\tsk-1\u00a0", "sk-1\x00"} {
		if got, err := config.CleanKey(pasted); err != nil || got != "sk-1" {
			t.Errorf("%q: %q, %v", pasted, got, err)
		}
	}
	for pasted, want := range map[string]string{
		"sk-secret\nsk-secret":      "line end",
		"sk-secret\r\nX: sk-secret": "line end",
		"sk-secret\tsk-secret":      "U+0009",
		"sk-secret sk-secret":       "U+0020",
		"sk-secret\u200bsecret":     "U+200B",
		"sk-secret\x07secret":       "U+0007",
		"sk-secret…secret":          "shortened",
	} {
		got, err := config.CleanKey(pasted)
		if err == nil || got != "" || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %q, %v", pasted, got, err)
		}
	}
}

// TestPastedSettingsAreCleaned reads an address and keys from the settings.
func TestPastedSettingsAreCleaned(t *testing.T) {
	s, problems := config.Merge(file(t, `providers.x = {type='openai', baseUrl="  'https://a.example/v1/chat/completions?v=1'\n"}`))
	if got := s.Providers["x"].BaseURL; got != "https://a.example/v1?v=1" || len(problems) > 0 {
		t.Errorf("%q, %v", got, problems)
	}
	keys := &config.Keys{Getenv: environment{"A": "\"sk-1\"\r\n", "B": "sk\nsecret", "C": " '' "}.get}
	for _, p := range []config.Provider{{APIKeyEnv: "A"}, {APIKeyCommand: []string{"/bin/echo", "  'sk-1' "}}} {
		if key, err := keys.Find(t.Context(), p); key != "sk-1" || err != nil {
			t.Errorf("%q, %v", key, err)
		}
	}
	if _, err := keys.Find(t.Context(),
		config.Provider{APIKeyEnv: "B"}); err == nil || !strings.Contains(err.Error(), "the environment variable B") ||
		strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	if _, err := keys.Find(t.Context(), config.Provider{APIKeyEnv: "C"}); err == nil || !strings.Contains(err.Error(), "is not set") {
		t.Error(err)
	}
}
