package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/session/llm/llmtest"
)

const generateTitle = "ploke: generate from this comment"

// TestCommentsThatDescribeCode requests code actions at the word HERE of each text.
func TestCommentsThatDescribeCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		offered    bool
	}{
		{"a.go", "package a\n\n// HERE returns the sum.\n\nvar x int\n", true},
		{"b.go", "package a\n\n// HERE is the end.", true},
		{"c.go", "package a\n\n// One\n// HERE adds.\nfunc add(a, b int) int {\n}\n", true},
		{"d.go", "package a\r\n\r\n/*\r\n HERE adds.\r\n*/\r\nfunc add(a, b int) int {}\r\n", true},
		{"e.go", "package a\n\nfunc f() {\n\t// HERE close everything\n}\n", true},
		{"f.go", "package a\n\n// HERE adds.\nfunc add(a, b int) int { return a + b }\n", false},
		{"g.go", "package a\n\n// HERE are names.\nvar names = map[string]int{}\n", false},
		{"h.go", "package a\n\nvar x = \"// HERE\"\n", false},
		{"i.go", "package a\n\n// ploke: HERE do this\n", false},
		{"a.py", "# HERE adds\ndef add(a, b=1):\n    pass\n", true},
		{"b.py", "# HERE adds\ndef add(a, b):\n    return a\n", false},
		{"a.ts", "// HERE é漢 adds\nexport function add(a: number) {\n}\n", true},
		{"a.rb", "# HERE adds\ndef add(a)\nend\n", true},
		{"a.lua", "-- HERE adds\nlocal function add(a)\nend\n", true},
		{"a.c", "#define HERE\n\nint x;\n", false},
		{"a.md", "# HERE\n\ntext\n", false},
	} {
		f := newFixture(t)
		e := f.start(lsptest.Options{})
		path := f.path(c.name)
		e.OpenText(path, c.text)
		if offered := slices.Contains(titles(t, e, path, "HERE"), generateTitle); offered != c.offered {
			t.Errorf("offered: %v, in %s\n%s", offered, c.name, c.text)
		}
		e.Shutdown()
	}
}

func TestGenerateFromAComment(t *testing.T) {
	f := newFixture(t)
	server := f.useModel(
		llmtest.Turn{Calls: []llmtest.Call{{ID: "call_1", Name: "apply_code_edit", Arguments: `{"reason":"x","edits":[
			{"mode":"replace","file":"shapes/sum.go","old":"// Sum adds two numbers.\n","new":"// Sum adds two numbers.\nfunc Sum(a, b int) int { return a + b }\n"}]}`}}},
		llmtest.Turn{Text: []string{"Done."}},
	)
	e := f.startIndexed()
	path := f.path("shapes/sum.go")
	e.OpenText(path, "package shapes\n\n// Sum adds two numbers.\n")
	action := actionAt(t, e, path, "Sum adds", generateTitle, protocol.CodeActionContext{})
	result, _ := awaitTurn(t, e, execute(t, e, action).TurnID)
	if message, want := server.Requests()[0].Last().Content, "comment at shapes/sum.go:3 describes. Keep the comment.\n\n    // Sum adds "+
		"two numbers."; !strings.Contains(message, want) {
		t.Errorf("the message is %q, want %q", message, want)
	}
	if len(result.Proposals) != 1 {
		t.Fatalf("no single proposal: %+v", result)
	}
	e.Call(ploke.MethodProposalAccept, ploke.ProposalAcceptParams{ID: result.Proposals[0]}, nil)
	if got := e.Text(path); !strings.HasSuffix(got, "// Sum adds two numbers.\nfunc Sum(a, b int) int { return a + b }\n") {
		t.Errorf("the file is %q", got)
	}
	if err := e.Error(protocol.MethodWorkspaceExecuteCommand, &protocol.ExecuteCommandParams{Command: ploke.CommandGenerate,
		Arguments: []protocol.LSPAny{protocol.LSPAny(`{"uri":"` + string(fileURI(path)) + `"}`)}}); !strings.Contains(err.Message,
		"no comment here") {
		t.Errorf("the command elsewhere fails with %q", err.Message)
	}
}
