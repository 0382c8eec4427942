package edits

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/workspace"
)

// Operation is one requested operation on one file.
type Operation struct {
	Op       Op
	Path     string // any form that the workspace resolves
	Edits    []Edit // for OpEdit, in any order
	BaseHash string // for OpEdit, and for OpDelete if known: hash of the file's text as the turn's View serves it
	Exact    bool   // for OpEdit: the line ends stay as they are in Edits
	Text     string // for OpCreate
	To       string // for OpRename: the new path, in any form that the workspace resolves
}

// Batch is a set of operations that are staged together or not at all.
type Batch struct {
	ConversationID, RequestID, CallID string
	Earlier                           string // as in [Turn]
	Title, Reason                     string
	// the title only says what is done to the files; that of the proposal follows them
	NamesFiles bool
	Operations []Operation
	// Visible is called when the turn's View serves the batch and later batches build on it,
	// before it is stored. It may be nil.
	Visible func()
}

func (b *Batch) turn() Turn { return Turn{ID: b.RequestID, Earlier: b.Earlier} }

// RefusedError says why a batch cannot be staged as it is. The text after the semicolon says
// what to do instead.
type RefusedError struct{ text string }

func (e *RefusedError) Error() string { return e.text }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// stage returns a copy of p with the batch added, and with the texts to store with it. p itself
// does not change. If p is nil, stage begins a proposal. If p's changes to a file of the batch no
// longer fit, the copy has Stale hunks and lacks the batch. If the batch takes back the last change,
// the copy is Withdrawn.
func (s *Staging) stage(ctx context.Context, p *Proposal, b Batch) (*Proposal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ops, err := s.expandRenames(ctx, p, b.Operations)
	if err != nil {
		return nil, err
	}
	paths, byPath, err := s.byFile(ops)
	if err != nil {
		return nil, err
	}
	next, stale, err := s.amendable(ctx, p, b, paths)
	if err != nil || stale {
		return next, err
	}
	next.continueIn(b)
	next.describe(b)
	for _, path := range paths {
		base, err := s.stageFile(ctx, next, path, byPath[path])
		if err != nil {
			return nil, err
		}
		next.unsaved = append(next.unsaved, base)
	}
	s.retitle(next, p)
	next.content = contentOf(s.contentBefore(p), s.pendingOf(next, paths))
	switch {
	case len(next.Changes) > 0:
		next.count(p)
		return next, nil
	case p == nil:
		return nil, refuse("the edits change nothing: the files already read like that; leave the edits out")
	}
	next.withdraw(p.clone().Changes)
	return next, nil
}

// byFile groups the operations by canonical path, in the order of first mention.
func (s *Staging) byFile(ops []Operation) (paths []string, grouped map[string][]Operation, err error) {
	if len(ops) == 0 {
		return nil, nil, refuse("there is nothing to stage; give at least one edit")
	}
	grouped = make(map[string][]Operation)
	first := make(map[string]string) // the first spelling of each name, by its key
	for _, d := range ops {
		path, err := s.resolve(d)
		if err != nil {
			return nil, nil, err
		}
		key := s.ws.Key(path)
		path = cmp.Or(first[key], path)
		first[key] = path
		if grouped[path] == nil {
			paths = append(paths, path)
		}
		grouped[path] = append(grouped[path], d)
	}
	return paths, grouped, nil
}

// resolve returns the canonical path of an operation. Links are followed, but deleting a link
// deletes the link.
func (s *Staging) resolve(d Operation) (string, error) {
	if d.Op != OpDelete && d.Op != OpRename {
		return s.ws.Resolve(d.Path)
	}
	link, err := s.ws.ReadLink(d.Path)
	switch {
	case err != nil:
		return "", err
	case link == nil:
		return s.ws.Resolve(d.Path)
	case d.Op == OpRename:
		return "", refuse("%s is a symbolic link to %s; rename the file it leads to, or ask the user to rename the link",
			s.ws.Rel(link.Path), link.Text)
	}
	return link.Path, nil
}

// newProposal returns a proposal for a batch, without changes.
func (s *Staging) newProposal(b Batch) *Proposal {
	return &Proposal{
		ID: newID(), ConversationID: b.ConversationID, RequestID: b.RequestID, CallID: b.CallID,
		CreatedAt: time.Now(), storedState: storedState{inFlight: map[string]inFlightPlan{}},
		changeSummary: changeSummary{names: newChangeIndex(s.ws.Key, nil)},
	}
}

// amendable returns a copy of p that the batch can be added to, or a new proposal if p is nil. The
// copy shares the changes of the files that the batch does not name: copying them for each batch
// would take longer the larger the proposal is. If p's changes to one of the paths no longer fit,
// the copy is stale: it is left for the person to decide, and the turn continues with a new
// proposal.
func (s *Staging) amendable(ctx context.Context, p *Proposal, b Batch,
	paths []string) (next *Proposal, stale bool, err error) {
	if p == nil {
		return s.newProposal(b), false, nil
	}
	p = p.shallowClone()
	p.counts = nil
	if p.names == nil {
		p.names = newChangeIndex(s.ws.Key, p.Changes)
	}
	for _, path := range paths {
		if i := s.pendingAt(p, path); i >= 0 {
			c := p.Changes[i].clone()
			p.Changes[i] = c
			if err := s.updateStale(ctx, p, c); err != nil {
				return nil, false, err
			}
			stale = stale || slices.ContainsFunc(c.Hunks, func(h Hunk) bool { return h.State == Stale })
		}
	}
	return p, stale, nil
}

