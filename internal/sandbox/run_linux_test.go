package sandbox_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/sandbox"
	"ploke-lsp/internal/testbed"
)

func TestMain(m *testing.M) {
	sandbox.Enter()
	if filepath.Base(os.Args[0]) == "call" {
		call(os.Args[1:])
	}
	shareWithAll()
	code := m.Run()
	stopSharing()
	os.Exit(code)
}

// box is a sandbox with a folder that a command may write.
type box struct {
	root string // the folder, which the command sees in an overlay
	dir  string // what is kept of it
	home string // the user's home folder; "" for the real one
	sandbox.Command
}

func newBox(t *testing.T) *box {
	t.Helper()
	dir := t.TempDir()
	b := &box{root: filepath.Join(dir, "project"), dir: dir}
	for _, name := range []string{"project", "upper", "work", "home", "temp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(b.root, "a.txt"), []byte("as it was\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Command = sandbox.Command{
		Dir: b.root, Env: []string{"PATH=" + os.Getenv("PATH")}, Home: filepath.Join(dir, "home"), Temp: filepath.Join(dir, "temp"),
		Mounts: []sandbox.Mount{{At: b.root, From: b.root, Upper: filepath.Join(dir, "upper"), Work: filepath.Join(dir, "work")}},
	}
	return b
}

// newSandbox returns the sandbox of this machine, which a test needs.
func newSandbox(t testing.TB) sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.New(nil)
	testbed.Need(t, "bubblewrap", err)
	testbed.UserNamespaces(t)
	return s
}

// run runs a shell script in the sandbox.
func (b *box) run(t *testing.T, script string) (output string, status int, err error) {
	t.Helper()
	s := newSandbox(t)
	if b.home != "" {
		s = sandbox.WithHome(s, b.home)
	}
	var out bytes.Buffer
	c := b.Command
	c.Args, c.Output = []string{"sh", "-c", script}, &out
	status, err = s.Run(t.Context(), c)
	return out.String(), status, err
}

func TestACommandWritesInItsTree(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	out, status, err := b.run(t, "echo changed > a.txt; cat a.txt; pwd; id -u; exit 7")
	if err != nil || status != 7 {
		t.Fatalf("status %d, %v\n%s", status, err, out)
	}
	if want := "changed\n" + b.root + "\n"; !strings.HasPrefix(out, want) {
		t.Errorf("got %q, want %q", out, want)
	}
	if text, err := os.ReadFile(filepath.Join(b.root, "a.txt")); err != nil || string(text) != "as it was\n" {
		t.Errorf("the folder has %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(b.dir, "upper", "a.txt")); err != nil || string(text) != "changed\n" {
		t.Errorf("the tree has %q, %v", text, err)
	}
}

// TestACommandFindsItsControlGroups where /proc says: Java fails if they are not there, and with it Gradle.
func TestACommandFindsItsControlGroups(t *testing.T) {
	t.Parallel()
	const places = "cat /proc/self/cgroup; sed -n 's/.* \\(\\S*\\) \\(\\/sys\\/fs\\/cgroup\\S*\\) .*/\\1 \\2/p' /proc/self/mountinfo"
	want, err := exec.Command("sh", "-c", places).Output()
	if err != nil {
		t.Fatal(err)
	}
	if out, status, err := newBox(t).run(t, places); err != nil || status != 0 || out != string(want) {
		t.Errorf("status %d, %v\n%s\nwant\n%s", status, err, out, want)
	}
}

// TestACommandHasItsOwnNamespaces, but for control groups, and a session of its own.
func TestACommandHasItsOwnNamespaces(t *testing.T) {
	t.Parallel()
	out, status, err := newBox(t).run(t, `for n in user mnt pid ipc uts net cgroup; do readlink /proc/self/ns/$n; done
		cut -d " " -f 6 /proc/self/stat`)
	lines := strings.Fields(out)
	if err != nil || status != 0 || len(lines) != 8 {
		t.Fatalf("status %d, %v\n%s", status, err, out)
	}
	for i, name := range []string{"user", "mnt", "pid", "ipc", "uts", "net", "cgroup"} {
		outside, err := os.Readlink("/proc/self/ns/" + name)
		if err != nil || (lines[i] == outside) != (name == "cgroup") {
			t.Errorf("%s is %s inside and %s outside, %v", name, lines[i], outside, err)
		}
	}
	if lines[7] == "0" {
		t.Error("its session is one of the machine")
	}
}
