package trial_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/trial"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	os.Exit(m.Run())
}

// bench is a tree of a folder in which commands run.
type bench struct {
	trial.Tree
	t      *testing.T
	folder string
	run    func(script string) string
}

// files are the files of the folder.
var files = map[string]string{
	"a.txt": "a\n", "b.txt": "b\n", "dir/c.txt": "c\n", "dir/d.txt": "d\n", "dir/sub/e.txt": "e\n", "run.sh": "#!/bin/sh\n", "ignored/x": "x\n",
}

// eachWay runs a test on each way to make a tree.
func eachWay(t *testing.T, test func(t *testing.T, b *bench)) {
	t.Helper()
	for name, open := range map[string]func(*testing.T, *bench, string){"overlay": openOverlay, "copy": openCopy} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{t: t, folder: t.TempDir()}
			for name, text := range files {
				b.write(name, text)
			}
			err := errors.Join(os.Chmod(filepath.Join(b.folder, "run.sh"), 0o755), os.Symlink("a.txt", filepath.Join(b.folder, "link")))
			if err != nil {
				t.Fatal(err)
			}
			open(t, b, filepath.Join(t.TempDir(), "tree"))
			test(t, b)
			for name, text := range files {
				if got, err := os.ReadFile(filepath.Join(b.folder, name)); err != nil || string(got) != text {
					t.Errorf("%s of the folder reads %q, %v", name, got, err)
				}
			}
			if err := b.Remove(); err != nil {
				t.Errorf("removing the tree: %v", err)
			}
		})
	}
}

func openOverlay(t *testing.T, b *bench, dir string) {
	o, err := trial.NewOverlay(b.folder, dir)
	if err != nil {
		t.Fatal(err)
	}
	b.Tree = o
	b.run = func(script string) string {
		return b.inSandbox(script, sandbox.Mount{At: b.folder, From: o.Lower(), Upper: o.Upper(), Work: o.Work()})
	}
}

func openCopy(t *testing.T, b *bench, dir string) {
	c, err := trial.NewCopy(b.folder, dir)
	if err != nil {
		t.Fatal(err)
	}
	b.Tree = c
	b.run = func(script string) string {
		if err := c.Refresh(t.Context(), b.list(), 1<<20); err != nil {
			t.Fatal(err)
		}
		return b.inSandbox(script, sandbox.Mount{At: b.folder, From: c.Dir(), Writable: true})
	}
	if err := c.Refresh(t.Context(), b.list(), 1<<20); err != nil {
		t.Fatal(err)
	}
}

// list returns the files of the folder that are not ignored.
func (b *bench) list() (list []string) {
	_ = fs.WalkDir(os.DirFS(b.folder), ".", func(p string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !ignored(filepath.Dir(p)) {
			list = append(list, p)
		}
		return err
	})
	return list
}

func ignored(folder string) bool { return folder == "ignored" }

