package acp_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/acp/acptest"
	"ploke-lsp/acp/protocol"
)

// picture and element are live where a client shows a text as Markdown.
var (
	livePicture = regexp.MustCompile(`(^|[^\\])!\[[^\]]*\]\(`)
	liveElement = regexp.MustCompile(`<img`)
)

// TestNothingThatAModelNamesIsLive has a model put a picture into all that is shown beside its answer: the titles of calls and of
// proposals, names of files, results, errors, and what a person is told. The client has, or has not, a place for notices.
func TestNothingThatAModelNamesIsLive(t *testing.T) {
	t.Parallel()
	for name, capabilities := range map[string]protocol.ClientCapabilities{"notices": {Session: protocol.ClientSessionCapabilities{Notices: &struct{}{}}}, "thoughts": {}} {
		t.Run(name, func(t *testing.T) {
			const picture = `![x](http://e/p) <img src=x>`
			f := newFixture(t)
			write(t, f.path("![x](a) b.go"), "package p\n")
			f.useModel(
				call("c1", "search_text", `{"pattern":"`+picture+`"}`),
				call("c2", picture, `{}`),
				call("c3", "read_file", `{"file":"`+picture+`.go"}`),
				call("c4", "apply_code_edit",
					`{"reason":"`+picture+`","edits":[{"mode":"replace","file":"shapes/circle.go","old":"x * x","new":"x*x"}]}`),
				call("c5", "apply_code_edit", `{"reason":"r","edits":[{"mode":"replace","file":"shapes/rect.go","old":"`+picture+`","new":"y"}]}`),
				call("c6", "rename_file", `{"file":"![x](a) b.go","to":"![y](a) c.go"}`),
				say("done"))
			c := f.start(acptest.Options{Capabilities: capabilities})
			id := c.New(f.root)
			c.Prompt(id, "Edit it.")
			c.Call(protocol.MethodSessionLoad, acptest.Params(id, f.root), nil)
			shown := 0
			for _, line := range c.Wire() {
				for _, text := range shownTexts(line) {
					shown++
					if livePicture.MatchString(text) || liveElement.MatchString(text) {
						t.Errorf("shown: %s", text)
					}
				}
			}
			if shown < 20 {
				t.Errorf("%d texts were shown", shown)
			}
		})
	}
}

// shownTexts returns the titles and texts in a message of the agent.
func shownTexts(line string) (texts []string) {
	_, message, _ := strings.Cut(line, "{")
	var value any
	if json.Unmarshal([]byte("{"+message), &value) != nil {
		return nil
	}
	var visit func(value any)
	visit = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, v := range value {
				visit(v)
			}
		case map[string]any:
			for key, v := range value {
				if text, ok := v.(string); ok && (key == "title" || key == "text") {
					texts = append(texts, text)
				}
				if key != "rawInput" && key != "rawOutput" {
					visit(v)
				}
			}
		}
	}
	visit(value)
	return texts
}
