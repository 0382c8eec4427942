package embedded_test

import "testing"

// TestAnswersFromTheFilesOfAProject asks what a project's own files say.
func TestAnswersFromTheFilesOfAProject(t *testing.T) {
	file := func(name, text string) string {
		return `{"ok":true,"file":"/w/` + name + `","start_line":1,"end_line":9,"line_count":9,"snippet":"<code=\"/w/` + name + `\" #1:9>\n` + text + `\n</code>"}`
	}
	top := func(names ...string) string {
		list := `{"path":"/w/src","type":"folder"}`
		for _, name := range names {
			list += `,{"path":"/w/` + name + `","type":"file","bytes":2048}`
		}
		return `{"ok":true,"entries":[` + list + `],"omitted":0}`
	}
	readme := `# Name\n\nA name.\n\n## Building it\n\n    $ make BUILD_TLS=yes\n\nThen run ` + "`make test`" + `, and ` + "`Run`" + `.\n`
	tests := []struct {
		name, message string
		answers       map[string][]string
		says, not     []string
	}{
		{"test by prose, Makefile and manifest", "how do I run the tests?", map[string][]string{
			"list_dir":  {top("README.md", "go.mod", "Makefile")},
			"read_file": {file("README.md", readme), file("Makefile", `GO := go\ntest: all\n\tgo test\nlint:\n`), file("go.mod", "module m")}},
			[]string{"- `make test` — /w/README.md:9\n", "- `go test ./...` — as /w/go.mod has it by convention\n"}, []string{"lint", "BUILD_TLS", "/w/Makefile"}},
		{"lint by Makefile", "how do I lint the code", map[string][]string{
			"list_dir": {top("Makefile")}, "read_file": {file("Makefile", `test:\nlint-fix: x\n`)}},
			[]string{"- `make lint-fix` — /w/Makefile:2\n"}, []string{"make test"}},
		{"build by a prompt", "how do I build it", map[string][]string{"list_dir": {top("README.md")}, "read_file": {file("README.md", readme)}},
			[]string{"- `make BUILD_TLS=yes` — /w/README.md:7\n", `- "Building it" — /w/README.md:5`}, []string{"make test", "`Run`"}},
		{"scripts by their runner", "how do I run the tests", map[string][]string{"list_dir": {top("package.json", "pnpm-lock.yaml")},
			"read_file": {file("package.json", `{\n  \"scripts\": {\n    \"build\": \"tsc\",\n    \"test-unit\": \"vitest run\"\n  }\n}`)}},
			[]string{"- `pnpm run test-unit` — /w/package.json:4: `vitest run`\n"}, []string{"tsc"}},
		{"no command", "how do I run it", map[string][]string{"list_dir": {top()}}, []string{"found no command"}, nil},
		{"license", "license?", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/LICENSE","line":3,"text":"Permission is hereby granted, free of charge"}]}`}},
			[]string{"By its words, the license is MIT.", "/w/LICENSE:3"}, nil},
		{"no version", "which version is this?", map[string][]string{"search_text": {`{"ok":true,"matches":[]}`}}, []string{"No file that I know for it names the version"}, nil},
		{"features of a table", "what cargo features are there", map[string][]string{"search_text": {`{"ok":true,"matches":[{"file":"/w/c/Cargo.toml","line":4,"text":"[features]","after":["# All.","full = [","]","","[dependencies]","x = 1"]}]}`}},
			[]string{"- `full = [` — /w/c/Cargo.toml:6\n"}, []string{"x = 1", "# All"}},
		{"grep", "list all TODOs", map[string][]string{"search_text": {`{"ok":true,"files":[{"file":"/w/a.go","lines":9},{"file":"/w/b.go","lines":1}],"omitted":3}`,
			`{"ok":true,"matches":[{"file":"/w/a.go","line":3,"text":"// TODO: all"}],"omitted":9}`}},
			[]string{"`TODO`: 10 lines in 5 files.", "- /w/a.go:3: `// TODO: all`\n- and 9 more\n", "- /w/a.go — 9\n- /w/b.go — 1\n- and 3 files more\n"}, nil},
		{"grep nothing", "grep zyx", map[string][]string{"search_text": {`{"ok":true,"matches":[]}`, `{"ok":true,"matches":[]}`}}, []string{"No line of the workspace has `zyx`."}, nil},
		{"outline", "outline of a.go", map[string][]string{"get_file_metadata": {`{"ok":true,"file":"/w/a.go","exists":true,"line_count":9,"outline":[{"canon":"T::F","kind":"method","start_line":3}],"outline_omitted":2}`}},
			[]string{"/w/a.go has 9 lines and 3 symbols.", "- `T::F` (method) — /w/a.go:3\n- and 2 more\n"}, nil},
		{"no outline", "outline of a.go", map[string][]string{"get_file_metadata": {`{"ok":true,"file":"/w/a.go","exists":false,"candidates":["b/a.go"]}`}}, []string{"There is no file `a.go`", "`b/a.go`"}, nil},
		{"folder", "what is in the src folder", map[string][]string{"list_dir": {top("a.go")}}, []string{"src holds 2 entries", "- `src/`\n", "- `a.go` (2.0 KB)\n"}, nil},
		{"largest", "what are the largest files?", map[string][]string{"list_dir": {top("a.go", "b.png"), `{"ok":true,"entries":[{"path":"/w/src/c.go","type":"file","bytes":9000}],"omitted":4}`}},
			[]string{"- /w/src/c.go — 8.8 KB\n- /w/a.go — 2.0 KB\n", "4 further files"}, []string{"b.png —"}},
		{"another language", "wo wird die flushJobs Funktion gerufen?", map[string][]string{"code_item_lookup": {oneX, notFound}, "request_code_context": {nothing}},
			[]string{"I understand English best. For `flushJobs`, `gerufen` I found:\n\n- `S::X` (method) — /w/a.go:3"}, nil},
		{"no word of the code", "反向代理在哪里实现？", nil, []string{"I understand English best. Please ask in English"}, nil},
		{"undo", "undo that", nil, []string{"ploke-lsp proposals undo"}, nil},
		{"setup", "how do I set up a model?", nil, []string{"Run `ploke-lsp setup`"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, answer := dialog(t, tt.message, tt.answers)
			checkWords(t, answer, tt.says, tt.not)
		})
	}
}
