package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ploke-lsp/session/llm"
)

// slowBody sends its pieces a minute apart, the last one again and again.
type slowBody struct {
	ctx    context.Context
	pieces []string
}

func (b *slowBody) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Minute):
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	}
	n := copy(p, b.pieces[0])
	if b.pieces[0] == "" {
		return 0, io.EOF
	}
	if len(b.pieces) > 1 {
		b.pieces = b.pieces[1:]
	}
	return n, nil
}

func (b *slowBody) Close() error { return nil }

// slowServer is a transport that answers with a slowBody.
type slowServer []string

func (s slowServer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: &slowBody{r.Context(), s}, Request: r}, nil
}

func repeated(pieces []string, n int) (all []string) {
	for range n {
		all = append(all, pieces...)
	}
	return all
}

// TestOnlyEventsAreAnAnswer sends keep-alives in all their forms, alone and between the events of an answer.
func TestOnlyEventsAreAnAnswer(t *testing.T) {
	text, end := "data: "+oddStreams["chat"].text+"\n\n", "data: "+oddStreams["chat"].end+"\n\n"
	pause := func(minutes int, form string) []string { return append(repeated([]string{form}, minutes), text) }
	type test struct {
		name            string
		server          slowServer
		firstByte, idle time.Duration
		ends            string // "" if the answer is complete
		after           time.Duration
	}
	const silent = "the server sent no part of an answer for "
	tests := []test{
		{"a pause in each ten minutes", append(repeated(pause(8, ":\n\n"), 12), end, ""), 0, 0, "", 110 * time.Minute},
		{"a longer pause", append(repeated(pause(8, ":\n\n"), 3), pause(11, ":\n\n")...), 0, 0, silent + "10m0s", 37 * time.Minute},
		{"a longer timeout of the first byte", slowServer{":\n\n"}, 20 * time.Minute, 0, silent + "20m0s", 20 * time.Minute},
		{"a longer timeout between bytes", slowServer{":\n\n"}, 0, 15 * time.Minute, silent + "15m0s", 15 * time.Minute},
		{"shorter timeouts", slowServer{":\n\n"}, 2 * time.Minute, 3 * time.Minute, silent + "3m0s", 3 * time.Minute},
		{"a part of an event", slowServer{text[:9], " "}, 0, 0, silent + "10m0s", 10 * time.Minute},
	}
	for _, form := range []string{":\n", ": x\n\n", ": OPENROUTER PROCESSING\r\n\r\n", "\n", "data:\n\n", "data: \n\n", "data\n\n", "event: ping\n\n", "id: 1\n\n", "retry: 10\n\n",
		"event: ping\ndata: {\"type\": \"ping\"}\n\n", "data: {\"type\": \"ping\"}\n\n", "data: null\n\n"} {
		tests = append(tests, test{fmt.Sprintf("%q alone", form), slowServer{form}, 0, 0, silent + "10m0s", 10 * time.Minute},
			test{fmt.Sprintf("%q before the answer", form), append(pause(8, form), end, ""), 0, 0, "", 11 * time.Minute})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				p := llm.OpenAI(llm.OpenAIConfig{Name: "test", HTTPClient: &http.Client{Transport: tt.server}, FirstByte: tt.firstByte, Idle: tt.idle})
				_, _, _, last, err := collect(t.Context(), p, question("hi"))
				if tt.ends == "" && (err != nil || last.Finish != llm.FinishStop) {
					t.Errorf("the answer ended as %q: %v", last.Finish, err)
				}
				if tt.ends != "" && (errorOf(t, err).Class != llm.Stalled || !strings.Contains(err.Error(), tt.ends)) {
					t.Errorf("ended with %v; want %q", err, tt.ends)
				}
				if took := time.Since(began); took.Round(time.Second) != tt.after {
					t.Errorf("ended after %v; want %v", took, tt.after)
				}
			})
		})
	}
}

// TestASlowReaderIsNoQuietServer takes each piece of an answer only after an hour.
func TestASlowReaderIsNoQuietServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text, end := "data: "+oddStreams["chat"].text+"\n\n", "data: "+oddStreams["chat"].end+"\n\n"
		server := slowServer{text, ":\n\n", text, end, ""}
		p := llm.OpenAI(llm.OpenAIConfig{Name: "test", HTTPClient: &http.Client{Transport: server}})
		for _, err := range p.Send(t.Context(), question("hi")) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
	})
}
