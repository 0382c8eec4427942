package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestFormsOfAnswersOverHTTP calls a tool with each header Accept that clients send, in all requests of a session and of none.
func TestFormsOfAnswersOverHTTP(t *testing.T) {
	w := newWorld(t, applying)
	w.write("Makefile", makefile)
	url, _ := w.serveHTTP()
	const events, plain = "text/event-stream", "application/json"
	for name, tt := range map[string]struct {
		accept []string
		want   string // the type of answers; "" if they are refused
	}{
		"both":                {[]string{"application/json, text/event-stream"}, events},
		"both, in two":        {[]string{"text/event-stream", "application/json"}, events},
		"both, with weights":  {[]string{"Application/JSON;q=0.9, text/event-stream;q=0.1"}, events},
		"anything":            {[]string{"*/*"}, events},
		"anything, preferred": {[]string{"application/json, text/plain, */*"}, events},
		"events":              {[]string{"text/event-stream"}, events},
		"JSON":                {[]string{"application/json"}, plain},
		"JSON in UTF-8":       {[]string{"application/json; charset=utf-8"}, plain},
		"JSON or text":        {[]string{"application/json, text/plain"}, plain},
		"any application":     {[]string{"application/*"}, plain},
		"nothing":             {nil, plain},
		"empty":               {[]string{""}, plain},
		"a page":              {[]string{"text/html, application/xhtml+xml"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			post := func(session, version, body string) (string, http.Header) {
				t.Helper()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Accept": tt.accept}
				for key, value := range map[string]string{"Mcp-Session-Id": session, "Mcp-Protocol-Version": version} {
					if value != "" {
						r.Header.Set(key, value)
					}
				}
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				defer answer.Body.Close()
				text, err := io.ReadAll(answer.Body)
				if err != nil {
					t.Fatal(err)
				}
				if refused := tt.want == ""; refused != (answer.StatusCode/100 == 4) {
					t.Fatalf("%s: %s", answer.Status, text)
				}
				if form := answer.Header.Get("Content-Type"); answer.StatusCode == http.StatusOK && !strings.HasPrefix(form, tt.want) {
					t.Errorf("the answer is %s: %s", form, text)
				}
				return string(text), answer.Header
			}
			const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
				`"capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`
			_, header := post("", "", initialize)
			if tt.want == "" {
				return
			}
			session := header.Get("Mcp-Session-Id")
			post(session, "2025-11-25", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			text, _ := post(session, "2025-11-25",
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"symbol","arguments":{"name":"Hello"}}}`)
			contains(t, text, `"id":2`, "function Hello")
			if tt.want == plain { // nothing can be asked, so the call must not wait for an answer
				text, _ = post(session, "2025-11-25",
					`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"edit","arguments":{"edits":[{"file":"Makefile","old":"echo old",`+
						`"new":"echo new"}]}}}`)
				contains(t, text, "not written")
			}
		})
	}
}
