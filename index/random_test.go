package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
)

// TestRandomHistory changes a folder thousands of times, as people and programs do. At
// intervals it compares the index that followed the changes with one from scratch.
func TestRandomHistory(t *testing.T) {
	const check = 100
	steps := testbed.Count(1500, 300)
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, seed)
			for step := 1; step <= steps/2; step++ {
				h.act()
				if step%check == 0 {
					h.compare(step)
				}
			}
		})
	}
}

// history is a folder with random changes.
type history struct {
	*project
	random  *rand.Rand
	buffers map[string]string // unsaved texts by relative path
	touched []string          // paths changed on disk since the last refresh
	branch  map[string]string // the files of the other branch
	actions []weightedAction
	log     []string
}

type weightedAction struct {
	weight int
	name   string
	do     func()
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{
		project: open(t, map[string]string{"main.go": "package main\n"}), random: rand.New(rand.NewPCG(seed, 3)),
		buffers: map[string]string{}, branch: map[string]string{},
	}
	for range 40 {
		rel := h.anyPath()
		h.branch[rel] = h.anyText(rel)
	}
	h.actions = []weightedAction{
		{20, "write", h.writeAny}, {8, "remove", h.removeAny}, {8, "rename", h.renameAny}, {3, "remove folder", h.removeFolder},
		{3, "rename folder", h.renameFolder}, {1, "switch branch", h.switchBranch}, {5, "touch", h.touchAny},
		{2, "ignore", h.ignoreAny}, {2, "hide", h.hideAny}, {20, "type", h.typeAny}, {6, "close", h.closeAny}, {6, "save", h.saveAny},
		{12, "refresh", h.refresh}, {4, "update", func() { h.update() }}, {1, "interrupt", h.interrupt}, {1, "reopen", h.restart},
	}
	return h
}

// act runs a random action.
func (h *history) act() {
	total := 0
	for _, s := range h.actions {
		total += s.weight
	}
	n := h.random.IntN(total)
	for _, s := range h.actions {
		if n -= s.weight; n < 0 {
			h.log = append(h.log, s.name)
			s.do()
			return
		}
	}
}

// vocabulary is small, so that names collide.
var vocabulary = strings.Fields("server client parse render token index Flush Close open_file lastModified queue handler HTTPServer retry")

func (h *history) anyWord() string { return vocabulary[h.random.IntN(len(vocabulary))] }

func (h *history) anyPath() string {
	folders := []string{"", "a/", "a/b/", "a/b/c/", "lib/", "lib/x/", "vendor/"}
	files := []string{"main.go", "one.go", "two.py", "three.ts", "four.md", "five.c", "six.txt", "seven.rs", "data.bin", "dir", ".env"}
	return folders[h.random.IntN(len(folders))] + files[h.random.IntN(len(files))]
}

func (h *history) anyText(rel string) string {
	var b strings.Builder
	for range h.random.IntN(6) {
		word, other := h.anyWord(), h.anyWord()
		switch filepath.Ext(rel) {
		case ".go":
			fmt.Fprintf(&b, "// %s %s.\nfunc %s() { %s() }\ntype T%s struct{ %s int }\n", word, other, word, other, other, word)
		case ".py":
			fmt.Fprintf(&b, "class %s:\n    def %s(self):\n        return %s(self)\n", word, other, word)
		case ".ts":
			fmt.Fprintf(&b, "export class %s { %s(): void { this.%s(); } }\n", word, other, word)
		case ".md":
			fmt.Fprintf(&b, "## %s\n\nHow to %s.\n\n", word, other)
		case ".c", ".rs":
			fmt.Fprintf(&b, "struct %s { int %s; };\n", word, other)
		case ".bin":
			b.WriteString("\x00\x01" + word)
		default:
			fmt.Fprintf(&b, "%s %s }{ \"\n", word, other)
		}
	}
	return b.String()
}

