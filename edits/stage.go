package edits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"ploke-lsp/internal/workspace"
)

// Draft is a change to one file as it is asked for.
type Draft struct {
	Op       Op
	Path     string // any form that the workspace resolves
	Edits    []Edit // for OpEdit, in any order
	BaseHash string // for OpEdit: of the text that Edits are made against, as the turn's View serves it
	Text     string // for OpCreate
	To       string // for OpRename: the new path, in any form that the workspace resolves
}

// Batch is a set of drafts that are staged together or not at all.
type Batch struct {
	ConversationID, RequestID, CallID string
	Title, Reason                     string
	Drafts                            []Draft
}

// Stage makes the batch part of the turn's undecided proposal, or begins a new
// one, and returns the whole of it. Where a draft was not made against what the
// turn's View serves now, it returns a *StaleError; where edits of one file
// overlap, an *OverlapError. Edits of a file whose lines all end in CRLF get
// such ends too. Without a RequestID each batch is a proposal of its own.
func (m *Manager) Stage(ctx context.Context, b Batch) (*Proposal, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	paths, drafts, err := m.byFile(b.Drafts)
	if err != nil {
		return nil, err
	}
	p, err := m.amendable(ctx, b, paths)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, path := range paths {
		base, err := m.stageFile(ctx, p, path, drafts[path])
		if err != nil {
			return nil, err
		}
		texts = append(texts, base)
	}
	if err := m.save(ctx, p, texts...); err != nil {
		return nil, err
	}
	m.onChange(p.clone())
	return p, nil
}

// byFile groups the drafts by canonical path, in the order of first mention.
func (m *Manager) byFile(drafts []Draft) (paths []string, grouped map[string][]Draft, err error) {
	if len(drafts) == 0 {
		return nil, nil, errors.New("there is nothing to stage; give at least one edit")
	}
	grouped = make(map[string][]Draft)
	for _, d := range drafts {
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
	fits := true
	for _, path := range paths {
		if err := m.refit(ctx, p, path); err != nil {
			return nil, err
		}
		fits = fits && p.Status() == Staged
	}
	if !fits {
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

// refit marks p's hunks of a file stale where they no longer fit it.
func (m *Manager) refit(ctx context.Context, p *Proposal, path string) error {
	c := p.pending(path)
	if c == nil {
		return nil
	}
	now, err := m.readIfExists(ctx, path)
	if err != nil {
		return err
	}
	_, unfit, err := m.carry(ctx, c, c.Hunks, now)
	var stale *StaleError
	if !errors.As(err, &stale) {
		return err
	}
	c.setState(idsOf(unfit), Stale)
	return nil
}

// stageFile adds the drafts of one file to p, and returns the text that its
// change is now made against.
func (m *Manager) stageFile(ctx context.Context, p *Proposal, path string, drafts []Draft) (base []byte, err error) {
	s, err := m.look(ctx, p, path)
	if err != nil {
		return nil, err
	}
	if skip := m.ws.Skipped(path); skip != "" {
		return nil, &workspace.SkippedError{Path: path, Skip: skip}
	}
	if drafts[0].Op == OpCreate {
		err = s.create(drafts)
	} else {
		err = s.edit(drafts)
	}
	if err != nil {
		return nil, err
	}
	c := p.pending(path)
	if c == nil {
		p.Changes = append(p.Changes, Change{Path: path})
		c = &p.Changes[len(p.Changes)-1]
	}
	c.Op, c.Hunks, c.BaseHash, c.BaseVersion = s.op, s.hunks, workspace.Hash(s.base()), nil
	if s.now != nil && s.now.Open {
		version := s.now.Version
		c.BaseVersion = &version
	}
	setLines(s.base(), c.Hunks)
	c.Problems, err = newProblems(path, s.base(), c.Hunks)
	return s.base(), err
}

func (s *sight) create(drafts []Draft) error {
	if s.exists() {
		return fmt.Errorf("%s exists already; edit it instead", s.path)
	}
	if len(drafts) > 1 {
		return fmt.Errorf("%s: a new file takes one draft; put all of its text there", s.path)
	}
	s.op = OpCreate
	s.hunks = []Hunk{{ID: newID(), Edit: Edit{New: drafts[0].Text}, State: Staged}}
	return nil
}

func (s *sight) edit(drafts []Draft) error {
	if !s.exists() {
		return fmt.Errorf("%s does not exist; create it instead", s.path)
	}
	hash, crlf := workspace.Hash(s.text), endsInCRLF(s.text)
	var es []Edit
	for _, d := range drafts {
		if d.Op != OpEdit {
			return fmt.Errorf("%s: %q can't be combined with edits of the same file", s.path, d.Op)
		}
		if d.BaseHash != hash {
			return &StaleError{Path: s.path}
		}
		for _, e := range d.Edits {
			if crlf {
				e.New = withCRLF(e.New)
			}
			es = append(es, e)
		}
	}
	if len(es) == 0 {
		return fmt.Errorf("%s: there is nothing to change; give at least one edit", s.path)
	}
	sortEdits(es)
	if err := check(s.path, s.text, es); err != nil {
		return err
	}
	s.hunks = compose(s.text, s.hunks, es)
	return nil
}

// check returns Apply's error with the file's name.
func check(path string, text []byte, es []Edit) error {
	_, err := Apply(text, es)
	var overlap *OverlapError
	if errors.As(err, &overlap) {
		overlap.Path = path
		return overlap
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// endsInCRLF reports whether text has line ends, and all of them are CRLF.
func endsInCRLF(text []byte) bool {
	n := bytes.Count(text, []byte("\n"))
	return n > 0 && n == bytes.Count(text, []byte("\r\n"))
}

func withCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}
