package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestBuffers(t *testing.T) {
	dir := tree(t, map[string]string{"real/a.go": "disk"})
	testBuffers(t, dir, dir+"/real/a.go")
}

// TestBuffersBelowALink opens the document under another name than that of its file.
func TestBuffersBelowALink(t *testing.T) {
	dir := tree(t, map[string]string{"real/a.go": "disk"})
	if err := os.Symlink("real", dir+"/alias"); err != nil {
		t.Fatal(err)
	}
	testBuffers(t, dir, dir+"/alias/a.go")
}

// testBuffers opens, changes and closes the document of real/a.go under a name.
func testBuffers(t *testing.T, dir, name string) {
	t.Helper()
	w := open(t, Options{}, dir)
	read := func() *File {
		t.Helper()
		f, err := w.Read(t.Context(), dir+"/real/a.go")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	text := []byte("\xef\xbb\xbfbuffer")
	w.SetBuffer(name, 7, text)
	text[3] = 'B' // must not change the workspace's copy
	f := read()
	if string(f.Text) != "buffer" || !f.Open || f.Version != 7 || !f.BOM || f.Hash != Hash([]byte("buffer")) {
		t.Errorf("with a buffer: %+v", f)
	}
	if got := parts(t, w, dir+"/real/a.go", len(f.Text)); got != "buffer" {
		t.Errorf("parts of a buffer are %q", got)
	}
	w.SetBuffer(dir+"/real/a.go", 8, []byte("newer"))
	if string(f.Text) != "buffer" {
		t.Error("the snapshot has changed")
	}
	if b, ok := w.Buffer(name); !ok || b != read() {
		t.Error("Buffer and Read differ")
	}
	w.SetBuffer(dir+"/real/unsaved.go", 1, []byte("new"))
	if f, err := w.Read(t.Context(), dir+"/real/unsaved.go"); err != nil || string(f.Text) != "new" {
		t.Errorf("a buffer without a file: %v", err)
	}
	w.CloseBuffer(name)
	if f := read(); string(f.Text) != "disk" || f.Open {
		t.Errorf("after closing: %+v", f)
	}
	if _, ok := w.Buffer(dir + "/real/a.go"); ok {
		t.Error("the closed buffer still exists")
	}
}

// TestBorrowedTexts opens one file in this process and in another one, in each order.
func TestBorrowedTexts(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": "disk"})
	w := open(t, Options{}, dir)
	path := dir + "/a.go"
	text := func(want string) {
		t.Helper()
		f, err := w.Read(t.Context(), path)
		if err != nil || string(f.Text) != want || f.Open != (want != "disk") {
			t.Errorf("the file reads %+v, %v, want %q", f, err, want)
		}
	}
	w.Borrow(path, 1, plain("borrowed"))
	text("borrowed")
	w.SetBuffer(path, 1, []byte("own"))
	text("own")
	w.Borrow(path, 2, plain("borrowed again"))
	text("own")
	if got := w.OpenFiles(); len(got) != 1 || got[0] != path {
		t.Errorf("open are %v", got)
	}
	w.CloseBuffer(path)
	text("borrowed again")
	w.BorrowUnknown(path, "the other editor lost it")
	if f, err := w.Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the other editor lost it") {
		t.Errorf("an unknown text reads %+v, %v", f, err)
	}
	w.Return(path)
	text("disk")
}

func TestBuffersAreListed(t *testing.T) {
	dir := tree(t, map[string]string{"b.go": "", ".gitignore": "*.log"})
	w := open(t, Options{}, dir)
	for _, path := range []string{dir + "/new/z.go", dir + "/b.go", dir + "/a.log", dir + "/.env", dir + "-outside/c.go"} {
		w.SetBuffer(path, 1, nil)
	}
	if diff := cmp.Diff([]string{filepath.Join(dir, "b.go"), filepath.Join(dir, "new/z.go")}, w.Buffers()); diff != "" {
		t.Error(diff)
	}
	w.CloseBuffer(dir + "/b.go")
	if diff := cmp.Diff([]string{filepath.Join(dir, "new/z.go")}, w.Buffers()); diff != "" {
		t.Errorf("after closing one:\n%s", diff)
	}
}

