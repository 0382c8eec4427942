package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ploke-lsp/lsp/protocol"
)

const commandsPage = "docs/commands.md"

// TestLSPCommandsAreDocumented looks for a row for each command of the server.
func TestLSPCommandsAreDocumented(t *testing.T) {
	text := page(t, commandsPage)
	for _, command := range protocol.Commands() {
		if strings.Count(text, "\n| `"+command+"` |") != 1 {
			t.Errorf("%s does not have one row for %s", commandsPage, command)
		}
	}
}

// TestSubcommandsAreDocumented looks for a section for each subcommand, with a row for each of its flags.
func TestSubcommandsAreDocumented(t *testing.T) {
	program := parseProgram(t)
	commands := program.commands(t)
	text := page(t, commandsPage)
	if got := strings.Count(text, "\n### `"); got != len(commands) {
		t.Errorf("%s has %d sections of subcommands; the program has %d", commandsPage, got, len(commands))
	}
	for name, setup := range commands {
		_, section, found := strings.Cut(text, "\n### `"+name+"`\n")
		if !found {
			t.Errorf("%s does not have a section for %s", commandsPage, name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n#")
		want := program.flags(t, setup)
		for _, flag := range want {
			if !documents(section, flag) {
				t.Errorf("%s: the section of %s does not have a row for --%s", commandsPage, name, flag)
			}
		}
		if rows := strings.Count(section, "\n| `--"); rows != len(want) {
			t.Errorf("%s: the section of %s has rows for %d flags; it has %d", commandsPage, name, rows, len(want))
		}
	}
	common := program.flags(t, "register")
	if len(common) == 0 {
		t.Error("no common flags were found")
	}
	for _, flag := range common {
		if !documents(text, flag) {
			t.Errorf("%s does not have a row for --%s", commandsPage, flag)
		}
	}
}

// documents reports whether a text has a row for a flag, with or without a value.
func documents(text, flag string) bool {
	return strings.Contains(text, "\n| `--"+flag+"` |") || strings.Contains(text, "\n| `--"+flag+" ")
}

// program holds the functions and methods of the command line, by name.
type program map[string]*ast.FuncDecl

func parseProgram(t *testing.T) program {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "cmd/ploke-lsp/*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("the program has %d files: %v", len(paths), err)
	}
	p := program{}
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				p[f.Name.Name] = f
			}
		}
	}
	return p
}

// commands returns the setup function of each subcommand, by the subcommand's name. They are
// the first and the last value of each entry of the function commands.
func (p program) commands(t *testing.T) map[string]string {
	t.Helper()
	setups := map[string]string{}
	ast.Inspect(p["commands"], func(n ast.Node) bool {
		entry, ok := n.(*ast.CompositeLit)
		if !ok || len(entry.Elts) < 2 {
			return true
		}
		name, isText := stringOf(entry.Elts[0])
		setup, isFunc := entry.Elts[len(entry.Elts)-1].(*ast.Ident)
		if isText && isFunc {
			setups[name] = setup.Name
		}
		return true
	})
	if len(setups) < 5 {
		t.Fatalf("only %d subcommands were found", len(setups))
	}
	return setups
}

// flags returns the flags that a function declares on its flag set, its first parameter.
func (p program) flags(t *testing.T, function string) (names []string) {
	t.Helper()
	f := p[function]
	if f == nil {
		t.Fatalf("there is no function %s", function)
	}
	params := f.Type.Params.List
	if len(params) == 0 || len(params[0].Names) == 0 {
		return nil
	}
	set := params[0].Names[0].Name
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if receiver, ok := method.X.(*ast.Ident); !ok || receiver.Name != set {
			return true
		}
		for _, argument := range call.Args {
			if name, ok := stringOf(argument); ok {
				names = append(names, name)
				break
			}
		}
		return true
	})
	return names
}

func stringOf(e ast.Expr) (string, bool) {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}
