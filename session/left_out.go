package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ploke-lsp/internal/secretscan"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/records"
	"ploke-lsp/session/window"
)

// A compaction that drops messages keeps a line of each of them, and one of each proposal, as far as they fit. What the
// person asked first always stays, and decisions stay longest. The lines are made without a model, and stored with the
// compaction, so that later turns send the same bytes.

const (
	leftOutShare  = 10  // fraction of the longest request, 1/leftOutShare, that the lines may take
	firstBytes    = 600 // of the first question
	questionBytes = 200 // of another one
	answerBytes   = 160
	titleBytes    = 80 // of a proposal
	reasonBytes   = 100
	proposalFiles = 4 // of a proposal
)

// leftOutUnder returns the lines of the messages that a compaction drops.
func (v *modelView) leftOutUnder(c records.Compaction) records.LeftOut {
	f := &v.frame
	if c.From == f.compaction.From {
		return f.compaction.Left
	}
	l := records.LeftOut{Omitted: f.compaction.Left.Omitted}
	for _, line := range f.compaction.Left.Lines {
		if text, ok := v.proposals.lines[line.Proposal]; ok {
			line.Text = text
		}
		l.Lines = append(l.Lines, line)
	}
	for i := f.past.FirstSent(f.compaction); i < f.past.FirstSent(c); i++ {
		v.addLeftOut(&l, i)
	}
	counter := v.counter()
	return l.Within(v.setup.window()/leftOutShare, func(text string) int { return counter.Scaled(counter.Text(text)) })
}

// addLeftOut adds a line for a message of the past, and those of the proposals of a turn that ends with it.
func (v *modelView) addLeftOut(l *records.LeftOut, i int) {
	messages := v.frame.past.Messages
	m := &messages[i]
	l.Lines = append(l.Lines, v.messageLine(m, len(l.Lines) == 0))
	if i+1 < len(messages) && messages[i+1].RequestID == m.RequestID {
		return
	}
	for _, id := range v.proposals.of[m.RequestID] {
		l.Lines = append(l.Lines,
			records.LeftOutLine{Kind: records.ProposalLine, Text: v.proposals.lines[id], Proposal: id})
	}
}

// messageLine returns the line for a message.
func (v *modelView) messageLine(m *window.Message, first bool) records.LeftOutLine {
	switch {
	case m.Role == llm.User && first:
		return records.LeftOutLine{Kind: records.FirstLine,
			Text: "The user asked first: " + v.inShort(m, m.Request(), firstBytes)}
	case m.Role == llm.User:
		return records.LeftOutLine{Kind: records.QuestionLine,
			Text: "The user: " + v.inShort(m, m.Request(), questionBytes)}
	}
	text := cmp.Or(v.inShort(m, m.Text, answerBytes), fmt.Sprintf("nothing (%s)", m.Status))
	return records.LeftOutLine{Kind: records.AnswerLine, Text: "You answered: " + text}
}

// inShort returns the beginning of a text on one line, with no part of a secret that the rules would not find.
func (v *modelView) inShort(m *window.Message, text string, n int) string {
	return shortLine(text, n, slices.Concat(m.Secrets(), v.e.kept.known.in(text)))
}

// shortLine returns about the first n bytes of a text on one line.
func shortLine(text string, n int, secrets []string) string {
	text = strings.TrimSpace(text)
	if len(text) <= n {
		return strings.Join(strings.Fields(text), " ")
	}
	if space := strings.LastIndexAny(text[:n], " \t\n"); space > n/2 {
		n = space
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	_, to := secretscan.Narrow(text, 0, n, append(secretscan.Secrets(text), secrets...))
	return strings.Join(strings.Fields(text[:to]), " ") + " …"
}

// proposalLines are the lines of the proposals of a conversation's turns.
type proposalLines struct {
	of    map[string][]string // ids, by the turn's
	lines map[string]string   // by id
}

// loadProposals makes the lines of the proposals that are left out already, and of those of the turns that may be.
func (v *modelView) loadProposals(ctx context.Context) error {
	f, db := &v.frame, v.e.opts.DB.Read()
	v.proposals = proposalLines{of: map[string][]string{}, lines: map[string]string{}}
	var ids []string
	for _, line := range f.compaction.Left.Lines {
		if line.Proposal != "" {
			ids = append(ids, line.Proposal)
		}
	}
	for _, m := range f.past.Messages[f.past.FirstSent(f.compaction):] {
		if _, known := v.proposals.of[m.RequestID]; known {
			continue
		}
		of, err := records.ProposalsOf(ctx, db, m.RequestID)
		if err != nil {
			return err
		}
		v.proposals.of[m.RequestID] = of
		ids = append(ids, of...)
	}
	if len(ids) == 0 {
		return nil
	}
	states, err := records.ProposalStates(ctx, db, v.turn.ConversationID, ids...)
	if err != nil {
		return err
	}
	for i := range states {
		p := &states[i]
		if !slices.Contains(ids, p.ID) {
			continue
		}
		if err := p.Read(ctx, db); err != nil {
			return err
		}
		v.proposals.lines[p.ID] = proposalLine(v.e.kept.render, p)
	}
	return nil
}

// fates says in short what has become of a proposal.
var fates = map[string]string{
	"staged": "it waits for the user's decision", "accepted": "it waits for the user's decision", "withdrawn": "you took it back",
	"applied": "accepted", "verified": "accepted", "rejected": "rejected", "stale": "not applied, since its files had changed",
	"failed": "accepted, but it could not be applied", "undone": "accepted, then taken back by the user", "partial": "accepted in parts",
}

// proposalLine returns one line: what was proposed, for which files, and what became of it.
func proposalLine(r window.Rendering, p *records.ProposalState) string {
	var files []string
	for _, c := range p.Changes {
		path := cmp.Or(c.To, c.Path)
		if r.Paths != nil {
			path = r.Paths.Rel(path)
		}
		if !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	if n := len(files); n > proposalFiles {
		files = append(files[:proposalFiles:proposalFiles], fmt.Sprintf("%d more files", n-proposalFiles))
	}
	line := fmt.Sprintf("Proposal %s (%s)", p.ID, shortLine(p.Title, titleBytes, nil))
	if len(files) > 0 {
		line += " for " + strings.Join(files, ", ")
	}
	line += ": " + fates[p.Status]
	if reason := shortLine(p.Body.DecisionReason, reasonBytes, nil); reason != "" {
		line += ". Reason: " + reason
	}
	return line
}
