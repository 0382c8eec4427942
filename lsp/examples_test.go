package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/lsp/lsptest"
	ploke "ploke-lsp/lsp/protocol"
)

func examples(e *lsptest.Editor) []string {
	var got ploke.ExamplesResult
	e.Call(ploke.MethodExamples, nil, &got)
	return got.Questions
}

// TestExamplesNameWhatTheFolderHas compares the questions of different folders, and asks those
// about names, which the embedded model must be able to answer.
func TestExamplesNameWhatTheFolderHas(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"the fixture's folder", map[string]string{}, []string{"What does this project do?", "Who calls square?", "Explain Circle", "Where is Rect defined?"}},
		{
			"with tests, an example and a name of several words",
			map[string]string{
				"shapes/scale.go":      "package shapes\n\n// ScaleAll scales.\nfunc ScaleAll(c Circle) Circle { return c }\n\nfunc twice(c Circle) { ScaleAll(ScaleAll(c)) }\n",
				"shapes/scale_test.go": "package shapes\n\nfunc TestSquare(t *testing.T) { square(2); ScaleAll(Circle{}) }\n",
				"examples/x.go":        "package main\n\nfunc MakeExample() { MakeExample() }\n\nfunc main() { MakeExample() }\n",
			},
			[]string{"What does this project do?", "Who calls ScaleAll?", "Explain Circle", "Which tests cover square?"},
		},
		{"names that many files declare", manyDeclaring(), []string{"What does this project do?", "Who calls square?", "Explain Circle", "Where is Rect defined?"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			for name, text := range tt.files {
				f.write(name, text)
			}
			e := f.startIndexed()
			got := examples(e)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the questions (-want +got):\n%s", diff)
			}
			if again := examples(e); !cmp.Equal(got, again) {
				t.Errorf("the questions are %q, then %q", got, again)
			}
			for _, question := range got[1:] {
				if answer := e.Ask(question); len(answer.Citations) == 0 {
					t.Errorf("%q is answered without a citation: %s", question, answer.Text)
				}
			}
		})
	}
}

func manyDeclaring() map[string]string {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("many/f%d.go", i)] = fmt.Sprintf("package many\n\nfunc CloseAll%s() {}\n", strings.Repeat(" ", i))
	}
	return files
}

func TestNoExamplesWhileNothingIsIndexed(t *testing.T) {
	f := newFixture(t)
	unlock := f.lockIndex()
	e := f.start(lsptest.Options{})
	if got := examples(e); len(got) != 0 {
		t.Errorf("while another process indexes: %q", got)
	}
	unlock()
	e.AwaitIndex()
	if got := examples(e); len(got) == 0 {
		t.Error("no questions after the first indexing")
	}
}
