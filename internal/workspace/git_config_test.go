package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// gitHome is a home folder for git with a repository in w, on the branch topic/one.
type gitHome struct {
	t    *testing.T
	home string
}

func newGitHome(t *testing.T) *gitHome {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("git is needed: ", err)
	}
	h := &gitHome{t, t.TempDir()}
	for key, value := range map[string]string{"HOME": h.home, "XDG_CONFIG_HOME": "", "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_COUNT": "0", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
		"GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": ""} {
		t.Setenv(key, value)
	}
	os.Unsetenv("GIT_CONFIG_GLOBAL")
	if err := os.Mkdir(h.path("w"), 0o700); err != nil {
		t.Fatal(err)
	}
	h.git("w", "init", "-q")
	h.git("w", "checkout", "-q", "-b", "topic/one")
	return h
}

func (h *gitHome) path(rel string) string { return filepath.Join(h.home, filepath.FromSlash(rel)) }

// write adds text to a file. HOME in it stands for the home folder.
func (h *gitHome) write(rel, text string) {
	h.t.Helper()
	appendFile(h.t, h.path(rel), strings.ReplaceAll(text, "HOME", filepath.ToSlash(h.home)))
}

func (h *gitHome) git(dir string, args ...string) string {
	h.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", h.path(dir)}, args...)...).CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// TestConditionsOfTheConfiguration compares what is read of git's configuration with what git leaves out. Each
// condition that holds leaves out a, which else is there.
func TestConditionsOfTheConfiguration(t *testing.T) {
	for name, tt := range map[string]struct {
		condition string // of an include in ~/.gitconfig
		files     map[string]string
		holds     bool
	}{
		"the folder":                     {condition: "gitdir:HOME/w/.git", holds: true},
		"the folder around it":           {condition: "gitdir:HOME/w/", holds: true},
		"the home folder":                {condition: "gitdir:~/w/", holds: true},
		"the whole home folder":          {condition: "gitdir:~/", holds: true},
		"the top is not it":              {condition: "gitdir:HOME/w"},
		"another folder":                 {condition: "gitdir:~/x/"},
		"a name anywhere":                {condition: "gitdir:w/", holds: true},
		"a part of a name":               {condition: "gitdir:/w"},
		"a star":                         {condition: "gitdir:~/*/.git", holds: true},
		"a star is one folder":           {condition: "gitdir:/*/.git"},
		"two stars":                      {condition: "gitdir:/**/.git", holds: true},
		"a set":                          {condition: "gitdir:~/[v-x]/.git", holds: true},
		"a set without the letter":       {condition: "gitdir:~/[!v-x]/.git"},
		"next to the file":               {condition: "gitdir:./w/", holds: true},
		"below the file":                 {condition: "gitdir:./", holds: true},
		"next to the file, not":          {condition: "gitdir:./x/"},
		"another case":                   {condition: "gitdir:W/"},
		"without case":                   {condition: "gitdir/i:W/", holds: true},
		"without case, next to the file": {condition: "gitdir/i:./W/.GIT", holds: true},
		"nothing":                        {condition: "gitdir:", holds: true},
		"the branch":                     {condition: "onbranch:topic/one", holds: true},
		"branches":                       {condition: "onbranch:topic/", holds: true},
		"branches of a pattern":          {condition: "onbranch:**/o?e", holds: true},
		"a star is one part":             {condition: "onbranch:*"},
		"another branch":                 {condition: "onbranch:one"},
		"no such condition":              {condition: "weather:sunny"},
		"a remote": {condition: "hasconfig:remote.*.url:https://example.com/**", holds: true,
			files: map[string]string{"w/.git/config": "[remote \"origin\"]\nurl = https://example.com/a/b\n"}},
		"a remote of later": {condition: "hasconfig:remote.*.url:**/b", holds: true,
			files: map[string]string{"w/.git/config": "[include]\npath = more\n", "w/.git/more": "[remote \"O.x\"]\nURL=a/b\n"}},
		"another remote": {condition: "hasconfig:remote.*.url:https://example.com/*",
			files: map[string]string{"w/.git/config": "[remote \"origin\"]\nurl = https://example.com/a/b\n"}},
		"no remote":               {condition: "hasconfig:remote.*.url:**"},
		"another variable":        {condition: "hasconfig:remote.*.name:**"},
		"a condition in capitals": {condition: "GitDir:w/"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newGitHome(t)
			h.write(".gitconfig", "[IncludeIf \""+tt.condition+"\"]\n\tPath = included\n")
			h.write("included", "[core]\nexcludesFile = ~/mine\n")
			h.write("mine", "a\n")
			for file, text := range tt.files {
				h.write(file, text)
			}
			expectLeftOut(t, h, "w", tt.holds)
		})
	}
}

