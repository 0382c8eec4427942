package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSets measures all sets in one run, with all options.
func TestSets(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	b.change("issues/a.jsonl")
	b.questions("",
		`{"query": "where memory is freed", "category": "architecture", "relevant": ["cache.go"], "secondary": []}`,
		`{"query": "Parse durations", "category": "symbol", "relevant": [{"path": "text/parse.go", "start_line": 4, "end_line": 4}], `+
			`"secondary": []}`,
	)
	b.write(filepath.Join(b.cases, "names", "a.json"), `{"p": {"repo": "a/b", "revision": "`+b.base+`", "questions": [
		{"query": "parze", "category": "one typo", "relevant": [{"path": "text/parse.go", "start_line": 4, "end_line": 4}]}]}}`)
	for set, query := range map[string]string{"traces": "panic: x\n\ngoroutine 1 [running]:\nb.Parse(...)\n",
		"settings": "Parse durations"} {
		b.write(filepath.Join(b.cases, set, "a.json"), `{"p": {"repo": "a/b", "revision": "`+b.base+`", "questions": [
			{"query": `+strconv.Quote(query)+`, "category": "go", "relevant": [{"path": "text/parse.go", "start_line": 4, "end_line": 4}]}]}}`)
	}
	predictions := t.TempDir()
	out := b.run("-shares", "-packed", "-predictions", predictions)
	for _, s := range sets[:len(sets)-2] { // without contexts and silence, which have no case here
		for _, m := range s.measures {
			b.expect(out, m.name+" 100.0 [100.0, 100.0]")
		}
	}
	b.expect(out, "changes: 1 cases", "subject full message MRR", "a/b 1 100.0 100.0 100.0 100.0",
		"change of the mean of MRR, recall@5, recall@10, hunk@10 without a channel", "path +0.0 [+0.0, +0.0] +0.0 [+0.0, +0.0]")
	b.expect(out, "questions: 2 cases", "without history with history with a typo", "all 2 100.0 100.0 83.2 54.0",
		"architecture 1 100.0 100.0 symbol 1",
		"a/b 2 100.0 100.0 83.2 54.0")
	b.checkColumn(out, "peer A", "83.2", 2)
	b.expect(out, "names: 1 cases", "by the spelling MRR unit", "one typo 1 100.0 100.0 100.0")
	b.expect(out, "issues: 1 cases", "title and body Acc@1")
	b.expect(out, "whole files 1000 100.0 [100.0, 100.0] 100.0 [100.0, 100.0] 100.0 [100.0, 100.0]",
		"cards only 2000 100.0 [100.0, 100.0] 100.0 [100.0, 100.0] 0.0 [ 0.0, 0.0]", "shipped mix 8192 100.0")
	for _, name := range []string{"changes-subject", "changes-full-message", "questions-without-history", "questions-with-history", "names-by-the-spelling",
		"traces-by-the-kind-of-report", "settings-by-the-kind-of-file", "questions-with-a-typo",
		"issues-title-and-body"} {
		b.checkPredictions(filepath.Join(predictions, name+".jsonl"))
	}
}

// TestMineNames mines names, and finds each of them however it is spelled.
func TestMineNames(t *testing.T) {
	b := newTestbed(t, map[string]string{
		"read.go": "package p\n\nfunc readConfigFile() {}\n\nfunc brief() {}\n\nfunc Twice() {}\n",
		"more.go": "package p\n\ntype MeasuredLength int\n\nfunc (MeasuredLength) repeatedly() {}\n\ntype other int\n\nfunc (other) repeatedly() {}\n",
	})
	mined := b.run("-mine-names", "a/b")
	if again := b.run("-mine-names", "a/b"); again != mined {
		t.Errorf("the second run mined\n%s\nafter\n%s", again, mined)
	}
	for _, query := range []string{"readConfigFile", "where is MeasuredLength defined?", "readconfigfile", "read_config_file",
		"measuredLength", "measured length", "readConfi"} {
		if !strings.Contains(mined, `"`+query+`"`) {
			t.Errorf("%q was not mined: %s", query, mined)
		}
	}
	if strings.Contains(mined, `"Twice"`) || strings.Contains(mined, `"repeatedly"`) {
		t.Errorf("a short name or an ambiguous one was mined: %s", mined)
	}
	b.write(filepath.Join(b.cases, "names", "a.json"), mined)
	b.expect(b.run(), "first unit 100.0 [100.0, 100.0]", "one typo, in a question, held back 2 100.0 100.0 100.0")
}

