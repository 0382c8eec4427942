package workspace

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"ploke-lsp/internal/testbed"
)

// TestSpellingsOfWindows names a file in all ways that Windows has for it.
func TestSpellingsOfWindows(t *testing.T) {
	dir := tree(t, map[string]string{`Source Files\A long name.go`: "text"})
	path := filepath.Join(dir, `Source Files\A long name.go`)
	w := open(t, Options{}, dir)
	if root := w.Roots()[0]; root != dir || root[0] < 'A' || 'Z' < root[0] {
		t.Fatalf("the root is %s, not %s", root, dir)
	}
	lower := strings.ToLower(path)
	for what, name := range map[string]string{
		"lower case": lower, "upper case": strings.ToUpper(path), "slashes": filepath.ToSlash(lower), "prefix": `\\?\` + lower,
		"prefix with slashes": `//?/` + filepath.ToSlash(path), "relative": `source files/A LONG NAME.GO`, "short": short(t, path), "parent": dir + `\x\..\source files\a long name.go`,
		"URI": "file:///" + (&url.URL{Path: filepath.ToSlash(lower)}).EscapedPath(), "URI of VS Code": "file:///" + lower[:1] + "%3A" + strings.ReplaceAll(filepath.ToSlash(path[2:]), " ", "%20"),
	} {
		if got, err := w.Resolve(name); got != path || err != nil {
			t.Errorf("%s: Resolve(%q) = %q, %v", what, name, got, err)
		}
		if got, at := text(t, w, name); got != "text" || at != path {
			t.Errorf("%s: Read(%q) = %q of %q", what, name, got, at)
		}
		w.SetBuffer(name, 1, []byte("typed"))
		if !strings.HasPrefix(what, "URI") && what != "relative" {
			if got, at := text(t, w, path); got != "typed" || at != path {
				t.Errorf("%s: the open document is %q of %q", what, got, at)
			}
		}
		w.CloseBuffer(name)
	}
	for _, root := range []string{strings.ToLower(dir), short(t, dir), `\\?\` + dir} {
		if err := w.AddRoot(root); err != nil || len(w.Roots()) != 1 {
			t.Errorf("AddRoot(%q): %v, the roots are %q", root, err, w.Roots())
		}
	}
}

// short returns the short form of a path, such as C:\PROGRA~1.
func short(t *testing.T, path string) string {
	t.Helper()
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	var into [windows.MAX_PATH]uint16
	n, err := windows.GetShortPathName(name, &into[0], uint32(len(into)))
	if err != nil {
		t.Fatal(err)
	}
	return windows.UTF16ToString(into[:n])
}

// TestNamesThatWindowsGivesAnotherMeaning checks that none reaches the disk.
func TestNamesThatWindowsGivesAnotherMeaning(t *testing.T) {
	dir := tree(t, map[string]string{"file.txt": "text"})
	w := open(t, Options{}, dir)
	var refused *WindowsNameError
	for _, name := range []string{"NUL", "con.txt", "COM1", "file.txt.", "file.txt ", "file.txt:stream", "file.txt::$DATA", `file.txt?`} {
		for _, name := range []string{name, dir + `\` + name, `\\?\` + dir + `\` + name} {
			if got, err := w.Resolve(name); !errors.As(err, &refused) {
				t.Errorf("Resolve(%q) = %q, %v", name, got, err)
			}
		}
	}
	for _, name := range []string{`\\.\NUL`, `\\.\C:\x`, `\\?\GLOBALROOT\Device\Null`, `\\server\share`, `\\server\share\x`, `\\?\UNC\server\share\x`} {
		if got, err := w.Resolve(name); err == nil {
			t.Errorf("Resolve(%q) = %q", name, got)
		}
	}
}

// TestJunctionsDoNotLeadOut reads through a junction, which needs no right to be made.
func TestJunctionsDoNotLeadOut(t *testing.T) {
	outside := tree(t, map[string]string{"c.go": canary})
	dir := tree(t, map[string]string{`a\b.go`: "inside"})
	for name, target := range map[string]string{"out": outside, "in": filepath.Join(dir, "a")} {
		output, err := exec.Command("cmd", "/c", "mklink", "/J", filepath.Join(dir, name), target).CombinedOutput()
		if _, stat := os.Lstat(filepath.Join(dir, name)); err == nil && stat != nil {
			err = errors.New(string(output))
		}
		testbed.Need(t, "junctions", err)
	}
	w := open(t, Options{}, dir)
	var outsideErr *OutsideError
	if _, err := w.Read(t.Context(), `out\c.go`); !errors.As(err, &outsideErr) {
		t.Errorf("a junction leads out: %v", err)
	}
	if got, path := text(t, w, `in\b.go`); got != "inside" || path != filepath.Join(dir, `a\b.go`) {
		t.Errorf("a junction within the folder: %q of %s", got, path)
	}
	if got := rels(walk(t, w, dir)); len(got) == 0 || got[0] != "a/b.go" {
		t.Errorf("Walk visits %q", got)
	}
}
