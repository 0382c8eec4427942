package mcp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ploke-lsp/internal/config"
	"ploke-lsp/mcp"
	"ploke-lsp/project"
)

func applying(o *mcp.Options) { o.Apply = true }

// edit returns the arguments of a call that replaces text in a file.
func edit(file, old, replacement string) map[string]any {
	return map[string]any{"edits": []any{map[string]any{"file": file, "old": old, "new": replacement}}, "reason": "try it"}
}

func TestEditsAreProposed(t *testing.T) {
	w := newWorld(t, nil)
	c := w.connect(nil)
	text, first := c.call("edit", edit("greet.go", `"hello "`, `"hi "`))
	contains(t, text, "proposed, not written")
	text, _ = c.call("read", map[string]any{"file": "greet.go"})
	contains(t, text, `"hi "`, "proposed, not saved")
	_, second := c.call("edit", edit("greet.go", `"hi "`, `"hey "`))
	if first["proposal_id"] != second["proposal_id"] {
		t.Errorf("the second edit did not amend the proposal: %v, %v", first, second)
	}
	if got := w.read("greet.go"); got != greet {
		t.Errorf("the file was written: %s", got)
	}
	text, content := c.call("status", nil)
	contains(t, text, "staged: try it (greet.go)")
	if list := content["proposals"].([]any); len(list) != 1 {
		t.Errorf("%v", list)
	}
	other, _ := w.connect(nil).call("read", map[string]any{"file": "greet.go"})
	contains(t, other, `"hello "`) // each client sees its own
}

func TestEditsAreApplied(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	text, content := c.call("edit", edit("greet.go", `"hello "`, `"hi "`))
	contains(t, text, "\nwritten")
	if content["status"] != "verified" {
		t.Errorf("the status is %v", content["status"])
	}
	contains(t, w.read("greet.go"), `"hi "`)
	c.call("edit", map[string]any{"edits": []any{map[string]any{"file": "greet.go", "canon": "greetAll", "new_name": "greetEverybody"}}})
	contains(t, w.read("greet.go"), "func greetEverybody()")
}

// TestAnEditNamesASymbolAlone leaves out the path: the only symbol of a name has one, and for others one sentence says
// what to add.
func TestAnEditNamesASymbolAlone(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	c.call("edit", edit("greet.go", "package greet\n",
		"package greet\n\ntype a struct{}\n\nfunc (a) Run() {}\n\ntype b struct{}\n\nfunc (b) Run() {}\n"))
	type fields = map[string]any
	for _, call := range []fields{
		{"name": "greetAll", "new_name": "greetOne"},
		{"edits": []any{fields{"canon": "greetOne", "new_name": "greetTwo"}}},
		{"edits": fields{"symbol": "greetTwo", "new_name": "greetSome"}},
		{"edits": []any{fields{"name": "b::Run", "new_name": "Walk"}, fields{"path": "greet.go", "name": "a", "new_name": "first"}}},
	} {
		c.call("edit", call)
	}
	contains(t, w.read("greet.go"), "func greetSome()", "func (b) Walk()", "type first struct")
	c.call("edit", edit("other.go", "", "package greet\n\ntype c struct{}\n\nfunc (c) Run() {}\n"))
	var walkers strings.Builder // b has a Walk, too
	for n := range 98 {
		fmt.Fprintf(&walkers, "\ntype w%d struct{}\n\nfunc (w%d) Walk() {}\n", n, n)
	}
	c.call("edit", edit("walkers.go", "", "package greet\n"+walkers.String()))
	for want, call := range map[string]fields{
		"edits[0]: 2 symbols are called Run: add the path of one of the files: ": {"edits": []any{fields{"name": "Run", "new_name": "Go"}}},
		"edit: no symbol Nothing was found: add path, the file to change":        {"name": "Nothing", "new_name": "Go"},
		"edit: 99 symbols are called Walk: add the path of one of the files: ":   {"name": "Walk", "new_name": "Go"},
		"edits[0].path is missing": {"edits": []any{fields{"old": "x", "new": "y"}}},
	} {
		if text, _, failed := c.try("edit", call); !failed || !strings.Contains(text, want) || strings.Count(text, "\n") > 1 {
			t.Errorf("%v: %s", call, text)
		}
	}
}

