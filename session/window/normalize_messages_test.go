package window

import (
	"strings"
	"testing"

	"ploke-lsp/session/llm"
)

// TestNormalizeMessages writes a history with one letter for each message: s(ystem),
// u(ser), a(ssistant) with the letters of its calls, and t(ool) with the letter of
// its call.
func TestNormalizeMessages(t *testing.T) {
	tests := []struct{ name, history, want string }{
		{"empty", "", ""},
		{"nothing to repair", "s u axy tx ty s ax tx a u", "s u axy tx ty s ax tx a u"},
		{"missing result", "u axy ty u", "u axy !x ty u"},
		{"missing at the end", "u axy", "u axy !x !y"},
		{"orphan", "u a tx u", "u a u"},
		{"orphan at the start", "tx u", "u"},
		{"orphan after its call's turn", "u ax u tx a", "u ax !x u a"},
		{"result twice", "u ax tx tx a", "u ax tx a"},
		{"order", "u axy ty tx a", "u axy tx ty a"},
		{"notice between results", "u axy tx s ty a", "u axy tx ty s a"},
		{"same call in two answers", "u ax tx ax a", "u ax tx ax !x a"},
	}
	for _, tt := range tests {
		if got := spell(NormalizeMessages(unspell(tt.history))); got != tt.want {
			t.Errorf("%s: %q became %q; want %q", tt.name, tt.history, got, tt.want)
		}
		if got := spell(NormalizeMessages(unspell(strings.ReplaceAll(tt.want, "!", "t")))); got != strings.ReplaceAll(tt.want, "!", "t") {
			t.Errorf("%s: what is whole became %q", tt.name, got)
		}
	}
}

func unspell(history string) (messages []llm.Message) {
	roles := map[byte]llm.Role{'s': llm.System, 'u': llm.User, 'a': llm.Assistant, 't': llm.Tool}
	for word := range strings.FieldsSeq(history) {
		m := llm.Message{Role: roles[word[0]]}
		if m.Role == llm.Tool {
			m.CallID, m.Text = word[1:], "{}"
		} else {
			for _, id := range strings.Split(word[1:], "") {
				m.Calls = append(m.Calls, llm.Call{ID: id, Name: "echo"})
			}
		}
		messages = append(messages, m)
	}
	return messages
}

func spell(messages []llm.Message) string {
	var words []string
	for _, m := range messages {
		word := string(m.Role[0])
		if m.Role == llm.Tool {
			if m.Text != "{}" {
				word = "!"
			}
			word += m.CallID
		}
		for _, c := range m.Calls {
			word += c.ID
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
