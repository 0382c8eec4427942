package sandbox_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/internal/sandbox"
)

// toolchainHome returns a home folder with toolchains, caches and credentials.
func toolchainHome(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	for _, name := range []string{
		".cargo/bin/cargo", ".cargo/credentials.toml", ".rustup/toolchain", ".m2/settings.xml", ".m2/repository/a.jar", ".npmrc",
		"private/key", "go/src/private", "go/pkg/mod/m.go", ".m2/settings-work.xml", ".m2/own/password", ".gradle/init.d/password.gradle",
		".composer/auth.json",
	} {
		file := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("text of "+name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{".m2/settings-own.xml": "own/password", ".m2/settings-none.xml": "no/such"} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// TestToolchains looks at a home folder from the sandbox.
func TestToolchains(t *testing.T) {
	t.Parallel()
	home, elsewhere := toolchainHome(t), t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(elsewhere, "cache"), 0o700),
		os.WriteFile(filepath.Join(elsewhere, "cache/c"), []byte("a cache elsewhere"), 0o600)); err != nil {
		t.Fatal(err)
	}
	b := newBox(t)
	b.home = home
	b.Env = append(b.Env, "GOCACHE="+filepath.Join(elsewhere, "cache"), "PYENV_ROOT="+home, "RBENV_ROOT=relative", "NVM_DIR=/no/such/folder")
	s := newSandbox(t)
	mounts, _, err := sandbox.WithHome(s, home).Toolchains(b.Env, filepath.Join(b.dir, "caches"))
	if err != nil {
		t.Fatal(err)
	}
	b.Mounts = append(mounts, b.Mounts...)
	script := `cd "$HOME"; find . -type f | sort; cat .cargo/credentials.toml .m2/settings* .m2/own/password .composer/auth.json 2>/dev/null; cat "$GOCACHE/c"; echo
		echo script > .gradle/init.d/own.gradle && ls .gradle/init.d
		echo poisoned > go/pkg/mod/m.go && echo poisoned > "$GOCACHE/c" && cat go/pkg/mod/m.go
		echo poisoned > .rustup/toolchain`
	out, _, err := b.run(t, script)
	want := "./.cargo/bin/cargo\n./.cargo/credentials.toml\n./.composer/auth.json\n./.m2/own/password\n./.m2/repository/a.jar\n" +
		"./.m2/settings-work.xml\n./.m2/settings.xml\n./.rustup/toolchain\n./go/pkg/mod/m.go\n" +
		strings.Repeat("<settings/>\n", 2) + "{}\na cache elsewhere\nown.gradle\npoisoned\n"
	if got, refused, _ := strings.Cut(out, "sh: "); err != nil || got != want || !strings.Contains(refused, "Read-only") {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, out))
	}
	for file, text := range map[string]string{
		filepath.Join(home, "go/pkg/mod/m.go"): "text of go/pkg/mod/m.go", filepath.Join(elsewhere, "cache/c"): "a cache elsewhere",
		filepath.Join(home, ".rustup/toolchain"): "text of .rustup/toolchain", filepath.Join(home, ".m2/settings.xml"): "text of .m2/settings.xml",
	} {
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%s is %q, %v", file, got, err)
		}
	}
}

// TestToolchainsByLandlock can be read without bubblewrap, too, and their credentials not.
func TestToolchainsByLandlock(t *testing.T) {
	t.Parallel()
	home, w := toolchainHome(t), newWorld(t)
	s := sandbox.WithHome(newLandlock(t), home)
	var out bytes.Buffer
	c := w.inPlace(t)
	mounts, variables, err := s.Toolchains(c.Env, filepath.Join(w.dir, "caches"))
	if err != nil {
		t.Fatal(err)
	}
	c.Mounts, c.Env, c.Output = append(c.Mounts, mounts...), append(c.Env, variables...), &out
	c.Args = []string{"sh", "-c", `cd ` + home + `; cat .cargo/bin/cargo .m2/repository/a.jar .rustup/toolchain 2>&1; echo; ` +
		`cat .m2/settings* .m2/own/password .cargo/credentials.toml .composer/auth.json .gradle/init.d/* .npmrc private/key 2>/dev/null; ` +
		`echo hidden`}
	const want = "text of .cargo/bin/cargotext of .m2/repository/a.jartext of .rustup/toolchain\nhidden\n"
	if _, err := s.Run(t.Context(), c); err != nil || out.String() != want {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, out.String()))
	}
}

// TestGoBuildsInTheSandbox with a network of its own, from the caches of the machine.
func TestGoBuildsInTheSandbox(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.21\n", "m.go": "package m\n\nfunc Two() int { return 2 }\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(b.root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"GOROOT", "GOCACHE", "GOMODCACHE"} {
		if value, ok := os.LookupEnv(name); ok {
			b.Env = append(b.Env, name+"="+value)
		}
	}
	s := newSandbox(t)
	mounts, _, err := s.Toolchains(b.Env, filepath.Join(b.dir, "caches"))
	if err != nil {
		t.Fatal(err)
	}
	b.Mounts = append(mounts, b.Mounts...)
	if out, status, err := b.run(t, "go test ./..."); err != nil || status != 0 || !strings.HasPrefix(out, "ok") {
		t.Errorf("status %d, %v\n%s", status, err, out)
	}
}
