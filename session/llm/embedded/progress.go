package embedded

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
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

// progressOf reads the messages since the last one of the user.
func progressOf(messages []llm.Message) progress {
	var p progress
	if len(messages) > 0 && messages[0].Role == llm.System {
		p.Folders = foldersOf(messages[0].Text)
	}
	names := map[string]string{}
	for _, m := range messages {
		switch m.Role {
		case llm.User:
			said := withoutSnippets(m.Text)
			p.message, p.attached, p.results = lexicon.Mended(said), attachedTo(m.Text), nil
			p.mended = p.message != said
			p.folder = attachedFolder(m.Text)
			if p.attached.file != "" {
				p.message = withoutMentions(p.message)
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

// attachedTo returns the first line of the first attached code that is neither empty
// nor a comment.
func attachedTo(text string) target {
	head := results.SnippetHead.FindStringSubmatch(text)
	if head == nil {
		return target{}
	}
	var t target
	if err := json.Unmarshal([]byte(head[1]), &t.file); err != nil {
		return target{}
	}
	t.line, _ = strconv.Atoi(head[2])
	for line := range strings.Lines(text[len(head[0]):]) {
		line = strings.TrimSpace(line)
		line = strings.TrimLeft(line, "0123456789 \t") // its number
		if line == "</code>" {
			return target{file: t.file}
		}
		if line != "" && !strings.ContainsAny(line[:1], "/#*@") {
			break
		}
		t.line++
	}
	return t
}

// attachedFolder returns the path of the first attachment if it is the outline of a folder: it has no ending of a file,
// and its first line is an entry of an outline.
func attachedFolder(text string) string {
	t := attachedTo(text)
	if head := results.SnippetHead.FindString(text); head == "" || !outlineEntry.MatchString(text[len(head):]) ||
		filepath.Ext(t.file) != "" || namedFile.MatchString(results.Base(t.file)) {
		return ""
	}
	return t.file
}

var (
	outlineEntry = lazyregexp.New(`^\s*\d*\s+(?:[^\s:]+/|[^\s:]+\.\w+(?:: [^:]+)?|\S+ \(left out: .*\))\n|` +
		`^\s*\d*\s+\(the folder is empty\)`)
	namedFile = lazyregexp.New(`(?i)file$|^(?:readme|licen[cs]e|copying|authors|changes|changelog|version|notice)$`)
)

// mention is a word that attaches a file to a message, or lines of one.
var mention = lazyregexp.New(`(?:^|\s)@([^\s#]*[^\s#.,;:!?)])(#L\d+(?:-L?\d+)?)?`)

// withoutMentions returns a message whose first mention has attached code. The word for attached code stands for a
// whole file by its name, so that it is not taken for the file's first line.
func withoutMentions(message string) string {
	m := mention.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	rest := strings.TrimSpace(strings.Replace(message, m[0], "", 1))
	at := pointing.FindStringIndex(rest)
	switch {
	case m[2] != "":
		return cmp.Or(rest, "this")
	case at == nil:
		return strings.TrimSpace(strings.Replace(message, "@"+m[1], m[1], 1))
	}
	return rest[:at[0]] + m[1] + rest[at[1]:]
}

// withoutSnippets removes the attached code at the beginning of a message.
func withoutSnippets(text string) string {
	for {
		head := results.SnippetHead.FindStringSubmatch(text)
		if head == nil {
			return strings.TrimSpace(text)
		}
		first, _ := strconv.Atoi(head[2])
		last, _ := strconv.Atoi(head[3])
		rest := text[len(head[0]):]
		for range last - first + 1 {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		after, closed := strings.CutPrefix(rest, "</code>")
		if !closed {
			return strings.TrimSpace(text)
		}
		text = strings.TrimLeft(after, "\n")
	}
}

// foldersHead is the line of the system message before the list of folders.
const foldersHead = "\nWorkspace folders:\n"

// FoldersText returns the part of a system message that lists the workspace's
// folders, given as absolute paths; "" if there are none.
func FoldersText(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	return foldersHead + strings.Join(dirs, "\n") + "\n"
}

// foldersOf parses the result of [FoldersText] in a system message.
func foldersOf(system string) results.Folders {
	_, rest, _ := strings.Cut(system, foldersHead)
	lines, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' })
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
