package modules

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Moved is a declaration that moves from one file to another of the same language. Paths are relative to the root of
// the project, with slashes.
type Moved struct {
	Name, Text string // what moves, and its lines
	From, To   string // paths
	Before     string // text of From without what moves
	Target     string // text of To
	First      int    // line of From, 1-based, at which it begins
	Loads      Graph  // of the modules of Python
}

// Imports returns the lines that To needs for what moves, and the names that it can't import so: those of what From
// declares, if From imports To, and those whose imports mean something else there.
func (m Moved) Imports() (lines, missing []string) {
	used := usedIn(m.From, m.Text)
	has := bindings(m.To, m.Target)
	bound := bindings(m.From, m.Before)
	for _, name := range sortedKeys(bound) {
		line := bound[name]
		switch _, there := has[name]; {
		case !used[name] && !m.perhapsTrait(name) || there || name == m.Name || declares(m.Target, name):
		case relativeImport(line) && path.Dir(m.From) != path.Dir(m.To), m.loadsBack(line):
			missing = append(missing, name)
		case !slices.Contains(lines, line):
			lines = append(lines, line)
		}
	}
	for _, name := range declared(m.From, m.Before) {
		if _, there := has[name]; !used[name] || there || name == m.Name || declares(m.Target, name) || bound[name] != "" ||
			m.SameScope() {
			continue
		}
		line, ok := m.importLine(m.To, m.From, name)
		if !ok || !offered(m.From, m.Before, name) || filepath.Ext(m.From) == ".py" && (m.StaysUsed() ||
			m.Loads.Reaches(m.From, m.To)) {
			missing = append(missing, name)
			continue
		}
		lines = append(lines, line)
	}
	return lines, missing
}

// offered reports whether a text declares a name so that other modules can import it.
func offered(file, text, name string) bool {
	word := ""
	switch filepath.Ext(file) {
	case ".rs":
		word = `pub`
	case ".ts", ".tsx", ".js", ".jsx", ".mjs":
		word = `export`
	}
	return word == "" || regexp.MustCompile(`(?m)^`+word+`\b.*\b`+regexp.QuoteMeta(name)+`\b`+
		`|^export \{[^}]*\b`+regexp.QuoteMeta(name)+`\b`).MatchString(text)
}

// Circle reports whether a file that imports from To is one that To loads, which Python can't load.
func (m Moved) Circle(file string) bool {
	return filepath.Ext(file) == ".py" && m.Loads.Reaches(m.To, file)
}

// loadsBack reports whether a line of From imports what loads To, which Python can't load from To.
func (m Moved) loadsBack(line string) bool {
	return filepath.Ext(m.From) == ".py" && slices.ContainsFunc(importedModules(m.From, line), func(module string) bool {
		return m.Loads.reaches(module, m.To)
	})
}

// perhapsTrait reports whether From imports a name that nothing in it spells out, but whose methods what moves may
// call:
// a trait of Rust.
func (m Moved) perhapsTrait(name string) bool {
	if filepath.Ext(m.From) != ".rs" || identifiers(m.withoutImports())[name] {
		return false
	}
	methods := traitMethods[name]
	return slices.ContainsFunc(callsMethod.FindAllStringSubmatch(m.Text, -1), func(call []string) bool {
		return methods == "" || strings.Contains(" "+methods+" ", " "+call[1]+" ")
	})
}

var callsMethod = lazyregexp.New(`\.(\w+)(?:::<[^>]*>)?\(`)

// traitMethods are the methods of traits that programs of Rust import most.
var traitMethods = map[string]string{
	"Context":        "context with_context",
	"WrapErr":        "wrap_err wrap_err_with",
	"Read":           "read read_to_string read_to_end read_exact bytes take chain by_ref",
	"Write":          "write write_all write_fmt write_str write_char flush by_ref",
	"BufRead":        "lines read_line read_until split fill_buf consume",
	"Seek":           "seek rewind stream_position",
	"Hash":           "hash",
	"FromStr":        "from_str",
	"FromIterator":   "from_iter",
	"OsStrExt":       "as_bytes encode_wide",
	"PermissionsExt": "mode set_mode",
	"MetadataExt":    "mode size uid gid dev ino mtime",
}

// withoutImports returns the text of From that stays, without its imports at the margin.
func (m Moved) withoutImports() string {
	rest := m.Before
	for _, s := range statements(m.Before, importBegins(m.From)) {
		rest = strings.Replace(rest, s.text, "", 1)
	}
	return rest
}

// StaysUsed reports whether From names what moves where it stays.
func (m Moved) StaysUsed() bool { return identifiers(m.Before)[m.Name] }

// SameScope reports whether both files see each other's declarations without an import.
func (m Moved) SameScope() bool {
	switch filepath.Ext(m.From) {
	case ".go", ".java", ".kt":
		return path.Dir(m.From) == path.Dir(m.To)
	case ".php":
		return clause(packageClause, m.Before) == clause(packageClause, m.Target)
	}
	return false
}

// ImportLine returns the line with which From imports what has moved, false if that is not known.
func (m Moved) ImportLine() (line string, ok bool) { return m.importLine(m.From, m.To, m.Name) }

