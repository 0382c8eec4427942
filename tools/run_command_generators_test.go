//go:build linux

package tools_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestWhatTheToolsOfProjectsWriteIsProposed runs formatters, package managers and git as projects have them.
func TestWhatTheToolsOfProjectsWriteIsProposed(t *testing.T) {
	for name, tt := range map[string]struct {
		programs []string
		optional bool // no test machine must have them
		files    map[string]string
		prepare  func(*world)
		command  string
		changed  string
		texts    map[string]string // what the turn sees
	}{
		"prettier": {
			programs: []string{"node"}, prepare: withPrettier, command: `["node","node_modules/prettier/bin/prettier.cjs","--write","src"]`,
			files:   map[string]string{"package.json": "{}\n", ".prettierrc": "{\"semi\": false}\n", "src/a.ts": "export const  a = {b:1}\n;", "src/b.ts": "export const b = 1\n"},
			changed: "src/a.ts changed\n", texts: map[string]string{"src/a.ts": "export const a = { b: 1 }\n"}},
		"go mod tidy": {
			programs: []string{"go"}, command: `["go","mod","tidy"]`,
			files: map[string]string{"go.mod": "module m\n\ngo 1.21\n\nrequire (\n\tm/other v0.0.0\n\tm/unused v0.0.0\n)\n\nreplace m/other => ./other\n\nreplace m/unused => ./unused\n",
				"a.go": "package m\n\nimport _ \"m/other\"\n", "other/go.mod": "module m/other\n", "other/o.go": "package other\n",
				"unused/go.mod": "module m/unused\n", "unused/u.go": "package unused\n"},
			changed: "go.mod changed\n",
			texts:   map[string]string{"go.mod": "module m\n\ngo 1.21\n\nrequire m/other v0.0.0\n\nreplace m/other => ./other\n\nreplace m/unused => ./unused\n"}},
		"npm install": {
			programs: []string{"npm"}, command: `["npm","install","--offline","--no-audit","--no-fund","./dep"]`,
			files: map[string]string{".gitignore": "node_modules\n", "package.json": "{\n  \"name\": \"m\",\n  \"version\": \"1.0.0\"\n}\n",
				"dep/package.json": "{\"name\": \"dep\", \"version\": \"2.0.0\"}\n"},
			changed: "package-lock.json created\npackage.json changed\n",
			texts:   map[string]string{"package.json": "{\n  \"name\": \"m\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": {\n    \"dep\": \"file:dep\"\n  }\n}\n"}},
		"composer install": {
			programs: []string{"composer", "php"}, optional: true, command: `"composer install --no-interaction --no-ansi && php a.php"`,
			files: map[string]string{".gitignore": "vendor\n", "dep/composer.json": `{"name": "d/d", "version": "2.0.0", "autoload": {"psr-4": {"D\\": ""}}}`,
				"dep/D.php": "<?php\nnamespace D;\nclass D { const TWO = 2; }\n", "a.php": "<?php\nrequire 'vendor/autoload.php';\necho D\\D::TWO;\n",
				"composer.json": `{"repositories": [{"type": "path", "url": "dep"}, {"packagist.org": false}], "require": {"d/d": "2.0.0"}}`},
			changed: "composer.lock created\n"},
	} {
		if _, err := exec.LookPath(tt.programs[0]); err != nil && tt.optional {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, program := range tt.programs {
				testbed.Program(t, program)
			}
			w := commands(t, tt.files)
			if tt.prepare != nil {
				tt.prepare(w)
			}
			r := w.run(tt.command)
			if got := w.changes(r); !r.Passed || got != tt.changed {
				t.Errorf("changed %q, want %q: %+v", got, tt.changed, r)
			}
			for name, want := range tt.texts {
				if got := w.read(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			for name, text := range tt.files {
				if data, err := os.ReadFile(w.path(name)); err != nil || string(data) != text {
					t.Errorf("%s of the folder is %q, %v", name, data, err)
				}
			}
		})
	}
}

// withPrettier puts Prettier where npm would.
func withPrettier(w *world) {
	dir := os.Getenv("PLOKE_TEST_CHECK_TOOLS")
	var err error
	if dir == "" {
		err = errors.New("PLOKE_TEST_CHECK_TOOLS is not set")
	}
	testbed.Need(w.t, "what scripts/install-check-tools.sh installs", err)
	w.write(".gitignore", "node_modules\n")
	if err := os.CopyFS(w.path("node_modules/prettier"), os.DirFS(filepath.Join(dir, "node_modules/prettier"))); err != nil {
		w.t.Fatal(err)
	}
}

// TestGitSaysWhatToDoInstead in a repository whose folder can't be written. What is said to do instead does it.
func TestGitSaysWhatToDoInstead(t *testing.T) {
	t.Parallel()
	testbed.Program(t, "git")
	for command, fails := range map[string]bool{
		`["git","add","-A"]`: true, `["git","commit","-am","x"]`: true, `["git","checkout","-b","x"]`: true,
		`["git","tag","x"]`: true, `["git","config","user.name","x"]`: true,
		`["git mv old.txt new.txt || mv old.txt new.txt"]`: true, `["git","status"]`: false, `["git","show","none"]`: false,
		`["sh","-c","echo a.git/x: not found; echo x: Permission denied; exit 1"]`: false,
	} {
		w := commands(t, map[string]string{"old.txt": "one\ntwo\nthree\nfour\n", "dir/b.txt": "b\n"})
		inRepository(w)
		r := w.run(command)
		if said := strings.Contains(r.Note, "call git mv, git rm and git restore each as a command of its own"); said != fails {
			t.Errorf("%s: %+v", command, r)
		}
		if renames := w.changes(r) == "old.txt renamed to new.txt\n"; renames != strings.Contains(command, "||") {
			t.Errorf("%s: changed %q", command, w.changes(r))
		}
	}
	w := commands(t, map[string]string{"old.txt": "one\ntwo\nthree\nfour\n", "dir/b.txt": "b\n"})
	inRepository(w)
	w.write("dir/b.txt", "changed\n")
	for _, tt := range []struct{ command, changed string }{
		{`["git show HEAD:dir/b.txt > dir/b.txt"]`, "dir/b.txt changed\n"},
		{`["mv","old.txt","dir/new.txt"]`, "old.txt renamed to dir/new.txt\n"},
	} {
		r := w.run(tt.command)
		if got := w.changes(r); !strings.Contains(got, tt.changed) || strings.Contains(r.Note, "of its own") {
			t.Errorf("%s: changed %q: %+v", tt.command, got, r)
		}
	}
}

// inRepository commits the files.
func inRepository(w *world) {
	for _, arguments := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "all"}} {
		git := exec.Command("git", arguments...)
		git.Dir = w.root
		if out, err := git.CombinedOutput(); err != nil {
			w.t.Fatalf("git %v: %v: %s", arguments, err, out)
		}
	}
}

