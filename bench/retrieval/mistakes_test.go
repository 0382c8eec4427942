package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-repos", "x"}, {"-cases", "x"}, {"-nonsense"}, {"-repos", "x", "-cases", "y", "z"}, {"-repos", "x", "-cases", "y", "-without", "z"},
		{"-repos", "x", "-cases", "y", "-only", "z"}, {"-repos", "x", "-cases", "y", "-results", "z"}, {"-repos", "x", "-mine", "y", "-n", "0"},
		{"-repos", "x", "-cases", "y", "-vectors", "z"}, {"-repos", "x", "-cases", "y", "-vector-model", "z"},
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
		"an unknown set":         {"tasks/a.jsonl", "", "tasks is the folder of no set; the sets are changes, questions, names, traces, settings, issues, contexts, silence"},
		"no cases":               {"changes/readme", "", "has no cases"},
		"no JSON":                {"changes/a.jsonl", "{", "a.jsonl: case 1: unexpected EOF"},
		"a lack":                 {"issues/a.jsonl", `{"id": "one"}`, "a.jsonl: case 1 needs an id, a repo"},
		"a lack of a kind":       {"silence/a.jsonl", `{"id": "one", "repo": "a/b", "base_commit": "1", "query": "q"}`, "a.jsonl: case 1 needs an id"},
		"a row without a text":   {"contexts/a.jsonl", `{"original_inst_id": "a__b-1", "base_commit": "1"}`, "a.jsonl: row 1: it needs an original_inst_id"},
		"a row of another form":  {"contexts/a.jsonl", `{"original_inst_id": "a/b", "base_commit": "1", "problem_statement": "q"}`, "a.jsonl: row 1: it needs an original_inst_id"},
		"a row without lines":    {"contexts/a.jsonl", `{"original_inst_id": "a__b-1", "base_commit": "1", "problem_statement": "q", "gold_context": "[]"}`, "a.jsonl: row 1: its gold_context marks no lines"},
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
