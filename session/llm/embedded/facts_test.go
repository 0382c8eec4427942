package embedded_test

import "testing"

// TestAnswersFromTheFilesOfAProject asks what a project's own files say.
func TestAnswersFromTheFilesOfAProject(t *testing.T) {
	file := func(name, text string) string {
		return `{"ok":true,"file":"/w/` + name + `","start_line":1,"end_line":9,"line_count":9,"snippet":"<code=\"/w/` + name + `\" #1:9>\n` +
			text + `\n</code>"}`
	}
	top := func(names ...string) string {
		list := `{"path":"/w/src","type":"folder"}`
		for _, name := range names {
			list += `,{"path":"/w/` + name + `","type":"file","bytes":2048}`
		}
		return `{"ok":true,"entries":[` + list + `],"omitted":0}`
	}
	const nothing2 = `{"ok":true,"results":[{"id":"/w/z.go#1:2","canon":"Z","kind":"function"}]}`
	const none = `{"ok":true,"matches":[]}`
	readme := `# Name\n\nA name.\n\n## Building it\n\n    $ make BUILD_TLS=yes\n\nThen run ` + "`make test`" + `, and ` + "`Run`" + `.\n`
	tests := []struct {
		name, message string
		answers       map[string][]string
		says, not     []string
	}{
		{"test by prose, Makefile and manifest", "how do I run the tests?", map[string][]string{"search_text": {none},
			"list_dir":  {top("README.md", "go.mod", "Makefile")},
			"read_file": {file("README.md", readme), file("Makefile", `GO := go\ntest: all\n\tgo test\nlint:\n`), file("go.mod", "module m")}},
			[]string{"- `make test` — /w/README.md:9\n", "- `go test ./...` — as /w/go.mod has it by convention\n"}, []string{"lint",
				"BUILD_TLS", "/w/Makefile"}},
		{"lint by Makefile", "how do I lint the code", map[string][]string{"search_text": {none},
			"list_dir": {top("Makefile")}, "read_file": {file("Makefile", `test:\nlint-fix: x\n`)}},
			[]string{"- `make lint-fix` — /w/Makefile:2\n"}, []string{"make test"}},
		{"build by a prompt", "how do I build it", map[string][]string{"search_text": {none}, "list_dir": {top("README.md")},
			"read_file": {file("README.md", readme)}},
			[]string{"- `make BUILD_TLS=yes` — /w/README.md:7\n", `- "Building it" — /w/README.md:5`}, []string{"make test", "`Run`"}},
		{"scripts by their runner", "how do I run the tests", map[string][]string{"search_text": {none}, "list_dir": {top("package.json",
			"pnpm-lock.yaml")},
			"read_file": {file("package.json", `{\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test-unit\": \"vitest run\"\n  }\n}`)}},
			[]string{"- `pnpm run test-unit` — /w/package.json:4: `vitest run`\n"}, []string{"tsc"}},
		{"no command", "how do I run it", map[string][]string{"search_text": {none}, "list_dir": {top()}}, []string{"found no command"}, nil},
		{"tests of a kind without a command", "how do I run the regression tests", map[string][]string{"search_text": {none}, "list_dir": {
			`{"ok":true,"entries":[{"path":"/w/regress","type":"folder"},{"path":"/w/src","type":"folder"},{"path":"/w/Makefile","type":"file"}]}`},
			"read_file": {file("Makefile", "test: x")}}, []string{"No command that I found is for the `regression` tests alone. There is a folder " +
			"`regress/`.\n\nTo test this project:\n\n- `make test`"}, []string{"src"}},
		{"an option by its words", "how many redirects will it follow max?", map[string][]string{"search_text": {none, none,
			`{"ok":true,"matches":[{"file":"/w/o.py","line":2,"text":"    '--follow',"},{"file":"/w/o.py","line":4,"text":"    '--max-redirects',"}]}`,
			`{"ok":true,"matches":[{"file":"/w/o.py","line":4,"text":"    '--max-redirects',","before":["add("],"after":["    default=30,",")"]}]}`},
			"read_file": {file("o.py", "add(\\n    '--max-redirects',\\n    default=30,")}},
			[]string{"`max-redirects` is set up at /w/o.py:4", "default=30"}, nil},
		{"the changes of a version", "what changed in 1.2?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/NEWS","line":1,"text":"1.2.0 (2024)"},{"file":"/w/NEWS","line":9,"text":"1.1.0"}]}`, `{"ok":true,"files":[]}`},
			"read_file": {file("NEWS", `1.2.0 (2024)\n\n- new: wheels`)}}, []string{"/w/NEWS:1 says:", "- new: wheels"}, []string{"No changelog"}},
		{"a version without a changelog", "what changed in 1.2?", map[string][]string{"search_text": {none, `{"ok":true,"files":[]}`},
			"project_facts": {`{"ok":true,"about":"commits","tags":[{"name":"v1.2","day":"2024-01-01"}]}`}},
			[]string{"I found no changelog with headings of versions.\n\nThe last tags", "`v1.2`"}, nil},
		{"when something came", "in which version was the spoke option added?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/NEWS","line":4,"text":"- Added spokes"}]}`, `{"ok":true,"matches":[{"file":"/w/NEWS","line":1,"text":"1.2.0"}]}`},
			"project_facts": {`{"ok":true,"about":"commits","counted":3,"commits":[{"id":"abcdefabcdef","day":"2024-01-02","author":"A","subject":"spokes"}]}`}},
			[]string{"- 1.2.0 — /w/NEWS:4: `- Added spokes`", "- 2024-01-02 spokes, A"}, nil},
		{"an errand that no file names", "how do I start the databases", map[string][]string{"search_text": {none, none, none},
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/z_test.go#1:2","canon":"StartDatabases","kind":"test","snippet":"start databases"}]}`},
			"code_item_lookup":     {noEdges, noEdges}}, []string{"I am not sure: the best place is of a test"}, []string{"best match"}},
		{"an errand", "how do I start the databases", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/Makefile","line":4,"text":"start-db: x"}]}`, none, none}}, []string{"- `make start-db`"}, nil},
		{"supported of which no list speaks", "which engines are supported", map[string][]string{"search_text": {none, none, none, none},
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/e.go#1:2","canon":"defaultEngine","kind":"function","snippet":"engine"}]}`},
			"code_item_lookup":     {noEdges}}, []string{"I am not sure: no list"}, []string{"best match"}},
		{"supported versions", "which python versions are supported", map[string][]string{"search_text": {none, none,
			`{"ok":true,"matches":[{"file":"/w/c.yml","line":1,"text":"python-version: [3.9]"}]}`, none, `{"ok":true,"matches":[{"file":"/w/setup.py","line":2,"text":"python_requires=\">=3.9\""}]}`, none, none}},
			[]string{"`python-version: [3.9]`", "`python_requires="}, nil},
		{"a default in a block", "default pool size", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/c.js","line":2,"text":"  poolDefaults() {"},{"file":"/w/c.js","line":9,"text":"this._ownsPool = true"}]}`, none},
			"read_file": {file("c.js", "poolDefaults() {\\n  return { min: 2 }")}}, []string{"By its name, `poolDefaults`", "return { min: 2 }"}, []string{"_ownsPool"}},
		{"a time, and not what has another quality", "how often does micro write a backup of an open file", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/b.go","line":2,"text":"const backupSeconds = 8"},{"file":"/w/b.go","line":3,"text":"const backupFiles = 3"}]}`, none}},
			[]string{"- `backupSeconds` — /w/b.go:2"}, []string{"backupFiles"}},
		{"features of the project alone", "which cargo features exist", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/tests/a/Cargo.toml","line":1,"text":"[features]","after":["x = []"]},` +
			`{"file":"/w/Cargo.toml","line":1,"text":"[features]","after":["default = []"]}]}`}}, []string{"`default = []`"}, []string{"x = []"}},
		{"a port", "what port does it listen on if I don't set one?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/a.kt","line":2,"text":"@JvmField var port = 8080"}]}`, none}}, []string{"- `port` — /w/a.kt:2: `@JvmField var port = 8080`"}, nil},
		{"an argument in a long line", "how many files does RotatingHandler keep by default", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/r.php","line":9,"text":"public function __construct(string $filename, string $prefix = '', string ` +
				`$suffix = '', string $separator = '-', bool $bubble = true, int $maxFiles = 0, bool $b = true)"}]}`, none,
			`{"ok":true,"matches":[{"file":"/w/r.php","line":1,"text":"class RotatingHandler"}]}`}},
			[]string{"- `maxFiles` — /w/r.php:9: `…", "int $maxFiles = 0"}, []string{"__construct"}},
		{"a folder by its end", "what's in the plugin/bundled folder", map[string][]string{"list_dir": {`{"ok":false,"error":"there is no folder plugin/bundled","code":"not_found","candidates":["/w/src/plugin/bundled","/w/bundle"]}`,
			`{"ok":true,"entries":[{"path":"/w/src/plugin/bundled/a.kt","type":"file","bytes":20}],"omitted":0}`}},
			[]string{"/w/src/plugin/bundled holds 1 entries:\n\n- `a.kt`"}, []string{"could not"}},
		{"two folders of one end", "what's in the plugin/bundled folder", map[string][]string{"list_dir": {`{"ok":false,"error":"there is no ` +
			`folder plugin/bundled","code":"not_found","candidates":["/w/a/plugin/bundled","/w/b/plugin/bundled"]}`}, "search_text": {none, none}},
			[]string{"could not list", "- `/w/b/plugin/bundled`"}, nil},
		{"marks outside of tests", "are there any TODOs left outside the tests", map[string][]string{"search_text": {
			`{"ok":true,"files":[{"file":"/w/a.go","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/a.go","line":3,"text":"// TODO: x"}]}`}},
			[]string{"Outside of the tests, by the names of their files:\n\n`TODO`: 1 line in 1 file"}, nil},
		{"license", "license?", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/LICENSE","line":3,"text":"Permission is ` +
			`hereby granted, free of charge"}]}`}},
			[]string{"By its words, the license is MIT.", "/w/LICENSE:3"}, nil},
		{"no version", "which version is this?", map[string][]string{"search_text": {none, none, none, none},
			"project_facts": {`{"ok":true,"no_history":true}`}}, []string{"No file that I know for it names the version"}, nil},
		{"version", "what is the latest version", map[string][]string{"search_text": {none, `{"ok":true,"matches":[{"file":"/w/main.go",` +
			`"line":3,"text":"var version = \"1.2\""}]}`,
			`{"ok":true,"matches":[{"file":"/w/CHANGELOG.md","line":3,"text":"## 1.2"},{"file":"/w/CHANGELOG.md","line":9,"text":"## 1.1"}],` +
				`"omitted":4}`, none},
			"project_facts": {`{"ok":true,"tags":[{"name":"v1.2","day":"2026-01-02"}]}`}},
			[]string{"- `var version = \"1.2\"` — /w/main.go:3\n- `## 1.2` — /w/CHANGELOG.md:3\n", "- `v1.2` — 2026-01-02\n"}, []string{"1.1",
				"more"}},
		{"build and test", "how do I build and test it", map[string][]string{"search_text": {`{"ok":true,` +
			`"files":[{"file":"/w/.github/CONTRIBUTING.md"}]}`}, "list_dir": {top("pyproject.toml")},
			"read_file": {file("CONTRIBUTING.md", "Run `make`."), file("pyproject.toml", `[build-system]\n[tool.pytest.ini_options]\n[tool.ruff]`)}},
			[]string{"To build this project:\n\n- `make` — /w/CONTRIBUTING.md:1\n- `pip install -e .` — /w/pyproject.toml:1\n",
				"To test this project:\n\n- `pytest` — /w/pyproject.toml:2\n"}, []string{"ruff"}},
		{"dependencies", "what are the dependencies?", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/go.mod","lines":2},` +
			`{"file":"/w/package.json","lines":1},{"file":"/w/Cargo.toml","lines":1},{"file":"/w/pyproject.toml","lines":1}]}`},
			"read_file": {file("go.mod", `module m\n\nrequire (\n\ta.b/c v1.2.3\n\td.e/f v1.0.0 // indirect\n)\n`),
				file("package.json", `{\n  \"name\": \"x\",\n  \"devDependencies\": {\n    \"vite\": \"^1\"\n  },\n  \"files\": [\n    \"y\"\n  ]\n}`),
				file("Cargo.toml", `[package]\nname = \"x\"\n\n[dependencies]\nserde = \"1\"\n\n[features]\nz = []`),
				file("pyproject.toml", `[project]\ndependencies = [\n    \"click>=8\",\n]\nlicense = \"MIT\"`)}},
			[]string{"/w/go.mod names 1:\n\n- `a.b/c v1.2.3` — /w/go.mod:4\n", "package.json names 1 for development:\n\n- `\"vite\": \"^1\"`",
				"Cargo.toml names 1:\n\n- `serde = \"1\"`", "Further manifests with dependencies:\n\n- /w/pyproject.toml — 1\n"}, []string{"d.e/f", "MIT"}},
		{"dependencies in one line, and in tables of their own", "what are the dependencies?", map[string][]string{
			"search_text": {`{"ok":true,"files":[{"file":"/w/Cargo.toml","lines":1},{"file":"/w/pyproject.toml","lines":1}]}`},
			"read_file": {file("Cargo.toml", `[package]\nname = \"x\"\n\n[dependencies.serde]\nversion = `+
				`\"1\"\n\n[dev-dependencies.tokio]\nversion = \"1\"`),
				file("pyproject.toml", `[project]\ndependencies = [\"click>=8\", \"rich\"]\nlicense = \"MIT\"`)}},
			[]string{"Cargo.toml names 1:\n\n- `serde` — /w/Cargo.toml:4\n\nAnd 1 for development:\n\n- `tokio`",
				"pyproject.toml names 2:\n\n- `click>=8` — /w/pyproject.toml:2\n- `rich` — /w/pyproject.toml:2\n"}, []string{"version",
				"MIT"}},
		{"implementers of what is declared elsewhere", "who implements Reader?", map[string][]string{"code_item_lookup": {`{"ok":false,` +
			`"error":"no symbol Reader","code":"not_found"}`}, "search_text": {`{"ok":true,"files":[{"file":"/w/a.rs","lines":1}]}`,
			`{"ok":true,"matches":[{"file":"/w/a.rs","line":3,"text":"impl Reader for File {"}]}`}},
			[]string{"`implementations of Reader`: 1 line in 1 file.", "- /w/a.rs:3: `impl Reader for File {`"}, nil},
		{"uses of what is imported alone", "is urllib3 used anywhere?", map[string][]string{"code_item_lookup": {notFound},
			"search_text": {`{"ok":true,"files":[{"file":"/w/a.py","lines":1}]}`,
				`{"ok":true,"matches":[{"file":"/w/a.py","line":3,"text":"import urllib3"}]}`}},
			[]string{"`imports of urllib3`: 1 line in 1 file.", "- /w/a.py:3: `import urllib3`"}, nil},
		{"uses of what is nowhere", "is urllib3 used anywhere?", map[string][]string{"code_item_lookup": {notFound}, "search_text": {none, none}},
			[]string{"I could not look up `urllib3`: no symbol Y.", "`Yes`"}, nil},
		{"the longest functions", "biggest functions?", map[string][]string{"project_facts": {`{"ok":true,"about":"longest","counted":7,` +
			`"longest":[{"canon":"S::X","kind":"method","file":"/w/a.go","line":3,"lines":90}]}`}},
			[]string{"Of 7 symbols that are function, method, constructor or macro, these have most lines:\n\n- `S::X` (method), 90 lines — " +
				"/w/a.go:3\n"}, nil},
		{"the longest classes of a folder", "what are the longest classes in src/", map[string][]string{"project_facts": {`{"ok":true,` +
			`"about":"longest"}`}}, []string{"nothing of that kind of src/"}, nil},
		{"what is named by a manifest", "what's serde_json for?", map[string][]string{"code_item_lookup": {notFound, notFound},
			"search_text": {`{"ok":true,"matches":[{"file":"/w/sub/dir/Cargo.toml","line":2,"text":"name = \"serde_json\""}]}`,
				`{"ok":true,"files":[{"file":"/w/sub/dir/src/lib.rs"}]}`}, "read_file": {file("lib.rs", "//! It reads JSON for you.")}},
			[]string{"It reads JSON for you."}, nil},
		{"what no manifest names", "what's serde_json for?", map[string][]string{"code_item_lookup": {notFound}, "search_text": {none},
			"request_code_context": {nothing}}, []string{"I found nothing"}, nil},
		{"a limit by its name", "what is the maximum number of redirects?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/examples/c.py","line":1,"text":"max_redirects = 1"},{"file":"/w/b.py","line":8,"text":"if n > MAX_REDIRECTS:"},{"file":"/w/b.py","line":9,"text":"x = admin_redirects"},` +
			`{"file":"/w/b.py","line":3,"text":"MAX_REDIRECTS = 30"}]}`, none}},
			[]string{"By their names, these may be what you ask for:\n\n- `MAX_REDIRECTS` — /w/b.py:3: `MAX_REDIRECTS = 30`\n- `max_redirects`"},
			[]string{"admin_redirects", "b.py:8"}},
		{"a limit by another word", "admin api default port", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/a.go","line":3,"text":"DefaultAdminListen = \"localhost:2019\""},{"file":"/w/a.go","line":4,"text":"defaultPorts = 1"}]}`, none}},
			[]string{"these may be what you ask for:\n\n- `DefaultAdminListen`"}, nil},
		{"a default in a file of that name", "how long is a token valid by default?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/user.ex","line":3,"text":"{:ok, expired_tokens} = 3"}]}`,
			`{"ok":true,"matches":[{"file":"/w/token.ex","line":9,"text":"* ` + "`:max_age`" + ` - defaults to 86400 seconds"},` +
				`{"file":"/w/token.ex","line":12,"text":"  max_age_secs = opts[:max_age] || 86400"}]}`}},
			[]string{"- `max_age_secs` — /w/token.ex:12"}, []string{"expired_tokens"}},
		{"a limit of two qualities", "what is the default body limit?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/b.rs","line":1,"text":"struct DefaultBodyLimit;"},{"file":"/w/b.rs","line":3,"text":"const DEFAULT_LIMIT: usize = 2_097_152;"},` +
			`{"file":"/w/b.rs","line":4,"text":"// DEFAULT_BODY_LIMIT: 4"},{"file":"/w/b.rs","line":5,"text":"const DEFAULT_SIZE: usize = 2;"}]}`, none}},
			[]string{"for:\n\n- `DEFAULT_LIMIT` — /w/b.rs:3", "- `DefaultBodyLimit` — /w/b.rs:1", "`DEFAULT_BODY_LIMIT`"}, []string{"DEFAULT_SIZE"}},
		{"an acronym of the question", "how many frames per second does it render by default, and what's the max?", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/r.go","line":13,"text":"\tdefaultFPS = 60"},{"file":"/w/r.go","line":14,` +
				`"text":"\tmaxFPS     = 120"},{"file":"/w/r.go","line":15,"text":"\tfps = 3"}]}`, none}},
			[]string{"ask for:\n\n- `defaultFPS` — /w/r.go:13: `defaultFPS = 60`\n- `maxFPS`"}, []string{"`fps`"}},
		{"a default without a thing", "default timeout?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/c.py","line":1,"text":"timeout = 1"},{"file":"/w/c.py","line":3,"text":"DEFAULT_TIMEOUT_CONFIG = Timeout(timeout=5.0)"}]}`,
			none}}, []string{"ask for:\n\n- `DEFAULT_TIMEOUT_CONFIG` — /w/c.py:3"}, []string{"`timeout`"}},
		{"the last of several values", "how wide is the help text by default?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/help.js","line":9,"text":"const spacerWidth = 2;"},{"file":"/w/help.js","line":31,"text":"this.helpWidth = ` +
			`this.helpWidth ?? o.helpWidth ?? 80;"}]}`, none}}, []string{"ask for:\n\n- `helpWidth` — /w/help.js:31"}, nil},
		{"a field's initial value", "how many workers does it start by default", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/c.rb","line":1,"text":"worker_timeout: 60,"},{"file":"/w/c.rb","line":2,"text":"  workers: 0,"},` +
			`{"file":"/w/c.rb","line":3,"text":"log \"(workers = 9)\""},{"file":"/w/c.rb","line":4,"text":"x = worker_at 4"}]}`, none}},
			[]string{"ask for:\n\n- `workers` — /w/c.rb:2: `workers: 0,`\n- `worker_timeout`"}, []string{"worker_at", "c.rb:3"}},
		{"a property with a value", "what is the default cascade mode", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/o.cs","line":4,"text":"public Mode DefaultCascadeMode { get; set; } = Mode.Continue;"}]}`, none}},
			[]string{"- `DefaultCascadeMode` — /w/o.cs:4"}, nil},
		{"a number that is defined", "what's the max number of connections", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/a.h","line":4,"text":"#define MAX_CONN 128"},{"file":"/w/a.h","line":5,"text":"MAX_CONNECTION = \"none\""}]}`, none}},
			[]string{"ask for:\n\n- `MAX_CONN` — /w/a.h:4: `#define MAX_CONN 128`\n- `MAX_CONNECTION`"}, nil},
		{"extras", "what extras are there?", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/pyproject.toml","line":4,` +
			`"text":"[project.optional-dependencies]","after":["http2 = [","    \"h2>=3\",","    \"hpack\",","]","cli = [\"click\"]","[tool.x]",` +
			`"y = 1"]}]}`}}, []string{"- `http2 = [\"h2>=3\", \"hpack\"]` — /w/pyproject.toml:5\n- `cli = [\"click\"]` — /w/pyproject.toml:9\n"},
			[]string{"y = 1"}},
		{"entry points", "what are the entry points?", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/package.json"}]}`,
			none, `{"ok":true,"matches":[{"file":"/w/x.py","line":3,"text":"if __name__ == '__main__':"}]}`},
			"read_file": {file("package.json", `{\n  \"main\": \"./index.js\",\n  \"bin\": {\n    \"tool\": \"./cli.js\"\n  }\n}`)}},
			[]string{"- `\"main\": \"./index.js\"` — /w/package.json:2\n- `\"tool\": \"./cli.js\"` — /w/package.json:4\n"}, []string{"x.py"}},
		{"the entry point of a command", "what's the entry point of the tool command?", map[string][]string{"search_text": {
			`{"ok":true,"files":[{"file":"/w/pyproject.toml"}]}`, `{"ok":true,"files":[{"file":"/w/tool/__main__.py"},{"file":"/w/a/__main__.py"}]}`,
			none}, "read_file": {file("pyproject.toml", `[project.scripts]\ntool = \"tool.cli:main\"\nother = \"b:main\"`)}},
			[]string{"- `tool = \"tool.cli:main\"` — /w/pyproject.toml:2\n", "- /w/tool/__main__.py: runs with `python -m "}, []string{"other", "/a/"}},
		{"functions where programs start, if nothing is declared", "where does the program start?", map[string][]string{"search_text": {none, none,
			`{"ok":true,"matches":[{"file":"/w/docs_src/a.py","line":3,"text":"if __name__ == '__main__':"},` +
				`{"file":"/w/build.rs","line":1,"text":"fn main() {"},{"file":"/w/src/a.rs","line":9,"text":"fn main() {"}]}`}},
			[]string{"- `fn main() {` — /w/src/a.rs:9\n"}, []string{"docs_src", "build.rs"}},
		{"modules", "which modules does the maven build have", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/pom.xml"}]}`,
			none}, "read_file": {file("pom.xml", `<project>\n  <modules>\n    <module>core</module>\n  </modules>\n</project>`)}},
			[]string{"/w/pom.xml lists one:\n\n- `core` — /w/pom.xml:3\n"}, nil},
		{"no modules", "list the crates of this workspace", map[string][]string{"search_text": {none, `{"ok":true,"files":[{"file":"/w/Cargo.toml"}]}`}},
			[]string{"No file lists several modules or packages.", "- /w/Cargo.toml\n"}, nil},
		{"the version of a dependency", "which version of serde does it need?", map[string][]string{"search_text": {`{"ok":true,` +
			`"files":[{"file":"/w/Cargo.toml","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/Cargo.toml","line":9,"text":"serde = \"1.0\""}]}`}},
			[]string{"`versions of serde`: 1 line in 1 file.", "- /w/Cargo.toml:9"}, nil},
		{"version and license", "which version is this and under what licence?", map[string][]string{"search_text": {none, none,
			`{"ok":true,"matches":[{"file":"/w/CHANGES","line":1,"text":"1.2"}]}`, none,
			`{"ok":true,"matches":[{"file":"/w/LICENSE","line":1,"text":"MIT License"}]}`}, "project_facts": {`{"ok":true}`}},
			[]string{"about the version:\n\n- `1.2` — /w/CHANGES:1\n\nBy its words, the license is MIT."}, nil},
		{"who wrote it and when", "who wrote it, and when?", map[string][]string{"project_facts": {`{"ok":true,"counted":3,"authors":[` +
			`{"name":"dependabot[bot]","commits":2,"first":"2024-01-01","last":"2025-02-02"},{"name":"B [x](y)","commits":1,"first":"2024-01-01",` +
			`"last":"2024-01-01"}]}`}}, []string{"- dependabot[bot] — 2 commits, 2024-01-01 to 2025-02-02\n- B \\[x](y) — 1 commit, on 2024-01-01\n"}, nil},
		{"a version of tags alone, and what the second part repeats", "what version is this and when was the last release", map[string][]string{
			"search_text": {none, none, none, none}, "project_facts": {`{"ok":true,"tags":[{"name":"v1","day":"2026-01-02"}]}`,
				`{"ok":true,"tags":[{"name":"v1","day":"2026-01-02"}]}`}},
			[]string{"The last tags, with the days on which they were made:\n\n- `v1` — 2026-01-02\n"}, []string{"What the files say", "02\n\nThe last tags"}},
		{"a sentence that says it", "are ring keys case sensitive", map[string][]string{"request_code_context": {`{"ok":true,"results":[` +
			`{"id":"/w/a.go#1:2","canon":"RingKey","kind":"function","doc":"RingKey binds a ring. All keys are case sensitive here. More."}]}`}},
			[]string{"RingKey binds a ring.\n\nAll keys are case sensitive here.\n\n"}, nil},
		{"no such limit", "what is the maximum size of a parsed cookie jar?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/a.go","line":3,"text":"if maxSize > 3 {"}]}`, none, none}, "request_code_context": {nothing}, "code_item_lookup": {notFound,
			notFound, notFound}}, []string{"I found nothing"}, nil},
		{"a place that speaks of the case", "what happens when no ring of the cookie jar is found?", map[string][]string{"search_text": {none},
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/a.go#1:2","canon":"CookieJar::ring","kind":"method"},` +
				`{"id":"/w/b.go#3:4","canon":"CookieJar::ringNotFound","kind":"method"}]}`}},
			[]string{"The best match is the method `CookieJar::ringNotFound`", "- `CookieJar::ring` (method) — /w/a.go:1"}, nil},
		{"the lines that end it", "what happens when filling a jar is refused?", map[string][]string{"search_text": {none},
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/b.go#1:3","canon":"seal","kind":"function","snippet":"<code=\"/w/b.go\" #1:3>\n throw new Jam(x)\n</code>"},{"id":"/w/a.go#4:8","canon":"fillJar","kind":"function",` +
				`"snippet":"<code=\"/w/a.go\" #4:8>\nfunc fillJar() {\n  throw new Full(x)\n  // throw y\n}\n</code>"}]}`}, "code_item_lookup": {noEdges}},
			[]string{"I am not sure what happens then. By its name, `fillJar` at /w/a.go:4 is about it", "- /w/a.go:5: `throw new Full(x)`\n\n"}, []string{"throw y"}},
		{"a question for a case that is none", "what happens if the file does not exist", map[string][]string{
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/b.go#1:2","canon":"existFile","kind":"function","doc":"existFile: a file exists"}]}`}},
			[]string{"I am not sure: rules find places, and not what happens there"}, []string{"best match"}},
		{"no place that speaks of the case", "what happens when no ring of the cookie jar is found?", map[string][]string{
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/a.go#1:2","canon":"CookieJar::ring","kind":"method"},` +
				`{"id":"/w/b.go#3:4","canon":"NotFound","kind":"function"}]}`},
			"search_text": {none}},
			[]string{"I am not sure: the search found no place that speaks of this case. The nearest are:\n\n- `CookieJar::ring`"}, nil},
		{"exports of a module", "public functions of Phoenix.Token", map[string][]string{"search_text": {none, none, none},
			"code_item_lookup": {`{"ok":true,"items":[{"id":"/w/t.ex#1:9","canon":"Phoenix::Token","name":"Token","kind":"module","file":"/w/t.ex"}]}`},
			"get_file_metadata": {`{"ok":true,"file":"/w/t.ex","exists":true,"outline":[{"canon":"Phoenix::Token::sign","kind":"function",` +
				`"start_line":3}]}`}}, []string{"`Phoenix::Token` is a module", "- `sign` (function) — /w/t.ex:3"}, nil},
		{"no such folder, but imports of it", "what's inside net/http/pprof", map[string][]string{
			"list_dir": {`{"ok":false,"error":"there is no folder","code":"not_found"}`}, "search_text": {`{"ok":true,"files":[{"file":"/w/a.go",` +
				`"lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/a.go","line":3,"text":"\"net/http/pprof\""}]}`}},
			[]string{"`imports of net/http/pprof`: 1 line"}, nil},
		{"no such folder", "what's inside net/http/pprof", map[string][]string{"search_text": {none, none},
			"list_dir": {`{"ok":false,"error":"there is no folder","code":"not_found"}`}},
			[]string{"I could not list `net/http/pprof`: there is no folder."}, nil},
		{"two words of another language", "wo wird der Body eines Requests begrenzt?", map[string][]string{
			"code_item_lookup": {oneX, notFound, notFound}, "request_code_context": {`{"ok":true,"results":[{"id":"/w/z.go#1:2","canon":"Body",` +
				`"kind":"function"},{"id":"/w/z.go#3:4","canon":"BodyLimit","kind":"function"}]}`}},
			[]string{"I found:\n\n- `BodyLimit` (function) — /w/z.go:3\n- `S::X`"}, []string{"`Body` (function)"}},
		{"who catches a panic", "what happens when a handler panics?", map[string][]string{"search_text": {`{"ok":true,"files":[` +
			`{"file":"/w/a.go","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/a.go","line":3,"text":"if err := recover(); err != nil {"}]}`}},
			[]string{"`lines that catch a panic`: 1 line in 1 file.", "- /w/a.go:3"}, nil},
		{"what happens if something is missing", "what happens if the cookie jar file is not found?", map[string][]string{
			"request_code_context": {nothing2}, "code_item_lookup": {notFound, notFound, notFound}, "search_text": {`{"ok":true,"matches":[` +
				`{"file":"/w/a.go","line":3,"text":"f(\"cookie missing\")"},{"file":"/w/b_test.go","line":3,"text":"\"cookie jar missing\""},` +
				`{"file":"/w/a.go","line":9,"text":"errors.New(\"cookie jar not found\")"}]}`}, "read_file": {file("a.go", "if jar == nil {")}},
			[]string{"This line reports it, by its words, at /w/a.go:9:\n\n<code=", "if jar == nil"}, []string{"b_test", "not sure"}},
		{"lines that speak of what is missing", "what happens if the cookie jar file is not found?", map[string][]string{
			"request_code_context": {nothing2}, "code_item_lookup": {notFound, notFound, notFound}, "search_text": {`{"ok":true,"matches":[` +
				`{"file":"/w/a.go","line":3,"text":"f(\"cookie missing\")"},{"file":"/w/b_test.go","line":3,"text":"\"cookie jar missing\""}]}`}},
			[]string{"I am not sure what happens then. These lines speak of it:\n\n- /w/a.go:3: `f(\"cookie missing\")`\n",
				"The search is not sure: "}, []string{"b_test"}},
		{"a limit that is exceeded too often", "what happens when a jar redirects too often", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/e.py","line":3,"text":"class TooManyRedirects(JarError):"},` +
				`{"file":"/w/c.py","line":9,"text":"raise TooManyRedirects("}]}`}, "read_file": {file("c.py", "if len(jars) > self.max:")}},
			[]string{"I am not sure. The nearest line that reports a failure, by its words, at /w/c.py:9:\n\n<code=", "if len(jars) > self.max:"}, []string{"e.py"}},
		{"what happens, of a case without a word", "what happens when the jar of a cookie gets stale", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/a.go","line":9,"text":"return errors.New(\"the cookie of this jar is stale\")"}]}`},
			"read_file":   {`{"ok":false,"error":"gone"}`}},
			[]string{"This line reports it, by its words, at /w/a.go:9:\n\n`return errors.New("}, nil},
		{"an exit status", "which exit code does it use when a required option is missing?", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/a.js","line":3,"text":"process.exit(code)"},` +
				`{"file":"/w/a.js","line":9,"text":"const exitCode = config.exitCode || 1;"}]}`}, "read_file": {file("a.js", "const exitCode = 1;")},
			"request_code_context": {nothing2}},
			[]string{"The nearest line that speaks of an exit status, by its words, at /w/a.js:9:", "- /w/a.js:3: `process.exit(code)`",
				"The nearest places of the case itself:\n\n- `Z` (function)"}, nil},
		{"no exit status", "with what exit status does it end?", map[string][]string{"search_text": {none}, "request_code_context": {nothing},
			"code_item_lookup": {notFound, notFound, notFound}}, []string{"I found nothing"}, nil},
		{"language version", "which go version is required?", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/go.mod",` +
			`"line":3,"text":"go 1.26"}]}`, none, none}}, []string{"- `go 1.26` — /w/go.mod:3"}, nil},
		{"contributing", "how do I contribute?", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/README.md","line":7,` +
			`"text":"See contributing"},{"file":"/w/CONTRIBUTING.md","line":1,"text":"# Contributing"}]}`},
			"read_file": {file("CONTRIBUTING.md", `# Contributing\n\nThis guide is for people who send changes.\n\n## Tests\n`)}},
			[]string{"/w/CONTRIBUTING.md:3 says:", "This guide is for people", "- Tests — line 5"}, nil},
		{"no guide", "how to contribute", map[string][]string{"search_text": {none}}, []string{"there is no CONTRIBUTING"}, nil},
		{"last commits", "what changed recently?", map[string][]string{"project_facts": {`{"ok":true,"counted":2,"commits":[{"id":"0123456789",` +
			`"day":"2026-01-02","author":"Ann","subject":"Fix <x>","files":["/w/a.go","/w/b.go","/w/c.go","/w/d.go"],"more_files":2}]}`}},
			[]string{"- 2026-01-02 Fix \\<x>, Ann (`01234567`) — /w/a.go, /w/b.go, /w/c.go and 3 more\n"}, nil},
		{"no repository", "who wrote this?", map[string][]string{"project_facts": {`{"ok":true,"no_history":true}`}},
			[]string{"There is no history that I can read"}, nil},
		{"authors of a symbol's file", "who wrote X?", map[string][]string{"code_item_lookup": {oneX},
			"project_facts": {`{"ok":true,"counted":3,"authors":[{"name":"Ann","commits":2},{"name":"Bo","commits":1}],"omitted":2}`}},
			[]string{"Who wrote the last 3 commits of /w/a.go", "- Ann — 2 commits\n- Bo — 1 commit\n- and 2 more\n"}, nil},
		{"commits about words", "which commit fixed the parser?", map[string][]string{"project_facts": {`{"ok":true,"counted":9}`}},
			[]string{"None of the last 9 commits has `parser` in its subject"}, nil},
		{"uncommitted", "did I change anything? show the uncommitted changes", map[string][]string{"project_facts": {`{"ok":true,` +
			`"changed":[{"file":"/w/a.go","how":"new"}],"omitted":1}`}}, []string{"2 files differ from the last commit:\n\n- /w/a.go — new\n- " +
			"and 1 more\n"}, nil},
		{"nothing uncommitted", "git status", map[string][]string{"project_facts": {`{"ok":true}`}}, []string{"Nothing is uncommitted"}, nil},
		{"lines", "how many lines of code are there?", map[string][]string{"project_facts": {`{"ok":true,"lines":[{"language":"go","files":2,` +
			`"lines":30,"blank":3}]}`}}, []string{"30 lines in 2 files, by language:\n\n- go — 30 lines in 2 files, 3 of them blank\n"}, nil},
		{"unused", "find unused functions in src", map[string][]string{"project_facts": {`{"ok":true,"unused":[{"canon":"F","kind":"function",` +
			`"file":"/w/src/a.go","line":3,"public":true}],"omitted":1}`}},
			[]string{"2 names of src stand nowhere", "- `F` (function, public) — /w/src/a.go:3\n- and 1 more\n", "This goes by names alone"}, nil},
		{"compared", "what is the difference between X and S.X?", map[string][]string{"code_item_lookup": {oneX, oneX}},
			[]string{"`func (S) X()`\n\n> X does x. And more.\n", "I can't judge what differs"}, nil},
		{"thrown", "where is FooError thrown", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/a.ts","lines":1}]}`,
			`{"ok":true,"matches":[{"file":"/w/a.ts","line":3,"text":"throw new FooError()"}]}`}},
			[]string{"1 line in 1 file", "- /w/a.ts:3"}, nil},
		{"used keyword", "where is unsafe used?", map[string][]string{"code_item_lookup": {notFound},
			"search_text": {`{"ok":true,"files":[{"file":"/w/a.rs","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/a.rs","line":3,` +
				`"text":"unsafe {"}]}`}},
			[]string{"`unsafe`: 1 line in 1 file."}, nil},
		{"features of a table", "what cargo features are there", map[string][]string{"search_text": {`{"ok":true,` +
			`"matches":[{"file":"/w/c/Cargo.toml","line":4,"text":"[features]","after":["# All.","full = [","]","","[dependencies]","x = 1"]}]}`}},
			[]string{"- `full = []` — /w/c/Cargo.toml:6\n"}, []string{"x = 1", "# All"}},
		{"grep", "list all TODOs", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/a.go","lines":9},{"file":"/w/b.go",` +
			`"lines":1}],"omitted":3}`,
			`{"ok":true,"matches":[{"file":"/w/a.go","line":3,"text":"// TODO: all"}],"omitted":9}`}},
			[]string{"`TODO`: 10 lines in 5 files.", "- /w/a.go:3: `// TODO: all`\n- and 9 more\n", "- /w/a.go — 9\n- /w/b.go — 1\n- and 3 " +
				"files more\n"}, nil},
		{"marks of code alone", "are there any TODOs left", map[string][]string{"search_text": {none, none,
			`{"ok":true,"files":[{"file":"/w/README.md","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/README.md","line":3,"text":"grep TODO"}]}`}},
			[]string{"No comment of the code has `TODO`. Elsewhere:\n\n`TODO`: 1 line in 1 file.\n\n- /w/README.md:3: `grep TODO`"}, nil},
		{"no marks", "are there any FIXMEs left", map[string][]string{"search_text": {none, none, none, none}},
			[]string{"No comment of the code has `FIXME`. No other line has it.\n"}, nil},
		{"one version decides", "what version is this?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"package.json","line":3,"text":"\"version\": \"0.1.0\","},` +
				`{"file":"c/Cargo.toml","line":3,"text":"version = \"3.0.0\""},{"file":"Cargo.toml","line":3,"text":"version = \"2.1.0\""}]}`,
			none, `{"ok":true,"matches":[{"file":"CHANGES","line":1,"text":"2.1.0"}]}`,
			`{"ok":true,"matches":[{"file":"package.json","line":2,"text":"\"name\": \"app-docs\","},` +
				`{"file":"Cargo.toml","line":2,"text":"name = \"app\""}]}`}, "project_facts": {`{"ok":true}`}},
			[]string{"- `version = \"2.1.0\"` — Cargo.toml:3\n- `2.1.0` — CHANGES:1\n\nOthers have their own: `version = \"3.0.0\"` — c/Cargo.toml:3.\n"},
			[]string{"0.1.0"}},
		{"a default of what is named", "how many frames does DictTransformer keep by default?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/a.py","line":3,"text":"MAX_FRAMES = 50"},{"file":"/w/b.py","line":3,"text":"MAX_FRAMES_OF_B = 60"}]}`,
			none, `{"ok":true,"matches":[{"file":"/w/a.py","line":9,"text":"class DictTransformer:"}]}`}},
			[]string{"- `MAX_FRAMES` — /w/a.py:3: `MAX_FRAMES = 50`"}, []string{"60"}},
		{"what stands beside is not set up", "how do I set this up for development?", map[string][]string{"search_text": {none},
			"list_dir": {`{"ok":true,"entries":[{"path":"package.json","type":"file"},{"path":"app.gemspec","type":"file"},` +
				`{"path":".devcontainer","type":"folder"},{"path":"Gemfile","type":"file"}]}`},
			"read_file": {`{"ok":true,"file":"package.json","start_line":1,"snippet":"<code=\"x\" #1:2>\n{\n\"name\": \"app-docs\"\n</code>"}`,
				`{"ok":true,"file":"Gemfile","start_line":1,"snippet":"<code=\"x\" #1:1>\nx\n</code>"}`}},
			[]string{"To set this project up for development:\n\n- `bundle install` — as Gemfile has it by convention\n- `devcontainer up"},
			[]string{"npm"}},
		{"what stands beside does not describe it", "what is this project?", map[string][]string{"search_text": {
			`{"ok":true,"files":[{"file":"package.json"},{"file":"app.gemspec"}]}`,
			`{"ok":true,"matches":[{"file":"package.json","line":3,"text":"\"description\": \"The docs of app\""}]}`, none, none, none},
			"list_dir": {`{"ok":true,"entries":[{"path":"package.json","type":"file"}]}`}, "project_facts": {`{"ok":true}`},
			"read_file": {`{"ok":true,"file":"package.json","start_line":1,"snippet":"<code=\"x\" #1:3>\n{\n\"name\": \"app-docs\",\n` +
				`\"main\": \"index.js\"\n</code>"}`,
				`{"ok":true,"file":"app.gemspec","start_line":1,"snippet":"<code=\"x\" #1:1>\nx\n</code>"}`}}, nil, []string{"docs of app", "index.js"}},
		{"a member of what a language brings", "where do we do console.error?", map[string][]string{"search_text": {
			`{"ok":true,"files":[{"file":"/w/a.ts","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/a.ts","line":3,"text":"console.error(e)"}]}`}},
			[]string{"`console.error`: 1 line in 1 file.", "- /w/a.ts:3"}, nil},
		{"who calls what a language brings, by its text", "who calls json.loads?", map[string][]string{"search_text": {
			`{"ok":true,"files":[{"file":"/w/a.py","lines":1}]}`, `{"ok":true,"matches":[{"file":"/w/a.py","line":3,"text":"json.loads(e)"}]}`}},
			[]string{"`json.loads`: 1 line in 1 file."}, nil},
		{"lines that speak of another case", "what happens if the cookie jar file is not found?", map[string][]string{
			"request_code_context": {nothing2}, "code_item_lookup": {notFound, notFound, notFound}, "search_text": {`{"ok":true,"matches":[` +
				`{"file":"/w/a.go","line":3,"text":"return Err(\"cookie\")"}]}`}}, []string{"I am not sure: "}, []string{"I am not sure what happens"}},
		{"who calls a member of what a language brings", "who calls json.loads?", map[string][]string{"search_text": {none, none},
			"code_item_lookup": {notFound, notFound}}, []string{"I could not look up `json::loads`"}, nil},
		{"packages that are needed", "what do i need to run it (python version, packages)?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/pyproject.toml","line":1,"text":"requires-python = \">=3\""}]}`, none, none,
			`{"ok":true,"files":[{"file":"/w/pyproject.toml","lines":1}]}`}, "read_file": {
			file("pyproject.toml", `[project]\ndependencies = [\"click>=8\"]`)}}, []string{"- `click>=8` — /w/pyproject.toml:2"}, nil},
		{"the value of an option", "what is the default for history-limit?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/b.c","line":2,"text":"get(\"history-limit\")","after":["max = default_of(x)"]},` +
				`{"file":"/w/a.c","line":3,"text":"{ .name = \"history-limit\",","before":["{"],"after":["  .default_num = 2000,","},","x: 1"]}]}`},
			"read_file": {file("a.c", `{ .name,\n.default_num = 2000`)}},
			[]string{"`history-limit` is set up at /w/a.c:3, by its name:", ".default_num = 2000"}, nil},
		{"a name without the quality", "how wide is the help text by default?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/a.ts","line":3,"text":"type AddHelpText = 'before'"},` +
				`{"file":"/w/a.ts","line":4,"text":"helpWidth = given ?? 80"}]}`, none}},
			[]string{"be what you ask for:\n\n- `helpWidth` — /w/a.ts:4"}, nil},
		{"an option without a value", "what is the default for history-limit?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/b.c","line":2,"text":"get(\"history-limit\")"}]}`,
			`{"ok":true,"matches":[{"file":"/w/a.c","line":3,"text":"DEFAULT_HISTORY_LIMIT = 5"}]}`, none}},
			[]string{"- `DEFAULT_HISTORY_LIMIT` — /w/a.c:3"}, nil},
		{"no commits of late", "what changed in the last two days?", map[string][]string{"project_facts": {
			`{"ok":true,"about":"commits","counted":0,"newest":"2026-01-02","since":"2026-03-04"}`,
			`{"ok":true,"about":"commits","counted":9,"commits":[{"id":"1","day":"2026-01-02","subject":"Fix it","author":"A"}]}`}},
			[]string{"There are no commits since 2026-03-04. The newest one is of 2026-01-02.\n\nThe last commits, the newest first:\n\n- 2026-01-02 Fix it, A"},
			nil},
		{"the largest source files", "the 2 biggest source files without the tests", map[string][]string{"list_dir": {
			`{"ok":true,"entries":[{"path":"a.lock","type":"file","bytes":9000},{"path":"a.go","type":"file","bytes":20},` +
				`{"path":"b.go","type":"file","bytes":10},{"path":"c.go","type":"file","bytes":5},{"path":"a_test.go","type":"file","bytes":900}]}`}},
			[]string{"The largest source files, without tests, examples, and vendored and generated files:\n\n- a.go — 20 bytes\n" +
				"- b.go — 10 bytes\n\n"}, nil},
		{"the largest source files of the project alone", "what are the 3 biggest source files", map[string][]string{"list_dir": {
			`{"ok":true,"entries":[{"path":"tests","type":"folder"},{"path":"src","type":"folder"},{"path":"a.pb.go","type":"file","bytes":9000},` +
				`{"path":"b.go","type":"file","bytes":10}]}`,
			`{"ok":true,"entries":[{"path":"src/jquery.min.js","type":"file","bytes":800},{"path":"src/fixtures/c.js","type":"file","bytes":700},` +
				`{"path":"src/c.go","type":"file","bytes":7}]}`}},
			[]string{"generated files:\n\n- b.go — 10 bytes\n- src/c.go — 7 bytes\n\n"}, []string{"further files"}},
		{"the largest source files of the tests", "the biggest source files of the tests", map[string][]string{"list_dir": {
			`{"ok":true,"entries":[{"path":"a_test.go","type":"file","bytes":9000}]}`}},
			[]string{"The largest files:\n\n- a_test.go — 8.8 KB\n"}, nil},
		{"who wrote what is described, and when", "who wrote the cookie helper and when was it last touched?", map[string][]string{
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/a.go#3:4","canon":"cookieHelper","kind":"function"}]}`},
			"project_facts":        {`{"ok":true,"about":"authors","counted":1,"authors":[{"name":"B","commits":1,"first":"2024-01-01","last":"2024-01-01"}]}`}},
			[]string{"- B — 1 commit, on 2024-01-01"}, []string{"As for"}},
		{"grep nothing", "grep zyx", map[string][]string{"search_text": {`{"ok":true,"matches":[]}`, `{"ok":true,"matches":[]}`}},
			[]string{"No line of the workspace has `zyx`."}, nil},
		{"outline", "outline of a.go", map[string][]string{"get_file_metadata": {`{"ok":true,"file":"/w/a.go","exists":true,"line_count":9,` +
			`"outline":[{"canon":"T::F","kind":"method","start_line":3}],"outline_omitted":2}`}},
			[]string{"/w/a.go has 9 lines and 3 symbols.", "- `T::F` (method) — /w/a.go:3\n- and 2 more\n"}, nil},
		{"no outline", "outline of a.go", map[string][]string{"get_file_metadata": {`{"ok":true,"file":"/w/a.go","exists":false,` +
			`"candidates":["b/a.go"]}`}}, []string{"There is no file `a.go`", "`b/a.go`"}, nil},
		{"folder", "what is in the src folder", map[string][]string{"list_dir": {top("a.go")}}, []string{"src holds 2 entries", "- `src/`\n",
			"- `a.go` (2.0 KB)\n"}, nil},
		{"largest", "what are the largest files?", map[string][]string{"list_dir": {top("a.go", "b.png"),
			`{"ok":true,"entries":[{"path":"/w/src/c.go","type":"file","bytes":9000}],"omitted":4}`}},
			[]string{"- /w/src/c.go — 8.8 KB\n- /w/a.go — 2.0 KB\n", "4 further files"}, []string{"b.png —"}},
		{"largest of a folder", "largest files in src/", map[string][]string{"list_dir": {top("a.go"),
			`{"ok":true,"entries":[{"path":"/w/src/c.go","type":"file","bytes":9000}],"omitted":0}`}},
			[]string{"The largest files in `src/`:", "- /w/src/c.go — 8.8 KB\n"}, []string{"a.go"}},
		{"dependencies of a package", "what are the dependencies of the core crate?", map[string][]string{"search_text": {
			`{"ok":true,"files":[{"file":"/w/tests/Cargo.toml","lines":1},{"file":"/w/core/Cargo.toml","lines":1}]}`},
			"read_file": {file("core/Cargo.toml", `[dependencies]\nserde = \"1\"`), file("tests/Cargo.toml", "")}},
			[]string{"/w/core/Cargo.toml names 1:"}, []string{"tests"}},
		{"what a package depends on", "what does core-x depend on?", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/core/Cargo.toml","line":2,"text":"name = \"core-x\""}]}`,
			`{"ok":true,"files":[{"file":"/w/Cargo.toml"},{"file":"/w/core/Cargo.toml"}]}`},
			"read_file": {file("Cargo.toml", `[dependencies]\nrand = \"1\"`),
				file("core/Cargo.toml", `[package]\nname = \"core-x\"\n[dependencies]\nserde = \"1\"`)}},
			[]string{"/w/core/Cargo.toml names 1:\n\n- `serde = \"1\"`", "- /w/Cargo.toml — 1\n"}, []string{"rand"}},
		{"a heading that is the question", "how many threads does it start if I don't configure anything?", map[string][]string{
			"headings": {`{"ok":true,"matches":[{"file":"/w/a.md","line":1,"text":"# Start of threads and tasks of yours"},` +
				`{"file":"/w/FAQ.md","line":5,"text":"## How many threads will it spawn?"}]}`},
			"read_file": {file("FAQ.md", `## How many threads will it spawn?\n\nAs many as CPUs.\n\n## Next\n\nNo.`)}},
			[]string{"/w/FAQ.md:5 has a section about that:", "As many as CPUs."}, []string{"Next"}},
		{"what the prose says of a platform", "should I use it on Android?", map[string][]string{
			"search_text": {`{"ok":true,"matches":[{"file":"/w/docs/a.md","line":1,"text":"Android is an OS."},` +
				`{"file":"/w/README.md","line":3,"text":"It is not recommended on Android."}]}`},
			"read_file": {file("README.md", `# T\n\nIt is not recommended on Android.\nUse another.\n\nMore.`)}},
			[]string{"/w/README.md:3 speaks of `android`:", "Use another.", "- /w/docs/a.md:1: `Android is an OS.`"}, []string{"More."}},
		{"a demo by its name", "how do i run the tests? and the nbody demo?", map[string][]string{"search_text": {none,
			`{"ok":true,"matches":[{"file":"/w/README.md","line":9,"text":"> cargo run --release -- nbody visualize"}]}`, none},
			"list_dir": {top("Cargo.toml")}, "read_file": {file("Cargo.toml", "[package]")}},
			[]string{"- `cargo test`", "- `cargo run --release -- nbody visualize` — /w/README.md:9\n"}, nil},
		{"a half that is not understood", "how do i run the tests? how does the frobnicator pick widgets?", map[string][]string{"search_text": {none},
			"list_dir": {top("Cargo.toml")}, "read_file": {file("Cargo.toml", "[package]")}, "request_code_context": {nothing},
			"code_item_lookup": {notFound, notFound, notFound}},
			[]string{"- `cargo test`", "As for \"how does the frobnicator pick widgets\":\n\nI found nothing"}, nil},
		{"a use of the license", "what's the licence here, and may my company use it commercially", map[string][]string{"search_text": {
			`{"ok":true,"matches":[{"file":"/w/pom.xml","line":3,"text":"Apache License, Version 2.0"},` +
				`{"file":"/w/LICENSE","line":1,"text":"Apache License"}]}`}},
			[]string{"the license is Apache 2.0", "the text of the license, in /w/LICENSE, decides"}, nil},
		{"a package", "explain what the printer crate does", map[string][]string{
			"search_text": {`{"ok":true,"files":[{"file":"/w/other/printer/x.rs"},{"file":"/w/printer/src/lib.rs"},` +
				`{"file":"/w/printer/README.md"},{"file":"/w/printer/tests/t.rs"}]}`},
			"read_file": {file("printer/README.md", `# printer\n\nPrinter is a library for printing.\n`)}},
			[]string{"Printer is a library for printing.", "`printer` has 3 files:\n\n- /w/printer/README.md\n- /w/printer/src/lib.rs\n"},
			[]string{"other"}},
		{"who knows something", "who should I ask about the io driver?", map[string][]string{
			"request_code_context": {`{"ok":true,"results":[{"id":"/w/t_test.go#1:2","canon":"Driver","kind":"function"},` +
				`{"id":"/w/io.go#3:4","canon":"IoDriver","kind":"struct"}]}`},
			"project_facts": {`{"ok":true,"about":"authors","authors":[{"name":"Ann","commits":3}],"counted":3}`}},
			[]string{"The nearest to `io driver` is `IoDriver`, at /w/io.go:3.", "- Ann — 3 commits"}, nil},
		{"who knows what is not found", "who should I ask about cookies in glass jars?", map[string][]string{
			"request_code_context": {nothing2, nothing2}, "code_item_lookup": {notFound, notFound, notFound}},
			[]string{"I am not sure: "}, []string{"The nearest to"}},
		{"a default with a name inside", "default total timeout", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/a.py",` +
			`"line":3,"text":"DEFAULT_TIMEOUT: Final[T] = T(total=5 * 60)"},{"file":"/w/a.py","line":4,"text":"total_timeout = 3"}]}`, none}},
			[]string{"for:\n\n- `total_timeout` — /w/a.py:4", "- `DEFAULT_TIMEOUT` — /w/a.py:3"}, nil},
		{"what is not supported", "what happens if a cookie is not supported?", map[string][]string{"request_code_context": {nothing2},
			"code_item_lookup": {notFound, notFound, notFound}, "search_text": {`{"ok":true,"matches":[{"file":"/w/a.go","line":3,` +
				`"text":"\"unsupported cookie\""}]}`}}, []string{"- /w/a.go:3: `\"unsupported cookie\"`"}, nil},
		{"another language", "wo wird die flushJobs Funktion gebastelt?", map[string][]string{"code_item_lookup": {oneX, notFound},
			"request_code_context": {nothing}},
			[]string{"I understand English best. For `flushJobs`, `gebastelt` I found:\n\n- `S::X` (method) — /w/a.go:3"}, nil},
		{"no word of the code", "哪里？", nil, []string{"I understand English best. Please ask in English"}, nil},
		{"words by the glossary", "反向代理在哪里实现？", map[string][]string{"request_code_context": {`{"ok":true,` +
			`"results":[{"id":"/w/p.go#3:4","canon":"ReverseProxy","kind":"struct","doc":"A proxy in reverse."}]}`}},
			[]string{"I understand English best. For `reverse`, `proxy` I found:\n\n- `ReverseProxy` (struct) — /w/p.go:3\n"}, nil},
		{"asked by everybody", "プロジェクトのライセンスは何ですか", map[string][]string{"search_text": {none}},
			[]string{"I understand English best.\n\nNo file that I know for it names the license"}, nil},
		{"prose with links of reStructuredText", "what is this?", map[string][]string{
			"list_dir": {top("README.rst")}, "project_facts": {`{"ok":true,"lines":[{"language":"markdown","files":1,"lines":90},` +
				`{"language":"go","files":264,"lines":5}]}`}, "search_text": {none, none, none, none, none},
			"read_file": {file("README.rst", "`Name <http://x.org>`_ is a framework\\nfor all.\\n\\nHere is a simple example of it:")}},
			[]string{"Name <http://x.org>`_ is a framework", "Its languages: go (5 lines in 264 files), markdown (90 lines in 1 file).\n"},
			[]string{"Here is", "Most"}},
		{"methods of a type", "what methods does S have?", map[string][]string{
			"code_item_lookup": {`{"ok":true,"items":[{"id":"/w/a.go#3:9","canon":"S","name":"S","kind":"struct","file":"/w/a.go"}]}`},
			"get_file_metadata": {`{"ok":true,"file":"/w/a.go","exists":true,"outline":[{"canon":"S","kind":"struct","start_line":3},` +
				`{"canon":"S::x","kind":"field","start_line":4},{"canon":"S::Run","kind":"method","start_line":11}]}`},
			"search_text": {`{"ok":true,"matches":[{"file":"/w/a.go","line":11,"text":"func (s *S) Run() {"},` +
				`{"file":"/w/b.go","line":2,"text":"func (s *S) Stop() {"}]}`}},
			[]string{"`S` is a struct at /w/a.go:3. Of what was asked for it has 2:\n\n- `Run` (method) — /w/a.go:11\n- `func (s *S) Stop()` " +
				"— " +
				"/w/b.go:2\n"}, []string{"`x`"}},
		{"methods of no type", "what methods does it offer the reader", map[string][]string{"request_code_context": {nothing},
			"code_item_lookup": {notFound, notFound, notFound}},
			[]string{"I found nothing"}, nil},
		{"well-known files", "where are the tests", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/a_test.go"}],` +
			`"omitted":2}`}}, []string{"By their names, 3 files are of tests:\n\n- /w/a_test.go\n- and 2 more\n"}, nil},
		{"no such files", "which CI is used?", map[string][]string{"search_text": {none}}, []string{"No file of the workspace is named"}, nil},
		{"public methods", "what public methods does Utils have?", map[string][]string{"code_item_lookup": {`{"ok":true,"items":[` +
			`{"id":"/w/u.php#1:9","canon":"Utils","name":"Utils","kind":"class"}]}`}, "get_file_metadata": {`{"ok":true,"file":"/w/u.php",` +
			`"exists":true,"outline":[{"canon":"Utils","kind":"class","start_line":1},{"canon":"Utils::a","kind":"method","start_line":2},` +
			`{"canon":"Utils::b","kind":"method","start_line":5}]}`}, "search_text": {`{"ok":true,"matches":[{"file":"/w/u.php","line":5,` +
			`"text":"private function b()"}]}`}}, []string{"it has 1:\n\n- `a` (method)"}, []string{"`b`"}},
		{"public methods by their names", "what public methods does D have?", map[string][]string{"code_item_lookup": {`{"ok":true,` +
			`"items":[{"id":"/w/d.py#1:9","canon":"D","name":"D","kind":"class"}]}`}, "get_file_metadata": {`{"ok":true,"file":"/w/d.py",` +
			`"exists":true,"outline":[{"canon":"D::a","kind":"method","start_line":2},{"canon":"D::_b","kind":"method","start_line":5},` +
			`{"canon":"D::__init__","kind":"constructor","start_line":7}]}`}, "search_text": {none}},
			[]string{"it has 2:\n\n- `a` (method)", "`__init__`"}, []string{"`_b`"}},
		{"a build without tests", "how do I build it without running all the tests", map[string][]string{"list_dir": {`{"ok":true,` +
			`"entries":[{"path":"/w/pom.xml","type":"file"}]}`}, "search_text": {none}, "read_file": {file("pom.xml", `<project>`)}},
			[]string{"`mvn package -DskipTests` — as /w/pom.xml has it by convention, without the tests"}, nil},
		{"a build with tests", "how do I build it", map[string][]string{"list_dir": {`{"ok":true,` +
			`"entries":[{"path":"/w/pom.xml","type":"file"}]}`}, "search_text": {none}, "read_file": {file("pom.xml", `<project>`)}},
			[]string{"`mvn package` — as /w/pom.xml has it by convention\n"}, nil},
		{"the section on use", "how do I use this library?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/docs/x.md","line":1,"text":"# Example"},{"file":"/w/README.md","line":9,"text":"## Usage"}]}`},
			"read_file": {file("README.md", `## Usage\n\nCall Boil.`)}}, []string{"/w/README.md:9 says:\n\n", "Call Boil.\n</code>"}, nil},
		{"the section of an introduction", "how do I use this library?", map[string][]string{"search_text": {`{"ok":true,"matches":[` +
			`{"file":"/w/docs/x.md","line":1,"text":"# Example"},{"file":"/w/docs/quickstart.md","line":9,"text":"# Usage"}]}`},
			"read_file": {file("docs/quickstart.md", `# Usage\n\nCall Boil.`)}}, []string{"/w/docs/quickstart.md:9 says:\n\n"}, nil},
		{"most words of another language are not found", "wo wird Foo mit Bar oder Baz gelesen?", map[string][]string{
			"code_item_lookup": {notFound, notFound, notFound}, "request_code_context": {`{"ok":true,"results":[{"id":"/w/z.go#1:2",` +
				`"canon":"Foo","kind":"function"}]}`}}, []string{"I found nothing for `Foo`"}, nil},
		{"judgement", "is it thread-safe?", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/a.go","lines":1}]}`,
			`{"ok":true,"matches":[{"file":"/w/a.go","line":3,"text":"// It is not thread-safe."}]}`}},
			[]string{"Rules can't judge that.", "- /w/a.go:3: `// It is not thread-safe.`"}, nil},
		{"judgement of what is not told", "is this secure?", map[string][]string{"search_text": {none, none}},
			[]string{"I can't judge that", "ploke-lsp setup"}, nil},
		{"undo", "undo that", map[string][]string{"project_facts": {`{"ok":true,"proposals":[{"title":"rename a[0]","state":"waiting",` +
			`"back":"do b"},{"title":"c","state":"accepted","back":"do d"},{"title":"e","state":"accepted","back":"do f"}]}`}},
			[]string{"I did not take anything back", "One proposal waits, and nothing of it is written. This rejects it:\n\n- rename a[0] — `do b`\n",
				"2 proposals were accepted. The newest first, and what takes it back:\n\n- c — `do d`\n- e — `do f`\n"}, nil},
		{"nothing to undo", "undo that", map[string][]string{"project_facts": {`{"ok":true}`}}, []string{"I found nothing to take back"}, nil},
		{"setup", "how do I set up a model?", nil, []string{"Run `ploke-lsp setup`"}, []string{"I can't"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, answer := dialog(t, tt.message, tt.answers)
			checkWords(t, answer, tt.says, tt.not)
		})
	}
}
