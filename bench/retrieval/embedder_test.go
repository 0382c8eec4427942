package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/session/llm/llmtest"
)

// TestVectors asks in words that the code does not have. Each view comes without and with vectors, which are made once.
func TestVectors(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"parse", "write", "close", "feed"} {
		files[name+".go"] = fmt.Sprintf("package p\n\n// %s %[1]ss the cat, which is %[1]sd in the morning and %[1]sd in the evening, for as\n"+
			"// long as it is hungry.\nfunc %[1]sCat() {}\n", name)
	}
	b := newTestbed(t, files)
	b.questions("", `{"query": "nourish", "category": "semantic", "relevant": ["feed.go"], "secondary": []}`)
	model := llmtest.NewEmbeddings(t, 384)
	model.Synonyms = map[string]string{"nourish": "feed", "feeds": "feed"}
	work, results := t.TempDir(), t.TempDir()
	args := []string{"-vectors", model.URL, "-vector-model", "test/model", "-work", work, "-commit", "abc", "-results", results}

	b.expect(b.run(args...), "without history without history, with vectors with history with history, with vectors",
		"NDCG@10 file 0.0 [0.0, 0.0] 100.0 [100.0, 100.0] 0.0 [0.0, 0.0] 100.0 [100.0, 100.0]")
	if texts := strings.Join(model.Texts(), "\n"); strings.Count(texts, "feed.go") != 1 || strings.Count(texts, "nourish") != 1 {
		t.Errorf("the model got %q", texts)
	}
	text, err := os.ReadFile(filepath.Join(results, "abc.json"))
	var kept struct{ Vectors string }
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Vectors != "test/model" {
		t.Errorf("the results are %s, %v", text, err)
	}

	b.commit("Another one", map[string]string{"README.md": ""}) // whose texts are the same
	b.base = b.git("rev-parse", "HEAD")
	b.questions("", `{"query": "nourish", "category": "semantic", "relevant": ["feed.go"], "secondary": []}`)
	asked := len(model.Requests())
	b.expect(b.run(args...), "NDCG@10 file 0.0 [0.0, 0.0] 100.0")
	if more := model.Requests()[asked:]; len(more) > 0 {
		t.Errorf("the model was asked again: %+v", more)
	}
	if out := b.run("-work", work); strings.Contains(out, "vectors") {
		t.Errorf("without a model the output is %s", out)
	}
}

// TestNoVectors fails if the model does not answer.
func TestNoVectors(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	model := llmtest.NewEmbeddings(t, 8)
	model.Answer = func(int, *llmtest.EmbeddingsRequest) *llmtest.Turn {
		return &llmtest.Turn{Status: http.StatusNotImplemented}
	}
	var out, log bytes.Buffer
	if code := run(t.Context(), []string{"-repos", b.repos, "-cases", b.cases, "-vectors", model.URL, "-vector-model", "m"}, &out, &log); code != 1 || !strings.Contains(log.String(), "scripted error") {
		t.Errorf("exit status %d, said %q", code, &log)
	}
}

// TestRepositories measures the cases of one repository.
func TestRepositories(t *testing.T) {
	b := newTestbed(t, cacheAndParser)
	b.change("changes/a.jsonl")
	b.write(filepath.Join(b.cases, "changes", "b.jsonl"),
		`{"id": "two", "repo": "c/d", "base_commit": "1", "subject": "s", "query": "q", "files": ["f"], "hunks": [{"file": "f"}]}`)
	b.expect(b.run("-repo", "a/b"), "changes: 1 cases")
}
