package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

func TestReadKeepsTheText(t *testing.T) {
	tests := map[string]struct {
		disk, text string
		bom        bool
	}{
		"empty":      {"", "", false},
		"plain":      {"a\nb\n", "a\nb\n", false},
		"crlf":       {"a\r\nb\r\n", "a\r\nb\r\n", false},
		"bom":        {"\xef\xbb\xbfa\r\n", "a\r\n", true},
		"only a bom": {"\xef\xbb\xbf", "", true},
		"mixed":      {"caf\xe9 caf\xc3\xa9\n", "caf\xe9 caf\xc3\xa9\n", false},
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
			w := open(t, Options{}, dir)
			for range 2 { // the second time by its encoding, which is known
				if got := parts(t, w, dir+"/f", len(tt.text)); got != tt.text {
					t.Errorf("parts of the text are %q", got)
				}
			}
			info, _ := os.Stat(dir + "/f")
			if !f.ModTime.Equal(info.ModTime()) {
				t.Errorf("ModTime = %v; want the file's, %v", f.ModTime, info.ModTime())
			}
		})
	}
}

// parts reads a text of the given length in two parts. It also checks that parts outside
// the text fail.
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
	var buf []byte
	for _, part := range []struct {
		start, end int
		want       []byte
	}{{length / 2, length, second}, {0, length / 2, first}, {length / 2, length, second}} {
		if got, err := text.PartInto(&buf, part.start, part.end); err != nil || string(got) != string(part.want) {
			t.Errorf("in the memory of other parts, %q is %q, error %v", part.want, got, err)
		}
	}
	for _, bad := range [][2]int{{length, length + 1}, {-1, 0}, {1, 0}} {
		if part, err := text.Part(bad[0], bad[1]); err == nil {
			t.Errorf("part %v of a text of %d bytes is %q", bad, length, part)
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
	testbed.Need(t, "named pipes in folders", testbed.NamedPipe(dir+"/pipe"))
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
		t.Errorf("Read with a cancelled context: %v", err)
	}
}

// refusesToOpen checks that Open fails with the same error as Read.
func refusesToOpen(t *testing.T, w *Workspace, path string, want error) {
	t.Helper()
	_, err := w.Open(t.Context(), path)
	if err == nil || err.Error() != want.Error() {
		t.Errorf("Open(%s): %v; want Read's error, %v", path, err, want)
	}
}
