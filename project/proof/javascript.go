package proof

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

var (
	scripts     = []string{"*.js", "*.jsx", "*.mjs", "*.cjs", "*.ts", "*.tsx", "*.mts", "*.cts", "*.vue", "*.svelte"}
	scriptEnds  = []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"}
	typeScripts = []string{"*.ts", "*.tsx", "*.mts", "*.cts"}
)

// references matches a tsconfig.json that names others; by itself it may have no files at all.
var references = lazyregexp.New(`"references"\s*:\s*\[\s*\{`)

// tsc checks the project of the nearest tsconfig.json, or all those that the outermost one names.
func tsc(p *part) []Step {
	program := cmp.Or(p.tool("node_modules/.bin/tsc"), "tsc")
	build := ""
	for d := p.dir; ; d = path.Dir(d) {
		if references.MatchString(p.read(path.Join(d, "tsconfig.json"))) {
			build = d
		}
		if d == "." {
			break
		}
	}
	if build == "" {
		return p.one("tsc", lines(tscFormats), []string{program, "--noEmit", "--pretty", "false", "-p", "."})
	}
	p = &part{folder: p.folder, dir: build}
	program = cmp.Or(p.tool("node_modules/.bin/tsc"), "tsc")
	return p.one("tsc", lines(tscFormats), []string{program, "--build", "--pretty", "false"})
}

// npm is what of a package.json says how it is checked.
type npm struct {
	Scripts        map[string]string `json:"scripts"`
	PackageManager string            `json:"packageManager"`
	ESLintConfig   json.RawMessage   `json:"eslintConfig"`
}

func (p *part) npm() (n npm) {
	_ = json.Unmarshal([]byte(p.text("package.json")), &n) // one that can't be read has no scripts
	return n
}

// locks say which program runs the scripts of a package.json.
var locks = []struct{ file, runner string }{
	{"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"}, {"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"},
	{"bun.lock", "bun"}, {"bun.lockb", "bun"},
}

// runner returns the program that runs scripts: what the nearest packageManager or lock file says.
func (p *part) runner() string {
	for up := p; ; up = up.parent() {
		name, _, _ := strings.Cut(up.npm().PackageManager, "@")
		if slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name) {
			return name
		}
		for _, l := range locks {
			if up.hasFile(l.file) {
				return l.runner
			}
		}
		if up.dir == "." {
			return "npm"
		}
	}
}

// script returns a command that runs a script with more arguments.
func (p *part) script(name string, arguments ...string) []string {
	runner := p.runner()
	if runner != "npm" {
		return append([]string{runner, "run", name}, arguments...)
	}
	if len(arguments) > 0 {
		arguments = append([]string{"--"}, arguments...)
	}
	return append([]string{"npm", "run", "--silent", name}, arguments...)
}

// packageCompile runs the linter that the package has configured, and checks types by the script for it where no
// tsconfig.json says how.
func packageCompile(p *part) (steps []Step) {
	scripts := p.npm().Scripts
	for _, name := range []string{"typecheck", "type-check", "check-types", "types"} {
		if scripts[name] != "" && !p.hasFile("tsconfig.json") {
			steps = p.one(p.runner()+" run "+name, lines(tscFormats), p.script(name))
			break
		}
	}
	files := p.those(scriptEnds...)
	eslint := p.tool("node_modules/.bin/eslint")
	if eslint != "" && p.lints() && len(files) > 0 && len(files) <= maxNarrowed {
		steps = append(steps, p.one("eslint", readESLint, append([]string{eslint, "-f", "json", "--"}, files...))...)
	}
	return steps
}

// lints reports whether ESLint is configured in the folder or above it.
func (p *part) lints() bool {
	for up := p; ; up = up.parent() {
		if len(up.names(up.dir, "eslint.config.*"))+len(up.names(up.dir, ".eslintrc*")) > 0 ||
			up.npm().ESLintConfig != nil {
			return true
		}
		if up.dir == "." {
			return false
		}
	}
}

// operators are those of a shell, behind which arguments would go to another program than the runner.
const operators = "&|;<>`$()"

// vitestScript matches a script that runs Vitest and nothing else. Its group has the options.
var vitestScript = lazyregexp.New(`^vitest(?: run| watch| dev)?((?: --?[\w.=/:@-]+(?: [\w./:@][\w.=/:@-]*)?)*)$`)

// packageTests runs the tests of the nearest package.json that has some.
func packageTests(p *part) []Step {
	script := p.npm().Scripts["test"]
	if script == "" || strings.Contains(script, "no test specified") {
		if p.dir == "." {
			return nil
		}
		return packageTests(p.parent())
	}
	files := p.those(scriptEnds...)
	narrow := !p.gone && len(files) > 0 && len(files) <= maxNarrowed
	words := strings.Fields(script)
	plain := !strings.ContainsAny(script, operators)
	switch groups := vitestScript.FindStringSubmatch(script); {
	case plain && slices.Contains(words, "jest"):
		options := []string{"--ci", "--json", "--testLocationInResults", "--passWithNoTests"}
		if narrow {
			options = append(append(options, "--findRelatedTests"), files...)
		}
		return p.tests("jest", readJest, p.script("test", options...))
	case groups != nil && p.tool("node_modules/.bin/vitest") != "":
		command := []string{p.tool("node_modules/.bin/vitest"), "run"}
		if narrow {
			command = []string{command[0], "related", "--run"}
		}
		command = append(append(command, strings.Fields(groups[1])...),
			"--reporter=default", "--reporter=json", "--includeTaskLocation", "--passWithNoTests")
		if narrow {
			command = append(command, files...)
		}
		return p.tests("vitest", readJest, command)
	}
	return p.tests(p.runner()+" test", readScript, p.script("test"))
}
