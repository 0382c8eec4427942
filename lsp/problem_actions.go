package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/chat"
	"ploke-lsp/lsp/client"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
)

const (
	// maxFixes bounds the problems at one place that are offered.
	maxFixes = 5
	// maxProblemText bounds what a message quotes of a problem, in characters.
	maxProblemText = 2000
)

// problemActions offer to fix the problems that other servers report at the place.
func (a *codeActions) problemActions(_ context.Context, p *document.Place) (actions []client.Action) {
	for _, d := range p.Diagnostics {
		if document.IsOwn(d.Source) || len(actions) == maxFixes {
			continue
		}
		actions = append(actions, client.Action{
			Title:       "ploke: fix: " + chat.ShortTitle(messageOf(d.Message)),
			Kind:        client.KindQuickFix,
			Command:     ploke.CommandFix,
			Argument:    ploke.FixParams{URI: p.URI, Range: d.Range, Problem: describeProblem(d)},
			Disabled:    a.missingModel("fixing a problem"),
			Diagnostics: []protocol.Diagnostic{d},
		})
	}
	return actions
}

// describeProblem returns a problem as compilers write it: its message, its source and its code.
func describeProblem(d protocol.Diagnostic) string {
	text := []rune(messageOf(d.Message))
	from, _ := d.Source.Get()
	if code := codeOf(d.Code); code != "" {
		from = strings.TrimSpace(from + " " + code)
	}
	problem := string(text[:min(len(text), maxProblemText)])
	if from == "" {
		return problem
	}
	return fmt.Sprintf("%s (%s)", problem, from)
}

// fixCommand starts a turn that fixes a problem, by default what is wrong where the cursor was
// last; words describe the problem.
func (a *codeActions) fixCommand(ctx context.Context, p *ploke.FixParams, words string) (*ploke.TurnStarted, error) {
	if reason := a.missingModel("fixing a problem"); reason != "" {
		return nil, errors.New(reason)
	}
	if p.Problem == "" {
		p.Problem = words
	}
	target := ploke.SymbolParams{URI: p.URI, Range: p.Range}
	if err := a.useLastCursor(&target); err != nil {
		return nil, err
	}
	a.editorState.setCursor(target.URI, target.Range.Start)
	d, err := a.parser.Get(ctx, target.URI)
	if err != nil {
		return nil, err
	}
	start, end := d.Offsets(target.Range)
	lines := fmt.Sprintf("%s:%d", a.project.Workspace.Rel(d.Path), d.LineAt(start))
	if last := d.LineAt(end); last > d.LineAt(start) {
		lines = fmt.Sprintf("%s-%d", lines, last)
	}
	turn := chat.CommandTurn{Title: "fix " + lines, Text: "Fix what is wrong at " + lines, Purpose: chat.WantsEdit}
	if p.Problem != "" {
		turn.Title = "fix: " + chat.ShortTitle(p.Problem)
		turn.Text = fmt.Sprintf("Fix the problem at %s:\n\n%s", lines, indent(p.Problem))
	}
	if symbol, ok := d.SymbolAt(start); ok {
		turn.About = &chat.Subject{URI: target.URI, Canon: symbol.Canon, Name: symbol.Name}
	}
	return a.turns.Start(ctx, turn)
}

// indent quotes a text as a block of Markdown, which holds nothing but itself.
func indent(text string) string { return "    " + strings.ReplaceAll(text, "\n", "\n    ") }