// importLine returns the line with which a file imports a name of another one, as From and To write it, false if that
// is not known.
func (m Moved) importLine(file, of, name string) (line string, ok bool) {
	switch filepath.Ext(file) {
	case ".py":
		if path.Dir(file) == path.Dir(of) && path.Base(of) == "__init__.py" {
			return "from . import " + name, true
		}
		if path.Dir(file) == path.Dir(of) {
			return "from ." + stem(of) + " import " + name, hasPackage(file)
		}
		return "from " + pythonModule(of) + " import " + name, true
	case ".rs":
		root, module, known := rustModule(of)
		ownRoot, _, alsoKnown := rustModule(file)
		return "use crate::" + module + name + ";", known && alsoKnown && root == ownRoot
	case ".ts", ".tsx", ".js", ".jsx", ".mjs":
		return styleOf(file, m.Target, m.Before).importLine(file, of, name)
	}
	return "", false
}

// hasPackage reports whether a file of Python is in a folder, which is a package then.
func hasPackage(file string) bool { return path.Dir(file) != "." }

func stem(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

func pythonModule(file string) string {
	file = strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(file, ".py"), "/__init__"), "src/")
	return strings.ReplaceAll(file, "/", ".")
}

// rustModule returns the folder of a crate and the path of a file's module in it, with :: at its end unless it is the
// crate's own.
func rustModule(file string) (root, module string, ok bool) {
	at := strings.LastIndex("/"+file, "/src/")
	if at < 0 {
		return "", "", false
	}
	root, rest := file[:max(0, at-1)], file[at+len("src/"):]
	rest = strings.TrimSuffix(strings.TrimSuffix(rest, ".rs"), "/mod")
	if rest == "lib" || rest == "main" {
		return root, "", true
	}
	return root, strings.ReplaceAll(rest, "/", "::") + "::", true
}

// relativeImport reports whether a line imports what its own place says where.
func relativeImport(line string) bool { return relative.MatchString(line) }

var relative = lazyregexp.New(`^from \.|from ["']\.|^use (?:super|self)::|require\(["']\.`)

// declared returns the names that a text declares at its margin.
func declared(file, text string) (names []string) {
	pattern := atMargin
	if filepath.Ext(file) == ".py" {
		text = blankDocstrings(text)
		pattern = pythonAtMargin
	}
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

var (
	pythonAtMargin = lazyregexp.New(`(?m)^(?:(?:async )?def |class )?([A-Za-z_]\w*)(?:\(|:| =| *: [^=\n]+ =|: [^=\n]+ =)`)
	atMargin       = lazyregexp.New(`(?m)^(?:(?:pub(?:\([^)]*\))?|export|default|async|const|unsafe|static` +
		`|abstract|declare) )*` +
		`(?:fn|struct|enum|trait|type|const|static|function|class|interface|let|var|macro_rules!) (?:mut )?([\pL_$][\w$]*)`)
)

func declares(text, name string) bool {
	return regexp.MustCompile(`(?m)^(?:[\w()]+ )*(?:fn|struct|enum|trait|type|const|static|function|class` +
		`|interface|let|var|def|func) ` +
		regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

// usedIn returns the names in a text that imports may have given.
func usedIn(file, text string) map[string]bool {
	if filepath.Ext(file) == ".go" {
		return qualifiers(text)
	}
	return identifiers(blankDocstrings(text))
}

// identifiers returns the names in a text but those behind a dot, outside of comments of a line.
func identifiers(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range identifier.FindAllStringSubmatch(hashLine.ReplaceAllString(lineComment.ReplaceAllString(text,
		"$1"), "$1"), -1) {
		found[m[1]] = true
	}
	return found
}

var (
	identifier = lazyregexp.New(`(?:^|[^\w.$])([\pL_$][\w$]*)`)
	hashLine   = lazyregexp.New(`(?m)(^|\s)# .*$`)
)

// LastImport returns the number of the last line of a text's imports at its top, 1-based; of its head if there are
// none.
func LastImport(file, text string) (last int) {
	for _, s := range statements(text, importBegins(file)) {
		last = max(last, s.line+strings.Count(s.text, "\n"))
	}
	return last
}

// importBegins matches the beginning of a statement that imports in a file's language.
func importBegins(file string) *lazyregexp.Regexp {
	switch filepath.Ext(file) {
	case ".py":
		return pythonImports
	case ".rs":
		return rustUses
	case ".java", ".kt":
		return javaImports
	case ".php":
		return phpUses
	}
	return scriptImports
}

var (
	pythonImports = lazyregexp.New(`^(?:from \S+ import|import )`)
	javaImports   = lazyregexp.New(`^import `)
	scriptImports = lazyregexp.New(`^import\b[^(]*$`)
	phpUses       = lazyregexp.New(`^use `)
)

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Placed returns a line of To, 1-based, and what it becomes with what moves next to it: behind the last declaration,
// before the tests and what runs a program. It returns 0 for a file without text.
func (m Moved) Placed() (line int, text string) {
	gap := "\n\n"
	if filepath.Ext(m.To) == ".py" {
		gap = "\n\n\n"
	}
	lines := strings.Split(strings.TrimRight(m.Target, "\n"), "\n")
	code := strings.Trim(m.Text, "\n")
	for i, line := range lines {
		if i > 0 && (filepath.Ext(m.To) == ".rs" && rustTests.MatchString(line) || filepath.Ext(m.To) == ".py" &&
			pythonMain.MatchString(line)) {
			for i > 1 && rustAttribute.MatchString(lines[i-1]) {
				i--
			}
			return i + 1, code + gap + lines[i]
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return len(lines), last + gap + code
	}
	return 0, ""
}

var (
	rustAttribute = lazyregexp.New(`^#\[`)
	rustTests     = lazyregexp.New(`^#\[(?:cfg\((?:all\()?test|test\])`)
	pythonMain    = lazyregexp.New(`^if __name__ == `)
)
