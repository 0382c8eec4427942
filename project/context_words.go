package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/project/commands"
	"ploke-lsp/session/records"
	"ploke-lsp/tools"
)

// A ContextWord is a word in a message that stands for what is not a file. A file of that name comes first.
type ContextWord struct {
	Word    string // with the @
	Meaning string // one line
	aliases []string
	read    func(*Project, context.Context) (string, error)
	known   func(FrontEnd) bool // whether the front end knows what it stands for; nil if each does
}

const (
	// maxSentDiagnostics is how many diagnostics a message brings.
	maxSentDiagnostics = 100
	// maxSentOutput is how many bytes of the output of a command a message brings: its end.
	maxSentOutput = 16 << 10
)

// A Terminal is a front end that knows what has run in a terminal of the person's.
type Terminal interface {
	// HasTerminal reports whether it does.
	HasTerminal() bool
	// LastCommand returns the last command in a terminal. Its Line is empty if none is known.
	LastCommand(context.Context) (TerminalCommand, error)
}

// A TerminalCommand is a command that has run, or runs, in a terminal.
type TerminalCommand struct {
	Line, Output string
	ExitCode     *int // nil if the command runs, or its shell does not tell
}

// contextWords are the words that every client knows, and those that need more of it.
var contextWords = []ContextWord{
	{Word: "@diagnostics", Meaning: "what other language servers report", aliases: []string{"@problems"},
		read: (*Project).sentDiagnostics},
	{Word: "@diff", Meaning: "what differs from the last commit", aliases: []string{"@changes"},
		read: func(p *Project, ctx context.Context) (string, error) {
			diff, leftOut, err := commands.Changes(ctx, p.Workspace, false)
			return commands.FencedChanges(diff, leftOut), err
		}},
	{Word: "@staged", Meaning: "what is staged for the next commit",
		read: func(p *Project, ctx context.Context) (string, error) {
			diff, leftOut, err := commands.Changes(ctx, p.Workspace, true)
			return strings.Replace(commands.FencedChanges(diff, leftOut), "since the last commit", "that are staged", 1), err
		}},
	{Word: "@terminal", Meaning: "the last command in the terminal, and what it printed",
		read: sentCommand, known: hasTerminal},
}

// ContextWords returns the words that the front end knows. Their aliases are not among them.
func (p *Project) ContextWords() (words []ContextWord) {
	for _, w := range contextWords {
		if w.known == nil || w.known(p.frontEnd) {
			words = append(words, w)
		}
	}
	return words
}

// KnowsContextWord reports whether the front end knows a word, or its alias.
func (p *Project) KnowsContextWord(word string) bool {
	return slices.ContainsFunc(p.ContextWords(), func(w ContextWord) bool { return w.named(word) })
}

func (w ContextWord) named(word string) bool {
	return w.Word == word || slices.Contains(w.aliases, word)
}

var contextWord = lazyregexp.New(`(?:^|\s)(@\pL+)`)

// addContext returns what a message stands for with what its context words stand for; "" if it has none and no
// expansion.
func (p *Project) addContext(ctx context.Context, text, expansion string) (string, error) {
	added := map[string]bool{}
	for _, m := range contextWord.FindAllStringSubmatch(text, -1) {
		for _, w := range p.ContextWords() {
			if !w.named(m[1]) || added[w.Word] || p.isFile(ctx, m[1][1:]) {
				continue
			}
			added[w.Word] = true
			context, err := w.read(p, ctx)
			if err != nil {
				return "", fmt.Errorf("%s: %w", w.Word, err)
			}
			expansion = cmp.Or(expansion, text) + "\n\n" + context
		}
	}
	return expansion, nil
}

// isFile reports whether the workspace has a file or a folder of this name.
func (p *Project) isFile(ctx context.Context, name string) bool {
	path, err := p.Workspace.Resolve(name)
	if err != nil {
		return false
	}
	_, err = p.Workspace.Read(ctx, path)
	return !errors.Is(err, fs.ErrNotExist)
}

// sentDiagnostics returns the diagnostics of all files, one in a line.
func (p *Project) sentDiagnostics(ctx context.Context) (string, error) {
	found, err := p.frontEnd.Diagnostics(ctx, "")
	if err != nil {
		return "", err
	}
	if len(found.List) == 0 {
		return "Other language servers report nothing.", nil
	}
	var out strings.Builder
	out.WriteString("What other language servers report:\n")
	for i, d := range found.List {
		if i == maxSentDiagnostics {
			fmt.Fprintf(&out, "\n- and %d more", len(found.List)-i)
			break
		}
		fmt.Fprintf(&out, "\n- %s:%d: %s: %s", p.Workspace.Rel(d.Path), d.StartLine, d.Severity, display.Name(d.Message))
		if from := strings.TrimSpace(d.Source + " " + d.Code); from != "" {
			out.WriteString(" (" + from + ")")
		}
	}
	return out.String(), nil
}

func hasTerminal(f FrontEnd) bool {
	terminal, ok := f.(Terminal)
	return ok && terminal.HasTerminal()
}

// sentCommand returns the last command in the person's terminal with the end of its output.
func sentCommand(p *Project, ctx context.Context) (string, error) {
	c, err := p.frontEnd.(Terminal).LastCommand(ctx)
	switch {
	case err != nil:
		return "", err
	case c.Line == "":
		return "", errors.New("no command is known: run one in a terminal whose shell the editor integrates with")
	}
	output, cut := strings.TrimRight(strings.ToValidUTF8(c.Output, "\uFFFD"), " \r\n"), ""
	if len(output) > maxSentOutput {
		output = strings.ToValidUTF8(output[len(output)-maxSentOutput:], "")
		_, output, _ = strings.Cut(output, "\n")
		cut = "…\n"
	}
	ended := "it has not ended"
	if c.ExitCode != nil {
		ended = fmt.Sprintf("exit status %d", *c.ExitCode)
	}
	text := "$ " + strings.TrimSpace(c.Line) + "\n" + cut + output
	fence := display.CodeFence(text)
	return fmt.Sprintf("The last command in the terminal (%s):\n\n%sconsole\n%s\n%s", ended, fence, text, fence), nil
}

const (
	// autoContextTokens is the default of limits.autoContext.
	autoContextTokens = 400
	// contextShare is the fraction of a tool result's tokens, 1/contextShare, that the code and places sent
	// with a message may have.
	contextShare = 2
)

// contextTokens is the maximum number of tokens of the code and places that are sent with a message.
func contextTokens(s *Settings) int {
	limits := s.Now().Limits
	most := tools.ContextTokens(limits.ToolTokens) / contextShare
	if limits.AutoContext == nil {
		return min(autoContextTokens, most)
	}
	return min(*limits.AutoContext, most)
}

// retrieveContext finds the code that a message is about, at most so many tokens.
func (p *Project) retrieveContext(ctx context.Context, q tools.Question, turn tools.Call,
	most int) (code records.FoundCode, err error) {
	code.Text, code.Secrets, err = p.deps.AutoContext(ctx, turn, q, min(contextTokens(p.settings), most))
	return code, err
}
