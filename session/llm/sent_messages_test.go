package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestMessagesAreEncodedOnce sends the requests of conversations that grow side by side, one of which drops messages.
func TestMessagesAreEncodedOnce(t *testing.T) {
	var s sentMessages
	conversation := func(name string, n int) (messages []Message) {
		messages = []Message{{Role: System, Text: "<system> \"&\" 'text'"}}
		for i := range n {
			messages = append(messages, Message{Role: User, Text: fmt.Sprint(name, i)},
				Message{Role: Assistant, Calls: []Call{{ID: fmt.Sprint(i), Name: "read", Arguments: json.RawMessage(`{"a":1}`)}}},
				Message{Role: Tool, CallID: fmt.Sprint(i), Text: "read"})
		}
		return messages
	}
	send := func(messages []Message, wantNew int) {
		t.Helper()
		encoded := 0
		for i := range s.conversations {
			encoded = max(encoded, sameMessages(s.conversations[i].messages, messages))
		}
		if got := len(messages) - encoded; encoded > 1 && got != wantNew {
			t.Errorf("%d messages are encoded again, want %d", got, wantNew)
		}
		var fresh sentMessages
		want, err := fresh.body("", messages, []byte(`{"model":"m"}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.body("", messages, []byte(`{"model":"m"}`))
		if err != nil || string(got) != string(want) {
			t.Errorf("the body is\n%s\n%v; want\n%s", got, err, want)
		}
		if text := string(got); !json.Valid(got) ||
			!strings.HasPrefix(text, `{"messages":[{"content":"<system> \"&\" 'text'","role":"system"}`) ||
			!strings.HasSuffix(text, `}],"model":"m"}`) {
			t.Errorf("the body is %s", got)
		}
	}
	for n := 1; n < 5; n++ {
		for _, name := range []string{"a", "b"} {
			send(conversation(name, n), 3)
		}
	}
	dropped := conversation("a", 9)
	send(append(dropped[:3:3], dropped[6:]...), len(dropped)-6)
	if n := len(s.conversations); n != 2 {
		t.Errorf("%d conversations are kept, want 2", n)
	}
	for i := range 2 * maxSent {
		send(conversation(fmt.Sprint(i, " "), 2), 0)
	}
	if n := len(s.conversations); n != maxSent {
		t.Errorf("%d conversations are kept, want %d", n, maxSent)
	}
}
