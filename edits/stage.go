package edits

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ploke-lsp/internal/workspace"
)

// Draft is a change to one file as it is asked for.
type Operation struct {
	Op       Op
	Path     string // any form that the workspace resolves
	Edits    []Edit // for OpEdit, in any order
	BaseHash string // for OpEdit, and OpDelete where known: of the file's text as the turn's View serves it
	Text     string // for OpCreate
	To       string // for OpRename: the new path, in any form that the workspace resolves
}

// Batch is a set of drafts that are staged together or not at all.
type Batch struct {
	ConversationID, RequestID, CallID string
	Title, Reason                     string
	Operations                        []Operation
}

// RefusedError says why a batch can't be staged as it is and, behind a semicolon,
// what to do instead.
type RefusedError struct{ text string }

func (e *RefusedError) Error() string { return e.text }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// Stage makes the batch part of the turn's undecided proposal, or begins a new
// one, and returns the whole of it. If the batch takes back the last of what the
// proposal changes, the proposal is withdrawn. Where a draft was not made against what the
// turn's View serves now, it returns a *StaleError; where edits of one file
// overlap, an *OverlapError; what can't be meant is a *RefusedError. Edits of a
// file whose lines all end in CRLF get such ends too. A file is named as the View
// has it, so that what the proposal renames is edited under its new path. Without a
// RequestID each batch is a proposal of its own.
func (m *Manager) Stage(ctx context.Context, b Batch) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	spelled, err := m.expandRenames(ctx, b)
	if err != nil {
		return nil, err
	}
	paths, ops, err := m.byFile(spelled)
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
		base, err := m.stageFile(ctx, p, path, ops[path])
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
	m.onChange(p.clone())
	return p, nil
}

// byFile groups the drafts by canonical path, in the order of first mention.
func (m *Manager) byFile(ops []Operation) (paths []string, grouped map[string][]Operation, err error) {
	if len(ops) == 0 {
		return nil, nil, refuse("there is nothing to stage; give at least one edit")
	}
	grouped = make(map[string][]Operation)
	for _, d := range ops {
		path, err := m.ws.Resolve(d.Path)
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

// amendable returns the turn's undecided proposal, else a new one. If what the
// proposal says of one of the files no longer fits, it is marked stale, and it
// is for the user to decide on; the turn goes on with a new one.
func (m *Manager) amendable(ctx context.Context, b Batch, paths []string) (*Proposal, error) {
	fresh := &Proposal{
		ID: newID(), ConversationID: b.ConversationID, RequestID: b.RequestID, CallID: b.CallID,
		Title: b.Title, Reason: b.Reason, CreatedAt: time.Now(),
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

// stageFile adds the drafts of one file to p, and returns the text that its
// change is now made against.
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
	if skip := m.ws.Skipped(path); skip != "" {
		return nil, &workspace.SkippedError{Rel: m.ws.Rel(path), Skip: skip}
	}
	if err := m.stageOperations(ctx, p, f, path, ops); err != nil {
		return nil, err
	}
	return f.base(), p.setChange(c, f)
}

// withdraw keeps, for whoever looks at it, what the proposal last was.
func (p *Proposal) withdraw(last []Change) error {
	if len(last) == 0 {
		return refuse("the edits change nothing: the files already read so; leave them out")
	}
	p.Changes = last
	for i := range p.Changes {
		p.Changes[i].setState(idsOf(p.Changes[i].Hunks), Withdrawn)
	}
	return nil
}

// keep makes f's change part of p, in the place of c, if it had one before.
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
	*c = Change{Op: f.op(), Path: f.from, Hunks: slices.Clone(f.hunks), BaseHash: workspace.Hash(f.base())}
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
