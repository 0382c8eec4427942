package tools_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/tools"
)

var propertySeeds = flag.Uint64("seeds", 100, "how many random turns TestPropertyTurns plays")

// TestPropertyTurns plays random turns: calls of all tools that propose something, on files in
// several languages and encodings, with edits in all three forms. Then the person types,
// accepts everything at once, by file or by hunk, undoes and redoes. The files are on disk, or
// open in an editor. After each step they must read as an independent oracle says.
func TestPropertyTurns(t *testing.T) {
	w := &world{t: t, root: t.TempDir()}
	w.openUnindexed()
	counts := map[string]int{}
	seeds := uint64(testbed.Count(int(*propertySeeds), int(min(25, *propertySeeds))))
	for seed := range seeds {
		p := &randomTurn{world: w, r: newRandom(seed), seed: seed, counts: counts}
		p.begin()
		for range 1 + p.r.IntN(7) {
			p.call()
		}
		p.decide()
		if t.Failed() {
			t.Fatalf("seed %d: calls\n%s", seed, strings.Join(p.log, "\n"))
		}
	}
	t.Log(counts)
	for _, what := range []string{"canonical", "splice", "replace", "overlap", "create", "rename", "rename onto deleted", "delete", "refused",
		"withdrawn", "whole", "by file", "by hunk", "stale", "merged as git", "undone", "undone after typing", "redone after typing", "in an editor"} {
		if seeds >= 100 && counts[what] == 0 {
			t.Errorf("no turn has %q; the turns are too similar", what)
		}
	}
}

// randomTurn is one turn.
type randomTurn struct {
	*world
	r      *random
	seed   uint64
	counts map[string]int
	log    []string
	editor *editor // nil: the files are written to disk

	files  map[string]*file  // by the name that the turn sees
	text   map[string]string // what the turn sees
	base   map[string]string // what it saw at first
	origin map[string]string // the original name; "" for files that the turn has created
	gone   map[string]bool   // names of files that the proposal deletes
	marked map[string]bool   // original names of files with a byte order mark
}

// begin makes a few files.
func (p *randomTurn) begin() {
	p.turn = fmt.Sprint("turn ", p.seed)
	p.files, p.text, p.origin = map[string]*file{}, map[string]string{}, map[string]string{}
	p.gone, p.marked = map[string]bool{}, map[string]bool{}
	if p.r.IntN(2) == 0 {
		p.editor = newEditor(p.world)
		p.counts["in an editor"]++
	}
	for i := range 2 + p.r.IntN(2) {
		f, data := p.r.file()
		name := fmt.Sprintf("%d/%s%d.%s", p.seed, pick(p.r, "", "sub/"), i, f.dialect.extension)
		p.write(name, data)
		p.files[name], p.origin[name] = f, name
		p.text[name], p.marked[name] = strings.CutPrefix(data, workspace.ByteOrderMark)
		if p.editor != nil && p.r.IntN(3) > 0 {
			if p.r.IntN(2) == 0 { // not saved
				it, word := pick(p.r, f.items...), p.r.word()
				p.text[name] = replaceLast(p.text[name], it.word, word)
				it.full, it.text, it.word = replaceLast(it.full, it.word, word), replaceLast(it.text, it.word, word), word
			}
			p.editor.open(name, p.text[name])
		}
	}
	p.base = maps.Clone(p.text)
}

// run calls a tool, and returns the code of its failure, "" for success.
func (p *randomTurn) run(tool string, args map[string]any) (code string) {
	p.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		p.t.Fatal(err)
	}
	tl, _ := p.set.Get(tool)
	result, err := tl.Run(p.t.Context(), p, raw)
	if err != nil {
		p.t.Fatalf("seed %d: %s %s: %v", p.seed, tool, raw, err)
	}
	p.checkResult(tool, result)
	p.log = append(p.log, fmt.Sprintf("%s %s\n\t%s", tool, raw, result.Content))
	var answer struct{ Code, Status string }
	if err := json.Unmarshal(result.Content, &answer); err != nil {
		p.t.Fatal(err)
	}
	if answer.Status == string(edits.Withdrawn) {
		p.counts["withdrawn"]++
	}
	return answer.Code
}

