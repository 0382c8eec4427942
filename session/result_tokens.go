package session

import (
	"slices"

	"ploke-lsp/session/llm"
	"ploke-lsp/session/window"
)

// The results of a response share what is free in the model's window. A tool shows no more than
// there is room for. Where the results of several calls, or of tools that can't show less, are
// still too long, those that are longer than their share are cut.

// Parts of the longest request, as 1/n.
const (
	exchangeShare = 8 // stays free for the next call and its result
	resultShare   = 3 // old messages are dropped for, if need be
)

// resultTokens returns how many tokens the results of a response's calls may have together: what is free once what the
// model has read is shortened, or, if that is little, once old messages are dropped.
func (s *requestSession) resultTokens(r *response) int {
	counter, limit := s.view.counter(), s.setup.window()
	answer := llm.Message{Text: string(s.text[r.start:]), Opaque: r.opaque}
	for _, c := range r.calls {
		answer.Calls = append(answer.Calls, llm.Call{Name: c.Name, Arguments: c.Arguments})
	}
	taken := counter.Scaled(counter.Message(&answer, answer.Text)+len(r.calls)*window.MessageTokens) + limit/exchangeShare
	free := limit - s.view.size() - taken
	if free >= limit/2 {
		return free
	}
	read, asked := s.view.shortenable()
	c := s.view.frame.compaction
	c.Shortened, c.NoHeads = slices.Concat(c.Shortened, read, asked), true
	free = max(free, limit-s.view.sizeUnder(c)-taken, 0)
	if share := limit / resultShare; free < share && len(s.view.frame.past.Messages) > 0 {
		c.From, c.Pinned = s.view.frame.id, 0
		free = max(free, min(share, limit-s.view.sizeUnder(c)-taken))
	}
	return free
}

// cutLastResults cuts the results of the turn's last response again, after its server has refused
// the request with them: they may have fewer tokens than was thought.
func (q *requester) cutLastResults() {
	n := len(q.view.messages) - 1
	for n >= q.view.frame.turnStart && q.view.messages[n].Role != llm.Assistant {
		n--
	}
	if n < q.view.frame.turnStart || len(q.view.messages[n].Calls) == 0 || len(q.answer.Responses) == 0 {
		return
	}
	counter, limit := q.view.counter(), q.setup.window()
	exchange := slices.Clone(q.view.messages[n:])
	taken := 0 // by the results
	for i := range exchange {
		if whole := q.view.frame.ownResults[exchange[i].CallID]; whole != nil {
			taken += counter.Text(exchange[i].Text)
			exchange[i].Text = whole.Uncut
		}
	}
	free := max(limit-q.view.size()+counter.Scaled(taken)-limit/exchangeShare, limit/resultShare)
	cut := counter.Cuts(exchange, free)
	if len(cut) == 0 {
		return
	}
	window.CutResults(exchange, cut)
	q.answer.Responses[len(q.answer.Responses)-1].Cut = cut
	for i := range exchange {
		if whole := q.view.frame.ownResults[exchange[i].CallID]; whole != nil {
			again := window.NewResult(&exchange[i], whole.Summary)
			again.Uncut = whole.Uncut
			q.view.frame.ownResults[exchange[i].CallID] = again
		}
	}
	q.view.messages = append(slices.Clone(q.view.messages[:n]), exchange...)
	q.view.counted = countedMessages{}
}
