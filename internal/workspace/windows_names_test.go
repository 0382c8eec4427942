package workspace

import (
	"errors"
	"strings"
	"testing"
)

func TestNamesThatWindowsReadsInAnotherWay(t *testing.T) {
	dir := tree(t, map[string]string{"file.txt": ""})
	Assume(dir, NameRules{Folds: true, Windows: true})
	w := open(t, Options{}, dir)
	for name, reason := range map[string]string{
		"NUL": "device", "nul": "device", "con.txt": "device", "sub/CoM1": "device", "COM1.tar.gz": "device", "lpt9": "device", "COM¹": "device",
		"aux .c": "device", "prn/x.go": "device", "CONIN$": "device",
		"file.txt.": "dot", "sub./x": "dot", "...": "dot", "file.txt ": "space", "sub /x": "space",
		"file.txt:stream": "colon", "file.txt::$DATA": "colon", "C:evil": "colon",
		"a<b": "<", "a>b": ">", `a"b`: `"`, "a|b": "|", "a?": "?", "*.go": "*", "a\tb": "control", "a\x01": "control",
		strings.Repeat("é", 256): "longer",
	} {
		_, err := w.Resolve(name)
		var refused *WindowsNameError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), reason) {
			t.Errorf("Resolve(%q): %v; want an error about %q", name, err, reason)
		}
		if _, err := w.ResolveNew(dir + "/" + name); !errors.As(err, &refused) {
			t.Errorf("ResolveNew of the whole path of %q: %v", name, err)
		}
		if _, err := w.Read(t.Context(), name); !errors.As(err, &refused) {
			t.Errorf("Read(%q): %v", name, err)
		}
	}
	for _, name := range []string{"file.txt", "COM12", "COM", "console.go", "null", "a.b.c", ".gitignore", "..file", "nul_", "com1x.go", "a b", "FILE~1.TXT", "sub/../file.txt", "ünïcödé", strings.Repeat("€", 70)} {
		if _, err := w.Resolve(name); err != nil {
			t.Errorf("Resolve(%q): %v", name, err)
		}
	}
}

func TestPlainWindowsPath(t *testing.T) {
	for path, want := range map[string]string{
		`c:\Users\x`: `C:\Users\x`, `C:\x`: `C:\x`, `c:/x`: `C:/x`, `\\?\c:\very\long`: `C:\very\long`,
		`\\server\share\x`: `\\server\share\x`, `\\?\UNC\server\share\x`: `\\server\share\x`, `\\?\unc\server\share\x`: `\\server\share\x`,
		`\\?\Volume{b75e2c83}\x`: "", `\\?\GLOBALROOT\Device\x`: "", `\\.\PhysicalDrive0`: "", `\\.\c:\x`: "", `\??\C:\x`: "", `\\?\UNC\.\pipe\x`: "", // devices
	} {
		got, err := plainWindowsPath(path)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("plainWindowsPath(%q) = %q, %v; want %q", path, got, err, want)
		}
	}
}
