package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestContexts compares what is shown of an issue with the lines that are marked for it.
func TestContexts(t *testing.T) {
	filler := "// Nothing.\n" + strings.Repeat("var _ = 1 // neither this nor that is of any use to anybody who reads it\n", 400)
	b := newTestbed(t, map[string]string{
		"cache.go": "package p\n\n// Evict frees memory.\nfunc Evict() {}\n",
		"other.go": "package p\n\n" + filler,
	})
	b.write(filepath.Join(b.cases, "contexts", "a.jsonl"), fmt.Sprintf(`{"original_inst_id": "a__b-1", "base_commit": %q,
		"problem_statement": "Evict frees no memory", "gold_context": %q}`, b.base,
		`[{"file": "/testbed/cache.go", "start_line": 3, "end_line": 4}, {"file": "/testbed/other.go", "start_line": 400, "end_line": 401}]`))
	b.expect(b.run(), "contexts: 1 cases", "1000 tokens", "8192 tokens",
		"files, recall 50.0 [50.0, 50.0]", "files, precision 100.0", "files, F1 66.7",
		"lines, recall 50.0", "lines, precision 50.0", "lines, F1 50.0")
}

// TestContextRow reads rows as they are published.
func TestContextRow(t *testing.T) {
	for id, want := range map[string]string{
		"cli__cli-5973":                      "cli/cli",
		"scikit-learn__scikit-learn-25232":   "scikit-learn/scikit-learn",
		"fasterxml__jackson-core-964":        "fasterxml/jackson-core",
		"instance_NodeBB__NodeBB-" + sha:     "NodeBB/NodeBB",
		"instance_a.b__c_d-e-" + sha + "-v1": "a.b/c_d-e",
	} {
		row := contextRow{ID: id, Commit: "1", Text: "It fails\nwith this", Gold: `[
			{"file": "/workspace/cli__cli__0.1/pkg/a.go", "start_line": 7, "end_line": 9}, {"file": "pkg/a.go", "start_line": 1, "end_line": 1},
			{"file": "/testbed/b/c.py", "start_line": 2, "end_line": 2}, {"file": "./d.py", "start_line": 2, "end_line": 2}]`}
		c, err := row.testCase()
		if err != nil || c.Repo != want || c.Subject != "It fails" || !slices.Equal(c.Files, []string{"pkg/a.go", "b/c.py", "d.py"}) ||
			c.Hunks[0] != (hunk{"pkg/a.go", 7, 3}) {
			t.Errorf("%s is %+v, %v", id, c, err)
		}
	}
}

const sha = "f48ed3658aab7be0f1165d4c1f0d1d1c9f4a1b2c"

// TestContextMeasures counts each file and line once, as the evaluator does.
func TestContextMeasures(t *testing.T) {
	marked := testCase{Files: []string{"a", "b", "c"}, Hunks: []hunk{{"a", 1, 4}, {"a", 3, 2}, {"b", 1, 4}}}
	for name, test := range map[string]struct {
		c    testCase
		r    ranking
		want [6]float64
	}{
		"some": {marked, ranking{Files: []string{"a", "d"}, Spans: []span{{"a", 4, 7}, {"a", 3, 5}, {"d", 1, 5}}},
			[6]float64{1. / 3, 1. / 2, 2. / 5, 1. / 4, 1. / 5, 2. / 9}},
		"nothing is shown":  {marked, ranking{}, [6]float64{0, 1, 0, 0, 1, 0}},
		"nothing is marked": {testCase{}, ranking{Files: []string{"a"}, Spans: []span{{"a", 1, 1}}}, [6]float64{1, 0, 0, 1, 0, 0}},
	} {
		for i, m := range contextMeasures {
			if got := m.of(&test.c, &test.r); math.Abs(got-test.want[i]) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", name, m.name, got, test.want[i])
			}
		}
	}
}
