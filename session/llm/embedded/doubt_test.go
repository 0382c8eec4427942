package embedded_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// TestWeakMatchesAreNotQuoted asks what the search can hardly answer.
func TestWeakMatchesAreNotQuoted(t *testing.T) {
	const found = `{"ok":true,"results":[{"id":"/w/a.go#3:4","canon":"Replace","kind":"function","doc":"Replace changes recent code.",` +
		`"snippet":"<code=\"/w/a.go\" #3:4>\nfunc Replace() {\n}\n</code>"},
		{"id":"/w/b.go#1:2","canon":"B","kind":"function"},{"id":"/w/c.go#1:2","canon":"C","kind":"function"},
		{"id":"/w/d.go#1:2","canon":"D","kind":"function","doc":"Certificates are obtained when a handshake needs one."}]}`
	tests := []struct {
		message string
		sure    bool
	}{
		{"which recent code is important", false},
		{"is the code working", false},
		{"where do we replace things", true},
		{"how is recent code replaced", true},
		{"where are tokens and cookies refreshed when replace is off", false},
		{"how are certificates obtained", false},
		{"how are certificates obtained in a replace handshake", false},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			_, answer := dialog(t, tt.message, map[string][]string{"request_code_context": {found}, "code_item_lookup": {notFound, notFound,
				notFound}})
			if sure := !strings.HasPrefix(answer, "I am not sure: "); sure != tt.sure || strings.Contains(answer, "func Replace()") != tt.sure {
				t.Errorf("the answer is\n%s", answer)
			}
			checkWords(t, answer, []string{"/w/a.go:3"}, nil)
		})
	}
}

// TestWhatOnlyCodeSaysIsNotQuoted has a place with all words of the question, and none of them in its name.
func TestWhatOnlyCodeSaysIsNotQuoted(t *testing.T) {
	const found = `{"ok":true,"results":[{"id":"/w/a.go#3:4","canon":"Loader","kind":"class","snippet":"pass cookie jar"}]}`
	_, answer := dialog(t, "what passes the cookie jar", map[string][]string{"request_code_context": {found}})
	checkWords(t, answer, []string{"I am not sure: no place has the words of the question in its name.", "- `Loader` (class)"}, nil)
}

// TestWhatTheSearchDoubtsIsNotQuoted has a place that fits by the model's own rules.
func TestWhatTheSearchDoubtsIsNotQuoted(t *testing.T) {
	const found = `{"ok":true,"doubt":"DOUBT","results":[{"id":"/w/a.go#3:4","canon":"replace_tokens","kind":"function",` +
		`"doc":"Replace tokens."}]}`
	const message = "how does it replace tokens"
	_, answer := dialog(t, message, map[string][]string{"request_code_context": {found}})
	checkWords(t, answer, []string{"I am not sure: DOUBT of the question. The nearest are:\n\n- `replace_tokens` (function) — /w/a.go:3"}, nil)
	_, answer = dialog(t, message, map[string][]string{"request_code_context": {strings.Replace(found, "DOUBT", "", 1)}})
	checkWords(t, answer, []string{"The best match is the function `replace_tokens`"}, nil)
}

// TestAsidesAndCausesAreNotQuoted asks what a test, a changelog or no place answers.
func TestAsidesAndCausesAreNotQuoted(t *testing.T) {
	const found = `{"ok":true,"results":[{"id":"/w/CHANGES.md#9:9","canon":"Parser of tokens","kind":"section"},` +
		`{"id":"/w/a.rs#1:4","canon":"tests::parser_tokens","kind":"function"},` +
		`{"id":"/w/a_test.go#1:4","canon":"TestParserTokens","kind":"function"},` +
		`{"id":"/w/a.go#3:4","canon":"Parser::tokens","kind":"method"}]}`
	for message, want := range map[string]string{
		"how does the parser read tokens":                 "The best match is the method `Parser::tokens`",
		"which tests of tokens has the parser":            "The best match is the section `Parser of tokens`",
		"why is the parser of tokens so slow":             "I am not sure: rules find places, and no causes.",
		"which class handles exclusive tokens of bananas": "I am not sure: ",
		"how do bananas ripen in tokens of glass houses":  "I am not sure: ",
	} {
		_, answer := dialog(t, message, map[string][]string{"request_code_context": {found}, "code_item_lookup": {notFound, notFound,
			notFound}})
		if !strings.HasPrefix(answer, want) {
			t.Errorf("%s: the answer is\n%s", message, answer)
		}
	}
}

// TestSecondRefusalIsShort refuses twice in a conversation.
func TestSecondRefusalIsShort(t *testing.T) {
	messages := []llm.Message{{Role: llm.User, Text: "refactor it"}}
	first, _, _, err := send(t.Context(), messages)
	if err != nil {
		t.Fatal(err)
	}
	messages = append(messages, llm.Message{Role: llm.Assistant, Text: strings.Join(first, "")}, llm.Message{Role: llm.User, Text: "hello"},
		llm.Message{Role: llm.Assistant, Text: "Hello."}, llm.Message{Role: llm.Tool, Content: json.RawMessage(`{}`)},
		llm.Message{Role: llm.User, Text: "fix the bug in the parser"})
	second, _, _, err := send(t.Context(), messages)
	if err != nil {
		t.Fatal(err)
	}
	checkWords(t, strings.Join(first, ""), []string{"I can't do that", "ploke-lsp setup"}, nil)
	answer := strings.Join(second, "")
	checkWords(t, answer, []string{"I can't do that", "not a language model", "`ploke-lsp setup`"}, nil)
	if lines := strings.Count(answer, "\n"); lines != 2 {
		t.Errorf("it has %d lines:\n%s", lines, answer)
	}
}