// files returns the files on disk, in order.
func (h *history) files() (rels []string) {
	err := filepath.WalkDir(h.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(h.root, path)
			rels = append(rels, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return rels
}

func (h *history) anyFile() (rel string, ok bool) {
	files := h.files()
	if len(files) == 0 {
		return "", false
	}
	return files[h.random.IntN(len(files))], true
}

func (h *history) anyFolder() (rel string, ok bool) {
	file, ok := h.anyFile()
	dir := filepath.ToSlash(filepath.Dir(file))
	return dir, ok && dir != "."
}

// touch records a path that a watcher would report.
func (h *history) touch(rel string) { h.touched = append(h.touched, h.path(rel)) }

// put writes a file, and removes a file or folder in its way.
func (h *history) put(rel, text string) {
	for dir := filepath.Dir(h.path(rel)); dir != h.root; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			h.check(os.Remove(dir))
		}
	}
	h.check(os.RemoveAll(h.path(rel)))
	h.write(rel, text)
	h.touch(rel)
}

func (h *history) check(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatalf("%v, after %s", err, h.recent())
	}
}

func (h *history) recent() string { return strings.Join(h.log[max(0, len(h.log)-30):], ", ") }

func (h *history) writeAny() { rel := h.anyPath(); h.put(rel, h.anyText(rel)) }

func (h *history) removeAny() {
	if rel, ok := h.anyFile(); ok {
		h.check(os.Remove(h.path(rel)))
		h.touch(rel)
	}
}

func (h *history) renameAny() {
	from, ok := h.anyFile()
	to := h.anyPath()
	if info, err := os.Lstat(h.path(to)); !ok || err == nil && info.IsDir() || strings.HasPrefix(to, from+"/") {
		return
	}
	if os.MkdirAll(filepath.Dir(h.path(to)), 0o755) != nil {
		return // a file is in the way
	}
	h.check(os.Rename(h.path(from), h.path(to)))
	h.touch(from)
	h.touch(to)
}

func (h *history) removeFolder() {
	if rel, ok := h.anyFolder(); ok {
		h.check(os.RemoveAll(h.path(rel)))
		h.touch(rel)
	}
}

func (h *history) renameFolder() {
	from, ok := h.anyFolder()
	to := fmt.Sprint("moved", h.random.IntN(5))
	if !ok || strings.HasPrefix(from, "moved") {
		return
	}
	h.check(os.RemoveAll(h.path(to)))
	h.check(os.Rename(h.path(from), h.path(to)))
	h.touch(from)
	h.touch(to)
}

// switchBranch exchanges the files for those of the other branch.
func (h *history) switchBranch() {
	here := map[string]string{}
	for _, rel := range h.files() {
		data, err := os.ReadFile(h.path(rel))
		h.check(err)
		here[rel] = string(data)
		if _, ok := h.branch[rel]; !ok {
			h.check(os.Remove(h.path(rel)))
			h.touch(rel)
		}
	}
	for _, rel := range slices.Sorted(maps.Keys(h.branch)) {
		if text, ok := here[rel]; !ok || text != h.branch[rel] {
			h.put(rel, h.branch[rel])
		}
	}
	h.branch = here
}

// touchAny rewrites a file with the same text, or one of the same length.
func (h *history) touchAny() {
	rel, ok := h.anyFile()
	if !ok {
		return
	}
	data, err := os.ReadFile(h.path(rel))
	h.check(err)
	text := string(data)
	if h.random.IntN(2) == 0 {
		text = strings.ReplaceAll(text, "server", "client")
	}
	h.write(rel, text)
	h.touch(rel)
}

func (h *history) ignoreAny() {
	h.put(".gitignore", []string{"", "vendor/\n", "*.py\n!a/**\n", "/a/b\n", "lib/x\nsix.txt\n"}[h.random.IntN(5)])
}

// hideAny removes or restores the permission to read a file.
func (h *history) hideAny() {
	if rel, ok := h.anyFile(); ok {
		h.check(os.Chmod(h.path(rel), []os.FileMode{0o000, 0o644}[h.random.IntN(2)]))
		h.touch(rel)
	}
}