// expectLeftOut checks that a is left out of a worktree, by git and by us, or by neither.
func expectLeftOut(t *testing.T, h *gitHome, tree string, want bool) {
	t.Helper()
	for _, file := range []string{"a", "b"} {
		appendFile(t, filepath.Join(h.path(tree), file), "")
	}
	visited := rels(walk(t, open(t, Options{}, h.path(tree)), h.path(tree)))
	if diff := cmp.Diff(strings.Fields(h.git(tree, "ls-files", "--others", "--exclude-standard")), visited,
		cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("-git +Walk:\n%s", diff)
	}
	if left := !slices.Contains(visited, "a"); left != want {
		t.Errorf("a is left out: %v, want %v", left, want)
	}
}

// TestConfigurationOfAWorktree has worktrees whose excludes are their own.
func TestConfigurationOfAWorktree(t *testing.T) {
	const excludes = "[core]\nexcludesFile = ~/mine\n"
	for name, tt := range map[string]struct {
		files     map[string]string
		main, two bool // whether a is left out
	}{
		"in the worktree's": {files: map[string]string{"w/.git/config": "[extensions]\nworktreeConfig = true\n",
			"w/.git/worktrees/two/config.worktree": excludes}, two: true},
		"in the main one's": {files: map[string]string{"w/.git/config": "[extensions]\nworktreeConfig\n",
			"w/.git/config.worktree": excludes}, main: true},
		"stronger than the shared one": {files: map[string]string{
			"w/.git/config": "[extensions]\nworktreeConfig = yes\n[core]\nexcludesFile = ~/other\n",
			"other":         "b\n", "w/.git/worktrees/two/config.worktree": excludes}, two: true},
		"not without the extension": {files: map[string]string{"w/.git/worktrees/two/config.worktree": excludes,
			"w/.git/config.worktree": excludes}},
		"the extension is off": {files: map[string]string{"w/.git/config": "[extensions]\nworktreeConfig = off\n",
			"w/.git/config.worktree": excludes}},
		"the extension of the person": {files: map[string]string{".gitconfig": "[extensions]\nworktreeConfig = true\n",
			"w/.git/config.worktree": excludes}},
		"the extension in an include": {files: map[string]string{"w/.git/config": "[include]\npath = more\n",
			"w/.git/more": "[extensions]\nworktreeConfig = true\n", "w/.git/config.worktree": excludes}},
		"by the folder of its files": {files: map[string]string{
			".gitconfig": "[includeIf \"gitdir:**/worktrees/two\"]\npath = more\n", "more": excludes}, two: true},
		"by its branch": {files: map[string]string{".gitconfig": "[includeIf \"onbranch:two\"]\npath = more\n",
			"more": excludes}, two: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newGitHome(t)
			h.git("w", "commit", "-q", "--allow-empty", "-m", "x")
			h.git("w", "worktree", "add", "-q", "-b", "two", h.path("two"))
			h.write("mine", "a\n")
			for file, text := range tt.files {
				h.write(file, text)
			}
			expectLeftOut(t, h, "w", tt.main)
			expectLeftOut(t, h, "two", tt.two)
		})
	}
}

// TestConfigurationBehindLinks has a configuration, a repository and a home folder that are links.
func TestConfigurationBehindLinks(t *testing.T) {
	for name, condition := range map[string]string{"a link": "~/link/", "where it leads": "~/w/", "the file's folder": "./w/"} {
		t.Run(name, func(t *testing.T) {
			h := newGitHome(t)
			h.write("dotfiles/config", "[includeIf \"gitdir:"+condition+"\"]\npath = more\n")
			h.write("more", "[core]\nexcludesFile = ~/mine\n")
			h.write("dotfiles/mine", "a\n")
			for link, target := range map[string]string{".gitconfig": "dotfiles/config", "mine": "dotfiles/mine", "link": "w"} {
				if err := os.Symlink(h.path(target), h.path(link)); err != nil {
					t.Fatal(err)
				}
			}
			holds := name == "where it leads" // the file's folder is that of the file without links
			byLink := outerRules(NameRules{}, h.path("link")).ignores(h.path("link/a"), false)
			if want := name != "the file's folder"; byLink != want {
				t.Errorf("a is left out of the link: %v, want %v", byLink, want)
			}
			expectLeftOut(t, h, "w", holds)
		})
	}
}

// TestWildmatchIsGits compares with git on random patterns, all in one configuration.
func TestWildmatchIsGits(t *testing.T) {
	h := newGitHome(t)
	const branch = "a/bb/-c!]/A1"
	h.git("w", "checkout", "-q", "-b", branch)
	random := rand.New(rand.NewPCG(3, 4))
	parts := []string{"a", "b", "bb", "-", "c", "!", "]", "/", "/", "A", "1", "*", "**", "?", "[", "[a-c]", "[!a]", "[^/]", "[]b]",
		"[[:alpha:]]", "[[:upper:]", "[[:x:]]", "[[:a]", "\\a", "\\*", "\\", "[\\]]", "[a-", "[+-9]", "[--c]", "**/", "/**", "***", "[a-[:x]"}
	var config strings.Builder
	var patterns []string
	for n := range 4000 {
		pattern := ""
		for range 1 + random.IntN(7) {
			pattern += parts[random.IntN(len(parts))]
		}
		if n%3 == 0 { // begin like the branch
			pattern = branch[:random.IntN(len(branch))] + pattern
		}
		patterns = append(patterns, pattern)
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern)
		fmt.Fprintf(&config, "[includeIf \"onbranch:%s\"]\npath = n/%d\n", quoted, n)
		h.write("n/"+strconv.Itoa(n), fmt.Sprintf("[x]\nn = %d\n", n))
	}
	h.write(".gitconfig", "[x]\nn = -1\n"+config.String())
	matched := strings.Fields(h.git("w", "config", "--get-all", "x.n"))
	for n, pattern := range patterns {
		w := wildmatch{steps: 10_000}
		if got, want := w.match(allBelow(pattern), branch), slices.Contains(matched, strconv.Itoa(n)); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, branch, got, want)
		}
	}
	if len(matched) < 50 {
		t.Errorf("only %d patterns match", len(matched))
	}
}

