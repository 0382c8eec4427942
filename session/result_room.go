package session

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

// The results of a response share what is free in the model's window. A tool shows no more than there is room for. Where
// the results of several calls, or of tools that can't show less, are still too long, those that are longer than their
// share are cut.

// Parts of the longest request, as 1/n.
const (
	exchangeShare = 8 // stays free for the next call and its result
	resultShare   = 3 // old messages are dropped for, if need be
)

// How many bytes a token of code has with line numbers, at least as a rule.
const (
	codeBytesKnown     = 3 // as o200k counts
	codeBytesEstimated = 2.5
)

// bytes returns about how many bytes of code have so many tokens, but not 0, which would be no bound.
func (c counter) bytes(tokens int) int {
	raw := float64(tokens) / c.scale
	if c.known {
		return max(int(raw*codeBytesKnown), 1)
	}
	return max(int(raw*codeBytesEstimated), 1)
}

// resultRoom returns how many tokens the results of a response's calls may have together: what is free once what the
// model has read is shortened, or, if that is little, once old messages are dropped.
func (s *requestSession) resultRoom(r *response) int {
	counter, window := s.counter(), s.window()
	answer := llm.Message{Text: string(s.text[r.start:]), Opaque: r.opaque}
	for _, c := range r.calls {
		answer.Calls = append(answer.Calls, llm.Call{Name: c.Name, Arguments: c.Arguments})
	}
	taken := counter.scaled(counter.message(&answer, answer.Text)+len(r.calls)*messageTokens) + window/exchangeShare
	free := window - s.size() - taken
	if free >= window/2 {
		return free
	}
	read, asked := s.shortenable()
	c := s.view.frame.compaction
	c.Shortened, c.NoHeads = slices.Concat(c.Shortened, read, asked), true
	free = max(free, window-s.sizeUnder(c)-taken, 0)
	if share := window / resultShare; free < share && len(s.view.frame.past.messages) > 0 {
		c.From, c.Pinned = s.view.frame.id, 0
		free = max(free, min(share, window-s.sizeUnder(c)-taken))
	}
	return free
}

// cuts returns how many bytes of those results in an exchange are sent that are longer than their share of a room in
// tokens, by the calls' ids that the model knows. What short results leave of their shares goes to the long ones.
func (c counter) cuts(exchange []llm.Message, room int) map[string]int {
	var results []*llm.Message
	total := 0
	for i := range exchange {
		if m := &exchange[i]; m.Role == llm.Tool {
			results = append(results, m)
			total += c.text(m.Text)
		}
	}
	if c.scaled(total) <= room {
		return nil
	}
	slices.SortStableFunc(results, func(a, b *llm.Message) int { return cmp.Compare(c.text(a.Text), c.text(b.Text)) })
	cut := map[string]int{}
	for i, m := range results {
		share := room / (len(results) - i)
		if c.scaled(c.text(m.Text)) > share {
			cut[m.CallID] = c.bytesWithin(m, share)
			room -= share
		} else {
			room -= c.scaled(c.text(m.Text))
		}
	}
	return cut
}

// bytesWithin returns how many bytes of a result may be sent, so that it has at most so many tokens with the note that it
// is cut.
func (c counter) bytesWithin(m *llm.Message, tokens int) int {
	n := min(c.bytes(tokens), len(m.Text))
	for n > 0 {
		n = beforeSecrets(m, n)
		if c.scaled(c.text(cutResult(m, n))) <= tokens {
			break
		}
		n -= max(n/16, 1)
	}
	return n
}

// beforeSecrets returns n, or fewer bytes, so that the beginning of a result ends with a line, or at least with no part of
// a secret, which would not be found.
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

// cutResults cuts the results in an exchange, by the calls' ids that the model knows, to so many bytes, and says how to
// get the rest. The JSON of the results stays.
func cutResults(exchange []llm.Message, cut map[string]int) {
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
	if text := strings.TrimSpace(beginning); text == "" || text == strings.TrimSpace(errorMark) {
		return beginning + fmt.Sprintf("(there is no room for this result of %d lines; %s shows some of them for call_id %s, with start_line and end_line)", all, tools.RecallToolResult, m.CallID)
	}
	if !strings.HasSuffix(beginning, "\n") { // of a long line
		beginning += "…\n"
		if shown++; shown >= all {
			return beginning + "(there is only room for the beginning of this result, whose last line is long: ask for less at once)"
		}
	}
	return beginning + fmt.Sprintf("(there is room for %d of %d lines of this result; %s shows more for call_id %s, with start_line %d)",
		shown, all, tools.RecallToolResult, m.CallID, shown+1)
}

// cutLastResults cuts the results of the turn's last response again, after its server has refused the request with them: they
// have less room than was thought.
func (s *requestSession) cutLastResults() {
	n := len(s.view.messages) - 1
	for n >= s.view.frame.turnStart && s.view.messages[n].Role != llm.Assistant {
		n--
	}
	if n < s.view.frame.turnStart || len(s.view.messages[n].Calls) == 0 || len(s.answer.Responses) == 0 {
		return
	}
	counter, window := s.counter(), s.window()
	exchange := slices.Clone(s.view.messages[n:])
	taken := 0 // by the results
	for i := range exchange {
		if whole := s.view.frame.ownResults[exchange[i].CallID]; whole != nil {
			taken += counter.text(exchange[i].Text)
			exchange[i].Text = whole.uncut
		}
	}
	room := max(window-s.size()+counter.scaled(taken)-window/exchangeShare, window/resultShare)
	cut := counter.cuts(exchange, room)
	if len(cut) == 0 {
		return
	}
	cutResults(exchange, cut)
	s.answer.Responses[len(s.answer.Responses)-1].Cut = cut
	for i := range exchange {
		if whole := s.view.frame.ownResults[exchange[i].CallID]; whole != nil {
			again := newWholeResult(&exchange[i], whole.summary)
			again.uncut = whole.uncut
			s.view.frame.ownResults[exchange[i].CallID] = again
		}
	}
	s.view.messages = append(slices.Clone(s.view.messages[:n]), exchange...)
	s.view.counted = countedMessages{}
}
