package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ploke-lsp/internal/lazyregexp"
)

func TestCompiledWhenUsed(t *testing.T) {
	wrong := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("a wrong text matched")
		}
	}()
	if !lazyregexp.New(`^a+$`).MatchString("aa") {
		t.Error("aa does not match")
	}
	wrong.MatchString("a")
}

func TestMadeWhenUsed(t *testing.T) {
	made := 0
	expression := lazyregexp.Of(func() string { made++; return `^a+$` })
	if made != 0 {
		t.Error("the text is made before it is used")
	}
	if !expression.MatchString("aa") || expression.MatchString("b") || made != 1 {
		t.Errorf("aa or b is matched wrongly, or the text was made %d times", made)
	}
}

// notTheProgram are the folders of other programs.
var notTheProgram = []string{"bench", "release", "lsp/lsptest", "lsp/protocol/generate"}

// TestPrograms checks that no package of the program compiles a regular expression when the program starts, and that
// the texts that are written in one place are right.
func TestPrograms(t *testing.T) {
	const root = "../.."
	count := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(notTheProgram, filepath.ToSlash(rel)) || slices.Contains([]string{"testdata", "build", ".git", "node_modules"}, d.Name())):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				switch _, function := d.(*ast.FuncDecl); {
				case !ok:
				case isCall(call, "regexp", "MustCompile") && !function:
					t.Errorf("%s: this is compiled at the start", files.Position(n.Pos()))
				case isCall(call, "lazyregexp", "New"):
					if text, ok := constant(call.Args[0]); ok {
						count++
						if _, err := regexp.Compile(text); err != nil {
							t.Errorf("%s: %v", files.Position(n.Pos()), err)
						}
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 100 {
		t.Errorf("only %d texts were found", count)
	}
}

func isCall(call *ast.CallExpr, pkg, name string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// constant returns the text of an expression of string literals.
func constant(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		x, isX := constant(e.X)
		y, isY := constant(e.Y)
		return x + y, isX && isY
	}
	return "", false
}
