package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// testbed has a repository a/b, and a folder for cases.
type testbed struct {
	*testing.T
	repos, cases, repo string
	base               string // the first commit
}

// newTestbed commits the files of a repository.
func newTestbed(t *testing.T, files map[string]string) *testbed {
	t.Helper()
	dir := t.TempDir()
	b := &testbed{T: t, repos: filepath.Join(dir, "repos"), cases: filepath.Join(dir, "cases")}
	b.repo = filepath.Join(b.repos, "a+b", "repo")
	if err := os.MkdirAll(b.repo, 0o755); err != nil {
		t.Fatal(err)
	}
	b.git("init", "--quiet")
	b.base = b.commit("Begin", files)
	return b
}

// commit commits files and returns the commit.
func (b *testbed) commit(message string, files map[string]string) string {
	b.Helper()
	for rel, text := range files {
		b.write(filepath.Join(b.repo, rel), text)
	}
	b.git("add", ".")
	b.git("commit", "--quiet", "--message", message)
	return b.git("rev-parse", "HEAD")
}

func (b *testbed) git(args ...string) string {
	b.Helper()
	cmd := exec.Command("git", append([]string{"-C", b.repo, "-c", "user.name=A", "-c", "user.email=a@b.c"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%s: %v: %s", cmd, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (b *testbed) write(path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// change writes a case whose change is in line 4 of cache.go.
func (b *testbed) change(file string) {
	b.Helper()
	b.write(filepath.Join(b.cases, file), fmt.Sprintf(`{"id": "one", "repo": "a/b", "base_commit": %q, "subject": "Evict less memory", "query": "Evict less memory\nand flush", "files": ["cache.go"], "hunks": [{"file": "cache.go", "start": 4, "lines": 0}]}`, b.base))
}

// questions writes questions, each as JSON, about the folder root.
func (b *testbed) questions(root string, all ...string) {
	b.Helper()
	b.write(filepath.Join(b.cases, "questions", "q.json"), fmt.Sprintf(`{"b": {"repo": "a/b", "revision": %q, "root": %q, "published": {"peer": 0.832}, "questions": [%s]}}`, b.base, root, strings.Join(all, ", ")))
}

// run runs the program with the testbed's folders, and returns what it prints.
func (b *testbed) run(args ...string) string {
	b.Helper()
	var out, log bytes.Buffer
	if code := run(b.Context(), append([]string{"-repos", b.repos, "-cases", b.cases}, args...), &out, &log); code != 0 {
		b.Fatalf("exit status %d: %s", code, &log)
	}
	return out.String()
}

// expect fails the test unless the output has each of these parts, with any number of spaces.
func (b *testbed) expect(out string, parts ...string) {
	b.Helper()
	out = strings.Join(strings.Fields(out), " ")
	for _, part := range parts {
		if !strings.Contains(out, part) {
			b.Errorf("there is no %q in %s", part, out)
		}
	}
}

var cacheAndParser = map[string]string{
	"cache.go":      "package p\n\n// Evict frees memory.\nfunc Evict() {}\n\n// Flush writes.\nfunc Flush() {}\n",
	"text/parse.go": "package text\n\n// Parse reads durations in memory.\nfunc Parse() {}\n",
}

// TestSets measures all sets in one run, with all options.
func TestSets(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	b.change("issues/a.jsonl")
	b.questions("",
		`{"query": "where memory is freed", "category": "architecture", "relevant": ["cache.go"], "secondary": []}`,
		`{"query": "Parse", "category": "symbol", "relevant": [{"path": "text/parse.go", "start_line": 4, "end_line": 4}], "secondary": []}`,
	)
	predictions := t.TempDir()
	out := b.run("-shares", "-packed", "-predictions", predictions)
	for _, s := range sets {
		for _, m := range s.measures {
			b.expect(out, m.name+" 100.0 [100.0, 100.0]")
		}
	}
	b.expect(out, "changes: 1 cases", "subject full message MRR", "a/b 1 100.0 100.0 100.0 100.0", "path +0.0 [+0.0, +0.0] +0.0 [+0.0, +0.0]",
		"change of the mean of MRR, recall@5, recall@10, hunk@10 without a channel",
		"questions: 2 cases", "without history with history", "all 2 100.0 100.0 83.2", "architecture 1 100.0 100.0 symbol 1", "a/b 2 100.0 100.0 83.2",
		"issues: 1 cases", "title and body Acc@1",
		"whole files 1000 100.0 [100.0, 100.0] 100.0 [100.0, 100.0] 100.0 [100.0, 100.0]", "cards only 2000 100.0 [100.0, 100.0] 100.0 [100.0, 100.0] 0.0 [ 0.0, 0.0]", "shipped mix 8000 100.0")
	for _, name := range []string{"changes-subject", "changes-full-message", "questions-without-history", "questions-with-history", "issues-title-and-body"} {
		b.checkPredictions(filepath.Join(predictions, name+".jsonl"))
	}
}

// checkPredictions checks that files are in the order of their first appearance.
func (b *testbed) checkPredictions(name string) {
	b.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var r ranking
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			b.Fatal(err)
		}
		var files []string
		for _, s := range r.Spans {
			if !slices.Contains(files, s.File) {
				files = append(files, s.File)
			}
		}
		if r.ID == "" || len(files) == 0 || !slices.Equal(files, r.Files) {
			b.Errorf("%s: the files of %q are %q, want %q", name, r.ID, r.Files, files)
		}
	}
}

// TestResults keeps the figures by commit.
func TestResults(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	b.change("issues/a.jsonl")
	dir := filepath.Join(t.TempDir(), "new")
	b.run("-only", "changes", "-shares", "-without", "dense", "-commit", "abc", "-results", dir)
	text, err := os.ReadFile(filepath.Join(dir, "abc.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept results
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if kept.Commit != "abc" || kept.Date.IsZero() || len(kept.Without) != 1 || len(kept.Sets) != 1 {
		t.Fatalf("the results are %s", text)
	}
	v := kept.Sets[0].Views[1]
	if kept.Sets[0].Set != "changes" || kept.Sets[0].Cases != 1 || v.View != "full message" || v.Figures[0] != (figure{"MRR", 100, 100, 100}) || v.Losses[0] != (figure{Name: "path"}) || v.Groups[1].Name != "a/b" {
		t.Errorf("the set is %s", text)
	}
}

// TestHistory asks a question to which two files fit equally well, but for the history. One view
// must not see it.
func TestHistory(t *testing.T) {
	b := newTestbed(t, map[string]string{"a.go": "package p\n\n// A has gizmos.\nfunc A() {}\n", "b.go": "package p\n\n// B has gizmos.\nfunc B() {}\n"})
	b.base = b.commit("Quench the thirst of gizmos", map[string]string{"b.go": "package p\n\n// B has gizmos.\nfunc B() {}\n\n"})
	b.questions("", `{"query": "thirst of gizmos", "category": "semantic", "relevant": ["b.go"], "secondary": []}`)
	second, loss := fmt.Sprintf("%.1f", 100*discount(1)), fmt.Sprintf("%.1f", 100*(discount(1)-1))
	b.expect(b.run("-shares", "-without", "recency"), fmt.Sprintf("NDCG@10 file %s [%[1]s, %[1]s] 100.0 [100.0, 100.0]", second),
		fmt.Sprintf("history +0.0 [+0.0, +0.0] %s [%[1]s, %[1]s]", loss))
}

// TestQuestionsOfAFolder searches only that folder, and leaves out what the revision lacks.
func TestQuestionsOfAFolder(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.questions("text",
		`{"query": "memory", "category": "semantic", "relevant": ["text/parse.go", "text/gone.go"], "secondary": []}`,
		`{"query": "memory", "category": "semantic", "relevant": ["cache.go"], "secondary": []}`,
		`{"query": "memory", "category": "semantic", "relevant": ["gone.go"], "secondary": []}`,
	)
	b.expect(b.run(), "questions: 2 cases", "NDCG@10 unit 50.0 [0.0, 100.0]", "semantic 2 50.0 50.0")
}

// TestWork keeps checkouts and indexes for the next run, also of a repository that lacks a file. A
// folder has an index of its own.
func TestWork(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.base = b.commit("Add a library", map[string]string{"lib.bin": "large"})
	object := b.git("rev-parse", "HEAD:lib.bin")
	if err := os.Remove(filepath.Join(b.repo, ".git", "objects", object[:2], object[2:])); err != nil {
		t.Fatal(err)
	}
	b.change("changes/a.jsonl")
	b.questions("text", `{"query": "memory", "category": "semantic", "relevant": ["text/parse.go"], "secondary": []}`)
	t.Chdir(t.TempDir())
	tree := filepath.Join("work", "a+b", b.base)
	first := b.run("-work", "work")
	if exists(filepath.Join(tree, "lib.bin")) || !exists(filepath.Join(tree, "cache.go")) || !exists(tree+".index/whole") || !exists(tree+".index/text") {
		t.Fatal("the tree or its indexes are not what they should be")
	}
	b.write(filepath.Join(tree, "marker"), "kept")
	if second := b.run("-work", "work"); second != first || !exists(filepath.Join(tree, "marker")) {
		t.Errorf("the second run printed %s, the first %s", second, first)
	}
}

// TestOneRunAtATime refuses a folder that another run uses.
func TestOneRunAtATime(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	work := t.TempDir()
	other, err := openCheckouts(b.repos, work)
	if err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	args := []string{"-repos", b.repos, "-cases", b.cases, "-work", work}
	if code := run(t.Context(), args, &out, &log); code != 1 || !strings.Contains(log.String(), "another run uses "+work) {
		t.Errorf("exit status %d, said %q", code, &log)
	}
	other.close()
	b.run("-work", work)
}

// TestMine mines cases and measures them.
func TestMine(t *testing.T) {
	b := newTestbed(t, map[string]string{"cache.go": cacheAndParser["cache.go"], "README.md": "", "cache_test.go": ""})
	change := func(message, rel, text string) string { return b.commit(message, map[string]string{rel: text}) }
	change("Free all memory at once\n\nIt is full.", "cache.go", strings.Replace(cacheAndParser["cache.go"], "Evict() {}", "Evict() { Flush() }", 1))
	change("Say how it works", "README.md", "It works.\n")
	change("Test that memory is freed", "cache_test.go", "package p\n")
	change("Add a new parser", "new.go", "package p\n")
	change("Fix it", "cache.go", "package p\n")
	change("Bump version to 2.0", "cache.go", "package p // 2\n")
	var out, log bytes.Buffer
	if code := run(t.Context(), []string{"-repos", b.repos, "-mine", "a/b", "-n", "1"}, &out, &log); code != 0 {
		t.Fatalf("exit status %d: %s", code, &log)
	}
	want := fmt.Sprintf(`"repo":"a/b","base_commit":%q,"subject":"Free all memory at once","query":"Free all memory at once\n\nIt is full.","files":["cache.go"],"hunks":[{"file":"cache.go","start":4,"lines":1}]}`+"\n", b.base)
	if !strings.HasSuffix(out.String(), want) || strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("the cases are %s, want %s", &out, want)
	}
	b.write(filepath.Join(b.cases, "changes", "mined.jsonl"), out.String())
	b.expect(b.run(), "changes: 1 cases", "MRR 100.0")
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-repos", "x"}, {"-cases", "x"}, {"-nonsense"}, {"-repos", "x", "-cases", "y", "z"}, {"-repos", "x", "-cases", "y", "-without", "z"},
		{"-repos", "x", "-cases", "y", "-only", "z"}, {"-repos", "x", "-cases", "y", "-results", "z"}, {"-repos", "x", "-mine", "y", "-n", "0"},
	} {
		var out, log bytes.Buffer
		if code := run(t.Context(), args, &out, &log); code != 2 || log.Len() == 0 {
			t.Errorf("%q: exit status %d, said %q", args, code, &log)
		}
	}
}

// TestBadCases says what is wrong with the folder of cases.
func TestBadCases(t *testing.T) {
	for name, test := range map[string]struct{ file, text, want string }{
		"an unknown set":         {"tasks/a.jsonl", "", "tasks is the folder of no set; the sets are changes, questions, issues"},
		"no cases":               {"changes/readme", "", "has no cases"},
		"no JSON":                {"changes/a.jsonl", "{", "a.jsonl: case 1: unexpected EOF"},
		"a lack":                 {"issues/a.jsonl", `{"id": "one"}`, "a.jsonl: case 1 needs an id, a repo"},
		"an unknown repository":  {"changes/a.jsonl", `{"id": "one", "repo": "c/d", "base_commit": "1", "subject": "s", "query": "q", "files": ["f"], "hunks": [{"file": "f"}]}`, "one: there is no repository c/d"},
		"an unknown commit":      {"changes/a.jsonl", `{"id": "one", "repo": "a/b", "base_commit": "1", "subject": "s", "query": "q", "files": ["f"], "hunks": [{"file": "f"}]}`, "one: "},
		"an unknown folder":      {"questions/a.json", `{"p": {"repo": "a/b", "revision": "BASE", "root": "gone", "questions": [{"query": "q", "category": "c", "relevant": ["cache.go"]}]}}`, "p-1: "},
		"a question with no aim": {"questions/a.json", `{"p": {"repo": "a/b", "revision": "1", "questions": [{"query": "q", "category": "c"}]}}`, "question 1 of p needs"},
		"a target of no kind":    {"questions/a.json", `{"p": {"repo": "a/b", "revision": "1", "questions": [{"query": "q", "category": "c", "relevant": [7]}]}}`, "a.json: json: cannot unmarshal number"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTestbed(t, cacheAndParser)
			b.write(filepath.Join(b.cases, test.file), strings.ReplaceAll(test.text, "BASE", b.base))
			var out, log bytes.Buffer
			if code := run(t.Context(), []string{"-repos", b.repos, "-cases", b.cases}, &out, &log); code != 1 || !strings.Contains(log.String(), test.want) {
				t.Errorf("exit status %d, said %q", code, &log)
			}
		})
	}
}