// TestConfigurationIsParsedAsByGit compares the values of a file with those that git lists.
func TestConfigurationIsParsedAsByGit(t *testing.T) {
	h := newGitHome(t)
	const config = "\uFEFF# a comment \\\n; another\n[a]one=1\n two = \" x \" y ; z\n\tthree = a\\tb\\\\\\\"\\\n  c # \\\n" +
		"four\nfive =\n[A \"Sub]\\\"s\\e\"] Six-6 = x=y # c\n[a.Dot.S]seven = \"a;b\"#c\n[b]\r\neight = 8\r\n nine = a\\\r\nb\r\n" +
		"[b \"\"]\nten=\"\n"
	h.write("config", strings.TrimSuffix(config, "ten=\"\n"))
	var got []string
	parseGitConfig([]byte(config+"[c]\neleven = 1\n"), func(v gitVariable) {
		name := v.section + "." + v.subsection + "." + v.name
		if v.subsection == "" && v.name != "ten" {
			name = v.section + "." + v.name
		}
		got = append(got, name+map[bool]string{true: "\n" + v.value}[v.valued])
	})
	want := strings.Split(strings.TrimSuffix(h.git("w", "config", "--file", h.path("config"), "--list", "-z"), "\x00"), "\x00")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-git +parsed:\n%s", diff)
	}
}

// TestHostileConfigurations has configurations that read themselves again and again. They are read within bounds, and
// what comes first counts.
func TestHostileConfigurations(t *testing.T) {
	const excludes = "[core]\nexcludesFile = ~/mine\n"
	for name, files := range map[string]map[string]string{
		"includes itself three times": {"w/.git/config": excludes + strings.Repeat("[include]\npath = config\n", 3)},
		"a circle of conditions": {
			"w/.git/config": excludes + strings.Repeat("[includeIf \"gitdir:**\"]\npath = more\n", 4),
			"w/.git/more":   strings.Repeat("[includeIf \"hasconfig:remote.*.url:**\"]\npath = config\n", 4)},
		"large files again and again": {"w/.git/config": excludes + strings.Repeat("[include]\npath = large\n", 20),
			"w/.git/large": strings.Repeat("# large\n", maxConfigBytes/8)},
		"a device":   {"w/.git/config": excludes + "[include]\npath = /dev/zero\n"},
		"a folder":   {"w/.git/config": excludes + "[include]\npath = /\n"},
		"half a set": {"w/.git/config": excludes + "[includeIf \"gitdir:[[:alpha:\"]\npath = config\n"},
		"no end":     {"w/.git/config": excludes + "[include \"" + strings.Repeat("\\", maxConfigBytes/2)},
	} {
		t.Run(name, func(t *testing.T) {
			h := newGitHome(t)
			for file, text := range files {
				h.write(file, text)
			}
			c := newGitConfig(repositoryAt(h.path("w")), h.home, nil)
			c.readAll()
			if c.excludes == nil || *c.excludes != h.path("mine") {
				t.Error("the excludes are not read")
			}
			if c.left.files < 0 || c.left.bytes < 0 {
				t.Errorf("%d files and %d bytes are left", c.left.files, c.left.bytes)
			}
		})
	}
}

// TestPatternsThatExplode counts the steps of patterns with many stars. In so many steps as it may take, a pattern matches.
func TestPatternsThatExplode(t *testing.T) {
	for pattern, text := range map[string]string{
		strings.Repeat("*a", 8) + "b":   strings.Repeat("a", 30),
		strings.Repeat("**/", 8) + "b":  strings.Repeat("a/", 20),
		strings.Repeat("/**", 8) + "/b": strings.Repeat("/a", 20),
	} {
		w := wildmatch{steps: 10_000}
		if w.match(pattern, text) || w.steps < -10_000 {
			t.Errorf("%s: %d steps are left", pattern, w.steps)
		}
		if w.match(pattern, pattern) {
			t.Errorf("%s: matches after its steps", pattern)
		}
		if w.steps = 10_000; !w.match("**/b", text+"/b") {
			t.Errorf("%s: does not match", text)
		}
	}
}