// expect runs a tool that must succeed, or fail with one of the codes.
func (p *randomTurn) expect(tool string, args map[string]any, codes ...string) {
	p.t.Helper()
	code := p.run(tool, args)
	switch {
	case len(codes) == 0 && code != "":
		p.t.Errorf("seed %d: %s fails: %s", p.seed, tool, p.log[len(p.log)-1])
	case len(codes) > 0 && !slices.Contains(codes, code):
		p.t.Errorf("seed %d: %s should fail (%v): %s", p.seed, tool, codes, p.log[len(p.log)-1])
	case code != "":
		p.counts["refused"]++
	}
}

// sees checks that the turn sees exactly the expected files.
func (p *randomTurn) sees() {
	p.t.Helper()
	for name := range p.names() {
		f, err := p.deps.Edits.Staging.View(edits.Turn{ID: p.turn}).Read(p.t.Context(), p.path(name))
		want, there := p.text[name]
		if (err == nil) != there || there && string(f.Text) != want {
			p.t.Fatalf("seed %d: the turn sees %s as %+v, %v; want %q\n%s", p.seed, name, f, err, want, strings.Join(p.log, "\n"))
		}
	}
}

// names returns all names that a file has had in the turn.
func (p *randomTurn) names() map[string]bool {
	all := maps.Clone(p.gone)
	for _, m := range []map[string]string{p.text, p.base} {
		for name := range m {
			all[name] = true
		}
	}
	for _, name := range p.origin {
		all[name] = true
	}
	delete(all, "")
	return all
}

// call makes one call.
func (p *randomTurn) call() {
	p.t.Helper()
	name := p.any()
	switch n := p.r.IntN(20); {
	case n == 0 || name == "":
		p.create()
	case n <= 3:
		p.rename(name)
	case n <= 5:
		p.remove(name)
	case n == 6:
		p.overlap(name)
	default:
		p.edit(name)
	}
	if p.r.IntN(8) == 0 {
		p.revoke()
	}
	p.sees()
}

// any returns the name of a random file that the turn sees, "" if there is none.
func (p *randomTurn) any() string {
	names := slices.Sorted(maps.Keys(p.text))
	if len(names) == 0 {
		return ""
	}
	return pick(p.r, names...)
}

// edit makes one call with edits of one or two files.
func (p *randomTurn) edit(name string) {
	p.t.Helper()
	var list []map[string]any
	changes := map[string][]change{}
	var done []func()
	for _, name := range slices.Compact(slices.Sorted(slices.Values([]string{name, p.any()}))) {
		f, text := p.files[name], p.text[name]
		slices.SortFunc(f.items, func(a, b *item) int { return cmp.Compare(strings.Index(text, a.full), strings.Index(text, b.full)) })
		for i := p.r.IntN(2); i < len(f.items) && len(list) < 5; i += 2 + p.r.IntN(3) {
			args, c, after := p.editOf(f, text, i)
			if args == nil {
				continue
			}
			args["file"] = pick(p.r, name, p.path(name), "file://"+p.path(name))
			list, changes[name], done = append(list, args), append(changes[name], c), append(done, after)
		}
	}
	if len(list) == 0 {
		return
	}
	p.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	p.expect("apply_code_edit", map[string]any{"edits": list, "reason": "r"})
	for name, cs := range changes {
		f, err := p.deps.Edits.Staging.View(edits.Turn{ID: p.turn}).Read(p.t.Context(), p.path(name))
		if err != nil || !reads(p.text[name], string(f.Text), cs) {
			p.t.Fatalf("seed %d: %q with %+v reads %q, %v\n%s", p.seed, p.text[name], cs, f.Text, err, p.log[len(p.log)-1])
		}
		p.text[name] = string(f.Text)
	}
	for _, f := range done {
		f()
	}
	for name := range changes {
		f := p.files[name]
		f.items = slices.DeleteFunc(f.items, func(it *item) bool { return strings.Count(p.text[name], it.full) != 1 })
	}
}

