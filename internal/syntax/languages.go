package syntax

import (
	"bytes"
	"cmp"
	"path"
	"path/filepath"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/bash"
	"github.com/smacker/go-tree-sitter/c"
	"github.com/smacker/go-tree-sitter/cpp"
	"github.com/smacker/go-tree-sitter/csharp"
	"github.com/smacker/go-tree-sitter/elixir"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/smacker/go-tree-sitter/hcl"
	"github.com/smacker/go-tree-sitter/java"
	"github.com/smacker/go-tree-sitter/javascript"
	"github.com/smacker/go-tree-sitter/kotlin"
	"github.com/smacker/go-tree-sitter/lua"
	"github.com/smacker/go-tree-sitter/ocaml"
	"github.com/smacker/go-tree-sitter/php"
	"github.com/smacker/go-tree-sitter/python"
	"github.com/smacker/go-tree-sitter/ruby"
	"github.com/smacker/go-tree-sitter/rust"
	"github.com/smacker/go-tree-sitter/scala"
	"github.com/smacker/go-tree-sitter/swift"
	"github.com/smacker/go-tree-sitter/toml"
	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"ploke-lsp/internal/lazyregexp"
)

// language is one line of the table of languages. Its lists are words separated by spaces.
type language struct {
	name       string
	extensions string                  // file name extensions without the dot, in lower case
	names      string                  // whole file names; "Name.*" matches Name and Name followed by a dot and more
	programs   string                  // interpreters in a "#!" line, without a version
	parser     func() *sitter.Language // nil for a language with a scanner (rules.scan)
	rules      *rules
}

// languages is the table of languages. The rest about a language is in its own rules.
var languages = []language{
	{"go", "go", "", "", golang.GetLanguage, &goRules},
	{"python", "py pyi pyw bzl star", "BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel Tiltfile SConstruct SConscript wscript",
		"python", python.GetLanguage, &pythonRules},
	{"javascript", "js mjs cjs jsx", "", "node", javascript.GetLanguage, &javascriptRules},
	{"typescript", "ts mts cts", "", "deno bun", typescript.GetLanguage, &typescriptRules},
	{"tsx", "tsx", "", "", tsx.GetLanguage, &typescriptRules},
	{"rust", "rs", "", "", rust.GetLanguage, &rustRules},
	{"c", "c h", "", "", c.GetLanguage, &cRules},
	{"ruby", "rb rake gemspec podspec ru", "Rakefile Gemfile Vagrantfile Guardfile Podfile Fastfile Brewfile Capfile Dangerfile .irbrc .pryrc",
		"ruby", ruby.GetLanguage, &rubyRules},
	{"php", "php phtml", "", "php", php.GetLanguage, &phpRules},
	{"bash", "sh bash bats", ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .xprofile .envrc PKGBUILD",
		"sh bash dash bats", bash.GetLanguage, &bashRules},
	{"lua", "lua rockspec", ".luacheckrc", "lua luajit", lua.GetLanguage, &luaRules},
	{"swift", "swift", "", "swift", swift.GetLanguage, &swiftRules},
	{"cpp", "cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp", "", "", cpp.GetLanguage, &cppRules},
	{"java", "java", "", "", java.GetLanguage, &javaRules},
	{"csharp", "cs csx", "", "", csharp.GetLanguage, &csharpRules},
	{"kotlin", "kt kts", "", "", kotlin.GetLanguage, &kotlinRules},
	{"scala", "scala sc sbt", "", "", scala.GetLanguage, &scalaRules},
	{"elixir", "ex exs", "", "elixir", elixir.GetLanguage, &elixirRules},
	{"ocaml", "ml", ".ocamlinit", "ocaml", ocaml.GetLanguage, &ocamlRules},
	{"ocaml-interface", "mli", "", "", ocaml.GetLanguage, &ocamlInterfaceRules},
	{"hcl", "tf tfvars hcl nomad", ".terraformrc", "", hcl.GetLanguage, &hclRules},
	{"protobuf", "proto", "", "", nil, &protobufRules},
	{"sql", "sql ddl pgsql psql plsql mysql", "", "", nil, &sqlRules},
	{"markdown", "md markdown mdx mdown mkd", "", "", nil, &markdownRules},
	{"yaml", "yaml yml", ".clang-format .clang-tidy .clangd", "", nil, &yamlRules},
	{"toml", "toml", "Pipfile", "", toml.GetLanguage, &tomlRules},
	{"css", "css", "", "", nil, &cssRules},
	{"scss", "scss", "", "", nil, &scssRules},
	{"less", "less", "", "", nil, &lessRules},
	{"html", "html htm xhtml", "", "", nil, &htmlRules},
	{"vue", "vue", "", "", nil, &htmlRules},
	{"svelte", "svelte", "", "", nil, &htmlRules},
	{"dockerfile", "dockerfile containerfile", "Dockerfile.* Containerfile.*", "", nil, &dockerfileRules},
}

var (
	byExtension = index(func(l language) string { return l.extensions })
	byName      = index(func(l language) string { return l.names })
	byProgram   = index(func(l language) string { return l.programs })
)

func index(words func(language) string) map[string]string {
	m := map[string]string{}
	for _, l := range languages {
		for _, word := range strings.Fields(words(l)) {
			m[word] = l.name
		}
	}
	return m
}

// maxSniffedBytes is the number of bytes of a C header that are searched for C++.
const maxSniffedBytes = 16 << 10

// cppOnly matches a line, without the blanks at its beginning, that a C header can't have: C++ headers are often
// called .h too.
var cppOnly = lazyregexp.New(`^(?:(?:class|struct)[ \t]+\w+[ \t]*(?:final[ \t]*)?:[^:]` +
	`|class[ \t]+\w+[ \t]*(?:[{;\n]|$)|(?:inline[ \t]+)?namespace[ \t]+[\w:]+[ \t]*(?:[{\n]|$)` +
	`|template[ \t]*<|(?:public|private|protected)[ \t]*:|using[ \t]+(?:namespace[ \t]|\w+[ \t]*=))`)

// isCPP reports whether a line of a text shows that it is C++. To match all lines with cppOnly would take a quarter
// as long as to parse them.
func isCPP(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimLeft(line, " \t")
		end := 0
		for end < len(line) && 'a' <= line[end] && line[end] <= 'z' {
			end++
		}
		switch string(line[:end]) {
		case "class", "struct", "inline", "namespace", "template", "public", "private", "protected", "using":
			if cppOnly.Match(line) {
				return true
			}
		}
	}
	return false
}

// Detect returns the language of a file, "" for an unknown one. It goes by the whole name or
// the extension, and by the text for a C header; without an extension by the interpreter in the
// first line.
func Detect(name string, text []byte) string {
	name = path.Base(filepath.ToSlash(name))
	stem, _, _ := strings.Cut(name, ".")
	ext := strings.TrimPrefix(path.Ext(name), ".")
	if l := cmp.Or(byName[name], byName[stem+".*"], byExtension[strings.ToLower(ext)]); l != "" {
		if l == "c" && isCPP(text[:min(len(text), maxSniffedBytes)]) {
			return "cpp"
		}
		return l
	}
	if ext != "" {
		return ""
	}
	return interpreter(text)
}

// interpreter returns the language of the interpreter in a first line "#!", or "".
func interpreter(text []byte) string {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	command, ok := bytes.CutPrefix(line, []byte("#!"))
	if !ok {
		return ""
	}
	for word := range strings.FieldsSeq(string(command)) {
		if l, ok := byProgram[strings.TrimRight(path.Base(word), "0123456789.")]; ok {
			return l
		}
	}
	return ""
}