// typeAny opens a file, or edits an open one.
func (h *history) typeAny() {
	rel := h.anyPath()
	if open := slices.Sorted(maps.Keys(h.buffers)); len(open) > 0 && h.random.IntN(3) > 0 {
		rel = open[h.random.IntN(len(open))]
	}
	text, ok := h.buffers[rel]
	if !ok || h.random.IntN(4) == 0 {
		text = h.anyText(rel)
	}
	at := h.random.IntN(len(text) + 1)
	text = text[:at] + []string{"", " ", h.anyWord(), "\n", "}"}[h.random.IntN(5)] + text[at:]
	h.buffers[rel] = text
	h.ws.SetBuffer(h.path(rel), 1, []byte(text))
	h.check(h.index.SetBuffer(h.t.Context(), h.path(rel), []byte(text)))
}

func (h *history) closeAny() {
	for _, rel := range slices.Sorted(maps.Keys(h.buffers)) {
		delete(h.buffers, rel)
		h.ws.CloseBuffer(h.path(rel))
		h.index.DropBuffer(h.path(rel))
		h.touch(rel)
		return
	}
}

func (h *history) saveAny() {
	for _, rel := range slices.Sorted(maps.Keys(h.buffers)) {
		h.put(rel, h.buffers[rel])
		if h.random.IntN(2) == 0 {
			return
		}
	}
}

// refresh passes the changed paths to the index.
func (h *history) refresh() {
	h.check(h.index.Refresh(h.t.Context(), h.touched))
	h.touched = nil
}

// interrupt stops a running update, as a crash does.
func (h *history) interrupt() {
	h.switchBranch()
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	left := h.random.IntN(20)
	h.index.Update(ctx, func(at index.Progress) {
		if left--; left < 0 {
			cancel()
		}
	})
	h.restart()
}

// restart reopens the index with the same unsaved texts, as a new process does.
func (h *history) restart() {
	h.reopen()
	h.retype(h.project)
}

// retype sets the unsaved texts in a project's workspace and index.
func (h *history) retype(p *project) {
	for rel, text := range h.buffers {
		p.ws.SetBuffer(h.path(rel), 1, []byte(text))
		h.check(p.index.SetBuffer(h.t.Context(), h.path(rel), []byte(text)))
	}
}

// compare compares the index with one from scratch.
func (h *history) compare(step int) {
	h.t.Helper()
	h.update()
	h.touched = nil
	scratch := &project{t: h.t, root: h.root, state: h.t.TempDir()}
	scratch.open()
	defer scratch.index.Close()
	h.retype(scratch)
	scratch.update()
	terms := index.Terms(vocabulary)
	want, err := scratch.index.Contents(h.t.Context(), scratch.state, terms)
	h.check(err)
	got, err := h.index.Contents(h.t.Context(), h.state, terms)
	h.check(err)
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Fatalf("step %d, after %s: (-scratch +followed)\n%s", step, h.recent(), diff)
	}
	if diff := cmp.Diff(scratch.related(), h.related()); diff != "" {
		h.t.Fatalf("step %d, after %s: related symbols (-scratch +followed)\n%s", step, h.recent(), diff)
	}
	if diff := cmp.Diff(scratch.notable(3), h.notable(3)); diff != "" {
		h.t.Fatalf("step %d, after %s: notable symbols (-scratch +followed)\n%s", step, h.recent(), diff)
	}
}

// related returns the related symbols of what is found for each word.
func (p *project) related() map[string][]string {
	p.t.Helper()
	all := map[string][]string{}
	for _, word := range vocabulary {
		results, err := p.index.Search(p.t.Context(), index.Query{Text: word})
		if err != nil {
			p.t.Fatal(err)
		}
		var units []index.Unit
		for _, h := range results.Hits {
			units = append(units, h.Unit)
		}
		related, err := p.index.Overlay(nil).RelatedSymbols(p.t.Context(), units)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, r := range related {
			all[word] = append(all[word], fmt.Sprintf("%s %s %s %s %s", r.Path, r.Canon, r.Relation, r.To.Path, r.To.Canon))
		}
	}
	return all
}
