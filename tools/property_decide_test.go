package tools_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/edits"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// tree returns everything in the turn's folder as the person sees it: the files with unsaved
// text, and "" for folders.
func (p *randomTurn) tree() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	top := p.path(strings.Split(p.turn, " ")[1])
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.root, path)
		if d.IsDir() {
			all[filepath.ToSlash(rel)+"/"] = ""
			return err
		}
		data, err := os.ReadFile(path)
		if p.editor != nil { // the editor creates files without a byte order mark
			data = bytes.TrimPrefix(data, []byte(workspace.ByteOrderMark))
		}
		all[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if p.editor != nil {
		for name, text := range p.editor.texts {
			all[name] = text
		}
	}
	return all
}

func (p *randomTurn) isTree(what string, want map[string]string) {
	p.t.Helper()
	got := p.tree()
	for name := range got {
		if text, there := want[name]; !there || text != got[name] {
			p.t.Errorf("seed %d: %s, %s reads %q; want %q, %v", p.seed, what, name, got[name], text, there)
		}
	}
	for name := range want {
		if _, there := got[name]; !there {
			p.t.Errorf("seed %d: %s, %s is gone", p.seed, what, name)
		}
	}
}

// proposal returns the turn's proposal, or nil if there is none.
func (p *randomTurn) proposal() (found *edits.Proposal) {
	p.t.Helper()
	all, err := p.deps.Edits.Proposals.List(p.t.Context(), edits.Staged)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, q := range all {
		if q.RequestID == p.turn {
			if found != nil {
				p.t.Fatalf("seed %d: the turn has two proposals", p.seed)
			}
			found = q
		}
	}
	return found
}

// decide lets the person type, accept, undo and redo.
func (p *randomTurn) decide() {
	p.t.Helper()
	q := p.proposal()
	if q == nil {
		if !maps.Equal(p.text, p.base) {
			p.t.Errorf("seed %d: there is no proposal of %q", p.seed, p.text)
		}
		return
	}
	p.versionOf(q)
	typed := p.r.IntN(2) == 0
	if typed {
		p.types()
	}
	before := p.tree()
	stale := p.accept(q)
	if stale && !typed {
		p.t.Errorf("seed %d: it is stale, and the person has not typed", p.seed)
	}
	after := p.tree()
	if typed {
		p.merged(before, after, stale)
	} else {
		p.applied(after)
	}
	p.back(q, before, after)
}

// shown checks that each hunk that is shown changes something.
func (p *randomTurn) shown(q *edits.Proposal) {
	p.t.Helper()
	views, err := p.deps.Edits.Preview.Files(p.t.Context(), q)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, v := range views {
		for _, h := range v.Hunks {
			if v.Op != edits.OpCreate && v.Op != edits.OpDelete && !h.Renames && v.Before[h.Edit.Start:h.Edit.End] == h.Edit.New {
				p.t.Errorf("seed %d: a hunk of %s changes nothing: %+v", p.seed, v.Rel, h)
			}
		}
	}
}

// types changes some of the files at random places.
func (p *randomTurn) types() {
	p.t.Helper()
	tree := p.tree()
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if strings.HasSuffix(name, "/") || p.r.IntN(2) == 0 {
			continue
		}
		text, marked := strings.CutPrefix(tree[name], workspace.ByteOrderMark)
		if text = p.r.typing(text); marked {
			text = workspace.ByteOrderMark + text
		}
		p.save(name, text)
	}
}

// save gives a file another text, as the person does.
func (p *randomTurn) save(name, text string) {
	if p.editor != nil && p.editor.has(name) {
		p.editor.open(name, text)
		return
	}
	p.write(name, text)
}

// typing changes one or two lines of the text.
func (r *random) typing(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(2) {
		i := r.IntN(len(lines))
		switch line := lines[i]; r.IntN(3) {
		case 0:
			lines[i] = r.word() + newlineOf(text) + line
		case 1:
			lines[i] = strings.TrimRight(line, "\r\n") + r.word() + line[len(strings.TrimRight(line, "\r\n")):]
		default:
			lines[i] = ""
		}
	}
	return strings.Join(lines, "")
}

