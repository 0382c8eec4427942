package index_test

import (
	"os"
	"slices"
	"testing"

	"ploke-lsp/index"
)

var spelled = map[string]string{
	"store.go": `package store

// RequestHandlers are called in their order.
type RequestHandlers struct{}

// parseConfigFile reads settings.
func parseConfigFile() {}

// MAX_OPEN_FILES bounds what is open.
const MAX_OPEN_FILES = 1
`,
	"render.go": `package store

// Draw shows templates once they are rendered.
func Draw() {}
`,
	"auth.go": `package store

// Login checks the configuration of an account. Those that want to save come later.
func Login() {}
`,
}

// TestSpelling searches for names and words as people write them. The words that no file has come with what was
// searched for instead.
func TestSpelling(t *testing.T) {
	p := open(t, spelled)
	p.update()
	for _, c := range []struct {
		name, query, want string
		respelled         []index.Respelling
	}{
		{"lower case", "requesthandlers", "store.go RequestHandlers", nil},
		{"singular", "requesthandler", "store.go RequestHandlers", nil},
		{"snake_case", "parse_config_file", "store.go parseConfigFile", nil},
		{"camelCase", "maxOpenFiles", "store.go MAX_OPEN_FILES", nil},
		{"separate words", "parse config file", "store.go parseConfigFile", nil},
		{"some words of a question", "who uses max open files here", "store.go MAX_OPEN_FILES", nil},
		{"two thirds", "parseConfi", "store.go parseConfigFile", []index.Respelling{{Word: "parseConfi", As: []string{"parseconfigfile"}}}},
		{"a letter is missing", "RequestHanders", "store.go RequestHandlers",
			[]index.Respelling{{Word: "RequestHanders", As: []string{"requesthandlers"}}}},
		{"two have changed places", "where is parseConifgFile defined?", "store.go parseConfigFile",
			[]index.Respelling{{Word: "parseConifgFile", As: []string{"parseconfigfile"}}}},
		{"a word of prose", "templates that are renderd", "render.go Draw", []index.Respelling{{Word: "renderd", As: []string{"render"}}}},
		{"a mistake behind which the stem ends", "accoont", "auth.go Login", []index.Respelling{{Word: "accoont", As: []string{"account"}}}},
		{"another form", "saved accounts", "auth.go Login", nil},
		{"the same beginning", "configurator of login", "auth.go Login", []index.Respelling{{Word: "configurator", As: []string{"configuration"}}}},
		{"an accent", "configuratión of login", "auth.go Login", nil},
		{"too short", "drow", "", nil},
		{"like nothing", "kubernetes", "", nil},
	} {
		found, err := p.index.Search(t.Context(), index.Query{Text: c.query})
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		if len(found.Hits) > 0 {
			first = found.Hits[0].Rel + " " + found.Hits[0].Canon
		}
		equal(t, c.name+": the first", c.want, first)
		equal(t, c.name+": what was searched for instead", c.respelled, found.Respelled)
	}
	found, err := p.index.Search(t.Context(), index.Query{Text: "RequestHanders", Without: []index.Channel{"spelling"}})
	if err != nil || len(found.Hits) > 0 && found.Hits[0].Canon == "RequestHandlers" && len(found.Respelled) > 0 {
		t.Errorf("without the channel, %v finds %v", found.Respelled, found.Hits)
	}
}

// TestOtherLanguages asks in five languages. Words that the project has are searched as they are.
func TestOtherLanguages(t *testing.T) {
	p := open(t, map[string]string{
		"queue.go":   "package p\n\n// Retry sends a failed request again.\nfunc Retry() {}\n",
		"config.go":  "package p\n\n// Load reads the configuration file.\nfunc Load() {}\n",
		"konto.go":   "package p\n\n// Kontostand liest das Konto der Kundin.\nfunc Kontostand() {}\n",
		"account.go": "package p\n\n// Balance reads an account.\nfunc Balance() {}\n",
	})
	p.update()
	for query, want := range map[string]string{
		"wo werden fehlgeschlagene Anfragen wiederholt?":       "queue.go Retry",
		"¿dónde se reintenta una petición fallida?":            "queue.go Retry",
		"comment les requêtes échouées sont-elles réessayées?": "queue.go Retry",
		"失败的请求在哪里重试":                                           "queue.go Retry",
		"失敗したリクエストの再送":                                         "queue.go Retry",
		"Konfigurationsdatei laden":                            "config.go Load",
		"設定ファイルの読み込み":                                          "config.go Load",
		"Kontostand der Kundin":                                "konto.go Kontostand",
		"como se reintenta una peticion fallida":               "queue.go Retry",
		"un compte d'utilisateur":                              "account.go Balance",
		"Konto":                                                "konto.go Kontostand",
	} {
		if hits := p.search(query); len(hits) == 0 || hits[0] != want {
			t.Errorf("%q finds %q, want %q first", query, hits, want)
		}
	}
}

// TestSpellingForgets looks for what a deleted file had.
func TestSpellingForgets(t *testing.T) {
	p := open(t, spelled)
	p.update()
	if err := os.Remove(p.path("store.go")); err != nil {
		t.Fatal(err)
	}
	p.update()
	for _, query := range []string{"parseConifgFile", "RequestHanders", "parse_config_file"} {
		found, err := p.index.Search(t.Context(), index.Query{Text: query})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(found.Respelled, func(r index.Respelling) bool { return len(r.As) > 0 }) {
			t.Errorf("%q: searched for %v, which is deleted", query, found.Respelled)
		}
	}
}

// TestWrapping compares what is found for a name and for the same name in what people say around it.
func TestWrapping(t *testing.T) {
	p := open(t, spelled)
	p.update()
	want := p.search("parseConfigFile")
	for _, query := range []string{
		"where is parseConfigFile defined?",
		"Where's the function parseConfigFile?",
		"what does parseConfigFile do",
		"Could you please tell me what parseConfigFile does and where I can find it? Thanks!",
		"hey, do you know where parseConfigFile is? thanks in advance",
		"Hello there! Please show me the definition of parseConfigFile()",
		"I'd like to understand parseConfigFile, please",
		"any idea what parseConfigFile is for?",
		"parseConfigFile please",
		"please",
		"thanks",
	} {
		if query == "please" || query == "thanks" { // nothing is left, so nothing is left out
			equal(t, "hits for "+query, []string(nil), p.search(query))
			continue
		}
		equal(t, "hits for "+query, want, p.search(query))
	}
}

// TestNearSecrets searches for a key, and for parts of it and slips in it: what the key is must not be told. A name that
// is only used ends in few letters, and is known.
func TestNearSecrets(t *testing.T) {
	p := open(t, map[string]string{"client.go": "package client\n\nconst apiToken = \"q8Zr0xT4mBvN2k7L\"\n\nfunc Who() { ask(userID) }\n"})
	p.update()
	for _, text := range []string{"q8Zr0xT4mBvN2k7L", "q8Zr0xT4mBvN", "q8zr0", "q8Zr0xT4mBvN2k7M", "8Zr0xT4mBvN2k7L", "token q8Zr0x", "userID"} {
		found, err := p.index.Search(t.Context(), index.Query{Text: text, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Respelled) > 0 {
			t.Errorf("%s: %v", text, found.Respelled)
		}
	}
}
