package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/project/commands"
)

// A ContextWord is a word in a message that stands for what is not a file. A file of that name comes first.
type ContextWord struct {
	Word    string // with the @
	Meaning string // one line
	read    func(*Project, context.Context) (string, error)
}

// maxSentDiagnostics is how many diagnostics a message brings.
const maxSentDiagnostics = 100

// ContextWords are the words that every client knows.
var ContextWords = []ContextWord{
	{"@diagnostics", "what other language servers report", (*Project).sentDiagnostics},
	{"@diff", "what differs from the last commit", func(p *Project, ctx context.Context) (string, error) {
		diff, leftOut, err := commands.Changes(ctx, p.Workspace, false)
		return commands.FencedChanges(diff, leftOut), err
	}},
	{"@staged", "what is staged for the next commit", func(p *Project, ctx context.Context) (string, error) {
		diff, leftOut, err := commands.Changes(ctx, p.Workspace, true)
		return strings.Replace(commands.FencedChanges(diff, leftOut), "since the last commit", "that are staged", 1), err
	}},
}

var contextWord = lazyregexp.New(`(?:^|\s)(@\pL+)`)

// addContext returns what a message stands for with what its context words stand for; "" if it has none and no
// expansion.
func (p *Project) addContext(ctx context.Context, text, expansion string) (string, error) {
	added := map[string]bool{}
	for _, m := range contextWord.FindAllStringSubmatch(text, -1) {
		for _, w := range ContextWords {
			if w.Word != m[1] || added[w.Word] || p.isFile(ctx, w.Word[1:]) {
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
		from := strings.TrimSpace(d.Source + " " + d.Code)
		if from != "" {
			from = " (" + from + ")"
		}
		fmt.Fprintf(&out, "\n- %s:%d: %s: %s%s", p.Workspace.Rel(d.Path), d.StartLine, d.Severity,
			display.Name(d.Message), from)
	}
	return out.String(), nil
}
