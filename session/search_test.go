package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/tools"
)

func TestSearch(t *testing.T) {
	long := strings.Repeat("before it ", 20) + "the needle" + strings.Repeat(" behind it", 20)
	h := start(t, tools.NewSet(), nil, says("A haystack is dry."), says(long))
	first, _ := h.ask(t, Prompt{Text: "What is a\nHaystack?"})
	h.ask(t, Prompt{ConversationID: first.ConversationID, Text: "and the ÄRMEL of a coat?"})
	if err := h.Rename(t.Context(), first.ConversationID, "On hay"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Create(t.Context(), "Nothing at all"); err != nil {
		t.Fatal(err)
	}
	excerpt := "…it before it before it before it before it before it the needle behind it behind it behind it behind it behind it beh…"
	for _, tt := range []struct {
		query string
		limit int
		want  []string
	}{
		{"haystack", 9, []string{"assistant: A haystack is dry.", "user: What is a Haystack?"}}, // the newest first
		{"haystack", 1, []string{"assistant: A haystack is dry."}},
		{"haystack dry", 9, []string{"assistant: A haystack is dry."}},
		{"dry haystack", 9, []string{"assistant: A haystack is dry."}},
		{"what dry", 9, nil}, // not in one message
		{"ärm", 9, []string{"user: and the ÄRMEL of a coat?"}},
		{"NEEDLE", 9, []string{"assistant: " + excerpt}},
		{"on hay", 9, []string{": On hay"}}, // the title
		{"%", 9, nil},
		{" ", 9, nil},
	} {
		found, err := h.Search(t.Context(), tt.query, tt.limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, fmt.Sprintf("%s: %s", f.Role, f.Excerpt))
			if f.ConversationID != first.ConversationID || f.Title != "On hay" || (f.MessageID == "") != (f.Role == "") || f.At.IsZero() {
				t.Errorf("%q: %+v", tt.query, f)
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q: %s", tt.query, d)
		}
	}
}