func TestANewFile(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	create := func(file string) map[string]any {
		return map[string]any{"edits": []any{map[string]any{"file": file, "code": "package sub\n"}}}
	}
	text, _ := c.call("edit", create("sub/new.go"))
	contains(t, text, "sub/new.go", "\nwritten")
	contains(t, w.read("sub/new.go"), "package sub")
	for _, call := range []map[string]any{
		{"edits": []any{map[string]any{"file": "sub/content.go", "content": "package sub\n"}}},
		{"file_path": "sub/path.go", "file_text": "package sub\n"},
		{"edits": map[string]any{"path": "sub/one.go", "contents": "package sub\n"}},
	} {
		if text, _, failed := c.try("edit", call); failed || !strings.Contains(text, "\nwritten") {
			t.Errorf("%v: %s", call, text)
		}
	}
	for file, want := range map[string]string{"sub/new.go": "edits[0]", "sub": "sub is a folder", "../out.go": "outside"} {
		if text, _, failed := c.try("edit", create(file)); !failed || !strings.Contains(text, want) {
			t.Errorf("%s: %s", file, text)
		}
	}
	text, _ = c.call("edit", create("run.sh/Makefile"))
	contains(t, text, "not written: run.sh/Makefile can run or instruct a program by itself")
	text, _ = c.call("edit", create(".github/x.go"))
	contains(t, text, "not written: .github/x.go can run", "begins with a dot")
}

// TestANewFileInOtherWords creates files with the field names of other agents.
func TestANewFileInOtherWords(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	for i, fields := range []map[string]any{
		{"file": "$", "content": "x\n"},
		{"path": "$", "code": "x\n"},
		{"file_path": "$", "contents": "x\n"},
		{"filePath": "$", "newCode": "x\n"},
		{"file": "$", "file_text": "x\n", "canon": ""},
		{"file": "$", "content": "x\n", "mode": "canonical", "line": 0, "replace_all": false},
		{"file": "$", "old_string": "", "new_string": "x\n"},
		{"filename": "$", "new_content": "x\n"},
		{"target_file": "$", "fileContent": "x\n", "old": nil},
		{"file": "$", "body": "x\n", "create": true},
	} {
		file := fmt.Sprintf("new%d.md", i)
		for name, value := range fields {
			if value == "$" {
				fields[name] = file
			}
		}
		if text, _, failed := c.try("edit", map[string]any{"edits": []any{fields}}); failed || w.read(file) != "x\n" {
			t.Errorf("%v: %s", fields, text)
		}
	}
	if text, _, failed := c.try("edit", map[string]any{"changes": map[string]any{"path": "one.md", "content": "x\n"}}); failed || w.read("one.md") != "x\n" {
		t.Errorf("an edit without a list: %s", text)
	}
}

