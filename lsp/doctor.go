package lsp

import (
	"context"
	"fmt"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/rpc"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

func (q *queries) doctor(ctx context.Context, _ *rpc.None) (*ploke.DoctorResult, error) {
	p := q.project
	rpc.Release(ctx)
	found, err := p.Findings(ctx, func(key string) string {
		return fmt.Sprintf("ploke: Manage Permissions…, or the command %s with the key %q, deletes this answer",
			ploke.CommandPermissionForget, key)
	})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# ploke doctor\n\nploke-lsp %s. %s\n\n| | | |\n|---|---|---|\n", q.version, verdict(found))
	findings := make([]ploke.Finding, len(found))
	for i, f := range found {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", levelMarks[f.Level], f.What, tableCell(withCommand(f)))
		findings[i] = ploke.Finding{Level: ploke.FindingLevel(f.Level), What: f.What, Text: display.Name(f.Text),
			Command: display.Name(f.Command)}
	}
	return &ploke.DoctorResult{Markdown: b.String(), Findings: findings}, nil
}

// withCommand returns the text of a finding with the command that helps.
func withCommand(f project.Finding) string {
	if f.Command == "" {
		return f.Text
	}
	return f.Text + "; in a terminal: " + f.Command
}

var levelMarks = map[project.Level]string{
	project.Fine: "✓", project.Suspect: "⚠ warning", project.Essential: "✗ **does not work**",
}

func verdict(found []project.Finding) string {
	counts := map[project.Level]int{}
	for _, f := range found {
		counts[f.Level]++
	}
	switch {
	case counts[project.Essential] > 0:
		return "**Something essential does not work.**"
	case counts[project.Suspect] > 0:
		return "Everything essential works; the warnings below say what does not."
	}
	return "Everything works."
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`,
	"<", "&lt;", "&", "&amp;")

// tableCell returns a text as a cell of a Markdown table that shows exactly this text.
func tableCell(text string) string { return markdownEscapes.Replace(display.Name(text)) }