func (b *bench) write(name, text string) {
	b.t.Helper()
	file := filepath.Join(b.folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// inSandbox runs a script, which must succeed, and returns its output.
func (b *bench) inSandbox(script string, tree sandbox.Mount) string {
	b.t.Helper()
	s, err := sandbox.New(nil)
	testbed.Need(b.t, "bubblewrap", err)
	testbed.UserNamespaces(b.t)
	var out bytes.Buffer
	status, err := s.Run(b.t.Context(), sandbox.Command{
		Args: []string{"sh", "-ec", script}, Dir: b.folder, Env: []string{"PATH=" + os.Getenv("PATH")}, Output: &out,
		Mounts: []sandbox.Mount{tree}, Home: b.t.TempDir(), Temp: b.t.TempDir(),
	})
	if err != nil || status != 0 {
		b.t.Fatalf("status %d, %v\n%s", status, err, &out)
	}
	return out.String()
}

func (b *bench) lay(texts ...trial.Text) {
	b.t.Helper()
	if err := b.Lay(texts); err != nil {
		b.t.Fatal(err)
	}
}

// changes returns what was changed, in a line each.
func (b *bench) changes() string {
	b.t.Helper()
	changes, err := b.Changes(ignored)
	if err != nil {
		b.t.Fatal(err)
	}
	var lines []string
	for _, c := range changes {
		if c.Gone() {
			lines = append(lines, "- "+c.Path)
			continue
		}
		text, err := b.Read(c.Path, 1<<20)
		if err != nil {
			text = []byte("(" + c.Mode.Type().String() + ")")
		}
		lines = append(lines, fmt.Sprintf("+ %s %s", c.Path, strings.TrimSpace(string(text))))
	}
	sort.Strings(lines)
	return strings.Join(lines, "; ")
}

func text(path, data string) trial.Text { return trial.Text{Path: path, Data: []byte(data)} }

func gone(path string) trial.Text { return trial.Text{Path: path, Gone: true} }

func TestWhatCommandsChange(t *testing.T) {
	testbed.Long(t)
	t.Parallel()
	for name, tt := range map[string]struct {
		laid   []trial.Text
		script string
		want   string
	}{
		"nothing":                            {nil, "cat a.txt", ""},
		"a file":                             {nil, "echo new > a.txt", "+ a.txt new"},
		"the same text":                      {nil, "cp a.txt x; cat x > a.txt; rm x", ""},
		"a time":                             {nil, "touch a.txt", ""},
		"a link's time":                      {nil, "touch -h -d 2001-01-01 link", ""},
		"a link that names another file":     {nil, "ln -sf b.txt link", "+ link (L---------)"},
		"a text of the same size and time":   {nil, "cp -p a.txt /tmp/t; echo b > a.txt; touch -r /tmp/t a.txt", "+ a.txt b"},
		"one that is moved there":            {nil, "echo b > /tmp/t; touch -r a.txt /tmp/t; cp -p /tmp/t t; mv t a.txt", "+ a.txt b"},
		"one that is copied there":           {nil, "echo b > /tmp/t; touch -r a.txt /tmp/t; cp -p /tmp/t a.txt", "+ a.txt b"},
		"one that is written in place":       {nil, "cp -p a.txt /tmp/t; printf b | dd of=a.txt conv=notrunc; touch -r /tmp/t a.txt", "+ a.txt b"},
		"another file of the same time":      {nil, "touch -r a.txt b.txt; mv b.txt a.txt", "+ a.txt b; - b.txt"},
		"two that change places":             {nil, "touch -r a.txt b.txt; mv a.txt t; mv b.txt a.txt; mv t b.txt", "+ a.txt b; + b.txt a"},
		"a laid text of the same time":       {[]trial.Text{text("a.txt", "l\n")}, "cp -p a.txt /tmp/t; echo b > a.txt; touch -r /tmp/t a.txt", "+ a.txt b"},
		"a mode":                             {nil, "chmod +x a.txt", "+ a.txt a"},
		"a new file":                         {nil, "mkdir -p new/deep; echo n > new/deep/n.txt", "+ new/deep/n.txt n"},
		"an ignored file":                    {nil, "mkdir -p ignored; echo n > ignored/y", ""},
		"a removed file":                     {nil, "rm a.txt", "- a.txt"},
		"a removed folder":                   {nil, "rm -r dir", "- dir/c.txt; - dir/d.txt; - dir/sub/e.txt"},
		"a folder made again":                {nil, "rm -r dir; mkdir dir; echo c > dir/c.txt", "- dir/d.txt; - dir/sub/e.txt"},
		"a renamed file":                     {nil, "mv a.txt z.txt", "+ z.txt a; - a.txt"},
		"a renamed folder":                   {nil, "mv dir other", "+ other/c.txt c; + other/d.txt d; + other/sub/e.txt e; - dir/c.txt; - dir/d.txt; - dir/sub/e.txt"},
		"a file for a folder":                {nil, "rm -r dir; echo f > dir", "+ dir f; - dir/c.txt; - dir/d.txt; - dir/sub/e.txt"},
		"a folder for a file":                {nil, "rm a.txt; mkdir a.txt; echo i > a.txt/i", "+ a.txt/i i; - a.txt"},
		"a link":                             {nil, "ln -s /etc/passwd l", "+ l (L---------)"},
		"a link for a file":                  {nil, "rm a.txt; ln -s /etc/passwd a.txt", "+ a.txt (L---------)"},
		"a link for a folder":                {nil, "rm -r dir; ln -s /etc dir", "+ dir (L---------); - dir/c.txt; - dir/d.txt; - dir/sub/e.txt"},
		"a pipe":                             {nil, "mkfifo p", "+ p (p---------)"},
		"a laid text":                        {[]trial.Text{text("a.txt", "laid\n")}, "grep -q laid a.txt", ""},
		"a laid text changed":                {[]trial.Text{text("a.txt", "laid\n")}, "echo more >> a.txt", "+ a.txt laid\nmore"},
		"a laid text as it was":              {[]trial.Text{text("a.txt", "laid\n")}, "echo a > a.txt", "+ a.txt a"},
		"a laid text removed":                {[]trial.Text{text("a.txt", "laid\n")}, "rm a.txt", "- a.txt"},
		"a new text":                         {[]trial.Text{text("new/deep.txt", "laid\n")}, "grep -q laid new/deep.txt", ""},
		"a new text removed":                 {[]trial.Text{text("new.txt", "laid\n")}, "rm new.txt", "- new.txt"},
		"a file that is gone":                {[]trial.Text{gone("a.txt"), gone("dir/c.txt")}, "test ! -e a.txt; test ! -e dir/c.txt; test -e dir/d.txt", ""},
		"a file that is gone and made again": {[]trial.Text{gone("a.txt")}, "echo again > a.txt", "+ a.txt again"},
		"a file that never was":              {[]trial.Text{gone("none.txt"), gone("no/folder.txt")}, "test ! -e none.txt", ""},
		"a folder without rights":            {nil, "mkdir -p locked/in; touch locked/in/x; chmod 0 locked/in; chmod +rx locked/in", "+ locked/in/x "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachWay(t, func(t *testing.T, b *bench) {
				b.lay(tt.laid...)
				b.run(tt.script)
				if got := b.changes(); got != tt.want && got != strings.TrimSpace(tt.want) {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// TestTextsThatAreNoLongerLaid read as the folder's again, and as new to a build that goes by time.
func TestTextsThatAreNoLongerLaid(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(b.folder, "a.txt"), old, old); err != nil {
			t.Fatal(err)
		}
		b.lay(text("a.txt", "laid\n"), gone("b.txt"), text("new.txt", "laid\n"))
		b.run("cp a.txt made; test ! -e b.txt")
		b.lay()
		if got := b.run("cat a.txt b.txt; test ! -e new.txt; test a.txt -nt made && echo newer"); got != "a\nb\nnewer\n" {
			t.Errorf("got %q", got)
		}
		if got := b.changes(); got != "+ made laid" {
			t.Errorf("changed: %s", got)
		}
	})
}

// TestATextThatStays is not written again, so that a build does not do its work again.
func TestATextThatStays(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		b.lay(text("a.txt", "laid\n"))
		before := b.run("stat -c %y a.txt")
		b.lay(text("a.txt", "laid\n"), text("b.txt", "laid, too\n"))
		if after := b.run("stat -c %y a.txt"); after != before {
			t.Errorf("the time was %s, is %s", before, after)
		}
	})
}

// TestTheFolderGoesOn while a tree lives: a person saves, renames and deletes. The next command sees it.
func TestTheFolderGoesOn(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		b.run("echo mine > b.txt")
		b.write("a.txt", "saved\n")
		b.write("later.txt", "later\n")
		if err := os.Rename(filepath.Join(b.folder, "dir/d.txt"), filepath.Join(b.folder, "dir/f.txt")); err != nil {
			t.Fatal(err)
		}
		if got := b.run("cat a.txt b.txt later.txt dir/f.txt; test ! -e dir/d.txt"); got != "saved\nmine\nlater\nd\n" {
			t.Errorf("got %q", got)
		}
		if got := b.changes(); got != "+ b.txt mine" {
			t.Errorf("changed: %s", got)
		}
		b.write("a.txt", "a\n")
		if err := os.Rename(filepath.Join(b.folder, "dir/f.txt"), filepath.Join(b.folder, "dir/d.txt")); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAFileThatIsSavedWithItsTime is another text for the next command, also where a command has touched the file.
func TestAFileThatIsSavedWithItsTime(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		before, err := os.Stat(filepath.Join(b.folder, "a.txt"))
		if err != nil {
			t.Fatal(err)
		}
		save := func(texts string) {
			for i, name := range []string{"a.txt", "b.txt"} {
				b.write(name, texts[i:i+1]+"\n")
				if err := os.Chtimes(filepath.Join(b.folder, name), before.ModTime(), before.ModTime()); err != nil {
					t.Fatal(err)
				}
			}
		}
		save("ab")
		for _, texts := range []string{"12", "34", "56"} {
			b.run("touch b.txt; ln b.txt linked; rm linked")
			if got := b.changes(); got != "" {
				t.Errorf("touched: %s", got)
			}
			save(texts)
			b.lay()
			if got := strings.ReplaceAll(b.run("cat a.txt b.txt"), "\n", ""); got != texts {
				t.Errorf("got %q, want %q", got, texts)
			}
		}
		save("ab")
	})
}

// TestLinksAreNotFollowed lays a text where a command has put a link out of the tree.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		outside := filepath.Join(t.TempDir(), "dir")
		if err := os.Mkdir(outside, 0o700); err != nil {
			t.Fatal(err)
		}
		b.run(fmt.Sprintf("rm -r dir a.txt; ln -s %s dir; ln -s %s/a a.txt; ln -s %s/n new.txt", outside, outside, outside))
		b.lay(text("dir/c.txt", "laid\n"), text("a.txt", "laid\n"), text("new.txt", "laid\n"))
		if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
			t.Errorf("outside is %v, %v", entries, err)
		}
		if got := b.run("cat dir/c.txt a.txt new.txt"); got != "laid\nlaid\nlaid\n" {
			t.Errorf("got %q", got)
		}
	})
}

