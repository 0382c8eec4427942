package lsptest

import (
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"

	ploke "ploke-lsp/lsp/protocol"
)

// Progress is one value of $/progress. Kind is empty for a partial result, whose value
// is Part.
type Progress struct {
	Kind        string  `json:"kind"`
	Title       string  `json:"title"`
	Message     string  `json:"message"`
	Percentage  *uint32 `json:"percentage"`
	Cancellable bool    `json:"cancellable"`
	Part        ploke.Part
}

// Progress returns the values of the progress with a token that the editor chose.
func (e *Editor) Progress(token string) []Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.progress[string(marshal(token))])
}

// ServerProgress returns the values of the latest progress with this title that the
// server created.
func (e *Editor) ServerProgress(title string) []Progress {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.progress[e.latestToken(title)])
}

// AwaitProgressEnd waits until the latest progress with this title has ended, and
// returns its values.
func (e *Editor) AwaitProgressEnd(title string) (values []Progress) {
	e.t.Helper()
	e.Await("the end of the progress "+title, func() bool {
		values = e.ServerProgress(title)
		return len(values) > 0 && values[len(values)-1].Kind == "end"
	})
	return values
}

// CancelProgress cancels the latest progress with this title that the server created.
func (e *Editor) CancelProgress(title string) {
	e.t.Helper()
	e.mu.Lock()
	token := e.latestToken(title)
	e.mu.Unlock()
	e.Notify(protocol.MethodWindowWorkDoneProgressCancel, &ploke.ProgressCancel{Token: ploke.Token(token)})
}

// latestToken returns the token of the latest progress with a title. The lock is held.
func (e *Editor) latestToken(title string) string {
	for _, token := range slices.Backward(e.tokens) {
		if values := e.progress[token]; len(values) > 0 && values[0].Title == title {
			return token
		}
	}
	return ""
}

func (e *Editor) recordProgress(params []byte) error {
	var p struct {
		Token ploke.Token     `json:"token"`
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	var value Progress
	if err := json.Unmarshal(p.Value, &value); err != nil {
		return err
	}
	if value.Kind == "" {
		if err := protocol.Unmarshal(p.Value, &value.Part); err != nil {
			return err
		}
	}
	e.progress[string(p.Token)] = append(e.progress[string(p.Token)], value)
	return nil
}

// Tokens returns the tokens that the server has created, as JSON and in their order.
func (e *Editor) Tokens() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.tokens)
}
