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

// checkProgressEnded fails the test if a progress has begun and not ended.
func (e *Editor) checkProgressEnded() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for token, values := range e.progress {
		if kind := lastKind(values); kind != "" && kind != "end" {
			e.t.Errorf("the progress %s had not ended when shutdown was answered: its last value is %s", token, kind)
		}
	}
}

// lastKind returns the kind of the last value that is no partial result.
func lastKind(values []Progress) string {
	for _, v := range slices.Backward(values) {
		if v.Kind != "" {
			return v.Kind
		}
	}
	return ""
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
	e.checkProgress(string(p.Token), value)
	e.progress[string(p.Token)] = append(e.progress[string(p.Token)], value)
	return nil
}

// checkProgress fails the test if a value of a progress comes before its begin or after its
// end, or if its percentage goes back. The lock is held.
func (e *Editor) checkProgress(token string, next Progress) {
	before := e.progress[token]
	last := lastKind(before)
	switch next.Kind {
	case "begin":
		if last != "" && last != "end" {
			e.t.Errorf("the progress %s began a second time", token)
		}
	case "report", "end":
		if last != "begin" && last != "report" {
			e.t.Errorf("the progress %s got %s after %q", token, next.Kind, last)
		}
	}
	for _, v := range before {
		if last != "end" && next.Percentage != nil && v.Percentage != nil && *next.Percentage < *v.Percentage {
			e.t.Errorf("the progress %s went back from %d %% to %d %%", token, *v.Percentage, *next.Percentage)
			return
		}
	}
}

// Tokens returns the tokens that the server has created, as JSON and in their order.
func (e *Editor) Tokens() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.tokens)
}
