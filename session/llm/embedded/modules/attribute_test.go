package modules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/modules"
)

// TestAttributes sorts the lines that may name an attribute, and renames those that do.
func TestAttributes(t *testing.T) {
	tests := []struct {
		name, file, text string
		renamed, others  []string
		sets             bool
	}{
		{"Python", "a.py", `class State:
    def __init__(self, file):
        self.file: Path = file
        self.files = self.file.x, self.other.file
class Other:
    def f(self):
        self.file = 1
from x.file import y
state = State()
def g(s: State, o):
    print(state.file, o.file, mystate.file)
    return s.file
`, []string{"        self.path: Path = file", "        self.files = self.path.x, self.other.file",
			"    print(state.path, o.file, mystate.file)", "    return s.path"}, nil, true},
		{"a subclass", "a.py", "class State:\n    def __init__(self):\n        self.file = 1\n    pass\nclass Sub(State):\n    def f(self):\n" +
			"        return self.file\n", []string{"        self.path = 1"}, []string{"        return self.file"}, true},
		{"Ruby", "a.rb", "class State\n  def f\n    @file ||= 1\n    @files = @file\n  @@file = 2\ns = State.new(1)\nx.file\n",
			[]string{"    @path ||= 1", "    @files = @path"}, []string{"x.file"}, true},
		{"JavaScript", "a.js", "class State {\n  constructor() {\n    this.file = 1\n  }\n}\nconst s = new State(2)\ns.file == t.file\nt.file\n",
			[]string{"    this.path = 1", "s.path == t.file"}, []string{"t.file"}, true},
		{"only read", "a.py", "class State:\n    def f(self):\n        return self.file == 1\n    pass\n", []string{"        return self.path == 1"}, nil,
			false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := modules.Attribute{Class: "State", Name: "file", File: tt.file, First: 1, Last: 4}
			var lines []modules.Place
			for i, line := range strings.Split(tt.text, "\n") {
				lines = append(lines, modules.Place{File: tt.file, Line: i + 1, Text: line})
			}
			named, others, sets := a.Places(lines)
			var got, left []string
			for _, p := range named {
				got = append(got, a.Renamed(p, lines, "path"))
			}
			for _, p := range others {
				left = append(left, p.Text)
			}
			if d := cmp.Diff(tt.renamed, got) + cmp.Diff(tt.others, left); d != "" || sets != tt.sets {
				t.Errorf("%s sets: %v", d, sets)
			}
		})
	}
	a := modules.Attribute{Class: "State", Name: "file", File: "a.py", First: 1, Last: 3}
	if lines := []modules.Place{{"a.py", 2, "  self.path = 1"}}; !a.Takes(lines, "path") || a.Takes(lines, "pat") {
		t.Error("what is taken")
	}
}