// TestNewFilesAmongOtherEdits creates files in calls that have more edits, and files without text.
func TestNewFilesAmongOtherEdits(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	type fields = map[string]any
	text, content := c.call("edit", fields{"edits": []any{fields{"file": "one.md", "content": "1\n"},
		fields{"file": "greet.go", "old": `"hello "`, "new": `"hi "`}, fields{"file": "sub/two.go", "code": "package sub\n"},
		fields{"file": "empty.md", "content": ""}}})
	contains(t, text, "one.md", "greet.go", "sub/two.go", "empty.md", "\nwritten")
	if content["status"] != "verified" {
		t.Errorf("the status is %v", content["status"])
	}
	for file, want := range map[string]string{"one.md": "1\n", "sub/two.go": "package sub\n", "empty.md": ""} {
		if got := w.read(file); got != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
	contains(t, w.read("greet.go"), `"hi "`)
	for i, empty := range []fields{{"code": ""}, {"new": ""}, {"old": "", "new": ""}, {"content": "", "canon": "", "line": 0}} {
		empty["file"] = fmt.Sprintf("empty%d.md", i)
		if text, _, failed := c.try("edit", fields{"edits": []any{empty}}); failed || w.read(empty["file"].(string)) != "" {
			t.Errorf("%v: %s", empty, text)
		}
	}
	for i, refused := range [][]any{
		{fields{"file": "a.md", "code": "a\n"}, fields{"file": "one.md", "code": "b\n"}},            // which exists
		{fields{"file": "a.md", "code": "a\n"}, fields{"file": "a.md", "code": "b\n"}},              // twice
		{fields{"file": "a.md", "code": "a\n"}, fields{"file": "../out.md", "code": "b\n"}},         // outside
		{fields{"file": "a.md", "code": "a\n"}, fields{"file": "b.md", "old": "x", "new": "b\n"}},   // no new file
		{fields{"file": "a.md", "code": "a\n"}, fields{"file": "greet.go", "old": "y", "new": "b"}}, // does not occur
		{fields{"file": "a.md", "code": "a\n", "new": "b\n"}},
		{fields{"file": "a\u202e.md", "code": "a\n"}},
		{fields{"file": "a.md"}},
		{fields{"file": "greet.go", "old": `"hi "`, "code": ""}},
	} {
		text, _, failed := c.try("edit", fields{"edits": refused})
		if _, err := os.Stat(filepath.Join(w.root, "a.md")); !failed || err == nil {
			t.Errorf("%d: %s", i, text)
		}
	}
	c.call("edit", fields{"edits": []any{fields{"file": "greet.go", "canon": "greetAll", "at": "delete", "code": ""}}})
	if got := w.read("greet.go"); strings.Contains(got, "greetAll") {
		t.Errorf("the symbol is still there: %s", got)
	}
}

func TestNewSyntaxErrorsAreNotApplied(t *testing.T) {
	w := newWorld(t, applying)
	c := w.connect(nil)
	text, content := c.call("edit", edit("greet.go", `{ return Hello("all") }`, `{ return Hello("all" }`))
	contains(t, text, "not written: the result has new syntax errors")
	if content["status"] != "staged" || w.read("greet.go") != greet {
		t.Errorf("the status is %v, the file %s", content["status"], w.read("greet.go"))
	}
	text, _ = c.call("edit", edit("greet.go", `Hello("all" }`, `Hello("everybody") }`))
	contains(t, text, "\nwritten")
	contains(t, w.read("greet.go"), `Hello("everybody") }`)
}

const makefile = "all:\n\techo old\n"

// TestFilesThatRunByThemselves has what a client answers to the question, and what follows.
func TestFilesThatRunByThemselves(t *testing.T) {
	for _, tt := range []struct {
		answer  string // "" if the client can't ask
		status  string
		written bool
		note    string
	}{
		{"", "staged", false, "not written: Makefile can run or instruct a program by itself"},
		{"accept", "verified", true, "the person agreed"},
		{"decline", "rejected", false, "the person declined"},
		{"cancel", "staged", false, "the person did not decide"},
	} {
		t.Run("answer "+tt.answer, func(t *testing.T) {
			w := newWorld(t, applying)
			w.write("Makefile", makefile)
			var asked atomic.Pointer[sdk.ElicitParams]
			options := &sdk.ClientOptions{}
			if tt.answer != "" {
				options.ElicitationHandler = func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					asked.Store(r.Params)
					return &sdk.ElicitResult{Action: tt.answer}, nil
				}
			}
			c := w.connect(options)
			text, content := c.call("edit", edit("Makefile", "echo old", "echo new\x1b[2J [a](command:b)"))
			contains(t, text, tt.note)
			if content["status"] != tt.status {
				t.Errorf("the status is %v", content["status"])
			}
			if written := strings.Contains(w.read("Makefile"), "new"); written != tt.written {
				t.Errorf("the file is %s", w.read("Makefile"))
			}
			if tt.answer != "" {
				contains(t, asked.Load().Message, "Makefile can run", "-\techo old", `+`+"\t"+`echo new\x1b[2J [a] (command:b)`)
			}
			_, content = c.call("status", nil)
			if status := content["proposals"].([]any)[0].(map[string]any)["status"]; status != tt.status {
				t.Errorf("status says %v", status)
			}
		})
	}
}

