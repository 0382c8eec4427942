package modules

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Unfit returns why what moves can't be in To so that the program still builds, "" if nothing is known against it.
func (m Moved) Unfit() string {
	switch filepath.Ext(m.From) {
	case ".go":
		return m.unfitGo()
	case ".java", ".kt", ".php":
		return m.unfitClass()
	case ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return m.unfitScript()
	case ".rs":
		if regexp.MustCompile(`(?m)^(?:unsafe )?impl\b[^{\n]*\b` + regexp.QuoteMeta(m.Name) + `\b`).MatchString(m.Before) {
			return fmt.Sprintf("%s has impl blocks for %s, which may need its private fields", m.From, m.Name)
		}
	}
	return ""
}

// otherPackage says that two files are in different packages.
func (m Moved) otherPackage() string {
	return fmt.Sprintf("%s and %s are in different packages, and rules don't know which names then need another "+
		"spelling", m.From, m.To)
}

func (m Moved) unfitGo() string {
	switch {
	case path.Dir(m.From) != path.Dir(m.To) || clause(goPackage, m.Before) != clause(goPackage, m.Target):
		return m.otherPackage()
	case strings.HasSuffix(m.To, "_test.go") && !strings.HasSuffix(m.From, "_test.go"):
		return m.To + " is built for tests alone"
	case constraint(m.From, m.Before) != constraint(m.To, m.Target):
		return fmt.Sprintf("%s and %s are not built for the same systems", m.From, m.To)
	}
	return ""
}

// clause returns what a pattern captures in a text, "" for nothing.
func clause(pattern *lazyregexp.Regexp, text string) string {
	if m := pattern.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// constraint returns what says for which systems a file of Go is built.
func constraint(file, text string) string {
	return clause(goBuild, text) + clause(goSystem, path.Base(file))
}

var (
	goPackage = lazyregexp.New(`(?m)^package (\w+)`)
	goBuild   = lazyregexp.New(`(?m)^//go:build (.*)$`)
	goSystem  = lazyregexp.New(`_((?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9` +
		`|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)` +
		`(?:_(?:386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm))?)(?:_test)?\.go$`)
)

// unfitClass looks at languages whose compilers or loaders find a class by the name of its file.
func (m Moved) unfitClass() string {
	isClass := classHead.MatchString(m.Text)
	switch ext := filepath.Ext(m.From); {
	case clause(packageClause, m.Before) != clause(packageClause, m.Target) ||
		ext == ".java" && path.Dir(m.From) != path.Dir(m.To):
		return m.otherPackage()
	case ext == ".java" && publicClass.MatchString(m.Text):
		return fmt.Sprintf("a public type of Java is in a file of its name, and %s is another one", m.To)
	case ext == ".php" && isClass && stem(m.From) == m.Name:
		return fmt.Sprintf("PHP finds %s by the name of its file, and %s is another one", m.Name, m.To)
	case ext == ".php" && !isClass:
		return fmt.Sprintf("PHP finds functions only in files that are loaded, and rules don't know whether %s is "+
			"loaded where %s is", m.To, m.From)
	}
	return ""
}

var (
	packageClause = lazyregexp.New(`(?m)^(?:package|namespace) ([\w.\\]+)`)
	classHead     = lazyregexp.New(`(?m)^(?:(?:abstract|final|readonly|public|sealed|data|enum|static|strictfp) )*` +
		`(?:class|interface|trait|enum|record|@interface) \w`)
	publicClass = lazyregexp.New(`(?m)^(?:(?:abstract|final|sealed|static|strictfp) )*public\b`)
)

func (m Moved) unfitScript() string {
	switch {
	case defaultExport(m.Name).MatchString(m.Text + "\n" + m.Before):
		return fmt.Sprintf("%s is what %s exports by default", m.Name, m.From)
	case commonJS.MatchString(m.Before) || commonJS.MatchString(m.Target):
		return "rules move only between files that import and export by `import` and `export`"
	}
	return ""
}

func defaultExport(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^export default (?:(?:async|abstract) )*(?:(?:function|class|interface)\*? )?` +
		regexp.QuoteMeta(name) + `\b|^export \{[^}]*\b` + regexp.QuoteMeta(name) + ` as default\b`)
}

var commonJS = lazyregexp.New(`(?m)^(?:module\.)?exports\b|^(?:const|let|var) .*\brequire\(`)

// Offered returns the lines of what moves, so that From can still use it: exported or visible where it was neither.
func (m Moved) Offered() string {
	word := ""
	switch filepath.Ext(m.From) {
	case ".ts", ".tsx", ".js", ".jsx", ".mjs":
		word = "export "
	case ".rs":
		word = "pub(crate) "
	}
	at := headOf(m.Name).FindStringIndex(m.Text)
	if word == "" || at == nil || m.SameScope() || !m.StaysUsed() {
		return m.Text
	}
	head := m.Text[at[0]:at[1]]
	if strings.HasPrefix(head, "export") || strings.HasPrefix(head, "pub") {
		return m.Text
	}
	return m.Text[:at[0]] + word + m.Text[at[0]:]
}

// headOf matches the beginning of a declaration at the margin, up to its name.
func headOf(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:(?:pub(?:\([^)]*\))?|export|async|const|unsafe|static|abstract|declare|extern` +
		` "C") )*` +
		`(?:fn|struct|enum|union|trait|type|const|static|function\*?|class|interface|let|var) (?:mut )?` +
		regexp.QuoteMeta(name) + `\b`)
}

// PerhapsPrivate returns the module of Rust that a file names for what moved, if that lies within another one of which
// the file is no part, so that it may not see it; "" otherwise.
func (m Moved) PerhapsPrivate(file string) string {
	_, to, known := rustModule(m.To)
	_, own, _ := rustModule(file)
	outer, _, nested := cutLast(strings.TrimSuffix(to, "::"), "::")
	if filepath.Ext(m.To) != ".rs" || !known || !nested || strings.HasPrefix(own, outer+"::") {
		return ""
	}
	return "crate::" + strings.TrimSuffix(to, "::")
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