// continueIn makes p a proposal of the batch's turn, which is p's own or a later one of its branch.
func (p *Proposal) continueIn(b Batch) {
	if p.RequestID == b.RequestID {
		return
	}
	if len(p.Origins) == 0 {
		p.Origins = []Origin{{p.RequestID, p.CallID}}
	}
	p.Origins = append(p.Origins, Origin{b.RequestID, b.CallID})
	p.RequestID = b.RequestID
}

// describe adds the batch's title and reason.
func (p *Proposal) describe(b Batch) {
	if p.Title == "" {
		p.Title, p.follows = b.Title, b.NamesFiles
	}
	if b.Reason != "" && !strings.Contains(p.Reason, b.Reason) {
		p.Reason = strings.TrimPrefix(p.Reason+"\n"+b.Reason, "\n")
	}
}

// retitle makes a title that names files name those that p changes now. before is p without the batch, nil if p is new.
// The title stays while p changes one file, and that is the same one.
func (s *Staging) retitle(p, before *Proposal) {
	first, n := filesOf(p, before)
	if was, one := filesOf(before, before); !p.follows || n == 0 || n == 1 && (before == nil || one == 1 && was == first) {
		return
	}
	p.Title = "changes to " + s.ws.Rel(first)
	switch {
	case n == 2:
		p.Title += " and 1 more file"
	case n > 2:
		p.Title += fmt.Sprintf(" and %d more files", n-1)
	}
}

// filesOf returns the first file that p changes, and how many there are. before is p without its last batch.
func filesOf(p, before *Proposal) (first string, n int) {
	if p == nil || len(p.Changes) == 0 {
		return "", 0
	}
	first = p.Changes[0].Path
	if before == nil || len(before.hunkStates()) == 1 { // nothing is decided, so that each change has a file of its own
		return first, len(p.Changes)
	}
	names := map[string]bool{}
	for _, c := range p.Changes {
		names[cmp.Or(c.To, c.Path)] = true
	}
	return first, len(names)
}

// stageFile adds the operations of one file to p. It returns the text that the file's change is
// now made against.
func (s *Staging) stageFile(ctx context.Context, p *Proposal, path string, ops []Operation) (base []byte, err error) {
	o, at := s.newOverlay(), s.pendingAt(p, path)
	if at >= 0 {
		if _, err := o.apply(ctx, p.Changes[at]); err != nil {
			return nil, err
		}
	}
	f, err := o.at(ctx, path)
	if err != nil {
		return nil, err
	}
	link := f.now != nil && f.now.Link
	if skip := s.ws.Skipped(path); skip != "" && !link {
		return nil, &workspace.SkippedError{Rel: s.ws.Rel(path), Skip: skip}
	}
	if err := s.checkHeld(path); err != nil {
		return nil, err
	}
	if err := s.stageOperations(ctx, p, f, path, ops); err != nil {
		return nil, err
	}
	if err := s.checkEncoding(f); err != nil {
		return nil, err
	}
	return f.base(), p.setChange(at, f)
}

// withdraw keeps the last changes, so that the proposal can still be shown.
func (p *Proposal) withdraw(last []*Change) {
	p.Changes, p.changeSummary = last, changeSummary{}
	for _, c := range p.Changes {
		c.setState(idsOf(c.Hunks), Withdrawn)
	}
}

// setChange makes f's change part of p, in place of the change with the index at, which is -1 if p does not change the
// file. The changes of p may be shared, so it modifies none of them.
func (p *Proposal) setChange(at int, f *overlayFile) (err error) {
	f.dropNoOps()
	if f.unchanged() {
		if at >= 0 {
			p.Changes = slices.Delete(p.Changes, at, at+1)
			p.names = newChangeIndex(p.names.key, p.Changes)
		}
		return nil
	}
	c := &Change{Op: f.op(), Path: f.from, Hunks: slices.Clone(f.hunks), BaseHash: workspace.Hash(f.base()),
		Charset: f.encoding().Charset, Link: f.now != nil && f.now.Link}
	if f.now != nil && f.now.Open {
		version := f.now.Version
		c.BaseVersion = &version
	}
	setLines(f.base(), c.Hunks)
	if c.Op != OpDelete {
		c.Problems, err = newProblems(f.path, f.base(), c.Hunks)
	}
	if c.Op == OpRename {
		c.To, c.Hunks = f.path, slices.Insert(c.Hunks, 0, *f.rename)
	}
	if at < 0 {
		at, p.Changes = len(p.Changes), append(p.Changes, nil)
	}
	p.Changes[at] = c
	p.names.add(at, c)
	return err
}
