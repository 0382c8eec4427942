package edits

import (
	"context"
	"errors"
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
	Text     string // for OpCreate
	To       string // for OpRename: the new path, in any form that the workspace resolves
}

// Batch is a set of operations that are staged together or not at all.
type Batch struct {
	ConversationID, RequestID, CallID string
	Title, Reason                     string
	Operations                        []Operation
}

// RefusedError says why a batch cannot be staged as it is. The text after the semicolon says
// what to do instead.
type RefusedError struct{ text string }

func (e *RefusedError) Error() string { return e.text }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// Stage adds the batch to the turn's undecided proposal, or begins a new one, and returns the
// complete proposal. If the batch takes back the last change of the proposal, the proposal is
// withdrawn. Without a RequestID each batch is a proposal of its own. Files are named as in the
// turn's View: a file that the proposal renames is edited under its new path. In a file whose
// lines all end in CRLF, the edits get CRLF, too.
//
// Stage returns a *StaleError if an operation was not made against what the turn's View serves
// now, an *OverlapError if edits of one file overlap, and a *RefusedError if the batch makes no
// sense.
func (m *Manager) Stage(ctx context.Context, b Batch) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		p, err := m.stage(ctx, b)
		if !errors.Is(err, errRaced) {
			return p, err
		}
	}
}

func (m *Manager) stage(ctx context.Context, b Batch) (*Proposal, error) {
	ops, err := m.expandRenames(ctx, b)
	if err != nil {
		return nil, err
	}
	paths, byPath, err := m.byFile(ops)
	if err != nil {
		return nil, err
	}
	p, err := m.amendable(ctx, b, paths)
	if err != nil {
		return nil, err
	}
	was := p.clone()
	var texts [][]byte
	for _, path := range paths {
		base, err := m.stageFile(ctx, p, path, byPath[path])
		if err != nil {
			return nil, err
		}
		texts = append(texts, base)
	}
	if len(p.Changes) == 0 {
		if err := p.withdraw(was.Changes); err != nil {
			return nil, err
		}
	}
	if err := m.save(ctx, p, texts...); err != nil {
		return nil, err
	}
	m.lastViewed.Store(p.clone()) // else the turn's next edit decodes the whole proposal
	m.onChange(p.clone())
	return p, nil
}

// byFile groups the operations by canonical path, in the order of first mention.
func (m *Manager) byFile(ops []Operation) (paths []string, grouped map[string][]Operation, err error) {
	if len(ops) == 0 {
		return nil, nil, refuse("there is nothing to stage; give at least one edit")
	}
	grouped = make(map[string][]Operation)
	for _, d := range ops {
		path, err := m.resolve(d)
		if err != nil {
			return nil, nil, err
		}
		if grouped[path] == nil {
			paths = append(paths, path)
		}
		grouped[path] = append(grouped[path], d)
	}
	return paths, grouped, nil
}

// resolve returns the canonical path of an operation. Links are followed, but deleting a link
// deletes the link.
func (m *Manager) resolve(d Operation) (string, error) {
	if d.Op != OpDelete && d.Op != OpRename {
		return m.ws.Resolve(d.Path)
	}
	link, err := m.ws.ReadLink(d.Path)
	switch {
	case err != nil:
		return "", err
	case link == nil:
		return m.ws.Resolve(d.Path)
	case d.Op == OpRename:
		return "", refuse("%s is a symbolic link to %s; rename the file it leads to, or ask the user to rename the link", m.ws.Rel(link.Path), link.Text)
	}
	return link.Path, nil
}

// amendable returns a copy of the turn's undecided proposal, or a new proposal. If the
// proposal's changes to one of the paths no longer fit, it is marked stale and left for the
// person to decide, and the turn continues with a new proposal.
func (m *Manager) amendable(ctx context.Context, b Batch, paths []string) (*Proposal, error) {
	fresh := &Proposal{
		ID: newID(), ConversationID: b.ConversationID, RequestID: b.RequestID, CallID: b.CallID,
		Title: b.Title, Reason: b.Reason, CreatedAt: time.Now(), inFlight: map[string]flight{},
	}
	p, err := m.undecided(ctx, b.RequestID)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return fresh, nil
	}
	p = p.clone()
	for _, path := range paths {
		if c := p.pending(path); c != nil {
			if err := m.updateStale(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	if p.Status() != Staged {
		if err := m.save(ctx, p); err != nil {
			return nil, err
		}
		m.onChange(p)
		return fresh, nil
	}
	if p.Title == "" {
		p.Title = b.Title
	}
	if b.Reason != "" && !strings.Contains(p.Reason, b.Reason) {
		p.Reason = strings.TrimPrefix(p.Reason+"\n"+b.Reason, "\n")
	}
	return p, nil
}

// stageFile adds the operations of one file to p. It returns the text that the file's change is
// now made against.
func (m *Manager) stageFile(ctx context.Context, p *Proposal, path string, ops []Operation) (base []byte, err error) {
	s, c := m.newOverlay(), p.pending(path)
	if c != nil {
		if _, err := s.apply(ctx, c); err != nil {
			return nil, err
		}
	}
	f, err := s.at(ctx, path)
	if err != nil {
		return nil, err
	}
	link := f.now != nil && f.now.Link
	if skip := m.ws.Skipped(path); skip != "" && !link {
		return nil, &workspace.SkippedError{Rel: m.ws.Rel(path), Skip: skip}
	}
	if err := m.stageOperations(ctx, p, f, path, ops); err != nil {
		return nil, err
	}
	if err := m.checkEncoding(f); err != nil {
		return nil, err
	}
	return f.base(), p.setChange(c, f)
}

// withdraw keeps the last changes, so that the proposal can still be shown.
func (p *Proposal) withdraw(last []Change) error {
	if len(last) == 0 {
		return refuse("the edits change nothing: the files already read like that; leave the edits out")
	}
	p.Changes = last
	for i := range p.Changes {
		p.Changes[i].setState(idsOf(p.Changes[i].Hunks), Withdrawn)
	}
	return nil
}

// setChange makes f's change part of p. It replaces c, the file's previous change, if not nil.
func (p *Proposal) setChange(c *Change, f *overlayFile) (err error) {
	f.dropNoOps()
	if f.unchanged() {
		p.Changes = slices.DeleteFunc(p.Changes, func(x Change) bool { return c != nil && x.Path == c.Path && x.pending() })
		return nil
	}
	if c == nil {
		p.Changes = append(p.Changes, Change{})
		c = &p.Changes[len(p.Changes)-1]
	}
	*c = Change{Op: f.op(), Path: f.from, Hunks: slices.Clone(f.hunks), BaseHash: workspace.Hash(f.base()), Charset: f.encoding().Charset, Link: f.now != nil && f.now.Link}
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
	return err
}
