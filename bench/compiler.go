package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"ploke-lsp/internal/syntax"
	"ploke-lsp/project/compiler"
)

// served is a language that has a server.
type served struct {
	files  []string // languages of files, see [syntax.Detect]
	server []string
	check  checker
	broken string // a line that is wrong at the end of a file, with a number
}

// servedLanguages are the languages of the part compiler.
var servedLanguages = map[string]served{
	"go": {[]string{"go"}, []string{"gopls"}, checker{[]string{"go", "vet", "-assign", "./..."}, goProblems},
		"var plokeBench%d = plokeUndefined"},
	"typescript": {[]string{"typescript", "tsx"}, []string{"typescript-language-server", "--stdio"},
		checker{[]string{"tsc", "--noEmit"}, lineProblems}, "export const plokeBench%d = plokeUndefined;"},
	"python": {[]string{"python"}, []string{"pyright-langserver", "--stdio"},
		checker{[]string{"pyright", "--outputjson"}, pyrightProblems}, "ploke_bench%d = ploke_undefined"},
	"c": {[]string{"c", "cpp"}, []string{"clangd"}, checker{}, "int ploke_bench%d = ploke_undefined;"},
}

// addCode adds LANGUAGE=FOLDER to the code that language servers are asked about.
func (b *bench) addCode(text string) error {
	language, dir, ok := strings.Cut(text, "=")
	if _, known := servedLanguages[language]; !ok || !known || dir == "" {
		return errors.New("write LANGUAGE=FOLDER, with c, go, python or typescript")
	}
	b.code = append(b.code, [2]string{language, dir})
	return nil
}

// compiler measures the index against language servers.
func (b *bench) compiler(ctx context.Context, _ *tree) error {
	var all error
	for _, code := range b.code {
		language, dir := code[0], code[1]
		if err := b.compileCode(ctx, language, dir); err != nil {
			all = errors.Join(all, fmt.Errorf("%s in %s: %w", language, filepath.Base(dir), err))
		}
	}
	return all
}

// compileCode measures one project, of which it makes a copy.
func (b *bench) compileCode(ctx context.Context, language, dir string) error {
	of := servedLanguages[language]
	server, err := b.findServer(of.server)
	if err != nil {
		fmt.Fprintf(b.log, "%s is skipped: %v\n", of.server[0], err)
		return nil
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp(b.temp, "code-")
	if err != nil {
		return err
	}
	copied := filepath.Join(temp, filepath.Base(dir))
	if out, err := exec.CommandContext(ctx, "cp", "-a", dir, copied).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := removeInnerModules(copied); err != nil {
		return err
	}
	p, err := openCompiled(ctx, copied, filepath.Join(temp, "state"), language, server)
	if err != nil {
		return err
	}
	defer p.close()
	p.name, p.list = of.server[0]+" on "+filepath.Base(dir), b.list
	return errors.Join(b.compiledEdges(ctx, p), b.compiledProblems(ctx, p, of.broken), b.compiledRenames(ctx, p, of.check))
}

// removeInnerModules removes the Go modules inside of another one, which a language server does not read with it.
func removeInnerModules(dir string) error {
	var inner []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "go.mod" && filepath.Dir(path) != dir {
			inner = append(inner, filepath.Dir(path))
		}
		return err
	})
	for _, path := range inner {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

// findServer returns the command of a language server.
func (b *bench) findServer(command []string) ([]string, error) {
	for _, dir := range []string{"bin", "npm/node_modules/.bin"} {
		path := filepath.Join(b.servers, dir, command[0])
		if _, err := os.Stat(path); err == nil {
			return append([]string{path}, command[1:]...), nil
		}
	}
	path, err := b.find(command[0])
	return append([]string{path}, command[1:]...), err
}

const (
	// problemsTarget is how many milliseconds a server may take to say what is wrong with a proposal, once it is ready.
	problemsTarget = 1000.0
	proposedFiles  = 10
)

// compiledProblems lays broken texts over files, and measures how long a server takes to say so.
func (b *bench) compiledProblems(ctx context.Context, p *compiledCode, broken string) error {
	kinds := map[syntax.Kind]bool{syntax.KindFunction: true, syntax.KindMethod: true, syntax.KindClass: true,
		syntax.KindInterface: true, syntax.KindStruct: true}
	var files []string
	var texts []compiler.Text
	known := map[string]bool{}
	for _, u := range p.draw("problems", 50*proposedFiles, kinds) {
		if known[u.Path] || len(files) == proposedFiles {
			continue
		}
		known[u.Path] = true
		file, err := p.deps.Workspace.Read(ctx, u.Path)
		if err != nil {
			return err
		}
		files = append(files, u.Path)
		texts = append(texts, compiler.Text{Path: u.Path, Data: fmt.Appendf(file.Text, "\n"+broken+"\n", len(files))})
	}
	var took []time.Duration
	for range b.sampling.startups {
		began := time.Now()
		before, after, err := p.servers.LayOver(ctx, texts, files)
		if err != nil {
			fmt.Fprintf(b.log, "problems are skipped: %v\n", err)
			return nil
		}
		took = append(took, time.Since(began))
		found := map[string]bool{}
		for _, q := range after.Problems {
			found[q.Path] = true
		}
		for _, path := range files {
			if !found[path] {
				return fmt.Errorf("what was broken in %s was not reported, with %d problems before", path, len(before.Problems))
			}
		}
	}
	name := fmt.Sprintf("what is wrong with a proposal of %d files", len(files))
	b.table.add(millis(p.name, name+", p50", percentile(took, 50)),
		millis(p.name, name+", the first", took[0]),
		millis(p.name, name+", p95 but for the first", percentile(took[min(1, len(took)-1):], 95)).atMost(problemsTarget))
	return nil
}
