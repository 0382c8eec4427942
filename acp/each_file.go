package acp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"ploke-lsp/acp/protocol"
	"ploke-lsp/edits"
	"ploke-lsp/internal/display"
)

// The answers to one file of a proposal. The last two hold for the files that follow, too.
const (
	acceptFile  = "accept-file"
	rejectFile  = "reject-file"
	acceptFiles = "accept-rest"
	rejectFiles = "reject-rest"
)

var fileOptions = []protocol.PermissionOption{
	{ID: acceptFile, Name: "Accept this file", Kind: protocol.AllowOnce},
	{ID: rejectFile, Name: "Reject this file", Kind: protocol.RejectOnce},
	{ID: acceptFiles, Name: "Accept this and the files that follow", Kind: protocol.AllowOnce},
	{ID: rejectFiles, Name: "Reject this and the files that follow", Kind: protocol.RejectOnce},
}

// A fileCard is a file of a proposal that the person is asked about.
type fileCard struct {
	path string
	call protocol.ToolCall
}

// waitingFiles returns the files of a proposal that wait, in their order, as calls of their own.
func (s *openSession) waitingFiles(ctx context.Context, p *edits.Proposal) (cards []fileCard, err error) {
	views, err := s.folder.project.Edits.Preview.Files(ctx, p)
	if err != nil {
		return nil, err
	}
	for i := range views {
		v := &views[i]
		if !p.Changes[i].Waits() {
			continue
		}
		cards = append(cards, fileCard{v.Path, protocol.ToolCall{Kind: protocol.NewToolCall,
			ID: fmt.Sprintf("proposal-%s-file-%d", p.ID, i+1), Title: display.ProseName(v.Rel), ToolKind: protocol.KindEdit,
			Status: protocol.StatusPending, Content: diffs(views[i : i+1]),
			Locations: []protocol.Location{{Path: v.Path, Line: firstLine(v)}}}})
	}
	return cards, nil
}

// decideEach asks about each file, and then decides on all at once. A file without an answer, and those behind it,
// wait.
func (s *openSession) decideEach(ctx, asking context.Context, p *edits.Proposal) error {
	cards, err := s.waitingFiles(ctx, p)
	if err != nil {
		return err
	}
	answers := s.askEach(asking, cards)
	var accepted, rejected []string
	for i, answer := range answers {
		if answer == acceptFile {
			accepted = append(accepted, cards[i].path)
		} else {
			rejected = append(rejected, cards[i].path)
		}
	}
	if len(accepted) > 0 {
		d := p.Whole()
		d.Files = accepted
		err = s.accept(ctx, p, d)
	}
	if len(rejected) > 0 {
		d := p.Whole()
		d.Files = rejected
		_, failed := s.folder.project.Edits.Reject(ctx, d, "")
		err = errors.Join(err, failed)
	}
	s.showFiles(ctx, p, cards[:len(answers)])
	return err
}

// askEach returns the answers to the first files, until there is none.
func (s *openSession) askEach(ctx context.Context, cards []fileCard) (answers []string) {
	ofRest := map[string]string{acceptFiles: acceptFile, rejectFiles: rejectFile}
	rest := "" // the answer for the files that follow
	for _, card := range cards {
		s.update(card.call)
		if rest != "" {
			answers = append(answers, rest)
			continue
		}
		asked := card.call
		asked.Kind = ""
		chosen, err := s.ask(ctx, asked, fileOptions)
		if err != nil || chosen == "" {
			return answers
		}
		rest = ofRest[chosen]
		answers = append(answers, cmp.Or(rest, chosen))
	}
	return answers
}

// showFiles shows what has become of the files that were asked about.
func (s *openSession) showFiles(ctx context.Context, p *edits.Proposal, cards []fileCard) {
	now, err := s.folder.project.Edits.Proposals.Get(ctx, p.ID)
	if err != nil {
		return // the proposal's own card says why
	}
	for _, card := range cards {
		status := protocol.StatusFailed
		for _, c := range now.Changes {
			if c.Path == card.path && c.Waits() {
				status = protocol.StatusPending
			} else if c.Path == card.path && slices.ContainsFunc(c.Hunks, isApplied) {
				status = protocol.StatusCompleted
			}
		}
		s.update(protocol.ToolCall{Kind: protocol.ToolCallUpdate, ID: card.call.ID, Status: status})
	}
}

func isApplied(h edits.Hunk) bool { return h.State == edits.Applied || h.State == edits.Verified }
