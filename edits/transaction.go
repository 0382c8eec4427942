package edits

import (
	"context"
	"fmt"

	"ploke-lsp/edits/rooted"
	"ploke-lsp/internal/workspace"
)

// diskWriter writes plans to the files themselves, with a journal.
type diskWriter struct {
	*currentFiles
	journal   journal
	onReplace func(file rooted.Path, checked bool) // for tests: called before and after the last check of each file
}

// transaction is the application of a plan to the disk.
type transaction struct {
	id      string // of its row in the journal
	plan    *Plan
	records []*logRecord
	begun   int      // how many records may have been carried out, at least in part
	left    []string // names of files that were not rolled back, since another program has changed them
	roots   rooted.Roots
	store   func() error // stores the records in the journal, durably, while files are being replaced
}

// newTransaction checks all files of the plan and returns what has to be done.
func (d *diskWriter) newTransaction(ctx context.Context, plan *Plan) (*transaction, error) {
	w := &transaction{id: newID(), plan: plan, roots: rooted.Roots{}}
	w.store = func() error { return d.journal.beginCommit(context.WithoutCancel(ctx), w) }
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.Done {
			continue
		}
		s, err := d.newRecord(ctx, f)
		if err == nil {
			err = s.findMissingDirs(w)
		}
		if err != nil {
			w.roots.Close()
			return nil, err
		}
		s.File = i
		if s.Op != OpEdit || s.Old != s.New {
			w.records = append(w.records, s)
		}
	}
	return w, nil
}

func (d *diskWriter) newRecord(ctx context.Context, f *PlannedFile) (*logRecord, error) {
	now, err := d.readUnchanged(ctx, f)
	if err != nil {
		return nil, err
	}
	s, err := d.recordOf(f)
	if err != nil {
		return nil, err
	}
	if f.Link {
		s.ofLink()
		return s, nil
	}
	if f.Op != OpCreate {
		old, err := d.bytesBefore(f, now)
		if err != nil {
			return nil, err
		}
		s.Old, s.Before = rooted.HashOf(old), s.Path.Temporary()
	}
	s.After = s.target().Temporary()
	if f.Op != OpDelete {
		new, err := d.bytesAfter(f)
		if err != nil {
			return nil, err
		}
		s.New = rooted.HashOf(new)
	}
	return s, nil
}

// recordOf returns the record for f without the parts that depend on the file's bytes.
func (d *diskWriter) recordOf(f *PlannedFile) (s *logRecord, err error) {
	s = &logRecord{Op: f.Op, planned: f}
	if s.Path, err = d.rooted(f.Path); err == nil && f.Op == OpRename {
		s.To, err = d.rooted(f.To)
		s.Respells = f.Respells
	}
	return s, err
}

// readUnchanged returns the file as it is on disk, or nil if there is none. It fails if that is
// not what the plan was made for.
func (d *diskWriter) readUnchanged(ctx context.Context, f *PlannedFile) (*workspace.File, error) {
	now, err := d.readIfExists(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	if f.Op == OpRename {
		taken, err := d.readIfExists(ctx, f.To)
		if err != nil {
			return nil, err
		}
		if taken != nil && (now == nil || taken.Path != now.Path) {
			return nil, d.existenceConflict(f.To, false)
		}
	}
	switch {
	case now == nil && f.Op == OpCreate:
		return nil, nil
	case now == nil || f.Op == OpCreate:
		return nil, d.existenceConflict(f.Path, now == nil)
	case now.Link != f.Link:
		return nil, d.stale(f.Path)
	case now.Open:
		return nil, fmt.Errorf("%s is open in an editor; apply the change there", d.ws.Rel(f.Path))
	case now.Hash != workspace.Hash(f.Before):
		stale := d.stale(f.Path)
		stale.Line = firstDifference(f.Before, now.Text)
		return nil, stale
	}
	return now, nil
}

// prepare does what can fail for lack of space or permission. It writes all temporary files
// before it syncs the first one, which takes most of the time.
func (w *transaction) prepare() error {
	for _, s := range w.records {
		if err := w.prepareRecord(s); err != nil {
			return err
		}
	}
	for _, s := range w.records {
		for _, p := range []rooted.Path{s.After, s.Before} {
			if p == (rooted.Path{}) || s.planned.Link { // a link is stored with its folder
				continue
			}
			if err := w.roots.Sync(p); err != nil {
				return err
			}
		}
	}
	return w.sync()
}
