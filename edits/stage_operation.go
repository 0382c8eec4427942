package edits

import (
	"context"
	"errors"
	"fmt"

	"ploke-lsp/internal/workspace"
)

// stageOperations makes the operations of one file in its overlay.
func (s *Staging) stageOperations(ctx context.Context, p *Proposal, f *overlayFile, path string,
	ops []Operation) error {
	d := ops[0]
	if d.Op == OpCreate {
		return s.stageCreate(f, path, ops)
	}
	if !s.ws.SameName(f.path, path) {
		return s.noFileError(f, path)
	}
	if d.Op == OpEdit {
		return s.stageEdits(f, ops)
	}
	if len(ops) > 1 {
		return refuse("%s: %s must be the only operation on the file in a call; edit the file in another call",
			s.ws.Rel(path), d.Op)
	}
	switch d.Op {
	case OpRename:
		return s.stageRename(ctx, p, f, d.To)
	case OpDelete:
		if d.BaseHash != "" && d.BaseHash != workspace.Hash(f.text) {
			return s.stale(path)
		}
		f.remove(newHunk(Edit{}))
		return nil
	}
	return fmt.Errorf("%s: unknown operation %q", s.ws.Rel(path), d.Op)
}

// expandRenames returns the operations as they are staged on p. A rename onto a file that p deletes
// becomes two operations: the target gets the file's text, and the file is deleted. This way
// each name still takes part in one change only.
func (s *Staging) expandRenames(ctx context.Context, p *Proposal, operations []Operation) (ops []Operation, err error) {
	if p == nil {
		return operations, nil
	}
	for _, d := range operations {
		to, err := s.ws.Resolve(d.To)
		if d.Op != OpRename || err != nil {
			ops = append(ops, d)
			continue
		}
		deleted := s.pending(p, to)
		f, proposed, err := s.readAfter(ctx, p, d.Path)
		if !proposed && err == nil {
			f, err = s.ws.Read(ctx, d.Path)
		}
		if deleted == nil || deleted.Op != OpDelete || err != nil {
			ops = append(ops, d)
			continue
		}
		ops = append(ops, Operation{Op: OpCreate, Path: to, Text: string(f.Text)},
			Operation{Op: OpDelete, Path: d.Path, BaseHash: f.Hash})
	}
	return ops, nil
}

// noFileError says why there is no file at path.
func (s *Staging) noFileError(f *overlayFile, path string) error {
	switch {
	case f.path != "":
		return refuse("%s is renamed to %s by this proposal; use that name", s.ws.Rel(path), s.ws.Rel(f.path))
	case f.now != nil:
		return refuse("%s is deleted by this proposal; create it again", s.ws.Rel(path))
	}
	return refuse("%s does not exist; create it instead", s.ws.Rel(path))
}

func (s *Staging) stageCreate(f *overlayFile, path string, ops []Operation) error {
	switch {
	case s.ws.SameName(f.path, path):
		return refuse("%s exists already; edit it instead", s.ws.Rel(path))
	case f.path != "":
		return refuse("%s is renamed to %s by this proposal, so the old name is free only once the proposal is accepted; "+
			"choose another name", s.ws.Rel(path), s.ws.Rel(f.path))
	case len(ops) > 1:
		return refuse("%s: a new file takes one operation; put all its text there", s.ws.Rel(path))
	}
	f.create(path, newHunk(Edit{New: ops[0].Text}))
	return nil
}

func (s *Staging) stageEdits(f *overlayFile, ops []Operation) error {
	hash := workspace.Hash(f.text)
	var es []Edit
	exact := false
	for _, d := range ops {
		exact = exact || d.Exact
		if d.Op != OpEdit {
			return refuse("%s: %q can't be combined with edits of the same file", s.ws.Rel(f.path), d.Op)
		}
		if d.BaseHash != hash {
			return s.stale(f.path)
		}
		for _, e := range d.Edits {
			es = append(es, e)
		}
	}
	if len(es) == 0 {
		return refuse("%s: there is nothing to change; give at least one edit", s.ws.Rel(f.path))
	}
	sortEdits(es)
	if err := s.checkEdits(f.path, f.text, es); err != nil {
		return err
	}
	for i := range es {
		if exact {
			break
		}
		es[i].New = WithLineEnds(f.text, es[i])
	}
	f.hunks = compose(f.text, f.hunks, es)
	return nil
}

// stageRename gives the file a new name. Each name takes part in at most one change of a
// proposal, so changes can be accepted one by one and in any order.
func (s *Staging) stageRename(ctx context.Context, p *Proposal, f *overlayFile, name string) error {
	to, err := s.ws.ResolveNew(name)
	if err != nil {
		return err
	}
	rel := s.ws.Rel(to)
	if skip := s.ws.Skipped(to); skip != "" {
		return &workspace.SkippedError{Rel: rel, Skip: skip}
	}
	if c := s.pending(p, to); c != nil && !s.ws.SameName(to, f.from) {
		return refuse("this proposal already changes a file named %s (%s); choose another name", rel, c.Op)
	}
	taken, err := s.readIfExists(ctx, to)
	if err != nil {
		return err
	}
	if taken != nil && taken.Path != f.from { // else it is the file itself, in another spelling
		return refuse("%s exists already; choose another name, or delete it first", rel)
	}
	if f.now == nil { // the file itself is only proposed: propose it under its new name
		f.from = to
	}
	if f.rename == nil {
		h := newHunk(Edit{})
		h.Renames = true
		f.rename = &h
	}
	f.moveTo(to, *f.rename)
	return nil
}

// checkEdits returns Apply's error with the file's name.
func (s *Staging) checkEdits(path string, text []byte, es []Edit) error {
	_, err := Apply(text, es)
	var overlap *OverlapError
	if errors.As(err, &overlap) {
		overlap.Rel = s.ws.Rel(path)
		return overlap
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.ws.Rel(path), err)
	}
	return nil
}
