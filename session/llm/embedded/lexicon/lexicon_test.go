package lexicon

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWordsOfOtherLanguagesAreTranslated says which English words are searched.
func TestWordsOfOtherLanguagesAreTranslated(t *testing.T) {
	tests := []struct {
		message string
		want    []string
	}{
		{"wo wird die Konfiguration geladen?", []string{"config", "load"}},
		{"Wie führe ich die Tests aus?", []string{"how", "execute", "test"}},
		{"comment les requêtes sont-elles envoyées ?", []string{"how", "request", "send"}},
		{"¿dónde se lee la entrada estándar?", []string{"read", "input", "standard"}},
		{"反向代理在哪里实现？", []string{"reverse", "proxy", "implement"}},
		{"設定ファイルはどこで読み込まれますか", []string{"config", "file", "load"}},
		{"wo ist foo", nil},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, Translate(tt.message)); d != "" {
			t.Errorf("%q: %s", tt.message, d)
		}
	}
}

// TestPlainQuestions strips what people write around a question.
func TestPlainQuestions(t *testing.T) {
	for message, want := range map[string]string{
		"Hi! Could you please tell me where Run is called?": "where Run is called",
		"I'd like to know what's new, thanks!":              "what is new",
		"quick question: who calls “Run” in this project??": `who calls "Run"`,
		"whats new, wheres Run and who isn't u":             "what is new, where is Run and who is not you",
		"who calls Run":                                     "who calls Run",
		"please":                                            "please",
	} {
		if got := Plain(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

// TestNamesInAnySpelling reads the names of several languages.
func TestNamesInAnySpelling(t *testing.T) {
	for words, want := range map[string]string{
		"Server.Run()": "Server::Run", "(*Server).Run": "Server::Run", "server->run(1)": "server::run",
		"net/http.Server#run": "http::Server::run", "Server<T>::run": "Server::run", "`self.run`": "run", "run/2": "run",
	} {
		if got := CanonOf(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

// TestPlainWordsAreNoCode tells names from words.
func TestPlainWordsAreNoCode(t *testing.T) {
	for words, want := range map[string]bool{"flushJobs": true, "the parser": false, "Run": true, "`run`": true,
		"function run": true, "max_size": true, "type system": false, "a.b": true, "utf8": true} {
		if got := LooksLikeCode(words); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}

// TestStems says which words are one for the search.
func TestStems(t *testing.T) {
	for word, want := range map[string]string{"caches": "cach", "cached": "cach", "caching": "cach", "parser": "pars",
		"configuration": "configur", "is": "is", "bus": "bus"} {
		if got := Stem(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