// overlap sends edits that change the same bytes, or have the hash of another text.
func (p *randomTurn) overlap(name string) {
	p.t.Helper()
	f, text := p.files[name], p.text[name]
	if len(f.items) == 0 {
		return
	}
	it := pick(p.r, f.items...)
	at := strings.Index(text, it.full) + strings.LastIndex(it.full, it.word)
	splice := map[string]any{"mode": "splice", "file": name, "start_byte": at, "end_byte": at + len(it.word), "replacement": p.r.word(),
		"expected_file_hash": workspace.Hash([]byte(text))}
	if p.r.IntN(3) == 0 {
		splice["expected_file_hash"] = workspace.Hash([]byte(p.r.word()))
		p.expect("apply_code_edit", map[string]any{"edits": []any{splice}, "reason": "r"}, "stale")
		return
	}
	replace := map[string]any{"mode": "replace", "file": name, "old": it.word, "new": p.r.word()}
	list := []any{splice, replace}
	p.r.Shuffle(2, func(i, j int) { list[i], list[j] = list[j], list[i] })
	p.expect("apply_code_edit", map[string]any{"edits": list, "reason": "r"}, "overlap")
	p.counts["overlap"]++
}

// left reports whether the proposal renames a file of this name.
func (p *randomTurn) left(name string) bool {
	for now, origin := range p.origin {
		if origin == name && now != name {
			return true
		}
	}
	return false
}

// target picks a name: a new one, or one that a file has or had.
func (p *randomTurn) target(extension string) string {
	if p.r.IntN(2) == 0 {
		p.r.n++
		return fmt.Sprintf("%d/%snew%d.%s", p.seed, pick(p.r, "", "", "deep/er/"), p.r.n, extension)
	}
	return pick(p.r, slices.Sorted(maps.Keys(p.names()))...)
}

func (p *randomTurn) create() {
	p.t.Helper()
	f, data := p.r.file()
	data = strings.TrimPrefix(strings.ToValidUTF8(data, "e"), workspace.ByteOrderMark)
	for _, it := range f.items {
		it.full, it.text = strings.ToValidUTF8(it.full, "e"), strings.ToValidUTF8(it.text, "e")
	}
	name := p.target(f.dialect.extension)
	args := map[string]any{"file": name, "content": data}
	_, there := p.text[name]
	if there || p.left(name) {
		p.expect("create_file", args, "exists", "refused")
		return
	}
	p.expect("create_file", args)
	p.counts["create"]++
	p.files[name], p.text[name], p.origin[name] = f, data, ""
	f.broken = !strings.HasSuffix(name, f.dialect.extension)
	if p.gone[name] {
		p.origin[name] = name
		delete(p.gone, name)
	}
}

func (p *randomTurn) rename(name string) {
	p.t.Helper()
	p.renameTo(name, p.target(p.files[name].dialect.extension))
}

func (p *randomTurn) renameTo(name, to string) {
	p.t.Helper()
	f := p.files[name]
	args := map[string]any{"file": name, "to": to}
	_, there := p.text[to]
	if there || p.left(to) && p.origin[name] != to {
		p.expect("rename_file", args, "exists", "refused", "no_change")
		return
	}
	p.expect("rename_file", args)
	text, origin := p.text[name], p.origin[name]
	if p.gone[to] {
		p.counts["rename onto deleted"]++
		p.drop(name)
		p.origin[to] = to
		delete(p.gone, to)
	} else {
		p.counts["rename"]++
		delete(p.text, name)
		delete(p.origin, name)
		p.origin[to] = origin
	}
	p.files[to], p.text[to] = f, text
	f.broken = f.broken || !strings.HasSuffix(to, f.dialect.extension)
}

func (p *randomTurn) remove(name string) {
	p.t.Helper()
	p.expect("delete_file", map[string]any{"file": name})
	p.counts["delete"]++
	p.drop(name)
}

// revoke restores every file that is new or renamed.
func (p *randomTurn) revoke() {
	p.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(p.text)) {
		switch origin := p.origin[name]; origin {
		case name:
		case "":
			p.remove(name)
		default:
			p.renameTo(name, origin)
		}
	}
}

// drop removes a file.
func (p *randomTurn) drop(name string) {
	if origin := p.origin[name]; origin != "" {
		p.gone[origin] = true
	}
	delete(p.text, name)
	delete(p.origin, name)
}

var _ tools.Env = (*randomTurn)(nil)
