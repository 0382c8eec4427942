package project_test

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"testing"

	"ploke-lsp/internal/pieces"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/project"
)

// namesOf returns other names for a folder.
func namesOf(t *testing.T, dir string) []string {
	t.Helper()
	links := t.TempDir()
	link, again := filepath.Join(links, "link"), filepath.Join(links, "again")
	if err := errors.Join(os.Symlink(dir, link), os.Symlink(link, again)); err != nil {
		t.Fatal(err)
	}
	slash := string(filepath.Separator)
	names := []string{dir, link, again, link + slash, dir + slash + ".", dir + slash + "x" + slash + "..", again + slash + "." + slash}
	if runtime.GOOS == "linux" {
		self, thread := filepath.Join("/proc", "self", "root"), filepath.Join("/proc", "thread-self", "root") // both lead to the disk
		names = append(names, self+dir, thread+link, self+self+dir)
	}
	return names
}

func TestAWholeDiskIsNoProject(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	root := filepath.VolumeName(home) + string(filepath.Separator)
	for _, dir := range append(namesOf(t, home), namesOf(t, root)...) {
		var whole *project.WholeDiskError
		if err := project.CheckFolder(dir, home); !errors.As(err, &whole) || whole.Path != dir {
			t.Errorf("%s: %v", dir, err)
		}
		if err := project.CheckFolder(dir, filepath.Join(namesOf(t, home)[1], "x", "..")); err == nil {
			t.Errorf("%s is taken for a project, where home is a link", dir)
		}
	}
	for _, dir := range []string{filepath.Join(home, "x"), t.TempDir(), filepath.Join(home, "none")} {
		if err := project.CheckFolder(dir, home); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestTheHomeOfTheAccountIsNoProject has no variable that names the home folder, and one that names another.
func TestTheHomeOfTheAccountIsNoProject(t *testing.T) {
	account, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	for _, dir := range []string{account.HomeDir, namesOf(t, account.HomeDir)[1]} {
		for _, home := range []string{"", t.TempDir()} {
			if err := project.CheckFolder(dir, home); err == nil {
				t.Errorf("%s is taken for a project, where HOME is %q", dir, home)
			}
		}
	}
	if err := project.CheckFolder(t.TempDir(), ""); err != nil {
		t.Error(err)
	}
}

// TestTheHomeOfWhoUsesSudoIsNoProject is another user's for the process.
func TestTheHomeOfWhoUsesSudoIsNoProject(t *testing.T) {
	other, err := user.LookupId("1") // whose home is a folder of programs
	if err == nil {
		err = project.CheckFolder(other.HomeDir, "")
	}
	testbed.Need(t, "an account 1 that is not one's own", err)
	for _, variable := range []string{"SUDO_UID", "PKEXEC_UID"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "1")
			if err := project.CheckFolder(other.HomeDir, ""); err == nil {
				t.Errorf("%s is taken for a project", other.HomeDir)
			}
		})
	}
}

// TestAProjectLeavesOutWholeDisks opens, adds and enters the home folder by other names.
func TestAProjectLeavesOutWholeDisks(t *testing.T) {
	home := t.TempDir()
	files(t, home, map[string]string{"x/main.go": "package x\n", "notes.go": "package notes\n"})
	options := project.Options{StateDir: t.TempDir(), Settings: project.NewSettings(), KeepVectors: true, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}}
	p, err := project.Open(t.Context(), options, namesOf(t, home), &headless{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	p.Folders.Add(namesOf(t, filepath.VolumeName(home)+string(filepath.Separator)))
	p.Opened(filepath.Join(home, "notes.go"), 1, pieces.New("package notes\n"))
	if roots := p.Workspace.Roots(); len(roots) > 0 {
		t.Errorf("%v are open", roots)
	}
	p.Folders.Add([]string{filepath.Join(home, "x")})
	if roots := p.Workspace.Roots(); len(roots) != 1 {
		t.Errorf("%v are open", roots)
	}
	for _, dir := range namesOf(t, home) {
		folder, err := project.OpenFolder(t.Context(), options, dir, &headless{})
		if err == nil {
			t.Errorf("%s is open: %v", dir, folder.Close())
		}
	}
}