func TestPathsOutOfATree(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		for _, path := range []string{"", ".", "../x", "/etc/passwd", "a/../../x", "dir/"} {
			if err := b.Lay([]trial.Text{text(path, "laid")}); err == nil {
				t.Errorf("a text was laid at %q", path)
			}
		}
		b.run("ln -s /etc/passwd l; mkfifo p")
		for _, path := range []string{"../x", "l", "p", "dir", "none"} {
			if text, err := b.Read(path, 1<<20); err == nil {
				t.Errorf("%s reads %.20q", path, text)
			}
		}
		b.run("echo long > a.txt")
		if _, err := b.Read("a.txt", 3); err != trial.ErrTooLarge {
			t.Errorf("a file of five bytes within three: %v", err)
		}
	})
}

func TestSize(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, b *bench) {
		before, err := b.Size()
		if err != nil {
			t.Fatal(err)
		}
		b.run("head -c 1000000 /dev/zero | tr '\\0' x > large; mkdir locked; cp large locked; chmod 500 locked")
		after, err := b.Size()
		if grown := after - before; err != nil || grown < 2_000_000 || grown > 2_200_000 {
			t.Errorf("it grew by %d bytes, %v", grown, err)
		}
	})
}

func TestACopyThatIsTooLarge(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "large"), make([]byte, 2000), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := trial.NewCopy(folder, filepath.Join(t.TempDir(), "tree"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context(), []string{"large"}, 1999); err == nil || !strings.Contains(err.Error(), "more than the") {
		t.Errorf("the error is %v", err)
	}
	if entries, err := os.ReadDir(c.Dir()); err != nil || len(entries) > 0 {
		t.Errorf("it has %v, %v", entries, err)
	}
	if err := c.Refresh(t.Context(), []string{"large"}, 2000); err != nil {
		t.Error(err)
	}
}
