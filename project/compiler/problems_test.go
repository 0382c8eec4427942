package compiler

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// lines returns problems in lines.
func (f *fixture) lines(r *Report) (all []string) {
	for _, p := range r.Problems {
		all = append(all, f.ws.Rel(p.Path)+": "+p.Message)
	}
	slices.Sort(all)
	return all
}

// TestProblems asks the real gopls what is wrong with files as they are, and with others laid over them, one of which is
// new. Afterwards it has the files as they are.
func TestProblems(t *testing.T) {
	t.Parallel()
	program := testbed.File(t, "gopls", filepath.Join(os.Getenv(serversVariable), "bin", "gopls"))
	f := serve(t, []string{program}, map[string]string{
		"go.mod": "module a\n\ngo 1.24\n",
		"a.go":   "package a\n\nfunc Area(side int) int { return side * side }\n",
		"b/b.go": "package b\n\nimport \"a\"\n\nvar x = a.Area(1)\n\nvar unknown = y\n"}, nil)
	a, b, c := filepath.Join(f.root, "a.go"), filepath.Join(f.root, "b", "b.go"), filepath.Join(f.root, "c.go")
	now, err := f.Problems(t.Context(), b)
	if err != nil || now.Readiness != Complete || !slices.Equal(f.lines(now), []string{"b/b.go: undefined: y"}) {
		t.Fatalf("now: %v, %v", now, err)
	}
	if p := now.Problems[0]; p.Line != 7 || p.Column != 15 || p.EndColumn != 16 || p.Severity != 1 || p.Source != "compiler" ||
		p.Code != "UndeclaredName" {
		t.Errorf("the problem is %+v", p)
	}
	before, after, err := f.LayOver(t.Context(), []Text{{a, []byte("package a\n\nfunc Area(side, other int) int { return side * fresh }\n")},
		{c, []byte("package a\n\nconst fresh = \"\"\n")}}, []string{a, b, c})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("before %v, after %v", before.Took, after.Took)
	if got := f.lines(before); !slices.Equal(got, []string{"b/b.go: undefined: y"}) {
		t.Errorf("before: %q", got)
	}
	got := strings.Join(f.lines(after), "\n")
	if !strings.Contains(got, "a.go: invalid operation") || !strings.Contains(got, "b/b.go: not enough arguments in call to a.Area") {
		t.Errorf("after: %s", got)
	}
	if now, err = f.Problems(t.Context(), a); err != nil || len(now.Problems) != 0 {
		t.Errorf("afterwards: %v, %v", now, err)
	}
}

// TestProblemLies asks servers that report the problems of other texts, too many, or none. No answer is never "clean".
func TestProblemLies(t *testing.T) {
	t.Parallel()
	for lie, want := range map[string]string{
		"answers":                      "no",
		"publishes":                    "no",
		"publishes much":               "no",
		"publishes nothing":            ErrUnreported.Error(),
		"publishes without a version":  ErrUnreported.Error(),
		"publishes for other versions": ErrUnreported.Error(),
		"publishes words":              "wrong form",
	} {
		t.Run(lie, func(t *testing.T) {
			t.Parallel()
			f := serve(t, liars(lie), map[string]string{"a.go": source}, nil)
			q := f.at(t, "a.go", "square")
			for range 2 { // the second time for a text that it knows
				r, err := f.Problems(t.Context(), q.Path)
				switch {
				case err != nil:
					if !strings.Contains(err.Error(), want) {
						t.Errorf("the error is %q, want %q", err, want)
					}
				case want != "no" || len(r.Problems) == 0 || len(r.Problems) > 1000:
					t.Errorf("there are %d problems, want %q", len(r.Problems), want)
				default:
					if p := r.Problems[0]; p.Start != q.Offset || p.End != q.Offset+len("square") || p.Line != 3 || p.Column != 6 || p.Code != "7" {
						t.Errorf("the problem is %+v", p)
					}
				}
			}
		})
	}
}
