package project

import (
	"path"
	"slices"
	"strings"

	"ploke-lsp/edits"
)

// FileGroup is a group of [AlwaysAsk], for example the files of editors. A pattern with a
// final slash matches everything below a folder of that name. Any other pattern matches the
// name of a file, as [path.Match] does. Letter case does not count, because it does not
// count on every file system.
type FileGroup struct {
	What     string
	Patterns []string
}

func patterns(list string) []string { return strings.Fields(list) }

// AlwaysAsk lists the files that run, or that instruct a program or an assistant, without
// anybody starting them on purpose: opening the folder, building, testing or pushing is
// enough. A person decides on a change of such a file, whatever edits.autoAccept says.
var AlwaysAsk = []FileGroup{
	{"editors", patterns(`
		.vscode/ .idea/ .fleet/ .helix/ .zed/ .devcontainer/ .devcontainer.json *.code-workspace *.sublime-project
		*.iml .exrc .nvimrc .nvim.lua .vimrc .gvimrc .lvimrc .local.vimrc .dir-locals.el .dir-locals-2.el .projectile
		.emacs .kakrc .lazy.lua .neoconf.json`)},
	{"assistants", patterns(`
		agents.md agents.override.md claude.md claude.local.md gemini.md skill.md copilot-instructions.md
		*.instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .rules .mcp.json mcp.json
		.agents/ .aider* .claude/ .clinerules/ .codex/ .continue/ .cursor/ .gemini/ .kiro/ .opencode/ .roo/ .windsurf/
		.ploke/`)},
	{"continuous integration", patterns(`
		.github/ .gitlab/ .gitea/ .forgejo/ .circleci/ .buildkite/ .teamcity/ .woodpecker/ .ci/ .azure-pipelines/
		.gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml .woodpecker.yml .woodpecker.yaml .cirrus.yml
		.appveyor.yml appveyor.yml azure-pipelines*.yml bitbucket-pipelines.yml cloudbuild.yaml cloudbuild.yml
		buildspec.yml jenkinsfile*`)},
	{"git and its hooks", patterns(`
		.git/ .githooks/ .husky/ .gitmodules .gitattributes .gitconfig .lfsconfig lefthook.yml .lefthook.yml
		.pre-commit-config.yaml .pre-commit-hooks.yaml .lintstagedrc* lint-staged.config.* .overcommit.yml
		applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg
		post-commit pre-rebase post-checkout post-merge pre-push pre-receive update post-receive post-update
		post-rewrite`)},
	{"shells and environments", patterns(`
		.envrc .bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .inputrc
		.tool-versions mise.toml .mise.toml .mise/ .direnv/ devbox.json flake.nix shell.nix default.nix devenv.nix
		.autoenv* .tmux.conf`)},
	{"builds and containers", patterns(`
		makefile makefile.* gnumakefile *.mk *.mak justfile .justfile *.just taskfile*.yml taskfile*.yaml tup*file
		sconstruct sconscript cmakelists.txt *.cmake cmakepresets.json configure configure.ac *.m4 meson.build
		meson.options build.ninja build build.bazel workspace workspace.bazel module.bazel *.bzl .bazelrc .buckconfig
		buck pants.toml dockerfile* *.dockerfile containerfile* compose*.yml compose*.yaml docker-compose*.yml
		docker-compose*.yaml vagrantfile procfile tiltfile`)},
	{"Go, Rust, C#, Swift, Zig", patterns(`
		go.mod go.work magefile.go magefiles/ build.rs cargo.toml .cargo/ rust-toolchain rust-toolchain.toml *.csproj
		*.fsproj *.vbproj *.vcxproj *.props *.targets *.sln nuget.config global.json *.cake package.swift podfile
		*.podspec *.pbxproj build.zig build.zig.zon`)},
	{"Java, Kotlin, Scala, Clojure", patterns(`
		build.gradle* settings.gradle* init.gradle* gradle.properties gradlew gradlew.bat gradle/ buildsrc/ pom.xml
		mvnw mvnw.cmd .mvn/ build.xml *.sbt build.sc build.mill project.clj deps.edn bb.edn .sdkmanrc`)},
	{"JavaScript and TypeScript", patterns(`
		package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock* .npmrc .yarnrc
		.yarnrc.yml .yarn/ .pnpmfile.* pnpm-workspace.yaml bunfig.toml deno.json deno.jsonc lerna.json nx.json
		turbo.json project.json rush.json *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts
		.*rc.js .*rc.cjs .*rc.mjs .*rc.ts .babelrc* .eslintrc* .prettierrc* .mocharc* .stylelintrc* .swcrc gulpfile.*
		gruntfile.* jakefile.* vitest.*.ts jest.*.js karma.*.js`)},
	{"Python, Ruby, PHP, Perl, Lua, Elixir, Erlang, OCaml, Haskell, R, Julia", patterns(`
		setup.py setup.cfg pyproject.toml conftest.py noxfile.py tox.ini pytest.ini fabfile.py dodo.py
		sitecustomize.py usercustomize.py *.pth pipfile requirements*.txt pip.conf environment.yml .python-version
		.pythonrc* .pylintrc pylintrc mypy.ini .pdbrc wscript gemfile gemfile.lock *.gemspec rakefile *.rake .rspec
		.irbrc .pryrc .rubocop.yml guardfile capfile fastfile dangerfile* composer.json composer.lock phpunit.xml*
		.php-cs-fixer* phpstan.neon* makefile.pl build.pl .perltidyrc .proverc *.rockspec .luacheckrc .busted mix.exs
		.formatter.exs .iex.exs rebar.config* dune dune-project dune-workspace *.opam setup.hs *.cabal stack.yaml
		cabal.project* hie.yaml .ghci .rprofile .renviron .gdbinit .lldbinit`)},
}

// MustAsk returns a file of the proposal that AlwaysAsk lists, relative to its root; ""
// if there is none.
func (p *Project) MustAsk(proposal *edits.Proposal) string {
	for _, c := range proposal.Changes {
		for _, file := range []string{c.Path, c.To} {
			if file != "" && runsByItself(p.Workspace.Rel(file)) {
				return p.Workspace.Rel(file)
			}
		}
	}
	return ""
}

// runsByItself reports whether AlwaysAsk lists a file. Windows ignores dots and spaces at the
// end of a name, and what follows a colon.
func runsByItself(file string) bool {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(file, `\`, "/")), "/")
	for i, name := range parts {
		name, _, _ = strings.Cut(name, ":")
		parts[i] = strings.TrimRight(name, ". ")
	}
	folders, name := parts[:len(parts)-1], parts[len(parts)-1]
	matches := func(pattern string) bool {
		if folder, ok := strings.CutSuffix(pattern, "/"); ok {
			return slices.Contains(folders, folder)
		}
		matched, _ := path.Match(pattern, name) // a test checks the patterns
		return matched
	}
	return slices.ContainsFunc(AlwaysAsk, func(g FileGroup) bool { return slices.ContainsFunc(g.Patterns, matches) })
}
