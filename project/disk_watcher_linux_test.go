package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ploke-lsp/index"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
)

// watchedProject is a project that watches its folder.
type watchedProject struct {
	t *testing.T
	*project.Project
	root string
}

func openWatched(t *testing.T) watchedProject {
	t.Helper()
	root := t.TempDir()
	w := watchedProject{t: t, root: root}
	w.write("deep/er/a.go", "package a\n\nfunc Deeper() {}\n")
	var err error
	w.Project, err = project.Open(t.Context(), project.Options{StateDir: t.TempDir(), Settings: project.NewSettings(),
		Getenv: func(string) string { return "" }, WatchDisk: true}, []string{root}, &headless{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	if err := w.AwaitIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w watchedProject) path(name string) string { return filepath.Join(w.root, name) }

func (w watchedProject) write(name, text string) {
	w.t.Helper()
	w.do(os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	w.do(os.WriteFile(w.path(name), []byte(text), 0o600))
}

func (w watchedProject) do(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w watchedProject) await(what string, holds func() bool) {
	w.t.Helper()
	testbed.Eventually(w.t, holds, func() string { return "still waiting for " + what })
}

// finds asks as nobody does who makes the project look at the disk.
func (w watchedProject) finds(canon string) bool {
	w.t.Helper()
	found, err := w.Index.Search(w.t.Context(), index.Query{Text: canon, Limit: 1})
	w.do(err)
	return len(found.Hits) == 1 && found.Hits[0].Canon == canon
}

// TestOwnWatcher changes the disk in each way that a watcher can miss. Everything is found without a turn,
// and after each change turns trust the watcher again.
func TestOwnWatcher(t *testing.T) {
	w := openWatched(t)
	outside := filepath.Join(t.TempDir(), "moved")
	change := func(what, found, lost string, do func()) {
		t.Helper()
		w.await("the watcher, before: "+what, w.Trusted)
		do()
		w.await(what, func() bool { return (found == "" || w.finds(found)) && (lost == "" || !w.finds(lost)) })
	}
	change("a file is written", "Changed", "Deeper", func() { w.write("deep/er/a.go", "package a\n\nfunc Changed() {}\n") })
	change("a file comes in a new folder", "Fresh", "", func() { w.write("new/and/newer/b.go", "package b\n\nfunc Fresh() {}\n") })
	change("a file is written there", "Fresher", "Fresh", func() { w.write("new/and/newer/b.go", "package b\n\nfunc Fresher() {}\n") })
	change("a folder is renamed", "Changed", "", func() { w.do(os.Rename(w.path("deep"), w.path("shallow"))) })
	change("a file is written in it", "Renamed", "Changed", func() { w.write("shallow/er/a.go", "package a\n\nfunc Renamed() {}\n") })
	change("a folder is moved out", "", "Fresher", func() { w.do(os.Rename(w.path("new"), outside)) })
	change("a folder is moved in", "Fresher", "", func() { w.do(os.Rename(outside, w.path("back"))) })
	change("a file is written in it", "Freshest", "Fresher", func() { w.write("back/and/newer/b.go", "package b\n\nfunc Freshest() {}\n") })
	change("a folder is ignored", "", "Freshest", func() { w.write(".gitignore", "back\n") })
	change("a folder is not ignored any more", "Freshest", "", func() { w.write(".gitignore", "") })
	change("a file is written in it", "Last", "Freshest", func() { w.write("back/and/newer/b.go", "package b\n\nfunc Last() {}\n") })
	change("a folder is removed", "", "Last", func() { w.do(os.RemoveAll(w.path("back"))) })
}

// TestManyChangesAtOnce writes thousands of files in new folders, as a checkout does.
func TestManyChangesAtOnce(t *testing.T) {
	w := openWatched(t)
	w.await("the watcher", w.Trusted)
	for i := range 2000 {
		name := fmt.Sprintf("branch/p%d/f%d.go", i/100, i)
		if i%100 == 0 {
			w.do(os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
		}
		w.do(os.WriteFile(w.path(name), fmt.Appendf(nil, "package p\n\nfunc Branch%d() {}\n", i), 0o600))
	}
	w.await("the last file", func() bool { return w.finds("Branch1999") && w.finds("Branch0") })
	w.await("the watcher", w.Trusted)
}