// TestMineTraces mines what a program in Go and a compiler report of a function, and finds it.
func TestMineTraces(t *testing.T) {
	b := newTestbed(t, map[string]string{
		"go.mod": "module example.com/app\n",
		"read/read.go": "package read\n\ntype Reader struct{}\n\n// Read reads.\nfunc (r *Reader) Read() error {\n" +
			"\tr.fill()\n\tif r == nil {\n\t\treturn fmt.Errorf(\"the file %s has no end\", r.name)\n\t}\n\treturn nil\n}\n",
		"brief.go": "package app\n\nfunc Brief() {}\n",
	})
	mined := b.run("-mine-traces", "a/b")
	if again := b.run("-mine-traces", "a/b"); again != mined {
		t.Errorf("the second run mined\n%s\nafter\n%s", again, mined)
	}
	for _, part := range []string{`panic: the file walnut7 has no end\n\ngoroutine 1 [running]:\n`, `/home/ci/b/read/read.go:`,
		`example.com/app/read.(*Reader).Read(...)`, `/home/me/go/pkg/mod/example.com/app@v1.9.3/read/read.go:`, `"the file walnut7 has no end"`,
		`./read/read.go:`, `"start_line": 6`} {
		if !strings.Contains(mined, part) {
			t.Errorf("%s was not mined: %s", part, mined)
		}
	}
	if strings.Contains(mined, "Brief") || strings.Contains(mined, "{") && strings.Contains(mined, "{name}") {
		t.Errorf("a function without lines or a gap was mined: %s", mined)
	}
	b.write(filepath.Join(b.cases, "traces", "a.json"), mined)
	b.expect(b.run(), "Acc@1 100.0 [100.0, 100.0]", "first unit 100.0")
}

// TestMineSettings mines questions about settings and documents, and finds each.
func TestMineSettings(t *testing.T) {
	b := newTestbed(t, map[string]string{
		"deploy.yml":   "service:\n  replicas: 3\n",
		"package.json": "{\n  \"scripts\": {\n    \"bundle\": \"x\"\n  }\n}\n",
		"docs/use.md":  "# How to install it\n\nRun it.\n\n# 1.2.3\n\nA release.\n",
	})
	mined := b.run("-mine-settings", "a/b")
	for _, part := range []string{"replicas", "bundle", "how to install it", "deploy.yml", "package.json", "docs/use.md"} {
		if !strings.Contains(mined, part) {
			t.Errorf("%s was not mined: %s", part, mined)
		}
	}
	if strings.Contains(mined, "1 2 3") {
		t.Errorf("a release was mined: %s", mined)
	}
	b.write(filepath.Join(b.cases, "settings", "a.json"), mined)
	b.expect(b.run(), "Acc@10 100.0 [100.0, 100.0]")
}

// checkColumn checks that a cell is n times below a heading.
func (b *testbed) checkColumn(out, heading, cell string, n int) {
	b.Helper()
	column := -1
	for line := range strings.Lines(out) {
		if at := strings.Index(line, heading); at >= 0 {
			column = at
		} else if column >= 0 && strings.Index(line, cell) == column {
			n--
		}
	}
	if n != 0 {
		b.Errorf("%q is not below %q in %s", cell, heading, out)
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
	s := kept.Sets[0]
	if v := s.Views[1]; s.Set != "changes" || s.Cases != 1 || v.View != "full message" || v.Groups[1].Name != "a/b" ||
		v.Figures[0] != (figure{"MRR", 100, 100, 100}) || v.Losses[0] != (figure{Name: "path"}) {
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
	b.lose("lib.bin")
	b.change("changes/a.jsonl")
	b.questions("text", `{"query": "memory", "category": "semantic", "relevant": ["text/parse.go"], "secondary": []}`)
	t.Chdir(t.TempDir())
	tree := filepath.Join("work", "a+b", b.base)
	first := b.run("-work", "work")
	if exists(filepath.Join(tree, "lib.bin")) || !exists(filepath.Join(tree, "cache.go")) || !exists(tree+".index/whole") ||
		!exists(tree+".index/text") {
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
	change("Free all memory at once\n\nIt is full.", "cache.go",
		strings.Replace(cacheAndParser["cache.go"], "Evict() {}", "Evict() { Flush() }", 1))
	change("Say how it works", "README.md", "It works.\n")
	change("Test that memory is freed", "cache_test.go", "package p\n")
	change("Add a new parser", "new.go", "package p\n")
	change("Fix it", "cache.go", "package p\n")
	change("Change what git can not compare", "lib.bin", "large")
	change("Change what git can not compare", "lib.bin", "larger")
	change("Bump version to 2.0", "cache.go", "package p // 2\n")
	b.lose("lib.bin")
	var out, log bytes.Buffer
	if code := run(t.Context(), []string{"-repos", b.repos, "-mine", "a/b", "-n", "1"}, &out, &log); code != 0 {
		t.Fatalf("exit status %d: %s", code, &log)
	}
	want := fmt.Sprintf(`"repo":"a/b","base_commit":%q,"subject":"Free all memory at once","query":"Free all memory at once\n\nIt is full.",`+
		`"files":["cache.go"],"hunks":[{"file":"cache.go","start":4,"lines":1}]}`+"\n", b.base)
	if !strings.HasSuffix(out.String(), want) || strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("the cases are %s, want %s", &out, want)
	}
	b.write(filepath.Join(b.cases, "changes", "mined.jsonl"), out.String())
	b.expect(b.run(), "changes: 1 cases", "MRR 100.0")
}