// versionOf returns the version that the proposal has now.
func (p *randomTurn) versionOf(q *edits.Proposal) edits.Version {
	p.t.Helper()
	now, err := p.deps.Edits.Proposals.Get(p.t.Context(), q.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	return now.Version()
}

// accept accepts the proposal, as a whole or in parts, and reports whether some of it was
// stale.
func (p *randomTurn) accept(q *edits.Proposal) (stale bool) {
	p.t.Helper()
	var parts []edits.Selection
	how := pick(p.r, "whole", "by file", "by hunk")
	p.counts[how]++
	for _, c := range q.Changes {
		switch how {
		case "by file":
			parts = append(parts, edits.Selection{Files: []string{c.Path}})
		case "by hunk":
			for _, h := range c.Hunks {
				parts = append(parts, edits.Selection{Hunks: []string{h.ID}})
			}
		}
	}
	if how == "whole" {
		parts = []edits.Selection{{}}
	}
	p.r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	for _, part := range parts {
		before := p.tree()
		plan, err := p.deps.Edits.Accept(p.t.Context(), edits.Decision{ID: q.ID, Shown: p.versionOf(q), Selection: part})
		if p.refused("accepting", err, before) {
			stale = true
			continue
		}
		p.carryOut(plan, edits.Verified)
	}
	return stale
}

// refused reports whether err says that a file has changed. Then no file may have been written.
func (p *randomTurn) refused(what string, err error, before map[string]string) bool {
	p.t.Helper()
	var stale *edits.StaleError
	switch {
	case err == nil:
		return false
	case !errors.As(err, &stale):
		p.t.Fatalf("seed %d: %s: %v\n%s", p.seed, what, err, strings.Join(p.log, "\n"))
	}
	p.counts["stale"]++
	p.isTree(what+" what is stale", before)
	return true
}

// carryOut does what is planned, in the editor or on disk.
func (p *randomTurn) carryOut(plan *edits.Plan, want edits.State) {
	p.t.Helper()
	ctx := p.t.Context()
	if p.editor == nil {
		if err := p.deps.Edits.WriteToDisk(ctx, plan); err != nil {
			p.t.Fatalf("seed %d: %v\n%s", p.seed, err, strings.Join(p.log, "\n"))
		}
	} else {
		removeEmpty, err := p.deps.Edits.CreateDirs(plan)
		if err != nil {
			p.t.Fatal(err)
		}
		p.editor.apply(plan)
		removeEmpty()
	}
	q, err := p.deps.Edits.Settle(ctx, plan, edits.Outcome{Applied: true})
	if err != nil {
		p.t.Fatalf("seed %d: %v", p.seed, err)
	}
	for _, f := range plan.Files {
		for _, id := range f.Hunks {
			for _, c := range q.Changes {
				for _, h := range c.Hunks {
					if h.ID == id && h.State != want {
						p.t.Errorf("seed %d: a hunk of %s is %s; want %s, %s", p.seed, f.Path, h.State, want, q.DecisionReason)
					}
				}
			}
		}
	}
}

// applied checks that the files read as the turn saw them.
func (p *randomTurn) applied(after map[string]string) {
	p.t.Helper()
	for name := range p.names() {
		want, there := p.text[name]
		got, is := after[name]
		if is != there || strings.TrimPrefix(got, workspace.ByteOrderMark) != want {
			p.t.Errorf("seed %d: accepted, %s reads %q, %v; want %q, %v", p.seed, name, got, is, want, there)
		}
		if marked := strings.HasPrefix(got, workspace.ByteOrderMark); p.editor == nil && marked != p.marked[p.origin[name]] {
			p.t.Errorf("seed %d: accepted, %s has a byte order mark: %v", p.seed, name, marked)
		}
	}
}

// merged checks the files that both sides have changed.
func (p *randomTurn) merged(before, after map[string]string, stale bool) {
	p.t.Helper()
	for name, ours := range p.text {
		base, edited := p.base[name]
		theirs, there := before[name]
		got, is := after[name]
		if p.origin[name] != name || !edited || !there || !is {
			continue
		}
		theirs, got = strings.TrimPrefix(theirs, workspace.ByteOrderMark), strings.TrimPrefix(got, workspace.ByteOrderMark)
		if line, is := lost(theirs, got); is && strings.Count(base, line) == 0 {
			p.t.Errorf("seed %d: %q, which was typed in %s, is lost: %q", p.seed, line, name, got)
		}
		if stale {
			continue
		}
		if ours != base && bothTouched(base, ours, theirs) {
			p.t.Errorf("seed %d: both changed a line of %s: %q, %q, %q", p.seed, name, base, ours, theirs)
		}
		merged, clean := testbed.GitMerge(p.t, base, ours, theirs)
		if clean && got != merged {
			p.t.Errorf("seed %d: %q and %q of %q are merged to %q; git merges them to %q", p.seed, ours, theirs, base, got, merged)
		} else if clean && theirs != base && ours != base {
			p.counts["merged as git"]++
		}
	}
}

// back undoes and redoes what was accepted, and undoes it again after the person has typed.
func (p *randomTurn) back(q *edits.Proposal, before, after map[string]string) {
	p.t.Helper()
	ctx := p.t.Context()
	if maps.Equal(before, after) {
		return // all of it was stale
	}
	for range 1 + p.r.IntN(2) {
		plan, err := p.deps.Edits.Undo(ctx, edits.Decision{ID: q.ID, Shown: p.versionOf(q)})
		if p.refused("undoing", err, after) {
			p.t.Fatalf("seed %d: %v", p.seed, err)
		}
		p.carryOut(plan, edits.Undone)
		p.counts["undone"]++
		p.isTree("undone", before)
		if plan, err = p.deps.Edits.Redo(ctx, edits.Decision{ID: q.ID, Shown: p.versionOf(q)}); p.refused("redoing", err, before) {
			p.t.Fatalf("seed %d: %v", p.seed, err)
		}
		p.carryOut(plan, edits.Verified)
		p.isTree("redone", after)
	}
	if p.r.IntN(2) == 0 {
		p.elsewhere(q, after)
		return
	}
	p.types()
	typed := p.tree()
	plan, err := p.deps.Edits.Undo(ctx, edits.Decision{ID: q.ID, Shown: p.versionOf(q)})
	if p.refused("undoing", err, typed) {
		return
	}
	p.carryOut(plan, edits.Undone)
	p.counts["undone after typing"]++
	undone := p.tree()
	for name, got := range undone {
		was, there := before[name]
		text, is := after[name]
		if merged, clean := testbed.GitMerge(p.t, text, was, typed[name]); there && is && clean && got != merged {
			p.t.Errorf("seed %d: undone after typing, %s reads %q; git merges it to %q", p.seed, name, got, merged)
		}
	}
}

// elsewhere undoes what was accepted, redoes it after the person has typed elsewhere, and
// undoes that.
func (p *randomTurn) elsewhere(q *edits.Proposal, after map[string]string) {
	p.t.Helper()
	ctx := p.t.Context()
	plan, err := p.deps.Edits.Undo(ctx, edits.Decision{ID: q.ID, Shown: p.versionOf(q)})
	if p.refused("undoing", err, after) {
		p.t.Fatalf("seed %d: %v", p.seed, err)
	}
	p.carryOut(plan, edits.Undone)
	p.types()
	typed := p.tree()
	if plan, err = p.deps.Edits.Redo(ctx, edits.Decision{ID: q.ID, Shown: p.versionOf(q)}); p.refused("redoing", err, typed) {
		return
	}
	p.carryOut(plan, edits.Verified)
	p.counts["redone after typing"]++
	redone := p.tree()
	if plan, err = p.deps.Edits.Undo(ctx, edits.Decision{ID: q.ID, Shown: p.versionOf(q)}); p.refused("undoing", err, redone) {
		p.t.Fatalf("seed %d: %v", p.seed, err)
	}
	p.carryOut(plan, edits.Undone)
	p.isTree("undone after redoing elsewhere", typed)
}
