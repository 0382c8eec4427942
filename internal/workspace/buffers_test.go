package workspace

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuffers(t *testing.T) {
	dir := tree(t, map[string]string{"real/a.go": "disk"})
	if err := os.Symlink("real", dir+"/alias"); err != nil {
		t.Fatal(err)
	}
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
	w.SetBuffer(dir+"/alias/a.go", 7, text)
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
	if b, ok := w.Buffer(dir + "/alias/a.go"); !ok || b != read() {
		t.Error("Buffer and Read differ")
	}
	w.SetBuffer(dir+"/real/unsaved.go", 1, []byte("new"))
	if f, err := w.Read(t.Context(), dir+"/real/unsaved.go"); err != nil || string(f.Text) != "new" {
		t.Errorf("a buffer without a file: %v", err)
	}
	w.CloseBuffer(dir + "/alias/a.go")
	if f := read(); string(f.Text) != "disk" || f.Open {
		t.Errorf("after closing: %+v", f)
	}
	if _, ok := w.Buffer(dir + "/real/a.go"); ok {
		t.Error("the closed buffer still exists")
	}
}

func TestBuffersAreListed(t *testing.T) {
	dir := tree(t, map[string]string{"b.go": "", ".gitignore": "*.log"})
	w := open(t, Options{}, dir)
	for _, path := range []string{dir + "/new/z.go", dir + "/b.go", dir + "/a.log", dir + "/.env", dir + "-outside/c.go"} {
		w.SetBuffer(path, 1, nil)
	}
	if diff := cmp.Diff([]string{dir + "/b.go", dir + "/new/z.go"}, w.Buffers()); diff != "" {
		t.Error(diff)
	}
	w.CloseBuffer(dir + "/b.go")
	if diff := cmp.Diff([]string{dir + "/new/z.go"}, w.Buffers()); diff != "" {
		t.Errorf("after closing one:\n%s", diff)
	}
}
