package session

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
)

// Export returns a conversation as Markdown, from its beginning to the leaf; "" is
// the newest leaf. render converts an answer's text to Markdown.
func (e *Engine) Export(ctx context.Context, conversationID, leafID string,
	render func(string) string) (string, error) {
	messages, err := e.History(ctx, conversationID, leafID)
	if err != nil {
		return "", err
	}
	var title string
	err = e.opts.DB.Read().QueryRowContext(ctx, `SELECT title FROM conversations WHERE id = ?`,
		conversationID).Scan(&title)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", title)
	for i := range messages {
		exportMessage(&b, &messages[i], render)
	}
	return b.String(), nil
}

func exportMessage(b *strings.Builder, m *records.Message, render func(string) string) {
	at := m.CreatedAt.UTC().Format("2006-01-02 15:04")
	if m.Role == llm.User {
		fmt.Fprintf(b, "\n## You · %s\n\n%s\n", at, strings.TrimSpace(m.Text))
		for _, a := range m.Attachments {
			fmt.Fprintf(b, "\n- with %s, lines %d to %d\n", a.Path, a.StartLine, a.EndLine)
		}
		return
	}
	fmt.Fprintf(b, "\n## %s · %s\n", m.Model, at)
	for _, c := range m.Calls {
		fmt.Fprintf(b, "\n- %s: %s", c.Tool, cmp.Or(c.Error, c.Summary))
	}
	if len(m.Calls) > 0 {
		b.WriteByte('\n')
	}
	if text := strings.TrimSpace(render(m.Text)); text != "" {
		fmt.Fprintf(b, "\n%s\n", text)
	}
	if m.Status != records.Completed || m.Error != "" {
		fmt.Fprintf(b, "\n*%s*\n", strings.TrimSuffix(string(m.Status)+": "+m.Error, ": "))
	}
}
