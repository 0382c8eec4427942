package embedded

import (
	"encoding/json"
	"fmt"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/messages"
	"ploke-lsp/session/llm/embedded/results"
)

// progress holds the user's message and the results of the calls made for it.
type progress struct {
	results.Folders
	message  string
	attached target               // the first line of code that is attached to the message
	folder   string               // path of the folder that is attached to the message, "" for none
	results  []results.ToolResult // in the order of the calls
	mended   bool                 // the message is spelled otherwise than the user's
	refused  bool                 // an earlier answer was a refusal
}

// step is the model's next action: an answer, or calls of tools.
type step struct {
	text     string
	calls    []llm.Call
	answered bool // the text answers, however it begins
}

func answerWith(text string) step { return step{text: text} }

// answered returns the answer to a question of which some part may be left.
func answered(text string) step { return step{text: text, answered: true} }

// callTool returns a call; args is a map of plain values.
func callTool(name string, args any) llm.Call {
	b, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("arguments of %s: %v", name, err))
	}
	return llm.Call{Name: name, Arguments: b}
}

type args = map[string]any

// progressOf reads the messages of a conversation since the last one of the user.
func progressOf(conversation []llm.Message) progress {
	var p progress
	if len(conversation) > 0 && conversation[0].Role == llm.System {
		p.Folders = messages.FoldersOf(conversation[0].Text)
	}
	names := map[string]string{}
	for _, m := range conversation {
		switch m.Role {
		case llm.User:
			said, at := messages.WithoutSnippets(m.Text), messages.Attached(m.Text)
			p.message, p.attached, p.results = lexicon.Mended(said), target{file: at.File, line: at.Line}, nil
			p.mended = p.message != said
			p.folder = messages.Folder(m.Text)
			if p.attached.file != "" {
				p.message = messages.WithoutMentions(p.message)
			}
		case llm.Assistant:
			p.refused = p.refused || strings.Contains(m.Text, howToGoOn)
			for _, c := range m.Calls {
				names[c.ID] = c.Name
			}
		case llm.Tool:
			p.results = append(p.results, newToolResult(names[m.CallID], m.Content))
		}
	}
	return p
}

func newToolResult(tool string, content json.RawMessage) results.ToolResult {
	r := results.ToolResult{Tool: tool, Content: content}
	if err := json.Unmarshal(r.Content, &r); err != nil {
		r.OK, r.Error = false, "its result can't be decoded: "+err.Error()
	}
	return r
}

// of returns the results of one tool.
func (p progress) of(tool string) []results.ToolResult {
	var found []results.ToolResult
	for _, r := range p.results {
		if r.Tool == tool {
			found = append(found, r)
		}
	}
	return found
}

// placeOfEdit matches the number of an edit before what is wrong with it.
var placeOfEdit = lazyregexp.New(`^edits\[\d+\]: `)

// failed reports the error of a tool.
func (p progress) failed(what string, r results.ToolResult) step { return failed(p.Folders, what, r) }

func failed(f results.Folders, what string, r results.ToolResult) step {
	text := what + ": " + placeOfEdit.ReplaceAllString(strings.TrimSuffix(r.Error, "; nothing was staged"), "") + "."
	if r.Hint != "" && !lexicon.ForModels.MatchString(r.Hint) {
		text += " Hint: " + r.Hint + "."
	}
	return answerWith(text + "\n" + f.Near(r.Candidates))
}
