package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
	"ploke-lsp/session"
	"ploke-lsp/session/llm/llmtest"
)

// TestALanguageServerChecksProposals asks gopls what a proposal breaks, also where the person allows no commands. The
// answer to get_diagnostics is about the files as they are.
func TestALanguageServerChecksProposals(t *testing.T) {
	t.Parallel()
	gopls := testbed.File(t, "gopls", filepath.Join(os.Getenv("PLOKE_TEST_SERVERS"), "bin", "gopls"))
	files := map[string]string{"go.mod": "module a\n\ngo 1.24\n",
		"a.go":    "package a\n\nfunc Area(side int) int { return side }\n",
		"gone.go": "package a\n", "b/b.go": "package b\n\nimport \"a\"\n\nvar x = a.Area(1)\n\nvar y = unknown\n"}
	for name, tt := range map[string]struct {
		server, old, new string
		known, listed    string
		more             []llmtest.Call
	}{
		"broken": {gopls, "side int)", "side, other int)", "gopls: 1 new problem: /b/b.go:5:17: not enough arguments in call to a.Area have (number) want (int, int)", "by gopls v0.", nil},
		"fine":   {gopls, "return side", "return 2 * side", "gopls: passed", "by gopls v0.", nil},
		"ended":  {"/bin/false", "return side", "return 2 * side", "false: unknown: the language server has ended: exit status 1", "is not known: ", nil},
		"gone": {gopls, "return side", "return 2 * side", "gopls: unknown: it can't be shown that gone.go is removed", "by gopls v0.",
			[]llmtest.Call{toolCall("2", "delete_file", map[string]any{"file": "gone.go"})}},
		"go.mod": {gopls, "return side", "return 2 * side", "gopls: unknown: it is shown no other go.mod", "by gopls v0.",
			[]llmtest.Call{edit("2", "go.mod", "1.24", "1.23", "done")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newProven(t, fmt.Sprintf(`, "languages": {"go": {"server": [%q]}}, "proof": {"rounds": 0}`, tt.server), session.RejectAlways,
				files, llmtest.Turn{Calls: append([]llmtest.Call{edit("1", "a.go", tt.old, tt.new, "done")}, tt.more...)})
			v.ask(t, "Do it.")
			if got := v.knownWithProblems(t, v.Project); !strings.Contains(got, tt.known) || strings.Contains(got, "undefined") {
				t.Errorf("got  %s\nwant %s", got, tt.known)
			}
			answer, err := v.Project.NewToolClient(nil).Call(t.Context(), "get_diagnostics", []byte(`{"file":"b/b.go"}`))
			if err != nil || !strings.Contains(answer.Text, tt.listed) ||
				strings.Contains(answer.Text, "undefined: unknown") != (tt.server == gopls) || strings.Contains(answer.Text, "not enough") {
				t.Errorf("%v: the answer is %s", err, answer.Text)
			}
		})
	}
}