// TestAnUnknownBufferIsNotRead opens a document whose text is not known.
func TestAnUnknownBufferIsNotRead(t *testing.T) {
	dir := tree(t, map[string]string{"a.go": "disk"})
	w := open(t, Options{MaxFileBytes: 10}, dir)
	path := dir + "/a.go"
	check := func(when string, skip Skip, words string) {
		t.Helper()
		_, err := w.Read(t.Context(), path)
		text, openErr := w.Open(t.Context(), path)
		var skipped *SkippedError
		if !errors.As(err, &skipped) || skipped.Skip != skip || !strings.Contains(err.Error(), words) || openErr == nil {
			t.Errorf("%s: Read = %v, Open = %v, %v", when, err, text, openErr)
		}
		if _, ok := w.Buffer(path); ok || len(w.Buffers()) > 0 {
			t.Errorf("%s: a buffer is served", when)
		}
		if open, known := w.IsOpen(path); !open || known || len(w.OpenFiles()) != 1 {
			t.Errorf("%s: IsOpen = %v, %v", when, open, known)
		}
	}
	w.SetUnknown(path, "the change was bad")
	check("unknown", OutOfStep, "the change was bad")
	w.SetBuffer(path, 1, []byte("more than ten bytes"))
	check("too large", TooLarge, "index.maxFileBytes")
	w.Configure(Options{MaxFileBytes: 100})
	if f, err := w.Read(t.Context(), path); err != nil || string(f.Text) != "more than ten bytes" {
		t.Errorf("with another limit: %v", err)
	}
	w.SetUnknown(path, "the change was bad")
	w.CloseBuffer(path)
	if f, err := w.Read(t.Context(), path); err != nil || string(f.Text) != "disk" {
		t.Errorf("after closing: %v", err)
	}
	if open, _ := w.IsOpen(path); open {
		t.Error("the closed document is still open")
	}
}

// countingContent counts how often it is put together.
type countingContent struct {
	plain
	reads *int
}

func (c countingContent) Bytes() []byte { *c.reads++; return c.plain }

// TestATextIsPutTogetherOnceItIsRead sets many texts and reads the last one twice.
func TestATextIsPutTogetherOnceItIsRead(t *testing.T) {
	dir := tree(t, nil)
	w := open(t, Options{MaxFileBytes: 100}, dir)
	reads := 0
	for version := range int32(20) {
		w.SetContent(dir+"/a.go", version, countingContent{plain("text"), &reads})
		w.SetContent(dir+"/large.go", version, countingContent{make(plain, 101), &reads})
		w.IsOpen(dir + "/a.go")
		w.Buffers()
	}
	for range 2 {
		if _, err := w.Read(t.Context(), dir+"/a.go"); err != nil {
			t.Fatal(err)
		}
		w.Read(t.Context(), dir+"/large.go")
	}
	if reads != 1 {
		t.Errorf("the texts were put together %d times, want once", reads)
	}
}

// TestUnsaved opens files whose texts are those on disk, and others.
func TestUnsaved(t *testing.T) {
	dir := tree(t, map[string]string{"same.go": "package a\n", "mark.go": "\ufeffpackage a\n", "typed.go": "package a\n"})
	w := open(t, Options{}, dir)
	for name, text := range map[string]string{"same.go": "package a\n", "mark.go": "package b\n", "typed.go": "package b\n", "new.go": ""} {
		w.SetBuffer(filepath.Join(dir, name), 1, []byte(text))
	}
	want := map[string][]byte{"mark.go": []byte("\ufeffpackage b\n"), "typed.go": []byte("package b\n"), "new.go": {}}
	if diff := cmp.Diff(want, w.Unsaved(t.Context(), dir), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
