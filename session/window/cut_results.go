package window

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/llm"
	"ploke-lsp/tools"
)

// How many bytes a token of code has with line numbers, at least as a rule.
const (
	codeBytesKnown     = 3 // as o200k counts
	codeBytesEstimated = 2.5
)

// Bytes returns about how many bytes of code have so many tokens, but not 0, which would be no bound.
func (c Counter) Bytes(tokens int) int {
	raw := float64(tokens) / c.Scale
	if c.Known {
		return max(int(raw*codeBytesKnown), 1)
	}
	return max(int(raw*codeBytesEstimated), 1)
}

// Cuts returns how many bytes of those results in an exchange are sent that are longer than their share of so many
// tokens, by the calls' ids that the model knows. What short results leave of their shares goes to the long ones.
func (c Counter) Cuts(exchange []llm.Message, tokens int) map[string]int {
	var results []*llm.Message
	total := 0
	for i := range exchange {
		if m := &exchange[i]; m.Role == llm.Tool {
			results = append(results, m)
			total += c.Text(m.Text)
		}
	}
	if c.Scaled(total) <= tokens {
		return nil
	}
	slices.SortStableFunc(results, func(a, b *llm.Message) int { return cmp.Compare(c.Text(a.Text), c.Text(b.Text)) })
	cut := map[string]int{}
	for i, m := range results {
		share := tokens / (len(results) - i)
		if c.Scaled(c.Text(m.Text)) > share {
			cut[m.CallID] = c.bytesWithin(m, share)
			tokens -= share
		} else {
			tokens -= c.Scaled(c.Text(m.Text))
		}
	}
	return cut
}

// bytesWithin returns how many bytes of a result may be sent, so that it has at most so many tokens
// with the note that it is cut.
func (c Counter) bytesWithin(m *llm.Message, tokens int) int {
	n := min(c.Bytes(tokens), len(m.Text))
	for n > 0 {
		n = beforeSecrets(m, n)
		if c.Scaled(c.Text(cutResult(m, n))) <= tokens {
			break
		}
		n -= max(n/16, 1)
	}
	return n
}

// beforeSecrets returns n, or fewer bytes, so that the beginning of a result ends with a line, or
// at least with no part of a secret, which would not be found.
func beforeSecrets(m *llm.Message, n int) int {
	if end := strings.LastIndexByte(m.Text[:n], '\n') + 1; end > n/2 {
		return end
	}
	for n > 0 && n < len(m.Text) && !utf8.RuneStart(m.Text[n]) {
		n--
	}
	_, to := secretscan.Narrow(m.Text, 0, n, slices.Concat(m.Secrets, m.InContent, secretscan.Secrets(m.Text)))
	return to
}

// CutResults cuts the results in an exchange, by the calls' ids that the model knows, to so many bytes, and says how to
// get the rest. The JSON of the results stays.
func CutResults(exchange []llm.Message, cut map[string]int) {
	for i := range exchange {
		m := &exchange[i]
		if n, ok := cut[m.CallID]; ok && m.Role == llm.Tool && n < len(m.Text) {
			m.Text = cutResult(m, n)
		}
	}
}

// cutResult returns the first n bytes of a result, and how to get the rest.
func cutResult(m *llm.Message, n int) string {
	beginning := m.Text[:n]
	shown, all := strings.Count(beginning, "\n"), strings.Count(strings.TrimSuffix(m.Text, "\n"), "\n")+1
	if text := strings.TrimSpace(beginning); text == "" || text == strings.TrimSpace(ErrorMark) {
		return beginning + fmt.Sprintf("(there is no room for this result of %d lines; %s shows some of them for call_id "+
			"%s, with start_line and end_line)", all, tools.RecallToolResult, m.CallID)
	}
	if !strings.HasSuffix(beginning, "\n") { // of a long line
		beginning += "…\n"
		if shown++; shown >= all {
			return beginning + "(there is only room for the beginning of this result, whose last line is long: ask for less " +
				"at once)"
		}
	}
	return beginning + fmt.Sprintf("(there is room for %d of %d lines of this result; %s shows more for call_id %s, "+
		"with start_line %d)",
		shown, all, tools.RecallToolResult, m.CallID, shown+1)
}

// NoteUnchanged puts notes, by the calls' ids, in the place of results, or behind those that are shorter. The JSON of
// the results stays.
func NoteUnchanged(messages []llm.Message, notes map[string]string) {
	for i := range messages {
		m := &messages[i]
		note, ok := notes[m.CallID]
		switch {
		case m.Role != llm.Tool || !ok:
		case len(note) < len(m.Text):
			m.Text = note
		default:
			m.Text += "\n" + note
		}
	}
}