// TestTheQuestionShowsTheChange shows it in the form that the person's settings name, without secrets.
func TestTheQuestionShowsTheChange(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for preview, want := range map[string]string{"diff": "\n+\tTOKEN=PLOKE_SECRET_", "code": "\n\tTOKEN=PLOKE_SECRET_"} {
		t.Run(preview, func(t *testing.T) {
			w := newWorld(t, func(o *mcp.Options) {
				o.Apply = true
				o.Project.Settings = project.NewSettings(config.FromJSON("the test", fmt.Appendf(nil, `{"edits": {"preview": %q}}`, preview)))
			})
			w.write("Makefile", makefile+"\tTOKEN="+secret+" run\n")
			var question string
			c := w.connect(&sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				question = r.Params.Message
				return &sdk.ElicitResult{Action: "decline"}, nil
			}})
			c.call("edit", edit("Makefile", " run", " walk"))
			contains(t, question, "Apply this change?", want)
			if strings.Contains(question, secret) || strings.Contains(question, "\n-\tTOKEN") != (preview == "diff") {
				t.Error(question)
			}
		})
	}
}

func TestAnAnswerThatWasNotAskedForAppliesNothing(t *testing.T) {
	w := newWorld(t, applying)
	w.write("Makefile", makefile)
	c := w.connect(nil)
	_, content := c.call("edit", edit("Makefile", "echo old", "echo new"))
	id := content["proposal_id"].(string)
	for _, state := range []string{id, id + ".", id + "." + strings.Repeat("0", 64), "", "."} {
		result, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "edit", Arguments: edit("Makefile", "echo old", "echo newer"),
			InputResponses: sdk.InputResponseMap{"apply": &sdk.ElicitResult{Action: "accept"}}, RequestState: state})
		if err != nil {
			t.Fatal(err)
		}
		if !result.IsError || w.read("Makefile") != makefile {
			t.Errorf("state %q: %v, the file is %s", state, result.Content[0], w.read("Makefile"))
		}
	}
}

// TestAnEditThatFitsNoMoreIsTakenBack has the file change while the person is asked.
func TestAnEditThatFitsNoMoreIsTakenBack(t *testing.T) {
	w := newWorld(t, applying)
	w.write("Makefile", makefile)
	c := w.connect(&sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		w.write("Makefile", "all:\n\techo other\n")
		return &sdk.ElicitResult{Action: "accept"}, nil
	}})
	text, _, failed := c.try("edit", edit("Makefile", "echo old", "echo new"))
	if !failed {
		t.Error("the edit was made")
	}
	contains(t, text, "not written", "repeat the call")
	contains(t, w.read("Makefile"), "echo other")
	text, _ = c.call("status", nil)
	contains(t, text, "rejected: try it (Makefile): the files have changed since")
}

func TestManyCallsAtOnce(t *testing.T) {
	const functions = 24
	w := newWorld(t, applying)
	var text strings.Builder
	text.WriteString("package greet\n")
	for i := range functions {
		fmt.Fprintf(&text, "\nfunc f%d() int {\n\t// one\n\t// two\n\treturn %d\n}\n", i, i)
	}
	w.write("many.go", text.String())
	c, other := w.connect(nil), w.connect(nil)
	var all sync.WaitGroup
	for i := range functions {
		all.Go(func() {
			c.call("edit", edit("many.go", fmt.Sprintf("return %d\n", i), fmt.Sprintf("return -%d\n", i+1)))
		})
		all.Go(func() { other.call("read", map[string]any{"file": "many.go"}) })
		all.Go(func() { other.call("symbol", map[string]any{"name": "Hello"}) })
	}
	all.Wait()
	for i := range functions {
		contains(t, w.read("many.go"), fmt.Sprintf("return -%d\n", i+1))
	}
}
