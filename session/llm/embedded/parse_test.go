package embedded

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/messages"
)

func TestParseInstruction(t *testing.T) {
	tests := []struct {
		message string
		want    instruction
	}{
		{"rename Foo to Bar", rename{from: "Foo", to: "Bar"}},
		{"Rename `Foo` to `Bar`.", rename{from: "Foo", to: "Bar"}},
		{"please rename the function \"foo\" to 'bar'!", rename{from: "foo", to: "bar"}},
		{"rename method Server.Run() to Serve", rename{from: "Server::Run", to: "Serve"}},
		{"rename Server::Run to Serve", rename{from: "Server::Run", to: "Serve"}},
		{"ok, let's rename Foo to Bar, thanks!", rename{from: "Foo", to: "Bar"}},
		{"I want the func Foo to be called Bar", rename{from: "Foo", to: "Bar"}},
		{"I want the ServeHTTP method of Handler to be called Handle", rename{from: "Handler::ServeHTTP", to: "Handle"}},
		{"let's call Foo Bar from now on", rename{from: "Foo", to: "Bar"}},
		{"Foo's name should be Bar", question{}},
		{"change Foo's name to Bar!", rename{from: "Foo", to: "Bar"}},
		{"Foo should be removed", remove{target{name: "Foo"}}},
		{"Foo must move to a.go", move{target{name: "Foo"}, "a.go"}},
		{"Foo needs a doc comment", document{target: target{name: "Foo"}}},
		{"in comments, replace 'a' with 'b'", replace{old: "a", text: "b"}},
		{"there is a bug in the parser, please fix it", refusal{"fix"}},
		{"what is a bug, and is it bad?", question{}},
		{"Foo should be named Bar", rename{from: "Foo", to: "Bar"}},
		{"could we change the name of Foo to Bar", rename{from: "Foo", to: "Bar"}},
		{"get rid of the function Foo", remove{target{name: "Foo"}}},
		{"we should get rid of everything", question{}},
		{"please move Foo over to a/b.go", move{target{name: "Foo"}, "a/b.go"}},
		{"create hello.txt with hi", create{"hello.txt", "hi\n"}},
		{"make a file hello.md containing hi there", create{"hello.md", "hi there\n"}},
		{"create notes.md with a summary of the code", refusal{"create"}},
		{"create file NOTES.md with the text hello moshi folks", create{"NOTES.md", "hello moshi folks\n"}},
		{"make NOTES.md with the words hello folks", create{"NOTES.md", "hello folks\n"}},
		{"create a file called a.txt with content hello", create{"a.txt", "hello\n"}},
		{"add a.txt with the following line hello folks", create{"a.txt", "hello folks\n"}},
		{"create a.txt with the text of the license", refusal{"create"}},
		{"create a.txt with the contents from README.md", refusal{"create"}},
		{"create a.go with the text hello", refusal{"create"}},
		{"create a/README.md with a line saying that all handlers live here", create{"a/README.md", "All handlers live here.\n"}},
		{"create NOTES.txt with one short line that says: it is old!", create{"NOTES.txt", "It is old!\n"}},
		{"create a.md saying that the tests are slow", create{"a.md", "The tests are slow.\n"}},
		{"create a.md with a line saying what the folder is for", refusal{"create"}},
		{"create a.go with a line saying that it is old", refusal{"create"}},
		{"swap every 'a' for 'b' in a.go", replace{old: "a", text: "b", in: scope{file: "a.go"}}},
		{"in a.go, replace 'a' with 'b'", replace{old: "a", text: "b", in: scope{file: "a.go"}}},
		{"replace all 'a' in a.go with 'b'", replace{old: "a", text: "b", in: scope{file: "a.go"}}},
		{"substitute 'a' for 'b' in a.go", question{}},
		{"rename function to fn", rename{from: "function", to: "fn"}},
		{"rename grüße to hallo", rename{from: "grüße", to: "hallo"}},
		{"rename Foo to Bar and Baz to Qux", refusal{"rename"}},
		{"rename Foo to a better name", refusal{"rename"}},
		{"rename Foo to Bar::Baz", refusal{"rename"}},
		{"rename `Foo", refusal{"rename"}},
		{"can you rename the worst names?", refusal{"rename"}},

		{"replace \"a b\" with \"c\" in main.go", replace{old: "a b", text: "c", in: scope{file: "main.go"}}},
		{"Replace `x := \"1\"` by `x := '2'` in the file 'my dir/a.go'.", replace{old: `x := "1"`, text: `x := '2'`,
			in: scope{file: "my dir/a.go"}}},
		{"replace 'gone' with '' in ./pkg/a.go.", replace{old: "gone", in: scope{file: "./pkg/a.go"}}},
		{"replace\n```go\nif a {\n}\n```\nwith\n```\nif b {\n}\n```\nin a.go", replace{old: "if a {\n}", text: "if b {\n}",
			in: scope{file: "a.go"}}},
		{"replace '' with 'x' in a.go", refusal{"replace"}},
		{"replace a with b in a.go", replace{old: "a", text: "b", in: scope{file: "a.go"}}},
		{"replace the word a with b in a.go", replace{old: "a", text: "b", in: scope{file: "a.go"}, part: wholeWords}},
		{"replace all of \"a\" with \"b\" in a.go", replace{old: "a", text: "b", in: scope{file: "a.go"}, part: everywhere}},
		{"change all 'a' to 'b' in src/", replace{old: "a", text: "b", in: scope{dir: "src"}}},
		{"replace 'a' with 'b'", askWhere{"a", "b"}},
		{"replace a with b everywhere", askWhere{"a", "b"}},
		{"change the port to 2020", refusal{"change"}},
		{"replace 'a' with 'b' in a.go and b.go", refusal{"replace"}},

		{"create notes.md with \"hello\"", create{"notes.md", "hello\n"}},
		{"create a new file docs/x.txt with the following text: one. two.", create{"docs/x.txt", "one. two.\n"}},
		{"create the file `a.go` containing the following code:\n```go\npackage a\n\nvar x = 1\n```", create{"a.go", "package a\n\nvar x = 1\n"}},
		{"create file Makefile with ``` \nall:\n```", create{"Makefile", "all:\n"}},
		{"create a.go with a function that parses dates", refusal{"create"}},
		{"create a parser", refusal{"create"}},
		{"create hello.ts with export const hello = 1", create{"hello.ts", "export const hello = 1\n"}},
		{"create notes with export const hello = 1", refusal{"create"}},

		{`swap every "a" for "b" in lib/`, replace{old: "a", text: "b", in: scope{dir: "lib"}}},
		{"swap the two columns", refusal{"swap"}},
		{"rename Foo to Bar in a/b.go", rename{from: "Foo", to: "Bar", file: "a/b.go"}},
		{`replace every "a" in the lib folder with "b"`, replace{old: "a", text: "b", in: scope{dir: "lib"}}},
		{`add the comment "Runs it." to Server.Run`, document{target{name: "Server::Run"}, "Runs it."}},

		{"replace 'a' with 'b' in comments", replace{old: "a", text: "b"}},
		{"replace 'a' with 'b' in the folder src/x", replace{old: "a", text: "b", in: scope{dir: "src/x"}}},
		{"replace 'a' with 'b' in src/", replace{old: "a", text: "b", in: scope{dir: "src"}}},
		{"replace 'a' with 'b' in the src folder", replace{old: "a", text: "b", in: scope{dir: "src"}}},
		{"replace 'a\nb' with 'b' in comments", replace{old: "a\nb", text: "b"}},

		{"delete the function Foo", remove{target{name: "Foo"}}},
		{"delete the sort_params method", remove{target{name: "sort_params"}}},
		{"rename the sort_params method to order", rename{from: "sort_params", to: "order"}},
		{"remove Server.Run from a/b.go.", remove{target{name: "Server::Run", file: "a/b.go"}}},
		{"delete it", refusal{"delete"}},
		{"delete main.go", refusal{"delete"}},
		{"delete all the unused functions", refusal{"delete"}},

		{"Explain `Server::Run` in pkg/server.go", explain{target: target{name: "Server::Run", file: "pkg/server.go"}}},
		{"explain the type Server.", explain{target: target{name: "Server"}}},
		{"explain Server in \"/a b/c.go\"", explain{target: target{name: "Server", file: "/a b/c.go"}}},
		{"explain Server in simple words", question{}},
		{"explain this", talk{"which one"}},
		{"explain how the parser works", question{}},

		{"How are files created?", question{}},
		{"replace what with what?", question{}},
		{"Where is the test for rename?", relation{target{name: "rename"}, "tests", true}},
		{"where does indexing start", question{}},
		{"Document `Foo` in a.go", document{target: target{name: "Foo", file: "a.go"}}},
		{"add a doc comment to Foo", document{target: target{name: "Foo"}}},
		{"add a docstring to the method A.foo in a.py: Returns x: y.", document{target{name: "A::foo", file: "a.py"}, "Returns x: y."}},
		{"add a comment to Foo that says 'is foo'", document{target{name: "Foo"}, "is foo"}},
		{"document everything in it", refusal{"document"}},

		{"move Foo to a/b.go", move{target{name: "Foo"}, "a/b.go"}},
		{"move the function Foo from a.go to b.go", move{target{name: "Foo", file: "a.go"}, "b.go"}},
		{"move Foo to a better place", refusal{"move"}},
		{"rename Foo in a.go to Bar", rename{from: "Foo", to: "Bar", file: "a.go"}},
		{"rename foo in Bar to baz", rename{from: "Bar::foo", to: "baz"}},
		{"rename the method ServeHTTP of the Handler interface to Handle", rename{from: "Handler::ServeHTTP", to: "Handle"}},
		{"rename only Handler.Serve to Handle", rename{from: "Handler::Serve", to: "Handle", implementers: "only"}},
		{"rename Handler.Serve and its implementers to Handle", rename{from: "Handler::Serve", to: "Handle", implementers: "with"}},
		{"fix the bug", refusal{"fix"}},
		{"Write a test for Foo", refusal{"write"}},
		{"could you please refactor this?", refusal{"refactor"}},
		{"added lines are where?", question{}},
	}
	for _, tt := range tests {
		t.Run(tt.message, func(t *testing.T) {
			if d := cmp.Diff(tt.want, parseInstruction(tt.message), cmp.AllowUnexported(rename{}, replace{}, create{}, scope{}, askWhere{}, move{},
				document{}, remove{}, explain{}, question{}, refusal{}, relation{}, target{}, show{}, talk{}, overview{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMessageWithoutItsSnippets(t *testing.T) {
	tests := []struct{ text, want string }{
		{"why?", "why?"},
		{"<code=\"/a.go\" #3:4>\na\n</code>\n</code>\n\nwhy?", "why?"},
		{"<code=\"/a \\\"b\\\".go\" #1:1>\na\n</code>\n\n<code=\"/b.go\" #1:0>\n</code>\n\nwhy\n\nnot?", "why\n\nnot?"},
		{"<code=\"/a.go\" #1:9>\na\n</code>\n\nwhy?", "<code=\"/a.go\" #1:9>\na\n</code>\n\nwhy?"},
		{"look at <code=\"/a.go\" #1:1>\na\n</code>", "look at <code=\"/a.go\" #1:1>\na\n</code>"},
	}
	for _, tt := range tests {
		if got := messages.WithoutSnippets(tt.text); got != tt.want {
			t.Errorf("%q: got %q", tt.text, got)
		}
	}
}

func TestFilesWithSecrets(t *testing.T) {
	for path, want := range map[string]bool{".env": true, "a/.env.local": true, "id_rsa": true, "k/server.pem": true,
		"config/secrets.yml": true, "credentials.json": true,
		"secrets.go": false, "env.go": false, "keys/key.go": false, "monkey": false} {
		if got := secretFile.MatchString(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
