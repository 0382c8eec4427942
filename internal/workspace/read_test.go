package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadKeepsTheText(t *testing.T) {
	tests := map[string]struct {
		disk, text string
		bom        bool
	}{
		"empty":         {"", "", false},
		"plain":         {"a\nb\n", "a\nb\n", false},
		"crlf":          {"a\r\nb\r\n", "a\r\nb\r\n", false},
		"bom":           {"\xef\xbb\xbfa\r\n", "a\r\n", true},
		"only a bom":    {"\xef\xbb\xbf", "", true},
		"invalid utf-8": {"caf\xe9\n", "caf\xe9\n", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, map[string]string{"f": tt.disk})
			f, err := open(t, Options{}, dir).Read(t.Context(), dir+"/f")
			if err != nil {
				t.Fatal(err)
			}
			if string(f.Text) != tt.text || f.BOM != tt.bom || f.Hash != Hash([]byte(tt.text)) || f.Open {
				t.Errorf("Read = %q, BOM %v, hash %s", f.Text, f.BOM, f.Hash)
			}
			if got := parts(t, open(t, Options{}, dir), dir+"/f", len(tt.text)); got != tt.text {
				t.Errorf("parts of the text are %q", got)
			}
			info, _ := os.Stat(dir + "/f")
			if !f.ModTime.Equal(info.ModTime()) {
				t.Errorf("ModTime = %v; want the file's, %v", f.ModTime, info.ModTime())
			}
		})
	}
}

// parts reads a text of that length in two parts, and some beyond its end.
func parts(t *testing.T, w *Workspace, path string, length int) string {
	t.Helper()
	text, err := w.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	first, err := text.Part(0, length/2)
	if err != nil {
		t.Error(err)
	}
	second, err := text.Part(length/2, length)
	if err != nil {
		t.Error(err)
	}
	for _, bad := range [][2]int{{length, length + 1}, {-1, 0}, {1, 0}} {
		if part, err := text.Part(bad[0], bad[1]); err == nil {
			t.Errorf("part %v of %d bytes is %q", bad, length, part)
		}
	}
	info, err := os.Stat(path)
	if err != nil || text.Len() != length || !text.Open && (text.Size != info.Size() || !text.ModTime.Equal(info.ModTime())) {
		t.Errorf("size %d, time %v; the file has %v", text.Size, text.ModTime, info)
	}
	return string(first) + string(second)
}

func TestReadRefuses(t *testing.T) {
	outside := tree(t, map[string]string{"x": "x"})
	dir := tree(t, map[string]string{
		".gitignore": "build/\n", "build/out.txt": "x", ".env": "KEY=1", "keys/server.pem": "x",
		"big": strings.Repeat("x", 101), "exact": strings.Repeat("x", 100), "closed": "x", ".git/config": "x",
	})
	if err := os.Chmod(dir+"/closed", 0); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(dir+"/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside+"/x", dir+"/out"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", dir+"/zero"); err != nil {
		t.Fatal(err)
	}
	w := open(t, Options{MaxFileBytes: 100}, dir)
	for name, want := range map[string]Skip{
		"build/out.txt": Ignored, ".env": Secret, "keys/server.pem": Secret, "big": TooLarge, "pipe": Unreadable, ".git/config": Ignored,
	} {
		_, err := w.Read(t.Context(), filepath.Join(dir, name))
		var skipped *SkippedError
		if !errors.As(err, &skipped) || skipped.Skip != want {
			t.Errorf("Read(%s): %v; want it skipped as %s", name, err, want)
		}
		refusesToOpen(t, w, filepath.Join(dir, name), err)
	}
	if _, err := w.Read(t.Context(), dir+"/exact"); err != nil {
		t.Errorf("a file of exactly the limit: %v", err)
	}
	if _, err := w.Read(t.Context(), dir+"/closed"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Read(closed): %v; want ErrPermission", err)
	}
	if _, err := w.Read(t.Context(), dir+"/missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read(missing): %v; want ErrNotExist", err)
	}
	if _, err := w.Read(t.Context(), dir+"/keys"); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("Read(a folder): %v", err)
	}
	for _, name := range []string{"out", "zero"} {
		var outsideErr *OutsideError
		if _, err := w.Read(t.Context(), filepath.Join(dir, name)); !errors.As(err, &outsideErr) {
			t.Errorf("Read(%s): %v; want an OutsideError", name, err)
		}
		refusesToOpen(t, w, filepath.Join(dir, name), outsideErr)
	}
	for _, name := range []string{"missing", "closed", "keys", "pipe", "big", ".env"} {
		_, err := w.Read(t.Context(), filepath.Join(dir, name))
		if strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), name) {
			t.Errorf("Read(%s): %v; want its relative name", name, err)
		}
		refusesToOpen(t, w, filepath.Join(dir, name), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Read(ctx, dir+"/exact"); !errors.Is(err, context.Canceled) {
		t.Errorf("Read with an ended context: %v", err)
	}
}

// refusesToOpen expects Open to fail as Read does.
func refusesToOpen(t *testing.T, w *Workspace, path string, want error) {
	t.Helper()
	text, err := w.Open(t.Context(), path)
	if err == nil {
		text.Close()
	}
	if err == nil || err.Error() != want.Error() {
		t.Errorf("Open(%s): %v; Read says %v", path, err, want)
	}
}

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
	text[3] = 'B' // the workspace must have its own copy
	f := read()
	if string(f.Text) != "buffer" || !f.Open || f.Version != 7 || !f.BOM || f.Hash != Hash([]byte("buffer")) {
		t.Errorf("with a buffer: %+v", f)
	}
	if got := parts(t, w, dir+"/real/a.go", len(f.Text)); got != "buffer" {
		t.Errorf("parts of a buffer are %q", got)
	}
	w.SetBuffer(dir+"/real/a.go", 8, []byte("newer"))
	if string(f.Text) != "buffer" {
		t.Error("a snapshot has changed")
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
		t.Error("a closed buffer is still there")
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

func TestClassify(t *testing.T) {
	line := strings.Repeat("x", 1200) + "\n"
	tests := map[string]struct {
		text string
		want Skip
	}{
		"empty":             {"", ""},
		"source":            {strings.Repeat("func f() {}\n", 1000), ""},
		"nul":               {"abc\x00def", Binary},
		"nul late":          {strings.Repeat("a\n", sampleBytes) + "\x00", ""},
		"control bytes":     {strings.Repeat("\x01\x02abcdef", 100), Binary},
		"latin-1":           {strings.Repeat("caf\xe9 cr\xe8me\n", 100), ""},
		"form feeds, tabs":  {strings.Repeat("\f\n\tx\r\n", 100), ""},
		"terminal colours":  {strings.Repeat("\x1b[31mred\x1b[0m\n", 100), ""},
		"minified":          {strings.Repeat(line, 5), Minified},
		"one line":          {strings.Repeat("x", minifiedBytes), Minified},
		"short one line":    {strings.Repeat("x", minifiedBytes-1), ""},
		"a long line or so": {line + strings.Repeat("func f() {}\n", 400), ""},
	}
	for name, tt := range tests {
		if got := Classify([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: Classify = %q; want %q", name, got, tt.want)
		}
	}
}