// TestGitMovesAndRemovesFiles in a repository whose folder can't be written, and stays as it is.
func TestGitMovesAndRemovesFiles(t *testing.T) {
	t.Parallel()
	testbed.Program(t, "git")
	for command, want := range map[string]string{
		`["git","mv","old.txt","dir/new.txt"]`:      "old.txt renamed to dir/new.txt\n",
		`["git mv old.txt 'a new.txt'"]`:            "old.txt renamed to a new.txt\n",
		`["git","rm","-q","old.txt"]`:               "old.txt deleted\n",
		`["git","mv","none.txt","new.txt"]`:         "",
		`["git rm -q dir/b.txt"]`:                   "dir/b.txt deleted\n",
		`["git","restore","--source=HEAD","b.txt"]`: "b.txt changed\n",
	} {
		w := commands(t, map[string]string{"old.txt": "one\ntwo\nthree\nfour\n", "dir/b.txt": "b\n", "b.txt": "b\n"})
		inRepository(w)
		w.write("b.txt", "changed\n")
		index, err := os.ReadFile(w.path(".git/index"))
		if err != nil {
			t.Fatal(err)
		}
		r := w.run(command)
		if got := w.changes(r); got != want || r.Passed != (want != "") {
			t.Errorf("%s: changed %q, want %q: %+v", command, got, want, r)
		}
		if now, err := os.ReadFile(w.path(".git/index")); err != nil || !bytes.Equal(index, now) {
			t.Errorf("%s: the index of the user's repository changed: %v", command, err)
		}
	}
}
