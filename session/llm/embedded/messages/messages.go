// Package messages reads what a conversation says beside its words: the code, the file or the folder that is attached
// to a message, and the folders of the workspace in the system message.
//
// Its promises:
//
//   - What it returns depends on its arguments only, whatever these hold: a message need not be well formed.
//   - It may be used by several goroutines at once.
package messages

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/results"
)

// Place is the first line of attached code. Line is 0 for a file that has no code.
type Place struct {
	File string
	Line int
}

// Pointing matches the words for attached code in a question.
var Pointing = lazyregexp.New(`(?i)\b(?:(?:this|that|the selected|the attached) ` + lexicon.KindPattern +
	`|(?:this|that|the|the selected|the attached) (?:code|line|selection|snippet)|this|that|it)\b`)

// Attached returns the first line of the first attached code that is neither empty
// nor a comment.
func Attached(text string) Place {
	head := results.SnippetHead.FindStringSubmatch(text)
	if head == nil {
		return Place{}
	}
	var t Place
	if err := json.Unmarshal([]byte(head[1]), &t.File); err != nil {
		return Place{}
	}
	t.Line, _ = strconv.Atoi(head[2])
	for line := range strings.Lines(text[len(head[0]):]) {
		line = strings.TrimSpace(line)
		line = strings.TrimLeft(line, "0123456789 \t") // its number
		if line == "</code>" {
			return Place{File: t.File}
		}
		if line != "" && !strings.ContainsAny(line[:1], "/#*@") {
			break
		}
		t.Line++
	}
	return t
}

// Folder returns the path of the first attachment if it is the outline of a folder: it has no ending of a file,
// and its first line is an entry of an outline.
func Folder(text string) string {
	t := Attached(text)
	if head := results.SnippetHead.FindString(text); head == "" || !outlineEntry.MatchString(text[len(head):]) ||
		filepath.Ext(t.File) != "" || namedFile.MatchString(results.Base(t.File)) {
		return ""
	}
	return t.File
}

var (
	outlineEntry = lazyregexp.New(`^\s*\d*\s+(?:[^\s:]+/|[^\s:]+\.\w+(?:: [^:]+)?|\S+ \(left out: .*\))\n|` +
		`^\s*\d*\s+\(the folder is empty\)`)
	namedFile = lazyregexp.New(`(?i)file$|^(?:readme|licen[cs]e|copying|authors|changes|changelog|version|notice)$`)
)

// mention is a word that attaches a file to a message, or lines of one.
var mention = lazyregexp.New(`(?:^|\s)@([^\s#]*[^\s#.,;:!?)])(#L\d+(?:-L?\d+)?)?`)

// WithoutMentions returns a message whose first mention has attached code. The word for attached code stands for a
// whole file by its name, so that it is not taken for the file's first line.
func WithoutMentions(message string) string {
	m := mention.FindStringSubmatch(message)
	if m == nil {
		return message
	}
	rest := strings.TrimSpace(strings.Replace(message, m[0], "", 1))
	at := Pointing.FindStringIndex(rest)
	switch {
	case m[2] != "":
		return cmp.Or(rest, "this")
	case at == nil:
		return strings.TrimSpace(strings.Replace(message, "@"+m[1], m[1], 1))
	}
	return rest[:at[0]] + m[1] + rest[at[1]:]
}

// WithoutSnippets removes the attached code at the beginning of a message.
func WithoutSnippets(text string) string {
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

// FoldersOf parses the result of [FoldersText] in a system message.
func FoldersOf(system string) results.Folders {
	_, rest, _ := strings.Cut(system, foldersHead)
	lines, _, _ := strings.Cut(rest, "\n\n")
	return strings.FieldsFunc(lines, func(r rune) bool { return r == '\n' })
}
